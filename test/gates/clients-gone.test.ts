// Cards of clients that ask by themselves: they go when nobody waits any more, and never while somebody does.
import { describe, expect, it } from "vitest";
import type { Beside } from "../../src/action.ts";
import { waitForClients } from "../../src/gates/endings.ts";
import { openStore } from "../../src/store/open.ts";
import { openTable } from "../../src/table.ts";
import { inFile, inMemory, inPostgres } from "../setup/stores.ts";
import { facts, type Gate, gateOf, listening, look, type Stage, stage } from "../stage.ts";
import { type Guest, play, report, settings } from "../table.ts";

const second = 1000;
const bash = (command: string) => ({ title: `Bash: ${command}`, action: { tool: "Bash", input: { command } } });

interface Cards extends Stage {
  ada: Guest;
  zoe: Guest;
  /** As `parley hook` asks, without waiting. */
  asks(key: string | undefined, beside?: Beside): Promise<Gate>;
  /** As it asks again: it waits for so long. */
  waits(gate: Gate, seconds: number): Promise<Gate>;
}

async function cards(make: () => ReturnType<typeof inMemory.make>): Promise<Cards> {
  const p = await stage(make);
  const ada = await p.guest("ada");
  const zoe = await p.guest("zoe", { role: "approver" });
  const hook: Beside = { through: "hook", session: "codex:s" };
  const gate = async (name: string, args: Record<string, unknown>, beside: Beside) =>
    gateOf(JSON.parse(JSON.stringify((await p.table.perform(ada.caller, name, args, { beside })).result)));
  return {
    ...p,
    ada,
    zoe,
    asks: (key, beside = hook) =>
      gate("request_approval", { ...bash("make"), key, timeout_seconds: 540, wait_seconds: 0 }, beside),
    waits: ({ id }, seconds) => gate("wait_for_gate", { gate_id: id, wait_seconds: seconds }, hook),
  };
}

const gone = { status: "withdrawn", reason: "The client no longer waits for the answer." };

describe.each([inMemory, inPostgres])("$name", ({ make }) => {
  it("G19: nobody waits for 60 s: withdrawn, told as a fact, and an approval is refused with the reason", async () => {
    const p = await cards(make);
    const gate = await p.asks("codex:s:1");
    expect(gate.asked_through).toBe("hook");
    await p.clock.tick(60 * second - 1);
    expect(await look(p.zoe, gate)).toMatchObject({ status: "pending" });
    await p.clock.tick(1);
    // Nobody has written in the room since: it is so for every reader at once.
    expect(await look(p.zoe, gate)).toMatchObject(gone);
    const late = await p.zoe.refused("decide_gate", { gate_id: gate.id, decision: "approve" });
    expect([late.code, late.message]).toEqual(["ALREADY_DECIDED", expect.stringContaining("no longer waits")]);
    expect((await facts(p)).filter(({ subject }) => subject === `gate:${gate.id}`).map(({ action }) => action)).toEqual(
      ["gate.asked", "gate.withdrawn"],
    );
    // And it tells the agent nothing: there is nothing to do with it.
    expect(await p.ada.does("whoami")).toMatchObject({ gates: [] });
    expect(await p.zoe.does("list_gates", { status: "pending" })).toMatchObject({ gates: [] });
    expect((await p.zoe.does("list_gates", { status: "withdrawn" })).gates).toHaveLength(1);
  });

  it("G19: a hook that asks again every 25 s keeps its card to its deadline", async () => {
    const p = await cards(make);
    const gate = await p.asks("codex:s:1");
    for (let n = 0; n < 21; n++) {
      const waiting = p.waits(gate, 25);
      await listening(p, 2);
      await p.clock.tick(25 * second);
      expect(await waiting).toMatchObject({ status: "pending" });
      await p.clock.tick(300);
    }
    const last = p.waits(gate, 25);
    await listening(p, 2);
    await p.clock.tick(25 * second);
    expect(await last).toMatchObject({ status: "expired" });
  });
});

it("G19: permission_prompt's card lives through its hold, and goes 60 s after its client", async () => {
  const p = await cards(inMemory.make);
  const client = new AbortController();
  const input = { command: "make" };
  const ask = { signal: client.signal, longest: 600 };
  const prompt = p.table.perform(p.ada.caller, "permission_prompt", { tool_name: "Bash", input }, ask);
  await listening(p, 2);
  const [gate] = (await p.zoe.does("list_gates", { status: "pending" })).gates as Gate[];
  await p.clock.tick(400 * second);
  expect(await look(p.zoe, gate as Gate)).toMatchObject({ status: "pending", waiting_now: true });
  client.abort();
  await prompt;
  await p.clock.tick(59 * second);
  expect(await look(p.zoe, gate as Gate)).toMatchObject({ status: "pending", waiting_now: false });
  await p.clock.tick(1 * second);
  expect(await look(p.zoe, gate as Gate)).toMatchObject(gone);
});

