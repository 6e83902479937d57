import { describe, expect, it } from "vitest";
import { answered } from "../../src/gates/delivery.ts";
import { unacknowledged } from "../../src/gates/delivery-rows.ts";
import { digestOf } from "../../src/gates/digest.ts";
import { unansweredFor } from "../../src/gates/people-rows.ts";
import type { Refusal } from "../../src/refusal.ts";
import { snapshotOf } from "../../src/stream/snapshot.ts";
import { eachStore, inMemory } from "../setup/stores.ts";
import { ask, facts, gateOf, head, listening, look, stage } from "../stage.ts";
import type { Guest } from "../table.ts";

const deploy = { title: "Deploy", action: { command: "make deploy" } };

eachStore(({ make }) => {
  it("G17: an approval is taken back, or delivered, never both", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const zoe = await p.guest("zoe", { role: "approver" });
    for (let n = 0; n < 8; n++) {
      const gate = await ask(ada, "request_approval", { title: `Step ${n}` });
      await zoe.does("decide_gate", { gate_id: gate.id, decision: "approve" });
      const recall = () => zoe.does("recall_gate", { gate_id: gate.id });
      const wait = () => ada.does("wait_for_gate", { gate_id: gate.id });
      const [one, other] = await Promise.allSettled(n % 2 ? [recall(), wait()] : [wait(), recall()]);
      const [recalled, waited] = n % 2 ? [one, other] : [other, one];
      if (waited?.status !== "fulfilled") throw waited?.reason;
      const { status } = gateOf(waited.value);
      if (recalled?.status === "fulfilled") expect(status).toBe("denied");
      else {
        expect(recalled?.reason as Refusal).toMatchObject({ code: "CONFLICT" });
        expect(status).toBe("approved");
      }
    }
  });

  it("G17: an answer that is taken back while a result is made is told as it stands, not as it was read", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const zoe = await p.guest("zoe", { role: "approver" });
    const gate = await ask(ada, "request_approval", deploy);
    await zoe.does("decide_gate", { gate_id: gate.id, decision: "approve" });
    const read = await p.table.store.read((db) => unacknowledged(db, "ada", p.clock.now()));
    expect(read).toMatchObject([{ id: gate.id, status: "approved" }]);
    await zoe.does("recall_gate", { gate_id: gate.id });
    const told = await answered(
      "ada",
      read,
      (room, body) => p.table.write(ada.caller, room, body),
      () => {},
      null,
    );
    expect(told).toMatchObject([{ id: gate.id, status: "denied" }]);
  });

  it("G2: reopened by many at once there is one new card", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const people = [];
    for (const name of ["bob", "cyd", "zoe"]) people.push(await p.guest(name, { role: "approver" }));
    const gate = await ask(ada, "request_approval", { ...deploy, timeout_seconds: 30 });
    await p.clock.tick(30_000);
    const tries = await Promise.allSettled(people.map((who) => who.does("reopen_gate", { gate_id: gate.id })));
    const done = tries.filter(({ status }) => status === "fulfilled");
    expect(done).toHaveLength(1);
    const old = await look(ada, gate);
    for (const one of tries)
      if (one.status === "rejected")
        expect(one.reason).toMatchObject({ code: "CONFLICT", facts: { gate_id: old.reopened_as } });
    expect((await ada.does("list_gates", { status: "pending" })).gates).toMatchObject([{ id: old.reopened_as }]);
  });
});

