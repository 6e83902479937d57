import { describe, expect, it } from "vitest";
import { stateOf } from "../../src/members/rules.ts";
import { roomsFor } from "../../src/stream/snapshot.ts";
import { eachStore, inMemory } from "../setup/stores.ts";
import { ask, gateOf, head, listening, type Stage, stage } from "../stage.ts";
import type { Guest } from "../table.ts";

type Member = { name: string; state: string; last_seen: string | null; presence: { status: string; note?: string } };
const minute = 60_000;

async function see(who: Guest, name: string): Promise<Member> {
  const { members } = await who.does("list_members");
  return (members as Member[]).find((member) => member.name === name) as Member;
}
const badges = async (p: Stage) => {
  const zoe = await p.guest("the eye", { role: "viewer" });
  const rooms = await p.table.store.read((db) => roomsFor(db, zoe.caller, p.clock.now()));
  return rooms.map(({ room, approvals, blockers }) => ({ room, approvals, blockers }));
};

describe("the state of a member", () => {
  const at = 1_000_000_000;
  const heard = (ago: number | null, more = {}) => ({
    status: "working" as const,
    seen_at: ago === null ? null : at - ago,
    waits_until: null,
    ...more,
  });
  const none = { asks: false, blocked: false };

  it("G13: waiting > blocked > offline > done > quiet > working", () => {
    expect(stateOf(heard(null, { status: "away" }), { asks: true, blocked: true }, at)).toBe("waiting");
    expect(stateOf(heard(null, { status: "away" }), { asks: false, blocked: true }, at)).toBe("blocked");
    expect(stateOf(heard(15 * minute, { status: "done" }), none, at)).toBe("offline");
    expect(stateOf(heard(2 * minute, { status: "done" }), none, at)).toBe("done");
    expect(stateOf(heard(90_000), none, at)).toBe("quiet");
    expect(stateOf(heard(89_999), none, at)).toBe("working");
  });

  it("M4: quiet after 90 s, offline after 15 minutes, without a call or an open wait", () => {
    expect(stateOf(heard(15 * minute - 1), none, at)).toBe("quiet");
    expect(stateOf(heard(15 * minute), none, at)).toBe("offline");
    expect(stateOf(heard(null), none, at)).toBe("offline");
    expect(stateOf(heard(20 * minute, { waits_until: at + 1 }), none, at)).toBe("working");
    expect(stateOf(heard(20 * minute, { waits_until: at }), none, at)).toBe("offline");
  });

  it("M4: idle shows as quiet, away as offline", () => {
    expect(stateOf(heard(0, { status: "idle" }), none, at)).toBe("quiet");
    expect(stateOf(heard(0, { status: "away" }), none, at)).toBe("offline");
    expect(stateOf(heard(0, { status: "done" }), none, at)).toBe("done");
  });
});

eachStore(({ make }) => {
  it("M4: any call is a sign of life, written at most every 30 s and no fact", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const zoe = await p.guest("zoe", { role: "approver" });
    expect(await see(zoe, "ada")).toMatchObject({ state: "offline", last_seen: null });
    const before = await head(p);
    const first = p.clock.now();
    await ada.does("list_gates");
    expect(await see(zoe, "ada")).toMatchObject({ state: "working", last_seen: new Date(first).toISOString() });
    await p.clock.tick(29_999);
    await ada.refused("get_gate", { gate_id: "none" });
    expect(await see(zoe, "ada")).toMatchObject({ last_seen: new Date(first).toISOString() });
    await p.clock.tick(1);
    await ada.does("list_gates");
    expect(await see(zoe, "ada")).toMatchObject({ last_seen: new Date(first + 30_000).toISOString() });
    await p.clock.tick(90_000);
    expect(await see(zoe, "ada")).toMatchObject({ state: "quiet" });
    await p.clock.tick(13.5 * minute);
    expect(await see(zoe, "ada")).toMatchObject({ state: "offline" });
    expect(await head(p)).toBe(before);
  });

  it("M4: set_presence says how one is, with a note, and no fact of the room", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const before = await head(p);
    for (const [status, state] of [
      ["idle", "quiet"],
      ["done", "done"],
      ["away", "offline"],
      ["working", "working"],
    ] as const) {
      expect(await ada.does("set_presence", { status, note: `now ${status}` })).toEqual({
        presence: { status, note: `now ${status}` },
      });
      expect(await see(ada, "ada")).toMatchObject({ state, presence: { status, note: `now ${status}` } });
    }
    await ada.does("set_presence", { status: "working" });
    expect((await see(ada, "ada")).presence).toEqual({ status: "working" });
    expect(await head(p)).toBe(before);
    for (const args of [{}, { status: "busy" }, { status: "done", note: "x".repeat(201) }, { status: "done", note: 1 }])
      expect((await ada.refused("set_presence", args)).code).toBe("BAD_INPUT");
  });

  it("G13: who waits for a person is waiting, who reported a blocker is blocked; badges count both", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const zoe = await p.guest("zoe", { role: "approver" });
    const state = async () => (await see(zoe, "ada")).state;
    await ada.does("whoami");
    expect(await state()).toBe("working");
    const blocker = await ask(ada, "report_blocker", { title: "No key" });
    expect(await state()).toBe("blocked");
    const question = await ask(ada, "wait_for_feedback", { question: "Which?", timeout_seconds: 60 });
    const approval = await ask(ada, "request_approval", { title: "Deploy" });
    expect(await state()).toBe("waiting");
    expect(await badges(p)).toEqual([{ room: "main", approvals: 2, blockers: 1 }]);
    await zoe.does("decide_gate", { gate_id: approval.id, decision: "deny" });
    expect(await state()).toBe("waiting");
    p.clock.jump(60_000);
    expect(question.status).toBe("pending");
    expect(await state()).toBe("blocked");
    await zoe.does("decide_gate", { gate_id: blocker.id, decision: "resolve", text: "added" });
    expect(await state()).toBe("working");
  });
});

describe("on one store", () => {
  it("M4: who waits in a long call is not quiet", async () => {
    const p = await stage(inMemory.make);
    const ada = await p.guest("ada");
    const zoe = await p.guest("zoe", { role: "approver" });
    const lea = await p.guest("lea", { role: "lead" });
    const waited = lea.does("wait_for_message", { wait_seconds: 600 }, { longest: 600 });
    await listening(p, 2);
    for (const state of ["working", "working", "working", "working", "working"]) {
      await p.clock.tick(110_000);
      expect((await see(zoe, "lea")).state).toBe(state);
    }
    expect((await see(zoe, "ada")).state).toBe("offline");
    const gate = gateOf(await ada.does("report_blocker", { title: "T", wait_seconds: 0 }));
    expect(gate.status).toBe("pending");
    await p.clock.tick(50_000);
    expect(await waited).toMatchObject({ waiting: true });
    await p.clock.tick(15 * minute);
    expect((await see(zoe, "lea")).state).toBe("offline");
  });
});
