import { describe, expect, it } from "vitest";
import { eachStore, inMemory } from "../setup/stores.ts";
import { ask, facts, found, gateOf, listening, look, refusal, stage } from "../stage.ts";
import type { Guest } from "../table.ts";

const deploy = { title: "Deploy", action: { command: "make deploy", cwd: "/srv" } };
const acknowledges = (who: Guest) => who.does("whoami");

eachStore(({ make }) => {
  it("G1: the gate is committed before the wait begins, and the answer ends the wait", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const zoe = await p.guest("zoe", { role: "approver" });
    const asked = ada.does("request_approval", deploy);
    await listening(p, 2);
    const [gate] = (await zoe.does("list_gates", { status: "pending" })).gates as Array<{ id: string }>;
    expect(gate).toMatchObject({
      title: "Deploy",
      asked_by: "ada",
      kind: "approval",
      risk: "medium",
      waiting_now: true,
    });
    await zoe.does("decide_gate", { gate_id: gate?.id, decision: "approve", note: "go" });
    expect(gateOf(await asked)).toMatchObject({
      status: "approved",
      note: "go",
      decided_by: "zoe",
      from_person: true,
      action: deploy.action,
    });
  });

  it("G5: a storm of retries without a key makes one card", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const gates = await Promise.all(Array.from({ length: 20 }, () => ask(ada, "request_approval", deploy)));
    expect(new Set(gates.map((gate) => gate.id)).size).toBe(1);
    expect((await facts(p)).filter((fact) => fact.action === "gate.asked")).toHaveLength(1);
  });

  it("G5: a storm of retries with a key makes one card, which its answer settles for all of them", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const zoe = await p.guest("zoe", { role: "approver" });
    const asked = Array.from({ length: 10 }, () => ada.does("request_approval", { ...deploy, key: "k1" }));
    await listening(p, 20);
    const [gate, ...more] = (await zoe.does("list_gates", { status: "pending" })).gates as Array<{ id: string }>;
    expect(more).toEqual([]);
    await zoe.does("decide_gate", { gate_id: gate?.id, decision: "approve" });
    const answers = (await Promise.all(asked)).map(gateOf);
    expect(new Set(answers.map(({ id, status }) => `${id} ${status}`))).toEqual(new Set([`${gate?.id} approved`]));
  });

  it("G5: the same key always gives the same gate, pending, settled and acknowledged", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const zoe = await p.guest("zoe", { role: "approver" });
    const first = await ask(ada, "request_approval", { ...deploy, key: "k1" });
    expect((await ask(ada, "request_approval", { ...deploy, key: "k1" })).id).toBe(first.id);
    await zoe.does("decide_gate", { gate_id: first.id, decision: "approve" });
    expect(await ask(ada, "request_approval", { ...deploy, key: "k1" })).toMatchObject({
      id: first.id,
      status: "approved",
    });
    await acknowledges(ada);
    expect(await ask(ada, "request_approval", { ...deploy, key: "k1" })).toMatchObject({
      id: first.id,
      status: "approved",
    });
    // Another member's same key is its own.
    const bob = await p.guest("bob");
    expect((await ask(bob, "request_approval", { ...deploy, key: "k1" })).id).not.toBe(first.id);
  });

  it("G5: without a key an answer is used once: attached to until acknowledged, never after", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const zoe = await p.guest("zoe", { role: "approver" });
    const first = await ask(ada, "request_approval", deploy);
    await zoe.does("decide_gate", { gate_id: first.id, decision: "approve" });
    // Its own answer never arrived, so that the retry gets it.
    const lost = await p.table.perform(ada.caller, "request_approval", { ...deploy, wait_seconds: 0 });
    expect(lost.result.gate).toMatchObject({ id: first.id, status: "approved" });
    expect(await ask(ada, "request_approval", deploy)).toMatchObject({ id: first.id, status: "approved" });
    // That one was handed over, so that the next call is a new question.
    expect(await ask(ada, "request_approval", deploy)).toMatchObject({ status: "pending" });
  });

  it("G5: a denial stands for ten minutes against the same digest, with or without another key", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const zoe = await p.guest("zoe", { role: "approver" });
    const first = await ask(ada, "request_approval", deploy);
    await zoe.does("decide_gate", { gate_id: first.id, decision: "deny", note: "not today" });
    // Not yet acknowledged: a call without a key gets the denial itself.
    expect(await ask(ada, "request_approval", deploy)).toMatchObject({
      id: first.id,
      status: "denied",
      note: "not today",
    });
    for (const key of [undefined, "k2"]) {
      const refused = await ada.refused("request_approval", { ...deploy, key });
      expect(refused).toMatchObject({
        code: "ALREADY_DENIED",
        status: 409,
        facts: { gate_id: first.id, note: "not today" },
      });
    }
    await p.clock.tick(10 * 60_000 - 1);
    expect((await ada.refused("request_approval", { ...deploy, key: "k3" })).code).toBe("ALREADY_DENIED");
    expect(await ask(ada, "request_approval", { title: "Build", action: { command: "make" } })).toMatchObject({
      status: "pending",
    });
    await p.clock.tick(1);
    expect(await ask(ada, "request_approval", { ...deploy, key: "k3" })).toMatchObject({ status: "pending" });
  });

  it("G5: simultaneous questions do not pass the limit", async () => {
    const p = await stage(make, { maxPending: 3 });
    const ada = await p.guest("ada");
    const asked = await Promise.allSettled(
      Array.from({ length: 8 }, (_, n) => ask(ada, "request_approval", { title: `Step ${n}` })),
    );
    expect(asked.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
  });

  it("G5: a blocker past the limit joins the newest blocker of the same room", async () => {
    const p = await stage(make, { maxPending: 3 });
    await p.operator.does("create_room", { room: "lab", open: true });
    const ada = await p.guest("ada");
    await ada.does("join_room", { room: "lab" });
    const both = await p.again(ada);
    await ask(both, "report_blocker", { title: "No key", room: "main" });
    const second = await ask(both, "report_blocker", { title: "No disk", room: "main" });
    await ask(both, "report_blocker", { title: "No network", room: "lab" });
    expect(await ask(both, "report_blocker", { title: "No air", room: "main" })).toMatchObject({
      id: second.id,
      room: "main",
      status: "pending",
    });
  });

  it("G6: a cancelled call leaves the gate pending and tells that nobody waits", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const zoe = await p.guest("zoe", { role: "approver" });
    const gone = new AbortController();
    const asked = ada.does("request_approval", deploy, { signal: gone.signal });
    await listening(p, 2);
    await p.clock.tick(3000);
    gone.abort();
    const gate = gateOf(await asked);
    expect(gate.status).toBe("pending");
    expect(await look(zoe, gate)).toMatchObject({
      status: "pending",
      waiting_now: false,
      nobody_waits_since: new Date(p.clock.now()).toISOString(),
    });
    const waited = ada.does("wait_for_gate", { gate_id: gate.id });
    await listening(p, 2);
    expect(await look(zoe, gate)).toMatchObject({ waiting_now: true });
    await zoe.does("decide_gate", { gate_id: gate.id, decision: "approve" });
    expect(gateOf(await waited).status).toBe("approved");
  });

  it("G6: a card believes for 45 s at most that somebody waits, and as long as somebody does", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const zoe = await p.guest("zoe", { role: "approver" });
    const asked = ada.does("request_approval", { title: "Deploy", wait_seconds: 200 }, { longest: 240 });
    await listening(p, 2);
    for (let seconds = 0; seconds < 200; seconds += 10) {
      const left = await found(async () => {
        const [row] = await p.table.store.read((db) => db.selectFrom("gates").select("waits_until").execute());
        const until = (row?.waits_until ?? 0) - p.clock.now();
        return until > 0 ? until : undefined;
      });
      expect(left).toBeLessThanOrEqual(45_000);
      await p.clock.tick(10_000);
    }
    const gate = gateOf(await asked);
    expect(gate.status).toBe("pending");
    expect(await look(zoe, gate)).toMatchObject({ waiting_now: false });
  });

  it("G1: gates of a member that is kicked or leaves are withdrawn, and its waits end", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const bob = await p.guest("bob");
    const zoe = await p.guest("zoe", { role: "approver" });
    const first = await ask(ada, "request_approval", deploy);
    const second = await ask(bob, "report_blocker", { title: "No key" });
    const waited = refusal(ada.does("wait_for_gate", { gate_id: first.id }));
    await listening(p, 2);
    await zoe.does("kick", { member: "ada", reason: "loops" });
    expect((await waited).code).toBe("FORBIDDEN");
    expect(await look(zoe, first)).toMatchObject({ status: "withdrawn" });
    await bob.does("leave_room", { room: "main" });
    expect(await look(zoe, second)).toMatchObject({ status: "withdrawn" });
  });

  it("G11: titles, details, options and actions past their limits are refused, never cut", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const zoe = await p.guest("zoe", { role: "approver" });
    const full = {
      title: "🦊".repeat(200),
      details: "é".repeat(20_000),
      options: Array.from({ length: 10 }, (_, n) => `${n}${"x".repeat(199)}`),
      action: { diff: "x".repeat(512 * 1024 - 11) },
    };
    const gate = await look(zoe, await ask(ada, "request_approval", full));
    expect(gate).toMatchObject(full);
    const bad: Array<Record<string, unknown>> = [
      { title: "x".repeat(201) },
      { title: "" },
      { title: "  " },
      { title: "two\nlines" },
      { title: "bell\u0007" },
      { title: "T", details: "x".repeat(20_001) },
      { title: "T", details: "nul\u0000" },
      { title: "T", details: "half \ud83e" },
      { title: "T", options: Array.from({ length: 11 }, (_, n) => `${n}`) },
      { title: "T", options: ["x".repeat(201)] },
      { title: "T", options: ["yes", "no", "yes"] },
      { title: "T", action: { diff: "x".repeat(512 * 1024 - 10) } },
      { title: "T", action: { text: "half \ud83e" } },
      { title: "T", action: { "nul\u0000": 1 } },
      { title: "T", task_id: 1.5 },
      { title: "T", risk: "none" },
    ];
    const before = await facts(p);
    for (const args of bad)
      expect(await ada.refused("request_approval", args), JSON.stringify(args).slice(0, 80)).toMatchObject({
        code: "BAD_INPUT",
        status: 400,
      });
    expect(await facts(p)).toEqual(before);
  });

  it("G11: a backslash before u0000 is text, not NUL", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const zoe = await p.guest("zoe", { role: "approver" });
    const action = { command: "printf '\\u0000 \\ud800'", path: "C:\\\\u0000" };
    expect(await look(zoe, await ask(ada, "request_approval", { title: "Print", action }))).toMatchObject({ action });
  });

  it("G7: any JSON is an action, null too", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    for (const action of [null, false, 0, "", [], {}, "rm -rf build", [1, [2]], { __proto__: null, a: { b: null } }]) {
      const gate = await ask(ada, "request_approval", { title: `Do ${JSON.stringify(action)}`, action });
      expect(gate).toHaveProperty("action", JSON.parse(JSON.stringify(action)));
      expect(gate).toHaveProperty("digest");
    }
    expect(await ask(ada, "request_approval", { title: "Nothing exact" })).not.toHaveProperty("digest");
  });
});