it("G19: parley gate bears a server that is away for 300 s, so its card stays longer", async () => {
  const p = await cards(inMemory.make);
  const gate = await p.asks("gate:1", { through: "command" });
  await p.clock.tick(359 * second);
  expect(await look(p.zoe, gate)).toMatchObject({ status: "pending" });
  await p.clock.tick(1 * second);
  expect(await look(p.zoe, gate)).toMatchObject(gone);
});

it("G19: an agent's own question stays, whoever waits for it", async () => {
  const p = await cards(inMemory.make);
  const own = gateOf(await p.ada.does("request_approval", { title: "Deploy", wait_seconds: 0 }));
  expect(own).not.toHaveProperty("asked_through");
  await p.clock.tick(3600 * second);
  expect(await look(p.zoe, own)).toMatchObject({ status: "pending" });
});

it("G19: after a start of the server clients have 120 s to come back", async () => {
  const p = await cards(inMemory.make);
  const gate = await p.asks("codex:s:1");
  await p.clock.tick(50 * second);
  await waitForClients(p.table.store, p.clock.now());
  await p.clock.tick(119 * second);
  expect(await look(p.zoe, gate)).toMatchObject({ status: "pending" });
  // It has come back, and from then on the usual time counts.
  const waiting = p.waits(gate, 25);
  await listening(p, 2);
  await p.clock.tick(25 * second);
  await waiting;
  await p.clock.tick(59 * second);
  expect(await look(p.zoe, gate)).toMatchObject({ status: "pending" });
  await p.clock.tick(1 * second);
  expect(await look(p.zoe, gate)).toMatchObject(gone);
});

it("G19: two processes on one file agree, whichever of them settles it", async () => {
  const p = await cards(inFile.make);
  const gate = await p.asks("codex:s:1");
  const other = openTable(await openStore(p.fresh.where), p.clock, settings, report);
  const there = play(other.store, p.clock);
  await p.clock.tick(60 * second);
  const as = { ...p.zoe, caller: p.zoe.caller };
  const late = await there.table
    .perform(as.caller, "decide_gate", { gate_id: gate.id, decision: "approve" })
    .catch((error: { code: string }) => error.code);
  expect(late).toBe("ALREADY_DECIDED");
  expect(await look(p.zoe, gate)).toMatchObject(gone);
  await there.table.close();
  await other.ring.close();
});

it("G19: what has expired is not reopened, since nobody would run it; a denial can be", async () => {
  const p = await cards(inMemory.make);
  const gate = await p.asks("codex:s:1");
  const waiting = p.waits(gate, 45);
  await listening(p, 2);
  await p.clock.tick(45 * second);
  await waiting;
  await p.zoe.does("decide_gate", { gate_id: gate.id, decision: "deny" });
  const { gate: again } = (await p.zoe.does("reopen_gate", { gate_id: gate.id })) as { gate: Gate };
  expect(again).toMatchObject({ status: "pending", reopens: gate.id });
  await p.clock.tick(60 * second);
  expect(await look(p.zoe, again)).toMatchObject(gone);

  const short = await p.table.perform(
    p.ada.caller,
    "request_approval",
    { ...bash("other"), timeout_seconds: 10, wait_seconds: 0 },
    { beside: { through: "hook" } },
  );
  await p.clock.tick(10 * second);
  const refused = await p.zoe.refused("reopen_gate", { gate_id: gateOf(short.result).id });
  expect([refused.code, refused.message]).toEqual(["CONFLICT", expect.stringContaining("no longer waits")]);
});

it("G5: a request without the id of its tool use is found again in its session alone, and used once", async () => {
  const p = await cards(inMemory.make);
  const first = await p.asks(undefined);
  expect((await p.asks(undefined)).id).toBe(first.id);
  const elsewhere = await p.asks(undefined, { through: "hook", session: "codex:other" });
  expect(elsewhere.id).not.toBe(first.id);
  await p.zoe.does("decide_gate", { gate_id: first.id, decision: "approve" });
  const { written } = await p.table.perform(
    p.ada.caller,
    "wait_for_gate",
    { gate_id: first.id },
    { beside: { through: "hook", session: "codex:s" } },
  );
  await written();
  expect((await p.asks(undefined)).id).not.toBe(first.id);
});
