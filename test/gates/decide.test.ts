import { describe, expect, it } from "vitest";
import { digestOf } from "../../src/gates/digest.ts";
import type { Refusal } from "../../src/refusal.ts";
import { eachStore, inMemory } from "../setup/stores.ts";
import { ask, facts, gateOf, head, listening, look, type Stage, stage } from "../stage.ts";
import type { Guest } from "../table.ts";

const deploy = { title: "Deploy", action: { command: "make deploy" } };

eachStore(({ make }) => {
  it("G2: of thirty simultaneous answers exactly one wins, and the others are told who, what, when and where", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const people: Guest[] = [];
    for (let n = 0; n < 30; n++) people.push(await p.guest(`person ${n}`, { role: "approver" }));
    const asked = ada.does("request_approval", deploy);
    await listening(p, 2);
    const [gate] = (await ada.does("list_gates")).gates as Array<{ id: string }>;
    const answers = people.map((person, n) => ({
      person,
      args: { gate_id: gate?.id, decision: n % 2 ? "approve" : "deny", note: `from ${n}` },
    }));
    const given = await Promise.allSettled(answers.map(({ person, args }) => person.does("decide_gate", args)));
    const winners = answers.filter((_, n) => given[n]?.status === "fulfilled");
    expect(winners).toHaveLength(1);
    const winner = winners[0] as (typeof answers)[number];
    const decided = gateOf(await asked);
    expect(decided).toMatchObject({
      status: winner.args.decision === "deny" ? "denied" : "approved",
      decided_by: winner.person.name,
      note: winner.args.note,
    });
    for (const loser of given.flatMap((one) => (one.status === "rejected" ? [one.reason as Refusal] : [])))
      expect(loser).toMatchObject({
        code: "ALREADY_DECIDED",
        status: 409,
        facts: {
          gate_id: gate?.id,
          gate_status: decided.status,
          decided_by: winner.person.name,
          decided_at: decided.decided_at,
          device: "first",
          note: winner.args.note,
        },
      });
    // The same answer again by the same person is the same result, and changes nothing.
    const before = await facts(p);
    const replay = gateOf(await winner.person.does("decide_gate", winner.args));
    expect(replay).toMatchObject({ status: decided.status, note: winner.args.note, decided_at: decided.decided_at });
    expect(await facts(p)).toEqual(before);
    expect(before.filter(({ action }) => /^gate\.(approved|denied)$/.test(action))).toHaveLength(1);
  });

  it("G2: the same answer many times at once is one answer", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const zoe = await p.guest("zoe", { role: "approver" });
    const gate = await ask(ada, "wait_for_feedback", { question: "Which?" });
    const answer = { gate_id: gate.id, decision: "answer", text: "The blue one" };
    const given = await Promise.all(Array.from({ length: 10 }, () => zoe.does("decide_gate", answer)));
    expect(new Set(given.map((result) => JSON.stringify(gateOf(result))))).toHaveLength(1);
    expect((await facts(p)).filter(({ action }) => action === "gate.answered")).toHaveLength(1);
  });

  it("G2: of a decision and a withdrawal the first committed wins, and the other gets that result", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const zoe = await p.guest("zoe", { role: "approver" });
    for (let n = 0; n < 8; n++) {
      const gate = await ask(ada, "request_approval", { title: `Step ${n}` });
      const decide = () => zoe.does("decide_gate", { gate_id: gate.id, decision: "approve" });
      const withdraw = () => ada.does("withdraw_gate", { gate_id: gate.id });
      const both = await Promise.allSettled(n % 2 ? [decide(), withdraw()] : [withdraw(), decide()]);
      expect(both.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      const now = await look(zoe, gate);
      const [lost] = both.flatMap((one) => (one.status === "rejected" ? [one.reason as Refusal] : []));
      expect(lost).toMatchObject({ code: "ALREADY_DECIDED", facts: { gate_status: now.status } });
    }
  });

  it("G2: an answer after the deadline is told so, and its words are kept on the card", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const zoe = await p.guest("zoe", { role: "approver" });
    const asked = ada.does("request_approval", { ...deploy, timeout_seconds: 30 });
    await listening(p, 2);
    const [gate] = (await zoe.does("list_gates")).gates as Array<{ id: string; expires_at: string }>;
    // The clock of the server jumps: nobody has been rung.
    p.clock.jump(30_000);
    const late = await zoe.refused("decide_gate", { gate_id: gate?.id, decision: "approve", note: "yes, go" });
    expect(late).toMatchObject({
      code: "EXPIRED",
      status: 409,
      facts: { gate_id: gate?.id, expired_at: gate?.expires_at },
    });
    // Words beside a no could be taken for a yes: they are for people only.
    const told = gateOf(await asked);
    expect(told).toMatchObject({ status: "expired" });
    expect(told).not.toHaveProperty("draft");
    expect(await look(zoe, { id: gate?.id ?? "" })).toMatchObject({ status: "expired", draft: "yes, go" });
  });

  it("G3: no reader ever sees a gate pending past its deadline", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const zoe = await p.guest("zoe", { role: "approver" });
    const gate = await ask(ada, "wait_for_feedback", { question: "Which?", timeout_seconds: 30 });
    p.clock.jump(30_000);
    expect(await look(zoe, gate)).toMatchObject({
      status: "expired",
      next: { advice: "Nobody answered: go on without." },
    });
    expect((await zoe.does("list_gates", { status: "pending" })).gates).toEqual([]);
    expect((await zoe.does("list_gates", { status: "expired" })).gates).toMatchObject([{ id: gate.id }]);
    expect((await zoe.does("list_gates")).gates).toMatchObject([{ id: gate.id, status: "expired" }]);
    const members = (await zoe.does("list_members")).members as Array<{ name: string; state: string }>;
    expect(members.find(({ name }) => name === "ada")?.state).not.toBe("waiting");
    const me = await ada.does("whoami");
    expect(me.gates).toMatchObject([{ id: gate.id, status: "expired" }]);
    expect(me.inbox).toMatchObject({ answered_gates: [{ id: gate.id, status: "expired" }] });
  });

  it("G9: a critical approval needs two different people for the same action", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const bob = await p.guest("bob", { role: "approver" });
    const zoe = await p.guest("zoe", { role: "approver" });
    const asked = ada.does("request_approval", { ...deploy, risk: "critical" });
    await listening(p, 2);
    const [{ id }] = (await zoe.does("list_gates")).gates as [{ id: string }];
    const approve = { gate_id: id, decision: "approve" };
    expect(gateOf(await zoe.does("decide_gate", approve))).toMatchObject({
      status: "pending",
      approvals_needed: 2,
      approvals: [{ by: "zoe", digest: digestOf(deploy.action) }],
    });
    // The same person does not count twice, confirmed or not.
    expect(gateOf(await zoe.does("decide_gate", approve)).approvals).toHaveLength(1);
    await p.clock.tick(44_000);
    const next = { call: "get_gate", gate_id: id };
    expect(await zoe.refused("decide_gate", { ...approve, confirm: true })).toMatchObject({
      code: "CONFLICT",
      facts: { next },
    });
    // Another version of the action is not what the first approved.
    const edited = { ...approve, edited_action: { command: "make deploy --dry-run" } };
    expect(await bob.refused("decide_gate", edited)).toMatchObject({
      code: "CONFLICT",
      facts: { digest: digestOf(deploy.action), next },
    });
    expect(gateOf(await bob.does("decide_gate", approve))).toMatchObject({ status: "approved", decided_by: "bob" });
    expect(gateOf(await asked)).toMatchObject({
      status: "approved",
      approvals: [{ by: "zoe" }, { by: "bob" }],
      digest: digestOf(deploy.action),
    });
  });

  it("G9: two people who approve at once complete a critical approval, whoever is first", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const people = [];
    for (const name of ["bob", "cyd", "zoe"]) people.push(await p.guest(name, { role: "approver" }));
    const gate = await ask(ada, "request_approval", { ...deploy, risk: "critical" });
    await Promise.allSettled(people.map((who) => who.does("decide_gate", { gate_id: gate.id, decision: "approve" })));
    const now = await look(ada, gate);
    expect(now).toMatchObject({ status: "approved" });
    expect(new Set((now.approvals as Array<{ by: string }>).map(({ by }) => by)).size).toBe(2);
  });
});

