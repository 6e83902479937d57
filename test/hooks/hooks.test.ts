// Every hook against the real command and the real server: the tool runs on a clear yes and on nothing else, which a
// file proves that running it would make.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { pause } from "../processes/parley.ts";
import { type Attempt, type Client, clients } from "./clients.ts";
import { openStage, type Stage } from "./stage.ts";

// Processes on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.end());

let used = 0;
/** A command that leaves a file, and whether it has. */
function marker() {
  const name = `ran-${++used}-${process.pid}`;
  return { command: `touch ${name}`, id: `toolu_${name}`, name, made: () => existsSync(join(stage.folder, name)) };
}

describe.each(clients)("$name", { concurrent: true }, (client: Client) => {
  it("G7: runs what a person approved", async () => {
    const { command, id, made } = marker();
    const turn = client.tries(stage, { command, id });
    const gate = await stage.asked(command);
    expect(gate).toMatchObject({ asked_by: "ada", kind: "approval", title: expect.stringContaining(command) });
    expect(gate.action).toMatchObject({ tool: expect.any(String), input: { command }, cwd: stage.folder });
    expect(made()).toBe(false);
    await stage.answers(command, { decision: "approve" });
    expect(await turn).toEqual({ ran: command, told: "" });
    expect(made()).toBe(true);
  });

  it("G8: does not run what a person denied, and tells why", async () => {
    const { command, id, made } = marker();
    const turn = client.tries(stage, { command, id });
    await stage.answers(command, { decision: "deny", note: "Not on a Friday" });
    const { ran, told, failed } = await turn;
    expect([ran, failed]).toEqual([null, undefined]);
    expect(told).toContain("zoe denied this: Not on a Friday");
    expect(made()).toBe(false);
  });

  it("G7: runs what a person has made of it, or tells what to run instead", async () => {
    const asked = marker();
    const better = marker();
    const turn = client.tries(stage, asked);
    const { action } = await stage.asked(asked.command);
    const input = { ...(action?.input as object), command: better.command };
    await stage.answers(asked.command, { decision: "approve", edited_action: { ...action, input } });
    const { ran, told, failed } = await turn;
    expect(failed).toBeUndefined();
    expect(ran).toBe(client.edits ? better.command : null);
    if (!client.edits) expect(told).toContain(better.command);
    expect([asked.made(), better.made()]).toEqual([false, client.edits]);
  });

  it("G7: nothing but its input can be edited, for nothing else could be handed back", async () => {
    const { command, id, made } = marker();
    const turn = client.tries(stage, { command, id });
    const { id: gate_id, action } = await stage.asked(command);
    for (const edited_action of [
      { ...action, cwd: "/elsewhere" },
      { ...action, tool: "Read" },
      { ...action, more: 1 },
      command,
      { ...action, input: command },
    ]) {
      const { status } = await stage.zoe.refused("decide_gate", { gate_id, decision: "approve", edited_action });
      expect(status).toBe(422);
    }
    await stage.answers(command, { decision: "deny", note: "Rather not" });
    expect(await turn).toMatchObject({ ran: null, told: expect.stringContaining("Rather not") });
    expect(made()).toBe(false);
  });

  it("never runs when unsure: no server, a wrong token, none", async () => {
    const unsure = [{ PARLEY_URL: stage.nowhere }, { PARLEY_TOKEN: "parley_wrong" }, { PARLEY_TOKEN: "" }];
    await neverRun(
      client,
      unsure.map((env) => ({ ...marker(), env })),
    );
  });

  it("never runs when unsure: nobody answers, rubbish comes", async () => {
    const late = marker();
    const others = [{ raw: "{" }, { raw: '{"hook_event_name":"SessionStart"}' }].map((own) => ({
      ...marker(),
      ...own,
    }));
    await neverRun(client, [{ ...late, limit: 2 }, ...others]);
    const gate = (await stage.gates()).find(({ title }) => title.includes(late.command));
    expect(gate?.status).toBe("expired");
  });
});

async function neverRun(client: Client, attempts: Array<Attempt & { made(): boolean }>): Promise<void> {
  const turns = await Promise.all(attempts.map((attempt) => client.tries(stage, attempt)));
  expect(turns.map(({ ran }) => ran)).toEqual(turns.map(() => null));
  for (const { told } of turns) expect(told).toMatch(/\w+.*\.|failed/);
  expect(attempts.filter(({ made }) => made())).toEqual([]);
}

it("never runs when unsure: no address, a token with something added, nothing that makes sense", async () => {
  const unsure = [
    { env: { PARLEY_URL: "nonsense" } },
    { env: { PARLEY_TOKEN: `${stage.ada.token}x` } },
    { raw: "" },
    { raw: "[]" },
    { raw: '{"hook_event_name":"PreToolUse"}' },
    { raw: '{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":"touch ran"}' },
  ];
  for (const client of clients.filter(({ name }) => /Claude Code, PreToolUse|http|opencode/.test(name)))
    await neverRun(
      client,
      unsure.map((own) => ({ ...marker(), ...own })),
    );
});

describe("a server that goes", () => {
  it("G16: the answer comes when it is back; where it stays away, nothing runs", async () => {
    const waits = clients.filter(({ name }) => /PreToolUse|BeforeTool|Shell|opencode/.test(name));
    const attempts = waits.map((client) => ({ client, ...marker(), limit: 20 }));
    const lost = { ...marker(), limit: 3 };
    const turns = attempts.map(({ client, ...attempt }) => client.tries(stage, attempt));
    for (const { command } of attempts) await stage.asked(command);
    const [first] = waits;
    const never = first?.tries(stage, lost);
    await stage.asked(lost.command);
    await stage.die();
    await pause(500);
    expect(attempts.some(({ made }) => made())).toBe(false);
    // While it is away its deadline passes.
    expect(await never).toMatchObject({ ran: null, told: expect.stringContaining("cannot be reached") });
    await stage.rise();
    for (const { command } of attempts) await stage.answers(command, { decision: "approve" });
    expect(await Promise.all(turns)).toEqual(attempts.map(({ command }) => ({ ran: command, told: "" })));
    expect(lost.made()).toBe(false);
  });

  it("an http hook is cut off, and its card goes", async () => {
    const http = clients.find(({ name }) => name.endsWith("http"));
    const { made, ...attempt } = marker();
    const turn = http?.tries(stage, attempt);
    await stage.asked(attempt.command);
    await stage.die();
    expect(await turn).toEqual({ ran: null, told: "the hook failed" });
    await stage.rise();
    expect(made()).toBe(false);
  });
});
