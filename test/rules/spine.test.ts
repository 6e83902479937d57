import { describe, expect, it } from "vitest";
import { find } from "../../src/gates/rows.ts";
import { recall } from "../../src/gates/rules.ts";
import { view } from "../../src/gates/view.ts";
import { deleteRoom } from "../../src/members/room-rows.ts";
import { eachStore, inMemory } from "../setup/stores.ts";
import { ask, facts, type Gate, gateOf, look, stage } from "../stage.ts";
import type { Guest, Play } from "../table.ts";

const cwd = "/srv/app";
const day = 24 * 3600_000;
const test = { command: "npm test", cwd };
const push = { command: "git push origin main", cwd };
const allowTest = { effect: "allow", pattern: { command: "npm test", cwd } };
const denyPush = { effect: "deny", pattern: { command: "git push ..." }, note: "Not without me" };

type Rule = Record<string, unknown> & { id: string };
const make = async (who: Guest, rule: Record<string, unknown>): Promise<Rule> =>
  (await who.does("create_rule", rule)).rule as Rule;
const rulesOf = async (who: Guest, args = {}): Promise<Rule[]> => (await who.does("list_rules", args)).rules as Rule[];
let asked = 0;
/** Asks anew each time, without waiting. */
const request = (who: Guest, action: unknown, more = {}): Promise<Gate> =>
  ask(who, "request_approval", { title: "May I?", action, key: `k${++asked}`, ...more });

async function team(make: Parameters<typeof stage>[0]) {
  const p = await stage(make);
  return {
    p,
    ada: await p.guest("ada"),
    bob: await p.guest("bob"),
    zoe: await p.guest("zoe", { role: "approver" }),
    olga: await p.guest("olga", { role: "owner" }),
  };
}

/** A room of its own, with these members of `main` in it. */
async function lab(p: Play, owner: Guest, ...roles: Array<[Guest, string]>): Promise<Guest[]> {
  await owner.does("create_room", { room: "lab" });
  for (const [{ name }, role] of roles)
    await owner.does("add_member", { name, room: "lab", role, ...(role === "approver" && { person: true }) });
  return Promise.all(roles.map(([guest]) => p.again(guest)));
}