describe("on one store", () => {
  const { make } = inMemory;

  it("G1: each kind has its own deadline, and a blocker has none", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const at = (seconds: number) => new Date(p.clock.now() + seconds * 1000).toISOString();
    expect(await ask(ada, "request_approval", deploy)).toMatchObject({ expires_at: at(86_400) });
    expect(await ask(ada, "wait_for_feedback", { question: "Which?" })).toMatchObject({ expires_at: at(120) });
    expect(await ask(ada, "report_blocker", { title: "No access" })).not.toHaveProperty("expires_at");
    for (const seconds of [1, 604_800])
      expect(await ask(ada, "request_approval", { title: `For ${seconds}`, timeout_seconds: seconds })).toMatchObject({
        expires_at: at(seconds),
      });
    for (const seconds of [0, 604_801, 1.5])
      expect((await ada.refused("request_approval", { title: "Never", timeout_seconds: seconds })).code).toBe(
        "BAD_INPUT",
      );
  });

  it("G5: a wait returns before the client gives up, pending, with the next call", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const asked = ada.does("request_approval", deploy, { longest: 10 });
    await listening(p, 2);
    await p.clock.tick(10_000);
    const gate = gateOf(await asked);
    expect(gate).toMatchObject({ status: "pending", next: { call: "wait_for_gate", gate_id: gate.id } });
    const waited = ada.does("wait_for_gate", { gate_id: gate.id });
    await listening(p, 2);
    await p.clock.tick(45_000);
    expect(gateOf(await waited)).toMatchObject({ id: gate.id, status: "pending", next: { call: "wait_for_gate" } });
  });

  it("G5: the same key with another digest or kind is refused", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const { id } = await ask(ada, "request_approval", { ...deploy, key: "k1" });
    const other = await ada.refused("request_approval", { ...deploy, action: { command: "rm -rf /" }, key: "k1" });
    expect(other).toMatchObject({ code: "KEY_REUSED", status: 409, facts: { gate_id: id } });
    expect((await ada.refused("request_approval", { title: "Deploy", key: "k1" })).code).toBe("KEY_REUSED");
    expect((await ada.refused("wait_for_feedback", { question: "Deploy", key: "k1" })).code).toBe("KEY_REUSED");
    const plain = await ask(ada, "wait_for_feedback", { question: "Which?", options: ["a", "b"], key: "k2" });
    expect((await ada.refused("wait_for_feedback", { question: "Which?", options: ["b"], key: "k2" })).code).toBe(
      "KEY_REUSED",
    );
    expect((await ask(ada, "wait_for_feedback", { question: "Which?", options: ["a", "b"], key: "k2" })).id).toBe(
      plain.id,
    );
  });

  it("G5: without a key the call attaches by the action's digest, whatever the title says", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const first = await ask(ada, "request_approval", deploy);
    expect((await ask(ada, "request_approval", { ...deploy, title: "Deploy, please" })).id).toBe(first.id);
    const reordered = { cwd: "/srv", command: "make deploy" };
    expect((await ask(ada, "request_approval", { title: "Deploy", action: reordered })).id).toBe(first.id);
    expect((await ask(ada, "request_approval", { title: "Deploy", action: { command: "make" } })).id).not.toBe(
      first.id,
    );
    expect((await ask(ada, "wait_for_feedback", { question: "Deploy" })).id).not.toBe(first.id);
  });

  it("G5: a person's own question is used once too", async () => {
    const p = await stage(make);
    const bob = await p.guest("bob", { role: "approver" });
    const zoe = await p.guest("zoe", { role: "approver" });
    const first = await ask(bob, "request_approval", deploy);
    await zoe.does("decide_gate", { gate_id: first.id, decision: "approve" });
    expect(await ask(bob, "request_approval", deploy)).toMatchObject({ id: first.id, status: "approved" });
    expect(await ask(bob, "request_approval", deploy)).toMatchObject({ status: "pending" });
  });

  it("G5: expired and withdrawn gates are not attached to", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const first = await ask(ada, "request_approval", { ...deploy, timeout_seconds: 5 });
    await p.clock.tick(5000);
    const second = await ask(ada, "request_approval", deploy);
    expect(second).toMatchObject({ status: "pending" });
    expect(second.id).not.toBe(first.id);
    await ada.does("withdraw_gate", { gate_id: second.id, reason: "not needed" });
    const third = await ask(ada, "request_approval", deploy);
    expect(third).toMatchObject({ status: "pending" });
    expect(third.id).not.toBe(second.id);
  });

  it("G5: an agent has at most so many pending gates; more are refused with those that wait", async () => {
    const p = await stage(make, { maxPending: 3 });
    const ada = await p.guest("ada");
    const gates = [];
    for (const n of [1, 2, 3]) gates.push(await ask(ada, "request_approval", { title: `Step ${n}` }));
    const refused = await ada.refused("request_approval", { title: "Step 4" });
    expect(refused).toMatchObject({
      code: "TOO_MANY_PENDING",
      status: 409,
      facts: { next: { call: "wait_for_gate" } },
    });
    expect((refused.facts.pending as Array<{ id: string }>).map(({ id }) => id).sort()).toEqual(
      gates.map(({ id }) => id).sort(),
    );
    // Asking again for one of them is no new one.
    expect((await ask(ada, "request_approval", { title: "Step 2" })).id).toBe(gates[1]?.id);
    await ada.does("withdraw_gate", { gate_id: gates[0]?.id });
    expect(await ask(ada, "request_approval", { title: "Step 4" })).toMatchObject({ status: "pending" });
  });

  it("G5: expired gates do not count as pending", async () => {
    const p = await stage(make, { maxPending: 2 });
    const ada = await p.guest("ada");
    for (const n of [1, 2]) await ask(ada, "request_approval", { title: `Step ${n}`, timeout_seconds: 10 });
    await p.clock.tick(10_000);
    expect(await ask(ada, "request_approval", { title: "Step 3" })).toMatchObject({ status: "pending" });
  });

  it("G5: a blocker is refused for nothing that waits: neither for approvals, nor for blockers elsewhere", async () => {
    const p = await stage(make, { maxPending: 2 });
    await p.operator.does("create_room", { room: "lab", open: true });
    const ada = await p.guest("ada");
    await ada.does("join_room", { room: "lab" });
    const both = await p.again(ada);
    for (const title of ["One", "Two"]) await ask(both, "request_approval", { title, room: "main" });
    for (const title of ["No air", "No light"])
      expect(await ask(both, "report_blocker", { title, room: "main" })).toMatchObject({ title, status: "pending" });
    expect(await ask(both, "report_blocker", { title: "No heat", room: "lab" })).toMatchObject({ title: "No heat" });
    expect(await ask(both, "report_blocker", { title: "No key", room: "main" })).toMatchObject({ title: "No light" });
    expect((await both.refused("request_approval", { title: "Three", room: "main" })).code).toBe("TOO_MANY_PENDING");
  });

  it("G5: a denial stands against words that look the same: blanks and invisible characters make no other question", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const zoe = await p.guest("zoe", { role: "approver" });
    const question = { title: "May I delete prod?", details: "All of it.\n\nNow.", options: ["one", "two"] };
    const gate = await ask(ada, "request_approval", question);
    await zoe.does("decide_gate", { gate_id: gate.id, decision: "deny" });
    await ada.does("wait_for_gate", { gate_id: gate.id });
    await ada.does("whoami");
    const { title, details, options } = question;
    const same = [
      { title: "May I delete prod? " },
      { title: " May I  delete prod?" },
      { title: "May I\u00a0delete\u2003prod?" },
      { title: "May I de\u200blete pr\u00adod?\u2060" },
      { title: "May I delete\u2800prod?" },
      { details: "All of it. Now.\n" },
      { options: ["one ", "two\u200d"] },
    ];
    for (const more of same)
      expect((await ada.refused("request_approval", { ...question, ...more })).code, JSON.stringify(more)).toBe(
        "ALREADY_DENIED",
      );
    const others = [
      { title: "May I delete Prod?" },
      { details: "Some of it. Now." },
      { options: [...options, "three"] },
    ];
    for (const more of others)
      expect(await ask(ada, "request_approval", { title, details, options, ...more })).toMatchObject({
        status: "pending",
      });
  });

  it("G5: the words that wait are one card, however they are spaced; an action is compared as it is", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const first = await ask(ada, "request_approval", { title: "Deploy" });
    for (const title of ["Deploy ", " Deploy"])
      expect((await ask(ada, "request_approval", { title })).id).toBe(first.id);
    const one = await ask(ada, "request_approval", { title: "Run", action: { command: "rm a" } });
    const two = await ask(ada, "request_approval", { title: "Run", action: { command: "rm a " } });
    expect(two.id).not.toBe(one.id);
  });

  it("G1: an agent withdraws its own gate, with the reason; nobody else does", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const bob = await p.guest("bob", { role: "lead" });
    const zoe = await p.guest("zoe", { role: "approver" });
    const asked = ada.does("request_approval", deploy);
    await listening(p, 2);
    const [gate] = (await ada.does("list_gates", { mine: true })).gates as Array<{ id: string }>;
    for (const who of [bob, zoe])
      expect((await who.refused("withdraw_gate", { gate_id: gate?.id })).code).toBe("FORBIDDEN");
    await ada.does("withdraw_gate", { gate_id: gate?.id, reason: "found another way" });
    expect(gateOf(await asked)).toMatchObject({ status: "withdrawn", reason: "found another way" });
    // Once more is the same.
    expect(gateOf(await ada.does("withdraw_gate", { gate_id: gate?.id })).status).toBe("withdrawn");
    expect(await zoe.refused("decide_gate", { gate_id: gate?.id, decision: "approve" })).toMatchObject({
      code: "ALREADY_DECIDED",
      facts: { gate_status: "withdrawn" },
    });
  });

  it("G11: an action nested without end is refused, not a bug", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    let action: unknown = 1;
    for (let n = 0; n < 100_000; n++) action = [action];
    expect((await ada.refused("request_approval", { title: "Deep", action })).code).toBe("BAD_INPUT");
    const zoe = await p.guest("zoe", { role: "approver" });
    const gate = await ask(ada, "request_approval", deploy);
    expect(
      (await zoe.refused("decide_gate", { gate_id: gate.id, decision: "approve", edited_action: action })).code,
    ).toBe("BAD_INPUT");
  });

  it("G1: a question about a task that does not exist is refused", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    expect((await ada.refused("request_approval", { ...deploy, task_id: 7 })).code).toBe("NOT_FOUND");
  });

  it("G1: observers and viewers ask for nothing", async () => {
    const p = await stage(make);
    for (const role of ["observer", "viewer"]) {
      const who = await p.guest(`the ${role}`, { role });
      for (const [action, args] of [
        ["request_approval", { title: "T" }],
        ["wait_for_feedback", { question: "Q" }],
        ["report_blocker", { title: "T" }],
      ] as const)
        expect((await who.refused(action, args)).code).toBe("FORBIDDEN");
    }
  });

  it("G1: after ten minutes without an answer the agent is told to do other work", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    // Somebody is there who could answer.
    await (await p.guest("zoe", { role: "approver" })).does("list_rooms");
    const gate = await ask(ada, "request_approval", deploy);
    expect(gate.next).not.toHaveProperty("advice");
    await p.clock.tick(10 * 60_000);
    const waited = await found(async () =>
      gateOf(await ada.does("wait_for_gate", { gate_id: gate.id, wait_seconds: 0 })),
    );
    expect(waited.next).toMatchObject({ call: "wait_for_gate", advice: expect.stringContaining("other work") });
  });
});