describe("on one store", () => {
  const { make } = inMemory;

  it("G2: an answer that does not fit its gate is 422 and changes nothing", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const zoe = await p.guest("zoe", { role: "approver" });
    const approval = await ask(ada, "request_approval", { title: "Pick", options: ["a", "b"] });
    const exact = await ask(ada, "request_approval", deploy);
    const feedback = await ask(ada, "wait_for_feedback", { question: "Which?", options: ["a", "b"] });
    const open = await ask(ada, "wait_for_feedback", { question: "Why?" });
    const blocker = await ask(ada, "report_blocker", { title: "No key" });
    const bad: Array<[{ id: string }, Record<string, unknown>]> = [
      [approval, { decision: "answer", text: "yes" }],
      [approval, { decision: "resolve", text: "yes" }],
      [approval, { decision: "approve", text: "yes" }],
      [approval, { decision: "approve", choice: "c" }],
      [approval, { decision: "approve", edited_action: { command: "x" } }],
      [exact, { decision: "deny", edited_action: { command: "x" } }],
      [feedback, { decision: "approve" }],
      [feedback, { decision: "deny" }],
      [feedback, { decision: "answer" }],
      [feedback, { decision: "answer", choice: "A" }],
      [open, { decision: "answer", choice: "a" }],
      [open, { decision: "answer", note: "only a note" }],
      [blocker, { decision: "resolve" }],
      [blocker, { decision: "answer", text: "here" }],
    ];
    const before = await head(p);
    for (const [gate, args] of bad)
      expect(await zoe.refused("decide_gate", { gate_id: gate.id, ...args }), JSON.stringify(args)).toMatchObject({
        code: "BAD_INPUT",
        status: 422,
      });
    for (const args of [{ decision: "maybe" }, {}, { decision: "approve", note: "" }, { decision: "approve", note: 1 }])
      expect(await zoe.refused("decide_gate", { gate_id: approval.id, ...args })).toMatchObject({
        code: "BAD_INPUT",
        status: 400,
      });
    expect(await head(p)).toBe(before);
    expect(
      gateOf(await zoe.does("decide_gate", { gate_id: feedback.id, decision: "answer", choice: "b" })),
    ).toMatchObject({ status: "answered", choice: "b" });
    expect(
      gateOf(await zoe.does("decide_gate", { gate_id: blocker.id, decision: "resolve", text: "key added" })),
    ).toMatchObject({ status: "resolved", text: "key added" });
  });

  it("G2: what only resembles the same answer is no replay", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const zoe = await p.guest("zoe", { role: "approver" });
    const bob = await p.guest("bob", { role: "approver" });
    const gate = await ask(ada, "request_approval", deploy);
    const answer = { gate_id: gate.id, decision: "approve", note: "go", edited_action: { command: "make deploy -n" } };
    await zoe.does("decide_gate", answer);
    expect(gateOf(await zoe.does("decide_gate", answer))).toMatchObject({ status: "approved" });
    const { edited_action: _, ...unedited } = answer;
    for (const [who, other] of [
      [bob, answer],
      [zoe, { ...answer, note: "really go" }],
      [zoe, { ...answer, edited_action: { command: "make" } }],
      [zoe, unedited],
      [zoe, { gate_id: gate.id, decision: "deny" }],
    ] as const)
      expect(await who.refused("decide_gate", other)).toMatchObject({
        code: "ALREADY_DECIDED",
        facts: { decided_by: "zoe", gate_status: "approved" },
      });
  });

  it("G2: an answer that comes late twice keeps the last words", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const zoe = await p.guest("zoe", { role: "approver" });
    const gate = await ask(ada, "wait_for_feedback", { question: "Which?", options: ["a"], timeout_seconds: 5 });
    await p.clock.tick(5000);
    const answer = { gate_id: gate.id, decision: "answer" };
    await zoe.refused("decide_gate", { ...answer, text: "the blue one" });
    expect(await look(zoe, gate)).toMatchObject({ draft: "the blue one" });
    await zoe.refused("decide_gate", { ...answer, choice: "a" });
    expect(await look(zoe, gate)).toMatchObject({ draft: "a", status: "expired" });
  });

  it("G4: only a person who is approver or owner in the gate's own room decides", async () => {
    const p = await stage(make);
    await p.operator.does("create_room", { room: "lab" });
    const ada = await p.guest("ada");
    const gate = await ask(ada, "request_approval", deploy);
    const before = await head(p);
    for (const [name, role, room] of [
      ["lea", "lead", "main"],
      ["rob", "reviewer", "main"],
      ["obi", "observer", "main"],
      ["vic", "viewer", "main"],
    ] as const) {
      const who = await p.guest(name, { role, room });
      expect(await who.refused("decide_gate", { gate_id: gate.id, decision: "approve" }), name).toMatchObject({
        code: "FORBIDDEN",
        status: 403,
      });
    }
    expect((await p.operator.refused("decide_gate", { gate_id: gate.id, decision: "approve" })).code).toBe("FORBIDDEN");
    // An approver of another room does not even learn that there is one.
    const far = await p.guest("far", { role: "approver", room: "lab" });
    expect(await far.refused("decide_gate", { gate_id: gate.id, decision: "approve" })).toMatchObject({
      code: "NOT_FOUND",
    });
    expect(await far.refused("decide_gate", { gate_id: gate.id, decision: "approve", room: "main" })).toMatchObject({
      code: "FORBIDDEN",
    });
    expect((await facts(p)).slice(before).filter(({ action }) => action.startsWith("gate."))).toEqual([]);
    const owner = await p.guest("olga", { role: "owner", room: "lab" });
    expect(gateOf(await owner.does("decide_gate", { gate_id: gate.id, decision: "approve" }))).toMatchObject({
      status: "approved",
      decided_by: "olga",
    });
  });

  it("G4: the asker never decides its own gate, the owner neither", async () => {
    const p = await stage(make);
    for (const role of ["approver", "owner"]) {
      const who = await p.guest(`the ${role.slice(0, 3)}`, { role });
      for (const risk of ["low", "critical"]) {
        const gate = await ask(who, "request_approval", { title: `${role} ${risk}`, risk });
        for (const decision of ["approve", "deny"])
          expect((await who.refused("decide_gate", { gate_id: gate.id, decision })).code).toBe("FORBIDDEN");
        expect(await look(who, gate)).toMatchObject({ status: "pending" });
      }
    }
  });

  it("G4: no tool decides: what people do with gates and members is theirs alone", async () => {
    const p = await stage(make);
    const { actions } = p.table;
    const theirs = ["decide_gate", "see_gate", "stop_all", "resume_all", "kick", "readmit", "set_role", "add_member"];
    for (const name of [...theirs, "issue_token", "revoke_token", "make_link", "create_room"])
      expect(actions.get(name), name).toMatchObject({ peopleOnly: true });
    expect(actions.get("get_gate")?.peopleOnly).toBeUndefined();
  });

  it("G8: a reason goes with a yes and a no, and is never required", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const zoe = await p.guest("zoe", { role: "approver" });
    for (const [decision, status] of [
      ["approve", "approved"],
      ["deny", "denied"],
    ] as const) {
      const without = await ask(ada, "request_approval", { title: `${decision} without` });
      await zoe.does("decide_gate", { gate_id: without.id, decision });
      expect(await look(ada, without)).toMatchObject({ status, from_person: true });
      expect(await look(ada, without)).not.toHaveProperty("note");
      const asked = await ask(ada, "request_approval", { title: `${decision} with` });
      await zoe.does("decide_gate", { gate_id: asked.id, decision, note: "because\nof the weekend" });
      expect(await look(ada, asked)).toMatchObject({ status, note: "because\nof the weekend" });
    }
  });

  it("G7: an edited action is what was approved, under its own digest", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const zoe = await p.guest("zoe", { role: "approver" });
    const gate = await ask(ada, "request_approval", deploy);
    const edited = { command: "make deploy --canary" };
    await zoe.does("decide_gate", { gate_id: gate.id, decision: "approve", edited_action: edited });
    const waited = gateOf(await ada.does("wait_for_gate", { gate_id: gate.id }));
    expect(waited).toMatchObject({
      status: "approved",
      action: edited,
      digest: digestOf(edited),
      edited: true,
      asked_action: deploy.action,
      from_person: true,
    });
    // The question stays what it was: asked again with its key, it is the same gate.
    const again = await ask(ada, "request_approval", { title: "Other", action: { command: "make deploy" } });
    expect(again.id).not.toBe(gate.id);
  });

  it("G9: risk is medium unless claimed, and only approvals carry it", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    for (const risk of ["low", "medium", "high", "critical"] as const)
      expect(await ask(ada, "request_approval", { title: risk, risk })).toMatchObject({
        risk,
        single_use: risk === "high" || risk === "critical",
      });
    expect(await ask(ada, "request_approval", { title: "default" })).toMatchObject({ risk: "medium" });
    expect(await ask(ada, "wait_for_feedback", { question: "Q" })).not.toHaveProperty("risk");
  });

  it("G9: alone, the same person confirms a critical approval after the delay, not before", async () => {
    const p = await stage(make, { criticalDelay: 90 });
    const ada = await p.guest("ada");
    const zoe = await p.guest("zoe", { role: "approver" });
    await p.guest("vic", { role: "viewer" });
    const gate = await ask(ada, "request_approval", { ...deploy, risk: "critical" });
    const approve = { gate_id: gate.id, decision: "approve" };
    // Confirmed in advance is a first approval.
    expect(gateOf(await zoe.does("decide_gate", { ...approve, confirm: true }))).toMatchObject({ status: "pending" });
    const from = p.clock.now() + 90_000;
    await p.clock.tick(89_999);
    const early = await zoe.refused("decide_gate", { ...approve, confirm: true });
    expect(early).toMatchObject({ code: "CONFLICT", facts: { confirm_from: new Date(from).toISOString() } });
    await p.clock.tick(1);
    // Without confirm it is only the first approval once more.
    expect(gateOf(await zoe.does("decide_gate", approve))).toMatchObject({ status: "pending" });
    expect(gateOf(await zoe.does("decide_gate", { ...approve, confirm: true }))).toMatchObject({
      status: "approved",
      approvals: [{ by: "zoe" }, { by: "zoe" }],
    });
  });

  it("G9: who comes later completes it too, but does not make the first person's second yes count", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const zoe = await p.guest("zoe", { role: "approver" });
    await p.guest("bob", { role: "approver" });
    const gate = await ask(ada, "request_approval", { ...deploy, risk: "critical" });
    await p.operator.does("remove_member", { member: "bob" });
    const approve = { gate_id: gate.id, decision: "approve" };
    await zoe.does("decide_gate", approve);
    await p.clock.tick(120_000);
    // Fixed at the making: there were two.
    expect((await zoe.refused("decide_gate", { ...approve, confirm: true })).code).toBe("CONFLICT");
    const cyd = await p.guest("cyd", { role: "approver" });
    expect(gateOf(await cyd.does("decide_gate", approve))).toMatchObject({ status: "approved" });
  });

  it("G9: a person who asks does not count among those who can decide", async () => {
    const p = await stage(make);
    const bob = await p.guest("bob", { role: "approver" });
    const zoe = await p.guest("zoe", { role: "approver" });
    const gate = await ask(bob, "request_approval", { ...deploy, risk: "critical" });
    const approve = { gate_id: gate.id, decision: "approve" };
    await zoe.does("decide_gate", approve);
    await p.clock.tick(60_000);
    expect(gateOf(await zoe.does("decide_gate", { ...approve, confirm: true }))).toMatchObject({ status: "approved" });
  });

  it("G9: any deny ends a critical gate, by the first approver too", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const bob = await p.guest("bob", { role: "approver" });
    const zoe = await p.guest("zoe", { role: "approver" });
    for (const who of [bob, zoe]) {
      const gate = await ask(ada, "request_approval", { title: `Drop ${who.name}`, risk: "critical" });
      await zoe.does("decide_gate", { gate_id: gate.id, decision: "approve" });
      await who.does("decide_gate", { gate_id: gate.id, decision: "deny", note: "no" });
      expect(await look(ada, gate)).toMatchObject({ status: "denied", decided_by: who.name, note: "no" });
      expect((await bob.refused("decide_gate", { gate_id: gate.id, decision: "approve" })).code).toBe(
        "ALREADY_DECIDED",
      );
    }
  });

  it("G9: the second approves what the first has edited, and both stand under its digest", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const bob = await p.guest("bob", { role: "approver" });
    const zoe = await p.guest("zoe", { role: "approver" });
    const gate = await ask(ada, "request_approval", { ...deploy, risk: "critical" });
    const edited_action = { command: "make deploy --canary" };
    const approve = { gate_id: gate.id, decision: "approve" };
    await zoe.does("decide_gate", { ...approve, edited_action });
    expect(await look(bob, gate)).toMatchObject({ status: "pending", action: edited_action, edited: true });
    await bob.does("decide_gate", { ...approve, edited_action });
    const digest = digestOf(edited_action);
    expect(await look(ada, gate)).toMatchObject({
      status: "approved",
      action: edited_action,
      digest,
      approvals: [{ digest }, { digest }],
    });
  });

  it("G9: one of two approvals counts no more once its giver was kicked, removed, has left or is viewer", async () => {
    const edited_action = { command: "make deploy --canary" };
    const ends: Array<[string, (p: Stage, zoe: Guest) => Promise<unknown>]> = [
      ["kicked", (p) => p.operator.does("kick", { member: "zoe" })],
      ["removed", (p) => p.operator.does("remove_member", { member: "zoe" })],
      ["viewer", (p) => p.operator.does("set_role", { member: "zoe", role: "viewer" })],
      ["left", (_, zoe) => zoe.does("leave_room", { room: "main" })],
    ];
    for (const [how, end] of ends) {
      const p = await stage(make);
      const ada = await p.guest("ada");
      const bob = await p.guest("bob", { role: "approver" });
      const cyd = await p.guest("cyd", { role: "approver" });
      const zoe = await p.guest("zoe", { role: "approver" });
      const gate = await ask(ada, "request_approval", { ...deploy, risk: "critical" });
      const approve = { gate_id: gate.id, decision: "approve" };
      await zoe.does("decide_gate", { ...approve, edited_action });
      await end(p, zoe);
      // What the one who has gone had made of the action has gone as well.
      const shown = await look(bob, gate);
      expect(shown, how).toMatchObject({ status: "pending", approvals: [], digest: gate.digest });
      expect([shown.action, shown.edited], how).toEqual([deploy.action, undefined]);
      expect(gateOf(await bob.does("decide_gate", approve)), how).toMatchObject({ status: "pending" });
      expect(gateOf(await cyd.does("decide_gate", approve)), how).toMatchObject({
        status: "approved",
        digest: gate.digest,
        approvals: [{ by: "bob" }, { by: "cyd" }],
      });
      expect((await facts(p)).map(({ action }) => action)).toContain("gate.approval_dropped");
    }
  });

  it("G9: an owner who is in no room decides there; when it is owner no more, its half counts no more", async () => {
    const p = await stage(make);
    await p.operator.does("create_room", { room: "lab" });
    const ada = await p.guest("ada");
    const bob = await p.guest("bob", { role: "approver" });
    const olga = await p.guest("olga", { role: "owner", room: "lab" });
    await p.guest("otto", { role: "owner", room: "lab" });
    const gate = await ask(ada, "request_approval", { ...deploy, risk: "critical" });
    const approve = { gate_id: gate.id, decision: "approve" };
    await olga.does("decide_gate", approve);
    await olga.does("leave_room", { room: "lab" });
    expect(await look(bob, gate)).toMatchObject({ approvals: [{ by: "olga" }] });
    await p.operator.does("add_member", { name: "olga", person: true, room: "lab" });
    await p.operator.does("set_role", { member: "olga", role: "approver", room: "lab" });
    expect(gateOf(await bob.does("decide_gate", approve))).toMatchObject({
      status: "pending",
      approvals: [{ by: "bob" }],
    });
  });

  it("G9: an answer to another action than the one that was seen is refused, and changes nothing", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const bob = await p.guest("bob", { role: "approver" });
    const zoe = await p.guest("zoe", { role: "approver" });
    const gate = await ask(ada, "request_approval", { ...deploy, risk: "critical" });
    const seen = { gate_id: gate.id, digest: gate.digest };
    const edited_action = { command: "make deploy --canary" };
    await zoe.does("decide_gate", { ...seen, decision: "approve", edited_action });
    const before = await facts(p);
    const now = await look(bob, gate);
    for (const decision of ["approve", "deny"]) {
      expect(await bob.refused("decide_gate", { ...seen, decision })).toMatchObject({
        code: "CONFLICT",
        status: 409,
        message:
          "zoe edited the action after you opened it, so your answer was not used; read it as it is now, and answer that.",
        facts: { gate_id: gate.id, digest: digestOf(edited_action), next: { call: "get_gate", gate_id: gate.id } },
      });
    }
    const decisions = [{ ...seen, decision: "deny" }];
    expect(await bob.does("decide_gates", { decisions })).toMatchObject({ results: [{ error: { code: "CONFLICT" } }] });
    expect(await look(bob, gate)).toEqual(now);
    expect(await facts(p)).toEqual(before);
    // The same answer again is still the same answer.
    await zoe.does("decide_gate", { ...seen, decision: "approve", edited_action });
    expect(await facts(p)).toEqual(before);
    await bob.does("decide_gate", { gate_id: gate.id, digest: digestOf(edited_action), decision: "approve" });
    expect(await look(ada, gate)).toMatchObject({ status: "approved", action: edited_action });
    // Who comes after the answer is told of the answer, whatever they saw.
    expect(await bob.refused("decide_gate", { ...seen, decision: "deny" })).toMatchObject({ code: "ALREADY_DECIDED" });

    const plain = await ask(ada, "request_approval", { title: "Without an action" });
    const other = { gate_id: plain.id, decision: "approve", digest: gate.digest };
    expect((await zoe.refused("decide_gate", other)).message).toMatch(/^This is not the action that you saw/);
    expect(await look(zoe, plain)).toMatchObject({ status: "pending" });
  });

  it("G1: that a person looked is noted once for each: the card says who was first, and when", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const vic = await p.guest("vic", { role: "viewer" });
    const zoe = await p.guest("zoe", { role: "approver" });
    const gate = await ask(ada, "request_approval", deploy);
    expect(gate).not.toHaveProperty("seen_at");
    const seen_at = new Date(p.clock.now()).toISOString();
    await vic.does("see_gate", { gate_id: gate.id });
    await p.clock.tick(1000);
    await zoe.does("see_gate", { gate_id: gate.id });
    for (const who of [vic, zoe]) await who.does("see_gate", { gate_id: gate.id });
    expect(await look(ada, gate)).toMatchObject({ seen_at, seen_by: "vic" });
    const seen = (await facts(p)).filter(({ action }) => action === "gate.seen");
    expect(seen.map(({ member }) => member)).toEqual(["vic", "zoe"]);
    expect((await ada.refused("see_gate", { gate_id: gate.id })).code).toBe("FORBIDDEN");
  });
});