eachStore(({ make: fresh }) => {
  it("G10: an allow rule answers at once, and the gate, its facts and its receipt say so", async () => {
    const { p, ada, zoe } = await team(fresh);
    const rule = await make(zoe, allowTest);
    expect(rule).toMatchObject({
      status: "standing",
      effect: "allow",
      pattern: { tool: "shell", program: "npm", argv: ["npm", "test"], cwd },
      made_by: "zoe",
      hits: 0,
    });
    const gate = gateOf(await ada.does("request_approval", { title: "Test", action: test }));
    expect(gate).toMatchObject({
      status: "approved",
      by_rule: rule.id,
      decided_by: "zoe",
      action: test,
      risk: "medium",
    });
    expect(gate.decided_at).toBe(gate.asked_at);
    expect(gate).not.toHaveProperty("from_person");
    const payload = JSON.parse(Buffer.from(String(gate.receipt).split(".")[1] ?? "", "base64url").toString());
    expect(payload).toMatchObject({ gate: gate.id, by: ["zoe"], rule: rule.id, digest: gate.digest });
    const log = await p.table.store.read((db) =>
      db.selectFrom("log").selectAll().where("room", "=", "main").where("subject", "=", `gate:${gate.id}`).execute(),
    );
    expect(log.map(({ action, member }) => [action, member])).toEqual([
      ["gate.asked", "ada"],
      ["gate.approved", null],
      ["gate.delivered", "ada"],
    ]);
    expect(log[1]).toMatchObject({ addressee: "ada", data: { by_rule: rule.id, by: "zoe", digest: gate.digest } });
    expect(await rulesOf(zoe)).toMatchObject([{ id: rule.id, hits: 1, last_used: gate.asked_at }]);
    expect((await facts(p, "_server")).at(-1)).toMatchObject({
      action: "rule.created",
      subject: `rule:${rule.id}`,
      member: "zoe",
    });
    // A blocked or other question, and another action, wait for a person.
    expect(await request(ada, push)).toMatchObject({ status: "pending" });
    expect(await request(ada, { command: "npm test; git push", cwd })).toMatchObject({ status: "pending" });
    expect(await ask(ada, "wait_for_feedback", { question: "npm test?" })).toMatchObject({ status: "pending" });
    expect((await rulesOf(zoe))[0]).toMatchObject({ hits: 1 });
  });

  it("G10: its answer rides in the inbox as the rule's, not as a person's", async () => {
    const { p, ada, zoe } = await team(fresh);
    const rule = await make(zoe, allowTest);
    const lost = await p.table.perform(ada.caller, "request_approval", {
      title: "Test",
      action: test,
      wait_seconds: 0,
    });
    const { inbox } = await ada.does("list_rooms");
    const gate = gateOf(lost.result);
    expect(inbox).toMatchObject({ answered_gates: [{ id: gate.id, status: "approved", by_rule: rule.id }] });
    expect((inbox as { answered_gates: object[] }).answered_gates[0]).not.toHaveProperty("from_person");
  });

  it("G10: deny beats allow, and its note reaches the agent", async () => {
    const { ada, zoe, olga } = await team(fresh);
    const allow = await make(zoe, { effect: "allow", pattern: { command: "git push origin *", cwd } });
    expect(await request(ada, push)).toMatchObject({ status: "approved", by_rule: allow.id });
    const deny = await make(olga, denyPush);
    expect(await request(ada, push)).toMatchObject({
      status: "denied",
      by_rule: deny.id,
      decided_by: "olga",
      note: "Not without me",
    });
    expect(await ada.refused("request_approval", { title: "Push", action: push, key: "again" })).toMatchObject({
      code: "ALREADY_DENIED",
      message: expect.stringContaining("A rule of olga denied this: “Not without me”"),
    });
    expect(await request(ada, { command: "cd sub && git push", cwd })).toMatchObject({ status: "denied" });
    expect(await rulesOf(zoe)).toMatchObject([
      { id: deny.id, hits: 2 },
      { id: allow.id, hits: 1 },
    ]);
  });

  it("G10: a person's own answer comes too late for what a rule has answered", async () => {
    const { ada, zoe, olga } = await team(fresh);
    await make(zoe, allowTest);
    const gate = await request(ada, test);
    for (const who of [zoe, olga]) {
      const refused = await who.refused("decide_gate", { gate_id: gate.id, decision: "deny" });
      expect(refused).toMatchObject({
        code: "ALREADY_DECIDED",
        message: "A rule of zoe approved this first; your answer was not used.",
      });
    }
  });

  it("G17: what a rule approved and a person takes back is that person's answer", async () => {
    const { p, ada, zoe } = await team(fresh);
    await make(zoe, allowTest);
    const { id } = await request(ada, test);
    const gate = await p.table.store.read((db) => find(db, "main", id));
    if (!gate) throw new Error("the gate is gone");
    const by = { member: "olga", device: "phone", now: p.clock.now(), criticalDelay: 0 };
    // As if no result had carried it yet.
    const recalled = recall({ ...gate, delivered_at: null }, by);
    expect(recalled).toMatchObject({ status: "denied", recalled: true, decided_by: "olga", by_rule: null });
    expect(view(recalled, p.clock.now())).toMatchObject({ from_person: true });
  });

  it("G10: no rule ever answers what is critical, claimed or raised", async () => {
    const { ada, zoe } = await team(fresh);
    await make(zoe, allowTest);
    await make(zoe, { effect: "deny", pattern: {} });
    expect(await request(ada, test, { risk: "critical" })).toMatchObject({ status: "pending", approvals_needed: 2 });
    expect(await request(ada, test, { risk: "high" })).toMatchObject({ status: "denied" });
    await make(zoe, { effect: "raise", risk: "critical", pattern: { program: "npm" } });
    const gate = await request(ada, { command: "npm test", cwd: "/elsewhere" }, { risk: "low" });
    expect(gate).toMatchObject({ status: "pending", risk: "critical", claimed_risk: "low", approvals_needed: 2 });
  });

  it("G9: a raise lifts the risk by one step or to the one it names, never lowers it, and says what was claimed", async () => {
    const { p, ada, zoe, olga } = await team(fresh);
    const step = await make(zoe, { effect: "raise", pattern: { program: "git" } });
    expect(await request(ada, push, { risk: "low" })).toMatchObject({
      risk: "medium",
      claimed_risk: "low",
      raised_by: step.id,
    });
    const high = await request(ada, push);
    expect(high).toMatchObject({ status: "pending", risk: "high", claimed_risk: "medium", single_use: true });
    expect(high).not.toHaveProperty("approvals_needed");
    expect(await request(ada, push, { risk: "high" })).toMatchObject({ risk: "critical", approvals_needed: 2 });
    const critical = await request(ada, push, { risk: "critical" });
    expect(critical).toMatchObject({ risk: "critical" });
    expect(critical).not.toHaveProperty("raised_by");
    expect(await request(ada, test)).toMatchObject({ risk: "medium" });

    const to = await make(zoe, { effect: "raise", risk: "critical", pattern: { command: "git push ..." } });
    const gate = await request(ada, { command: "cd x; git push --force", cwd }, { risk: "low" });
    expect(gate).toMatchObject({ risk: "critical", claimed_risk: "low", raised_by: to.id, approvals_needed: 2 });
    const [fact] = await p.table.store.read((db) =>
      db.selectFrom("log").select("data").where("subject", "=", `gate:${gate.id}`).execute(),
    );
    expect(fact?.data).toMatchObject({ risk: "critical", claimed_risk: "low", raised_by: to.id });
    // Which two people then decide.
    await zoe.does("decide_gate", { gate_id: gate.id, decision: "approve" });
    expect(await look(zoe, gate)).toMatchObject({ status: "pending" });
    await olga.does("decide_gate", { gate_id: gate.id, decision: "approve" });
    expect(await look(zoe, gate)).toMatchObject({ status: "approved", from_person: true, raised_by: to.id });

    await make(zoe, { effect: "raise", risk: "medium", pattern: { program: "ls" } });
    expect(await request(ada, { command: "ls", cwd }, { risk: "high" })).toMatchObject({ risk: "high" });
  });

  it("G9: what is raised is still answered by an allow rule, unless it is critical", async () => {
    const { ada, zoe } = await team(fresh);
    await make(zoe, allowTest);
    await make(zoe, { effect: "raise", pattern: { program: "npm" } });
    expect(await request(ada, test)).toMatchObject({ status: "approved", risk: "high", claimed_risk: "medium" });
    expect(await request(ada, test, { risk: "high" })).toMatchObject({ status: "pending", risk: "critical" });
  });

  it("G10: a rule is for a time, ends when it was not used for 30 days, and a use keeps it", async () => {
    const { p, ada, zoe } = await team(fresh);
    const hour = await make(zoe, { ...allowTest, seconds: 3600 });
    expect(hour.expires_at).toBe(new Date(p.clock.now() + 3600_000).toISOString());
    await p.clock.tick(3600_000 - 1);
    expect(await request(ada, test)).toMatchObject({ status: "approved" });
    await p.clock.tick(1);
    expect(await request(ada, test)).toMatchObject({ status: "pending" });

    const rule = await make(zoe, { effect: "allow", pattern: { command: "npm run lint", cwd } });
    const lint = { command: "npm run lint", cwd };
    await p.clock.tick(30 * day - 1);
    expect(await request(ada, lint)).toMatchObject({ status: "approved" });
    await p.clock.tick(30 * day - 1);
    expect(await request(ada, lint)).toMatchObject({ status: "approved" });
    await p.clock.tick(30 * day);
    expect(await request(ada, lint)).toMatchObject({ status: "pending" });
    expect(await rulesOf(zoe)).toEqual([]);
    expect(await rulesOf(zoe, { ended: true })).toMatchObject([
      { id: rule.id, status: "unused", hits: 2 },
      { id: hour.id, status: "expired", hits: 1 },
    ]);
  });

  it("G10: revoked is revoked at once, by its maker, its room's approvers or the owner; twice is once", async () => {
    const { p, ada, zoe, olga } = await team(fresh);
    const rule = await make(zoe, { ...allowTest, room: "main" });
    const first = (await zoe.does("revoke_rule", { rule_id: rule.id })).rule as Rule;
    expect(first).toMatchObject({ status: "revoked", revoked_by: "zoe" });
    expect((await olga.does("revoke_rule", { rule_id: rule.id })).rule).toEqual(first);
    expect(await request(ada, test)).toMatchObject({ status: "pending" });
    expect((await facts(p, "_server")).filter(({ action }) => action === "rule.revoked")).toHaveLength(1);
    const yan = await p.guest("yan", { role: "approver" });
    const other = await make(zoe, { ...allowTest, room: "main" });
    expect((await yan.does("revoke_rule", { rule_id: other.id })).rule).toMatchObject({ revoked_by: "yan" });
    const wide = await make(zoe, allowTest);
    expect((await yan.refused("revoke_rule", { rule_id: wide.id })).code).toBe("FORBIDDEN");
    expect((await olga.does("revoke_rule", { rule_id: wide.id })).rule).toMatchObject({ revoked_by: "olga" });
    expect((await zoe.refused("revoke_rule", { rule_id: "nothing" })).code).toBe("NOT_FOUND");
  });

  it("G10: rules are made by approvers for their rooms, and by the owner for all; nobody else", async () => {
    const { p, ada, zoe, olga } = await team(fresh);
    const [adaInLab] = await lab(p, olga, [ada, "worker"]);
    if (!adaInLab) throw new Error("ada is not in the lab");
    expect((await zoe.refused("create_rule", { ...allowTest, room: "lab" })).code).toBe("FORBIDDEN");
    expect((await zoe.refused("try_rule", { ...allowTest, room: "lab" })).code).toBe("FORBIDDEN");
    const viewer = await p.guest("vic", { role: "viewer" });
    const lead = await p.guest("lea", { role: "lead" });
    for (const who of [viewer, lead, p.operator])
      for (const [name, args] of [
        ["create_rule", allowTest],
        ["list_rules", {}],
        ["try_rule", { pattern: {}, effect: "deny" }],
        ["revoke_rule", { rule_id: "x" }],
      ] as const)
        expect((await who.refused(name, args)).code).toBe("FORBIDDEN");
    expect((await zoe.refused("create_rule", { ...allowTest, member: "nobody else" })).code).toBe("NOT_FOUND");
    expect((await olga.refused("create_rule", { ...allowTest, room: "nowhere" })).code).toBe("NOT_FOUND");
    for (const wrong of [
      { effect: "allow", pattern: {} },
      { effect: "allow", pattern: { command: "npm test" } },
      { effect: "allow", pattern: { command: "npm test; rm x", cwd } },
      { effect: "allow", pattern: { command: "sudo *", cwd } },
      { ...allowTest, risk: "high" },
      { ...allowTest, kind: "feedback" },
      { ...allowTest, pattern: { comand: "npm test", cwd } },
      { ...allowTest, effect: "ask" },
      { ...allowTest, seconds: 0 },
      { effect: "raise", risk: "low", pattern: {} },
    ])
      expect((await zoe.refused("create_rule", wrong)).code).toBe("BAD_INPUT");
    expect(await rulesOf(olga)).toEqual([]);

    // An approver's rule without a room is for the rooms it is approver in; the owner's for all.
    await make(zoe, allowTest);
    expect(await request(ada, test, { room: "main" })).toMatchObject({ status: "approved" });
    expect(await request(adaInLab, test, { room: "lab" })).toMatchObject({ status: "pending" });
    const owners = await make(olga, { effect: "allow", kind: "approval", pattern: { command: "npm test", cwd } });
    expect(await request(adaInLab, test, { room: "lab" })).toMatchObject({ status: "approved", by_rule: owners.id });
  });

  it("G10: a rule is for its room and its agent", async () => {
    const { p, ada, bob, zoe, olga } = await team(fresh);
    const [adaInLab, zoeInLab] = await lab(p, olga, [ada, "worker"], [zoe, "approver"]);
    if (!adaInLab || !zoeInLab) throw new Error("the lab is empty");
    const rule = await make(zoeInLab, { ...allowTest, room: "lab", member: "ada" });
    expect(rule).toMatchObject({ room: "lab", member: "ada" });
    expect(await request(adaInLab, test, { room: "main" })).toMatchObject({ status: "pending" });
    expect(await request(adaInLab, test, { room: "lab" })).toMatchObject({ status: "approved" });
    await make(zoeInLab, { ...allowTest, member: "ada" });
    expect(await request(adaInLab, test, { room: "main" })).toMatchObject({ status: "approved" });
    expect(await request(bob, test)).toMatchObject({ status: "pending" });
    // Who is approver in main alone sees what reaches main.
    const yan = await p.guest("yan", { role: "approver" });
    expect((await rulesOf(yan)).map(({ room }) => room)).toEqual([undefined]);
    expect((await rulesOf(olga)).map(({ room }) => room)).toEqual([undefined, "lab"]);
    expect((await yan.refused("revoke_rule", { rule_id: rule.id })).code).toBe("NOT_FOUND");
  });

  it("G10: a rule of who is no longer approver no longer counts, and counts again when they are", async () => {
    const { p, ada, zoe, olga } = await team(fresh);
    await make(zoe, allowTest);
    await olga.does("set_role", { member: "zoe", role: "viewer" });
    expect(await request(ada, test)).toMatchObject({ status: "pending" });
    expect(await rulesOf(olga, { ended: true })).toMatchObject([{ status: "maker_gone" }]);
    expect(await rulesOf(olga)).toEqual([]);
    expect((await (await p.again(zoe)).refused("create_rule", allowTest)).code).toBe("FORBIDDEN");
    await olga.does("set_role", { member: "zoe", role: "approver" });
    expect(await request(ada, test)).toMatchObject({ status: "approved" });
    await olga.does("kick", { member: "zoe" });
    expect(await request(ada, test)).toMatchObject({ status: "pending" });
    await olga.does("readmit", { member: "zoe" });
    await olga.does("remove_member", { member: "zoe" });
    expect(await request(ada, test)).toMatchObject({ status: "pending" });
  });

  it("G4: nobody's own rule decides their own gate", async () => {
    const { zoe, olga } = await team(fresh);
    await make(zoe, allowTest);
    await make(zoe, { effect: "deny", pattern: {} });
    expect(await request(zoe, test)).toMatchObject({ status: "pending" });
    const rule = await make(olga, allowTest);
    expect(await request(zoe, test)).toMatchObject({ status: "approved", by_rule: rule.id });
  });

  it("G10: an offer of choices is not answered by an allow rule, and a stopped room by none", async () => {
    const { ada, bob, zoe } = await team(fresh);
    await make(zoe, allowTest);
    expect(await request(ada, test, { options: ["now", "later"] })).toMatchObject({ status: "pending" });
    await zoe.does("stop_all", { room: "main" });
    expect((await bob.refused("request_approval", { title: "Test", action: test })).code).toBe("STOPPED");
  });

  it("G10: one yes of a rule is used once: each new question is a new gate, a retry is not", async () => {
    const { ada, zoe } = await team(fresh);
    await make(zoe, allowTest);
    const first = await ask(ada, "request_approval", { title: "Test", action: test, key: "same" });
    const retry = await ask(ada, "request_approval", { title: "Test", action: test, key: "same" });
    expect(retry.id).toBe(first.id);
    expect((await rulesOf(zoe))[0]).toMatchObject({ hits: 1 });
    const storm = await Promise.all(Array.from({ length: 8 }, () => request(ada, test)));
    expect(new Set(storm.map(({ id }) => id)).size).toBe(8);
    expect((await rulesOf(zoe))[0]).toMatchObject({ hits: 9 });
  });

  it("G10: a rule is tried on the past without being made", async () => {
    const { p, ada, bob, zoe } = await team(fresh);
    const gates = [await request(ada, test), await request(ada, push), await request(bob, test)];
    await request(ada, test, { risk: "critical" });
    await ask(ada, "wait_for_feedback", { question: "npm test?" });
    const tries = async (args: Record<string, unknown>) => {
      const { matches, matched, tried } = await zoe.does("try_rule", args);
      expect(tried).toBe(4);
      expect((matches as Gate[]).length).toBe(matched);
      return (matches as Gate[]).map(({ id }) => id);
    };
    expect(await tries({ pattern: allowTest.pattern })).toEqual([gates[2]?.id, gates[0]?.id]);
    expect(await tries({ pattern: allowTest.pattern, member: "bob", room: "main" })).toEqual([gates[2]?.id]);
    expect(await tries({ effect: "deny", pattern: { program: "git" } })).toEqual([gates[1]?.id]);
    expect(await tries({ effect: "raise", risk: "medium", pattern: {} })).toEqual([]);
    expect((await tries({ effect: "raise", pattern: {} })).length).toBe(3);
    expect((await zoe.refused("try_rule", { pattern: { command: "npm test" } })).code).toBe("BAD_INPUT");
    expect(await rulesOf(zoe, { ended: true })).toEqual([]);
    expect((await facts(p, "_server")).some(({ action }) => action.startsWith("rule."))).toBe(false);
  });

  it("G10: always allow this proposes the narrowest useful rule, which create_rule takes as it is", async () => {
    const { p, ada, bob, zoe } = await team(fresh);
    const commit = (words: string) => ({ tool: "Bash", input: { command: `git commit -m "${words}"` }, cwd });
    const one = await request(ada, commit("Mend the lock"));
    const other = await request(ada, commit("Mend the door"));
    await request(bob, commit("Mend the wall"));
    await request(ada, commit("Mend; rm -rf /"));
    const { rule, matches, tried } = await zoe.does("propose_rule", { gate_id: one.id });
    expect(rule).toEqual({
      effect: "allow",
      kind: "approval",
      room: "main",
      member: "ada",
      pattern: { tool: "Bash", program: "git", argv: ["git", "commit", "-m", "**"], cwd },
    });
    expect((matches as Gate[]).map(({ id }) => id)).toEqual([other.id]);
    expect(tried).toBe(4);
    const made = await make(zoe, rule as Record<string, unknown>);
    expect(await request(ada, commit("Mend the roof"))).toMatchObject({ status: "approved", by_rule: made.id });
    expect(await request(bob, commit("Mend the roof"))).toMatchObject({ status: "pending" });

    const compound = await request(ada, { command: "npm ci && npm test", cwd });
    expect(await zoe.does("propose_rule", { gate_id: compound.id })).toEqual({ why_not: expect.any(String) });
    const deny = await zoe.does("propose_rule", { gate_id: compound.id, effect: "deny" });
    await make(zoe, deny.rule as Record<string, unknown>);
    expect(await request(ada, { command: "npm ci && npm test", cwd })).toMatchObject({ status: "denied" });
    const question = await ask(ada, "wait_for_feedback", { question: "Which?" });
    expect(await zoe.does("propose_rule", { gate_id: question.id })).toEqual({ why_not: expect.any(String) });
    const viewer = await p.guest("vic", { role: "viewer" });
    for (const who of [viewer, ada])
      expect((await who.refused("propose_rule", { gate_id: one.id })).code).toBe("FORBIDDEN");
    expect((await zoe.refused("propose_rule", { gate_id: "nothing" })).code).toBe("NOT_FOUND");
  });

  it("G10: two rooms that use the same rules at once do not wait for each other", async () => {
    const { p, ada, bob, zoe, olga } = await team(fresh);
    const [, bobInLab] = await lab(p, olga, [zoe, "approver"], [bob, "worker"]);
    if (!bobInLab) throw new Error("bob is not in the lab");
    for (let i = 0; i < 3; i++) await make(olga, { effect: "raise", risk: "high", pattern: {} });
    await make(olga, allowTest);
    const all = await Promise.all(
      Array.from({ length: 24 }, (_, i) =>
        i % 2 ? request(ada, test, { room: "main" }) : request(bobInLab, test, { room: "lab" }),
      ),
    );
    expect(new Set(all.map(({ status, risk }) => `${status} ${risk}`))).toEqual(new Set(["approved high"]));
    expect((await rulesOf(olga)).map(({ hits }) => hits)).toEqual([24, 24, 24, 24]);
  });
});

