// permission_prompt over MCP: Claude Code's own contract, with the clock turned by hand.
import { afterEach, beforeEach, expect, it } from "vitest";
import { bearer, found, type Instance, instance, request } from "../edges/mcp/stage.ts";
import { type Fresh, inMemory } from "../setup/stores.ts";
import type { Guest } from "../table.ts";

type Json = Record<string, unknown>;
type Gate = Json & { id: string; status: string; title: string };

let fresh: Fresh;
let mcp: Instance;
let ada: Guest;
let zoe: Guest;

beforeEach(async () => {
  fresh = await inMemory.make();
  mcp = await instance(fresh.store);
  ada = await mcp.guest("ada");
  zoe = await mcp.guest("zoe", { role: "approver" });
});
afterEach(async () => {
  expect(mcp.logged).toEqual([]);
  await mcp.stop();
  await fresh.remove();
});

const prompt = (args: Json, own: { headers?: Record<string, string>; id?: number } = {}) =>
  mcp.post(
    request("tools/call", { name: "permission_prompt", arguments: args, _meta: { progressToken: "p" } }, own.id ?? 1),
    { ...bearer(ada.token), "Mcp-Session-Id": "claude-code.x", ...own.headers },
  );

const bash = (command: string, tool_use_id?: string) => ({
  tool_name: "Bash",
  input: { command, description: "d" },
  ...(tool_use_id !== undefined && { tool_use_id }),
});

/** The last message of a response of events. */
async function resultOf(response: Response): Promise<{ content: Array<{ type: string; text: string }> } & Json> {
  const data = [...(await response.text()).matchAll(/^data: (.*)$/gm)].map(([, json]) => JSON.parse(json ?? ""));
  return data.at(-1).result;
}

async function answerOf(response: Response): Promise<unknown> {
  const result = await resultOf(response);
  expect(Object.keys(result)).toEqual(["content"]);
  expect(result.content).toEqual([{ type: "text", text: expect.any(String) }]);
  return JSON.parse(result.content[0]?.text ?? "");
}

const pending = (): Promise<Gate> =>
  found(async () => {
    const { gates } = (await zoe.does("list_gates", { status: "pending" })) as { gates: Gate[] };
    return gates[0];
  });
const decide = (gate: Gate, decision: Json) => zoe.does("decide_gate", { gate_id: gate.id, ...decision });

it("G7: an approval is one text block with Claude Code's allow and the input as it was", async () => {
  const asked = prompt(bash("git push", "toolu_1"));
  const gate = await pending();
  expect(gate).toMatchObject({
    title: "Bash: git push",
    action: { tool: "Bash", input: { command: "git push", description: "d" } },
    kind: "approval",
  });
  await decide(gate, { decision: "approve" });
  expect(await answerOf(await asked)).toEqual({
    behavior: "allow",
    updatedInput: { command: "git push", description: "d" },
  });
});

it("G7: an edited action is the input that runs; nothing but the input can be edited", async () => {
  const asked = prompt(bash("git push -f", "toolu_1"));
  const gate = await pending();
  const input = { command: "git push" };
  await decide(gate, { decision: "approve", edited_action: { tool: "Bash", input } });
  expect(await answerOf(await asked)).toEqual({ behavior: "allow", updatedInput: input });

  const other = prompt(bash("make", "toolu_2"));
  const { id } = await pending();
  const edited_action = { tool: "Write", input };
  const refused = await zoe.refused("decide_gate", { gate_id: id, decision: "approve", edited_action });
  expect([refused.code, refused.status]).toEqual(["BAD_INPUT", 422]);
  await decide(await pending(), { decision: "deny" });
  expect(await answerOf(await other)).toMatchObject({ behavior: "deny" });
});

it("G7: that a person edited the input is told in the agent's next result, once", async () => {
  const asked = prompt(bash("git push -f", "toolu_1"));
  const input = { command: "git push" };
  const gate = await pending();
  await decide(gate, { decision: "approve", edited_action: { tool: "Bash", input } });
  expect(await answerOf(await asked)).toEqual({ behavior: "allow", updatedInput: input });
  const line = async () =>
    ((await ada.does("list_rooms")).inbox as { answered_gates: Gate[] } | undefined)?.answered_gates;
  expect(await line()).toMatchObject([
    {
      id: gate.id,
      edited: true,
      action: { tool: "Bash", input },
      next: { advice: "zoe edited this before it ran: it ran as action says." },
    },
  ]);
  expect(await line()).toBeUndefined();
  // Unedited there is nothing to tell.
  const plain = prompt(bash("make", "toolu_2"), { id: 2 });
  await decide(await pending(), { decision: "approve" });
  expect(await answerOf(await plain)).toMatchObject({ behavior: "allow" });
  expect(await line()).toBeUndefined();
});

it("G10: says no folder: a rule never answers its commands, and tells why; what is known by its fields it does", async () => {
  for (const pattern of [
    { tool: "Bash", command: "npm test", cwd: "/srv/app" },
    { tool: "WebFetch", fields: { "input.url": "https://example.org/**" } },
  ])
    await zoe.does("create_rule", { effect: "allow", pattern });
  const args = { tool_name: "WebFetch", input: { url: "https://example.org/a" }, tool_use_id: "toolu_1" };
  expect(await answerOf(await prompt(args))).toEqual({ behavior: "allow", updatedInput: args.input });
  const command = prompt(bash("npm test", "toolu_2"), { id: 2 });
  const gate = await pending();
  expect(await zoe.does("propose_rule", { gate_id: gate.id })).toMatchObject({
    why_not: expect.stringContaining("in which folder"),
  });
  await decide(gate, { decision: "deny" });
  expect(await answerOf(await command)).toMatchObject({ behavior: "deny" });
});

