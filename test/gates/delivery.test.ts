import { describe, expect, it } from "vitest";
import { openStore } from "../../src/store/open.ts";
import { eachStore, inMemory } from "../setup/stores.ts";
import { ask, facts, gateOf, listening, look, type Stage, stage } from "../stage.ts";
import { type Guest, handClock, play } from "../table.ts";

const deploy = { title: "Deploy", action: { command: "make deploy" } };
type Told = Array<{ id: string; status: string }>;
const told = (result: Record<string, unknown>): Told =>
  ((result.inbox as Record<string, unknown> | undefined)?.answered_gates ?? []) as Told;

/** A call whose result never reaches the caller. */
const lost = async (p: Stage, who: Guest, action: string, args: Record<string, unknown> = {}) =>
  (await p.table.perform(who.caller, action, args)).result;

eachStore(({ make, shared }) => {
  it("G6: an answer rides on every result until a later call acknowledges it", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const zoe = await p.guest("zoe", { role: "approver" });
    const gate = await ask(ada, "request_approval", { ...deploy, options: ["a", "b"] });
    await zoe.does("decide_gate", { gate_id: gate.id, decision: "approve", choice: "b", note: "go" });
    // Results that were not handed over do not count, whatever the tool.
    for (const action of ["whoami", "list_members", "list_gates"])
      expect(told(await lost(p, ada, action))).toMatchObject([
        {
          ...{ id: gate.id, kind: "approval", status: "approved", note: "go", choice: "b", text: null },
          ...{ from_person: true, decided_by: "zoe", decided_at: new Date(p.clock.now()).toISOString() },
        },
      ]);
    expect(await look(zoe, gate)).not.toHaveProperty("acknowledged_at");
    expect(told(await ada.does("list_members"))).toHaveLength(1);
    expect(told(await ada.does("list_members"))).toEqual([]);
    expect(await look(zoe, gate)).toHaveProperty("acknowledged_at");
    const marks = (await facts(p)).filter(({ subject }) => subject === `gate:${gate.id}`).map(({ action }) => action);
    expect(marks).toEqual(["gate.asked", "gate.approved", "gate.delivered", "gate.acknowledged"]);
  });

  it("G6: an answer that ended a wait is acknowledged by the next call, and not told again", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const zoe = await p.guest("zoe", { role: "approver" });
    const asked = ada.does("request_approval", deploy);
    await listening(p, 2);
    const [gate] = (await zoe.does("list_gates")).gates as [{ id: string }];
    await zoe.does("decide_gate", { gate_id: gate.id, decision: "deny", note: "no" });
    expect(gateOf(await asked)).toMatchObject({ status: "denied" });
    expect(await look(zoe, gate)).toHaveProperty("delivered_at");
    expect(told(await ada.does("whoami"))).toEqual([]);
    expect(await look(zoe, gate)).toHaveProperty("acknowledged_at");
  });

  it("G6: a call that began before the result was handed over acknowledges nothing", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const zoe = await p.guest("zoe", { role: "approver" });
    const gate = await ask(ada, "request_approval", deploy);
    const other = await ask(ada, "wait_for_feedback", { question: "Which?" });
    const waiting = ada.does("wait_for_gate", { gate_id: other.id });
    await listening(p, 2);
    await zoe.does("decide_gate", { gate_id: gate.id, decision: "approve" });
    const result = await p.table.perform(ada.caller, "list_members", {});
    expect(told(result.result)).toHaveLength(1);
    await zoe.does("decide_gate", { gate_id: other.id, decision: "answer", text: "blue" });
    // The wait began long ago: what it brings is told once more.
    const waited = await waiting;
    expect(told(waited).map(({ id }) => id)).toContain(gate.id);
    await result.written();
    expect(told(await ada.does("whoami"))).toEqual([]);
  });

  it("G6: answers of several rooms ride on a result in any of them", async () => {
    const p = await stage(make);
    await p.operator.does("create_room", { room: "lab", open: true });
    const ada = await p.guest("ada");
    await ada.does("join_room", { room: "lab" });
    const both = await p.again(ada);
    const olga = await p.guest("olga", { role: "owner" });
    const gates = [];
    for (const room of ["main", "lab"]) gates.push((await ask(both, "request_approval", { ...deploy, room })).id);
    for (const gate_id of gates) await olga.does("decide_gate", { gate_id, decision: "approve" });
    const seen = told(await both.does("list_members", { room: "main" })).map(({ id }) => id);
    expect(seen.sort()).toEqual(gates.sort());
    expect(told(await both.does("list_members", { room: "lab" }))).toEqual([]);
  });

  it("G6: many results at once note the hand-over without harm", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const zoe = await p.guest("zoe", { role: "approver" });
    const gate = await ask(ada, "request_approval", deploy);
    await zoe.does("decide_gate", { gate_id: gate.id, decision: "approve" });
    const results = await Promise.all(Array.from({ length: 8 }, () => ada.does("list_members")));
    expect(results.some((result) => told(result).length === 1)).toBe(true);
    expect(told(await ada.does("whoami"))).toEqual([]);
    const marks = (await facts(p)).filter(({ subject }) => subject === `gate:${gate.id}`).map(({ action }) => action);
    expect(marks).toEqual(["gate.asked", "gate.approved", "gate.delivered", "gate.acknowledged"]);
  });

  if (shared)
    it("G16: gates and answers outlive every process; the next call gets them", async () => {
      const p = await stage(make);
      const ada = await p.guest("ada");
      const zoe = await p.guest("zoe", { role: "approver" });
      const pending = await ask(ada, "report_blocker", { title: "No key" });
      const gate = await ask(ada, "request_approval", deploy);
      await zoe.does("decide_gate", { gate_id: gate.id, decision: "approve", note: "go" });
      // Told, but the process ends before the answer is handed over.
      expect(told(await lost(p, ada, "whoami"))).toHaveLength(1);
      const again = play(await openStore(p.fresh.where), handClock(p.clock.now() + 1000));
      try {
        const she = await again.again(ada);
        const me = await she.does("whoami");
        expect(told(me)).toMatchObject([{ id: gate.id, status: "approved", note: "go" }]);
        expect((me.gates as Told).map(({ id, status }) => `${id} ${status}`).sort()).toEqual(
          [`${gate.id} approved`, `${pending.id} pending`].sort(),
        );
        expect(told(await she.does("whoami"))).toEqual([]);
      } finally {
        await again.table.close();
      }
    });
});

