// Of what clients ask by themselves a notice names the tool and the program; what cannot be seen is marked in all.
import { describe, expect, it } from "vitest";
import { actionOf, titleOf } from "../../src/gates/tool-use.ts";
import { inMemory, inPostgres } from "../setup/stores.ts";
import { gateOf } from "../stage.ts";
import { receiver, sending, told } from "./stage.ts";

const secret = "hunter2-is-the-word";

/** What each asks by its own way in, with a secret in it, and what a notice says of it. */
const asked = [
  ["a hook's command", "hook", { tool: "Bash", input: { command: `curl -H 'X: ${secret}' https://x` } }, "Bash: curl"],
  ["a hook's variable", "hook", { tool: "Shell", input: { command: `X=${secret} /usr/bin/psql -c x` } }, "Shell: psql"],
  ["a hook's edit", "hook", { tool: "Edit", input: { file_path: `/w/${secret}`, new_string: secret } }, "Edit"],
  ["a command with a title", "command", { command: ["deploy", `--key=${secret}`], cwd: "/w" }, "Run: deploy"],
  ["a program that is none", "command", { command: [`$(cat ${secret})`], cwd: "/w" }, "Run"],
] as const;

describe.each([inMemory, inPostgres])("$name", ({ make }) => {
  it.each(["low", "critical"] as const)("D8: tool and program alone, at %s risk, by webhook and ntfy", async (risk) => {
    const there = await receiver();
    const p = await told(make);
    await p.zoe.does("add_channel", { kind: "ntfy", url: `${there.url}/topic` });
    sending(p.table);
    const { caller } = p.ada;
    const expected: string[] = [];
    for (const [what, through, action, brief] of asked) {
      const title = "tool" in action ? titleOf(action) : `Deploy with ${secret}`;
      const words = { title, action, risk, wait_seconds: 0, details: secret };
      const { result } = await p.table.perform(caller, "request_approval", words, { beside: { through } });
      expect(gateOf(result).title, what).toContain(secret);
      expected.push(brief);
    }
    // The way in that is a tool of its own waits: its caller goes once the card is there.
    const gone = new AbortController();
    const input = { command: `echo ${secret}` };
    const prompt = p.table.perform(caller, "permission_prompt", { tool_name: "Bash", input }, { signal: gone.signal });
    expected.push("Bash: echo");
    await p.there.nth(expected.length);
    await there.nth(expected.length);
    await p.still();
    gone.abort();
    await prompt;
    expect(p.there.got.map(({ json }) => json.title).sort()).toEqual([...expected].sort());
    expect(there.got.map(({ json }) => json.title).sort()).toEqual([...expected].sort());
    for (const { text } of [...p.there.got, ...there.got]) expect(text).not.toContain(secret);
  });
});

it("D8: an agent's own title is masked, and what cannot be seen in it is marked", async () => {
  const p = await told(inMemory.make);
  sending(p.table);
  const hidden = ["\u{e0041}", "\u00ad", "\u034f", "\u180e", "\u2061", "\u3164", "\u202e", "\u200b", "\ufe0f"];
  for (const [n, char] of hidden.entries()) {
    await p.ada.does("request_approval", { title: `a${char}b ${n} token=abcdefgh`, risk: "low", wait_seconds: 0 });
    const { json, text } = await p.there.nth(n + 1);
    expect(json.title).toBe(`a\ufffdb ${n} token=•••`);
    expect(text).not.toMatch(/abcdefgh/);
  }
  await p.ada.does("request_approval", { title: "Ship it 👩‍💻 ✔️", wait_seconds: 0 });
  expect((await p.there.nth(hidden.length + 1)).json.title).toBe("Ship it 👩‍💻 ✔️");
});

it("D8: the title on the card keeps what was asked", () => {
  const use = { tool: "Bash", input: { command: "git push" } };
  expect([titleOf(use), actionOf(use)]).toEqual(["Bash: git push", use]);
});