describe("on one store", () => {
  const { make } = inMemory;

  it("G17: an approval can be taken back until it is delivered, and is then denied", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const zoe = await p.guest("zoe", { role: "approver" });
    const vic = await p.guest("vic", { role: "viewer" });
    const gate = await ask(ada, "request_approval", deploy);
    expect((await zoe.refused("recall_gate", { gate_id: gate.id })).code).toBe("CONFLICT");
    await zoe.does("decide_gate", { gate_id: gate.id, decision: "approve" });
    for (const who of [ada, vic])
      expect((await who.refused("recall_gate", { gate_id: gate.id })).code).toBe("FORBIDDEN");
  });

  it("G17: what was taken back reaches the asker as a no, once, without a receipt", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const zoe = await p.guest("zoe", { role: "approver" });
    const gate = await ask(ada, "request_approval", deploy);
    await zoe.does("decide_gate", { gate_id: gate.id, decision: "approve" });
    const recalled = gateOf(await zoe.does("recall_gate", { gate_id: gate.id }));
    expect(recalled).toMatchObject({ status: "denied", recalled: true, decided_by: "zoe" });
    expect(recalled).not.toHaveProperty("receipt");
    const before = await head(p);
    await zoe.does("recall_gate", { gate_id: gate.id });
    expect(await head(p)).toBe(before);
    expect(gateOf(await ada.does("wait_for_gate", { gate_id: gate.id }))).toMatchObject({ status: "denied" });
    expect((await ada.refused("request_approval", deploy)).code).toBe("ALREADY_DENIED");
    const other = await ask(ada, "request_approval", { title: "Other" });
    await zoe.does("decide_gate", { gate_id: other.id, decision: "approve" });
    expect(gateOf(await ada.does("wait_for_gate", { gate_id: other.id })).status).toBe("approved");
    expect(await zoe.refused("recall_gate", { gate_id: other.id })).toMatchObject({
      code: "CONFLICT",
      facts: { delivered_at: expect.stringMatching(/Z$/) },
    });
  });

  it("G2: what expired or was denied is asked again as a new card, and its late answer reaches the asker", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const zoe = await p.guest("zoe", { role: "approver" });
    const gate = await ask(ada, "request_approval", { ...deploy, timeout_seconds: 30 });
    expect((await zoe.refused("reopen_gate", { gate_id: gate.id })).code).toBe("CONFLICT");
    await p.clock.tick(30_000);
    await zoe.refused("decide_gate", { gate_id: gate.id, decision: "approve", note: "yes, go" });
    const fresh = gateOf(await zoe.does("reopen_gate", { gate_id: gate.id }));
    expect(fresh).toMatchObject({ status: "pending", reopens: gate.id, asked_by: "ada", draft: "yes, go" });
    expect(fresh).toMatchObject({ expires_at: new Date(p.clock.now() + 30_000).toISOString(), digest: gate.digest });
    expect(await look(ada, gate)).toMatchObject({ status: "expired", reopened_as: fresh.id });
    await zoe.does("decide_gate", { gate_id: fresh.id, decision: "approve" });
    const { inbox } = await ada.does("list_members");
    const told = (inbox as { answered_gates: Array<{ id: string; status: string }> }).answered_gates;
    expect(told.find(({ id }) => id === fresh.id)).toMatchObject({ status: "approved" });
  });

  it("G7 G9: what a first of two approvals had edited is not asked again: the digest is that of the action shown", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const zoe = await p.guest("zoe", { role: "approver" });
    const gate = await ask(ada, "request_approval", { ...deploy, risk: "critical", timeout_seconds: 30 });
    const edited_action = { command: "make deploy --canary" };
    await zoe.does("decide_gate", { gate_id: gate.id, decision: "approve", edited_action });
    await p.clock.tick(30_000);
    const fresh = gateOf(await zoe.does("reopen_gate", { gate_id: gate.id }));
    expect(fresh).toMatchObject({ action: deploy.action, digest: digestOf(deploy.action), approvals: [] });
    expect(fresh.edited).toBeUndefined();
  });

  it("G14: what ended unanswered stands there for each person until put aside or asked again, for a week", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const zoe = await p.guest("zoe", { role: "approver" });
    const bob = await p.guest("bob", { role: "approver" });
    const soon = { timeout_seconds: 30 };
    const one = await ask(ada, "request_approval", { ...deploy, ...soon });
    const two = await ask(ada, "wait_for_feedback", { question: "Which?", ...soon });
    await ask(ada, "report_blocker", { title: "No key" });
    const waits = await ask(ada, "request_approval", { title: "Later" });
    const missed = async (who: string, since = 0) => {
      const now = p.clock.now();
      const found = await p.table.store.read((db) => unansweredFor(db, "main", who, since, now));
      return found.map(({ id }) => id).sort();
    };
    expect(await missed("zoe")).toEqual([]);
    // Before anybody has written that it expired, and after.
    p.clock.jump(30_000);
    expect(await missed("zoe")).toEqual([one.id, two.id].sort());
    await p.clock.tick(1000);
    expect(await missed("zoe")).toEqual([one.id, two.id].sort());
    expect(await missed("zoe", p.clock.now())).toEqual([]);
    const until = new Date(p.clock.now() + 8 * 24 * 3_600_000).toISOString();
    await zoe.does("snooze_gate", { gate_id: two.id, until });
    expect(await missed("zoe")).toEqual([one.id]);
    expect(await missed("bob")).toEqual([one.id, two.id].sort());
    await bob.does("reopen_gate", { gate_id: one.id });
    expect(await missed("zoe")).toEqual([]);
    expect(await missed("bob")).toEqual([two.id]);
    expect((await look(zoe, waits)).status).toBe("pending");
  });

  it("G5: reopening lifts the denial that stands against the same action", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const zoe = await p.guest("zoe", { role: "approver" });
    const gate = await ask(ada, "request_approval", deploy);
    await zoe.does("decide_gate", { gate_id: gate.id, decision: "deny" });
    await ada.does("whoami");
    expect((await ada.refused("request_approval", deploy)).code).toBe("ALREADY_DENIED");
    const fresh = gateOf(await zoe.does("reopen_gate", { gate_id: gate.id }));
    expect(await ask(ada, "request_approval", deploy)).toMatchObject({ id: fresh.id, status: "pending" });
  });

  it("G15: several answers at once have a result each, one does not hinder the others", async () => {
    const p = await stage(make);
    await p.operator.does("create_room", { room: "lab" });
    const ada = await p.guest("ada");
    const bob = await p.guest("bob", { room: "lab" });
    const zoe = await p.guest("zoe", { role: "approver" });
    const first = await ask(ada, "request_approval", { title: "One" });
    const second = await ask(ada, "wait_for_feedback", { question: "Two?" });
    const foreign = await ask(bob, "request_approval", { title: "Three" });
    const decisions = [
      { gate_id: first.id, decision: "approve" },
      { gate_id: second.id, decision: "approve" },
      { gate_id: foreign.id, decision: "approve" },
      { gate_id: "none", decision: "deny" },
      { gate_id: first.id, decision: "deny" },
    ];
    await zoe.does("see_gate", { gate_id: first.id });
    const { results } = await zoe.does("decide_gates", { decisions });
    expect(results).toMatchObject([
      { gate_id: first.id, gate: { status: "approved" } },
      { gate_id: second.id, error: { code: "BAD_INPUT" } },
      { gate_id: foreign.id, error: { code: "NOT_FOUND" } },
      { gate_id: "none", error: { code: "NOT_FOUND" } },
      { gate_id: first.id, error: { code: "ALREADY_DECIDED" } },
    ]);
    expect(await look(bob, foreign)).toMatchObject({ status: "pending" });
    expect((await ada.refused("decide_gates", { decisions })).code).toBe("FORBIDDEN");
  });

  it("G15: with others only what a person has opened is approved, and nothing of high risk; a no is free", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const zoe = await p.guest("zoe", { role: "approver" });
    const unread = await ask(ada, "request_approval", deploy);
    const grave = [];
    for (const risk of ["high", "critical"]) {
      const gate = await ask(ada, "request_approval", { title: risk, risk });
      await zoe.does("see_gate", { gate_id: gate.id });
      grave.push(gate);
    }
    const all = [unread, ...grave];
    const together = async (decision: string) =>
      (await zoe.does("decide_gates", { decisions: all.map(({ id }) => ({ gate_id: id, decision })) })).results;
    const refusedWith = (call: string, { id }: { id: string }) => ({
      gate_id: id,
      error: { code: "CONFLICT", next: { call, gate_id: id } },
    });
    const refused = [refusedWith("see_gate", unread), ...grave.map((gate) => refusedWith("decide_gate", gate))];
    expect(await together("approve")).toMatchObject(refused);
    for (const gate of all) expect(await look(zoe, gate)).toMatchObject({ status: "pending" });
    expect(await together("deny")).toMatchObject(all.map(() => ({ gate: { status: "denied" } })));
  });

  it("G15: that another person has opened a card does not make it approved together", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const vic = await p.guest("vic", { role: "viewer" });
    const bob = await p.guest("bob", { role: "approver" });
    const zoe = await p.guest("zoe", { role: "approver" });
    const { id } = await ask(ada, "request_approval", deploy);
    for (const who of [vic, bob]) await who.does("see_gate", { gate_id: id });
    const decisions = [{ gate_id: id, decision: "approve" }];
    expect((await zoe.does("decide_gates", { decisions })).results).toMatchObject([
      { error: { code: "CONFLICT", next: { call: "see_gate", gate_id: id } } },
    ]);
    await zoe.does("see_gate", { gate_id: id });
    expect((await zoe.does("decide_gates", { decisions })).results).toMatchObject([{ gate: { status: "approved" } }]);
  });

  it("G2: nothing is asked again for one who has left, was kicked or removed", async () => {
    const p = await stage(make);
    const zoe = await p.guest("zoe", { role: "approver" });
    for (const [name, end] of [
      ["ada", (who: Guest) => who.does("leave_room", { room: "main" })],
      ["bob", () => zoe.does("kick", { member: "bob" })],
      ["cyd", () => zoe.does("remove_member", { member: "cyd" })],
    ] as const) {
      const who = await p.guest(name);
      const gate = await ask(who, "request_approval", { ...deploy, timeout_seconds: 30 });
      await p.clock.tick(30_000);
      await end(who);
      const before = await head(p);
      expect(await zoe.refused("reopen_gate", { gate_id: gate.id }), name).toMatchObject({
        code: "CONFLICT",
        facts: { asked_by: name },
      });
      expect(await head(p)).toBe(before);
    }
  });

  it("G7: a receipt is its asker's and the people's: no other agent gets it", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const eve = await p.guest("eve", { role: "lead" });
    const zoe = await p.guest("zoe", { role: "approver" });
    const { task } = (await eve.does("create_task", { title: "Deploy" })) as { task: { id: number } };
    const gate = await ask(ada, "request_approval", { ...deploy, task_id: task.id });
    const decided = gateOf(await zoe.does("decide_gate", { gate_id: gate.id, decision: "approve" }));
    const { receipt } = decided;
    expect(receipt).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    for (const who of [ada, zoe]) {
      expect(await look(who, gate)).toMatchObject({ receipt });
      expect((await who.does("list_gates")).gates).toMatchObject([{ id: gate.id, receipt }]);
    }
    const seen = [
      await look(eve, gate),
      await eve.does("list_gates"),
      await eve.does("wait_for_gate", { gate_id: gate.id }),
      await eve.does("get_task", { task_id: task.id }),
    ];
    for (const one of seen) {
      expect(JSON.stringify(one)).toContain(gate.id);
      expect(JSON.stringify(one)).not.toContain(receipt);
    }
  });

  it("G7: an agent reports what it ran; anything but what was approved is drift", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const bob = await p.guest("bob");
    const zoe = await p.guest("zoe", { role: "approver" });
    const gate = await ask(ada, "request_approval", deploy);
    const report = (action: unknown) => ada.does("gate_result", { gate_id: gate.id, action });
    expect((await ada.refused("gate_result", { gate_id: gate.id, action: deploy.action })).code).toBe("CONFLICT");
    const edited_action = { command: "make deploy --canary" };
    await zoe.does("decide_gate", { gate_id: gate.id, decision: "approve", edited_action });
    expect(await report(edited_action)).toMatchObject({ drift: false, gate: { digest: digestOf(edited_action) } });
    expect(await report(deploy.action)).toMatchObject({ drift: true });
    expect((await bob.refused("gate_result", { gate_id: gate.id, action: 1 })).code).toBe("FORBIDDEN");
    expect((await facts(p)).filter(({ action }) => action === "gate.ran")).toHaveLength(2);
  });

  it("G7: what has drifted once stays so, whatever is reported later; each report is a fact", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const zoe = await p.guest("zoe", { role: "approver" });
    const gate = await ask(ada, "request_approval", deploy);
    await zoe.does("decide_gate", { gate_id: gate.id, decision: "approve" });
    const report = (action: unknown) => ada.does("gate_result", { gate_id: gate.id, action });
    // Approved for as often as it takes: the same again is none.
    for (let n = 0; n < 2; n++) expect(await report(deploy.action)).toMatchObject({ drift: false });
    const other = { command: "curl evil" };
    const at = new Date(p.clock.now()).toISOString();
    await report(other);
    await p.clock.tick(1000);
    expect(await report(deploy.action)).toMatchObject({ drift: true });
    expect((await look(zoe, gate)).ran).toEqual({
      at,
      digest: digestOf(other),
      drift: true,
      action: other,
      times: 4,
      last: { at: new Date(p.clock.now()).toISOString(), digest: gate.digest, drift: false },
    });
    expect((await facts(p)).filter(({ action }) => action === "gate.ran")).toHaveLength(4);
  });

  it("G5: what was approved for one time and ran twice has drifted", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const zoe = await p.guest("zoe", { role: "approver" });
    const gate = await ask(ada, "request_approval", { ...deploy, single_use: true });
    await zoe.does("decide_gate", { gate_id: gate.id, decision: "approve" });
    const report = () => ada.does("gate_result", { gate_id: gate.id, action: deploy.action });
    expect(await report()).toMatchObject({ drift: false });
    expect(await report()).toMatchObject({ drift: true, gate: { ran: { twice: true, times: 2 } } });
    expect(await report()).toMatchObject({ drift: true, gate: { ran: { twice: true, times: 3 } } });
  });

  it("G14: what drifted stands before each person for a week, however much is asked after it, until put aside", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const zoe = await p.guest("zoe", { role: "approver" });
    const bob = await p.guest("bob", { role: "approver" });
    const gate = await ask(ada, "request_approval", deploy);
    await zoe.does("decide_gate", { gate_id: gate.id, decision: "approve" });
    await ada.does("gate_result", { gate_id: gate.id, action: { command: "curl evil" } });
    for (let n = 0; n < 51; n++) {
      const noise = await ask(ada, "request_approval", { title: `Noise ${n}` });
      await ada.does("withdraw_gate", { gate_id: noise.id });
    }
    const stands = async (who: typeof zoe) => {
      const { snapshot } = await p.table.store.read((db) => snapshotOf(db, "main", who.caller, p.clock.now()));
      return (snapshot.gates as Array<{ id: string }>).some(({ id }) => id === gate.id);
    };
    expect(await stands(zoe)).toBe(true);
    const until = new Date(p.clock.now() + 8 * 24 * 3_600_000).toISOString();
    await zoe.does("snooze_gate", { gate_id: gate.id, until });
    expect(await stands(zoe)).toBe(false);
    expect(await stands(bob)).toBe(true);
    await p.clock.tick(7 * 24 * 3_600_000);
    expect(await stands(bob)).toBe(false);
  });

  it("G14: a snooze hides a card from one person and never moves the deadline", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const vic = await p.guest("vic", { role: "viewer" });
    const waits = ada.does("request_approval", { ...deploy, timeout_seconds: 30 });
    await listening(p, 2);
    const [gate] = (await vic.does("list_gates")).gates as [{ id: string; expires_at: string }];
    const until = new Date(p.clock.now() + 3_600_000).toISOString();
    // Nothing is hidden past its deadline: it would expire unseen.
    expect(await vic.does("snooze_gate", { gate_id: gate.id, until })).toEqual({
      gate_id: gate.id,
      snoozed_until: gate.expires_at,
    });
    expect(await look(vic, gate)).toMatchObject({ expires_at: gate.expires_at, status: "pending" });
    expect((await ada.refused("snooze_gate", { gate_id: gate.id, until })).code).toBe("FORBIDDEN");
    const inDays = (days: number) => new Date(p.clock.now() + days * 24 * 3_600_000).toISOString();
    expect((await vic.refused("snooze_gate", { gate_id: gate.id, until: inDays(31) })).code).toBe("BAD_INPUT");
    // A time that is past ends it.
    for (const days of [-1, 0])
      expect(await vic.does("snooze_gate", { gate_id: gate.id, until: inDays(days) })).toEqual({
        gate_id: gate.id,
        snoozed_until: inDays(0),
      });
    await p.clock.tick(30_000);
    expect(gateOf(await waits).status).toBe("expired");
  });
});