describe("on one store", () => {
  const { make } = inMemory;

  it("G6: a refusal carries the answer too, and does not count as handed over", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const zoe = await p.guest("zoe", { role: "approver" });
    const gate = await ask(ada, "request_approval", deploy);
    await zoe.does("decide_gate", { gate_id: gate.id, decision: "approve" });
    const refused = await ada.refused("wait_for_gate", { gate_id: "nothing" });
    expect(refused).toMatchObject({ code: "NOT_FOUND", facts: { inbox: { answered_gates: [{ id: gate.id }] } } });
    expect(told(await ada.does("whoami"))).toHaveLength(1);
    expect(told(await ada.does("whoami"))).toEqual([]);
  });

  it("G6: expired gates are told in the inbox though nobody wrote since", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const gate = await ask(ada, "wait_for_feedback", { question: "Which?", timeout_seconds: 5 });
    p.clock.jump(5000);
    expect(told(await ada.does("list_members"))).toMatchObject([{ id: gate.id, status: "expired" }]);
    expect(told(await ada.does("list_members"))).toEqual([]);
  });

  it("G7: the inbox brings the action as it was edited", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const zoe = await p.guest("zoe", { role: "approver" });
    const gate = await ask(ada, "request_approval", deploy);
    const edited_action = { command: "make deploy --canary" };
    await zoe.does("decide_gate", { gate_id: gate.id, decision: "approve", edited_action });
    expect(told(await ada.does("whoami"))).toMatchObject([{ id: gate.id, edited: true, action: edited_action }]);
  });

  it("G6: other members' answers, and what the agent withdrew, are not in its inbox", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const bob = await p.guest("bob");
    const zoe = await p.guest("zoe", { role: "approver" });
    const gate = await ask(ada, "request_approval", deploy);
    const mine = await ask(bob, "request_approval", deploy);
    await zoe.does("decide_gate", { gate_id: gate.id, decision: "approve" });
    await bob.does("withdraw_gate", { gate_id: mine.id });
    expect(told(await bob.does("whoami"))).toEqual([]);
    // Somebody else reads the answer: not delivered by that.
    await bob.does("wait_for_gate", { gate_id: gate.id });
    await zoe.does("get_gate", { gate_id: gate.id });
    expect(await look(zoe, gate)).not.toHaveProperty("delivered_at");
  });

  it("M5: an inbox with nothing in it is not there", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    for (const action of ["whoami", "list_members", "list_gates", "set_presence"])
      expect(await ada.does(action, action === "set_presence" ? { status: "working" } : {})).not.toHaveProperty(
        "inbox",
      );
  });
});