it("G8: a denial tells who and why", async () => {
  const asked = prompt(bash("rm -r x", "toolu_1"));
  await decide(await pending(), { decision: "deny", note: "keep it" });
  expect(await answerOf(await asked)).toEqual({ behavior: "deny", message: "zoe denied this: keep it" });
});

it("G3: it holds for 600 s with signs of life, and denies only once its row is expired", async () => {
  const response = await prompt(bash("git push", "toolu_1"));
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  const gate = await pending();
  expect(Date.parse(String(gate.expires_at)) - Date.parse(String(gate.asked_at))).toBe(600_000);
  await mcp.clock.tick(599_000);
  expect((await pending()).id).toBe(gate.id);
  await mcp.clock.tick(1_500);
  const late = await zoe.refused("decide_gate", { gate_id: gate.id, decision: "approve" });
  expect(late.code).toBe("EXPIRED");
  expect(await answerOf(response)).toMatchObject({
    behavior: "deny",
    message: expect.stringContaining("Nobody answered"),
  });
  const { gate: now } = (await zoe.does("get_gate", { gate_id: gate.id })) as { gate: Gate };
  expect(now.status).toBe("expired");
});

it("G3: an approval in its last second is still a yes to the client", async () => {
  const response = await prompt(bash("git push", "toolu_1"));
  const gate = await pending();
  await mcp.clock.tick(599_500);
  // Whatever was to be said before it is said.
  for (let n = 0; n < 5; n++) await (await mcp.post(request("ping", {}, `p${n}`), bearer(ada.token))).text();
  await decide(gate, { decision: "approve" });
  expect(await answerOf(response)).toMatchObject({ behavior: "allow" });
});

it("G5: the same tool use is the same card, before and after its answer; another one asks anew", async () => {
  const first = prompt(bash("git push", "toolu_1"));
  const gate = await pending();
  const again = prompt(bash("git push", "toolu_1"), { id: 2 });
  await decide(gate, { decision: "approve" });
  const allow = { behavior: "allow", updatedInput: { command: "git push", description: "d" } };
  expect(await answerOf(await first)).toEqual(allow);
  expect(await answerOf(await again)).toEqual(allow);
  expect(await answerOf(await prompt(bash("git push", "toolu_1"), { id: 3 }))).toEqual(allow);
  expect(await answerOf(await prompt(bash("rm -r /", "toolu_1"), { id: 4 }))).toMatchObject({
    behavior: "deny",
    message: expect.stringContaining("KEY_REUSED"),
  });
  const fresh = prompt(bash("git push", "toolu_2"), { id: 5 });
  expect((await pending()).id).not.toBe(gate.id);
  await decide(await pending(), { decision: "deny" });
  expect(await answerOf(await fresh)).toMatchObject({ behavior: "deny" });
});

it("G5: without an id one yes is used once", async () => {
  const first = prompt(bash("git push"));
  const gate = await pending();
  await decide(gate, { decision: "approve" });
  expect(await answerOf(await first)).toMatchObject({ behavior: "allow" });
  const second = prompt(bash("git push"), { id: 2 });
  expect((await pending()).id).not.toBe(gate.id);
  await decide(await pending(), { decision: "deny" });
  expect(await answerOf(await second)).toMatchObject({ behavior: "deny" });
});

it("G17: where all is stopped it denies at once, in Claude Code's words", async () => {
  await zoe.does("stop_all", {});
  expect(await answerOf(await prompt(bash("git push", "toolu_1")))).toMatchObject({
    behavior: "deny",
    message: expect.stringMatching(/^STOPPED: /),
  });
});

it("G6: no inbox rides on it, and a call cut off leaves the card for the next", async () => {
  const { gate: question } = (await ada.does("wait_for_feedback", { question: "Which?", wait_seconds: 0 })) as {
    gate: Gate;
  };
  await zoe.does("decide_gate", { gate_id: question.id, decision: "answer", text: "The blue one" });
  const stop = new AbortController();
  const cut = fetch(mcp.url, {
    method: "POST",
    signal: stop.signal,
    headers: { "Content-Type": "application/json", ...bearer(ada.token) },
    body: JSON.stringify(request("tools/call", { name: "permission_prompt", arguments: bash("git push", "toolu_1") })),
  });
  cut.catch(() => {});
  const gate = await pending();
  stop.abort();
  // It may be gone on with for a while.
  await found(async () => {
    await mcp.clock.tick(1000);
    return (await pending()).waiting_now ? undefined : true;
  });
  const again = prompt(bash("git push", "toolu_1"), { id: 2 });
  await decide(gate, { decision: "approve" });
  expect(await answerOf(await again)).toMatchObject({ behavior: "allow" });
  const { inbox } = (await ada.does("whoami")) as { inbox: { answered_gates: Gate[] } };
  expect(inbox.answered_gates).toMatchObject([{ id: question.id, text: "The blue one" }]);
});

it("is listed for Claude Code to find, without an output schema", async () => {
  const { client } = await mcp.connect(ada.token, { name: "claude-code" });
  const { tools } = await client.listTools();
  const tool = tools.find(({ name }) => name === "permission_prompt");
  expect(tool).toMatchObject({
    inputSchema: { required: ["tool_name", "input"] },
    annotations: { readOnlyHint: true },
  });
  expect(tool).not.toHaveProperty("outputSchema");
});