describe("list_rules", () => {
  it("G10: is read in pages, newest first", async () => {
    const { zoe } = await team(inMemory.make);
    const made: string[] = [];
    for (let i = 0; i < 5; i++) made.unshift((await make(zoe, { effect: "deny", pattern: { program: `p${i}` } })).id);
    const first = await zoe.does("list_rules", { limit: 2 });
    const second = await zoe.does("list_rules", { limit: 2, cursor: first.next });
    const third = await zoe.does("list_rules", { limit: 2, cursor: second.next });
    const ids = [first, second, third].flatMap(({ rules }) => (rules as Rule[]).map(({ id }) => id));
    expect(ids).toEqual(made);
    expect(third).not.toHaveProperty("next");
  });

  it("G10: a room that is deleted takes its rules with it", async () => {
    const { p, ada, zoe, olga } = await team(inMemory.make);
    const [, zoeInLab] = await lab(p, olga, [ada, "worker"], [zoe, "approver"]);
    await make(zoeInLab ?? zoe, { ...allowTest, room: "lab" });
    expect(await rulesOf(olga)).toHaveLength(1);
    await p.table.store.write("lab", ({ db }) => deleteRoom(db, "lab"));
    expect(await rulesOf(olga, { ended: true })).toEqual([]);
  });
});
