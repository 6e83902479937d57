// What people do with rules (G10): list, make, revoke, try on past gates, and have one proposed for a gate.
import { z } from "zod";
import { type AnyAction, action, type ReadCall } from "../action.ts";
import * as gates from "../gates/rows.ts";
import { roomRow, roomsWithCounts } from "../members/room-rows.ts";
import { memberRow, roomsOf } from "../members/rows.ts";
import { Refusal } from "../refusal.ts";
import type { Db } from "../store/port.ts";
import { count, line, prose, seconds, text } from "../words.ts";
import { tryOn } from "./dryrun.ts";
import { canonical, type Effect } from "./pattern.ts";
import { propose } from "./propose.ts";
import * as rows from "./rows.ts";
import { type Rule, standingOf } from "./rules.ts";
import { type Deciders, decides, neverMatches, view } from "./view.ts";

const pattern = z
  .strictObject({
    tool: line(200).optional(),
    program: line(4096).optional(),
    argv: z.array(prose(10_000)).min(1).max(200).optional(),
    cwd: line(4096).optional(),
    fields: z.record(z.string(), z.json()).optional(),
    command: line(10_000).optional(),
  })
  .refine((value) => JSON.stringify(value).length <= 40_000, "must be at most 40000 characters of JSON");
const effect = z.enum(["allow", "deny", "raise"]);
const aim = {
  kind: z.literal("approval").optional(),
  member: line(64).optional(),
  room: line(64).optional(),
  pattern,
  risk: z.enum(["medium", "high", "critical"]).optional(),
};
const ruleOutput = { rule: z.looseObject({}).optional() };
const tried = {
  matches: z.array(z.looseObject({})).optional(),
  matched: z.number().optional(),
  tried: z.number().optional(),
};
const shared = { toolset: "gates", may: ["approver"], peopleOnly: true } as const;

/** Rules are a person's word: an operator at the command line has none. */
function asPerson({ actor }: Pick<ReadCall, "actor">): string {
  if (actor.kind === "person") return actor.member;
  throw new Refusal("FORBIDDEN", "Only a person who is approver makes rules.");
}

/** Whether they may answer gates there, looked at now. */
function mustDecide(deciders: Deciders, member: string, room: string | null): void {
  if (decides(deciders, member, room)) return;
  throw new Refusal(
    "FORBIDDEN",
    room === null ? "Only approvers make rules." : `Only approvers of ${room} and the owner make rules there.`,
  );
}

/** The rooms that a rule of this person reaches. */
async function reach(db: Db, member: string, deciders: Deciders, room: string | undefined): Promise<string[]> {
  if (room !== undefined) return [room];
  if (!deciders.owners.has(member)) return roomsOf(db, member, "approver");
  return (await roomsWithCounts(db)).map(({ name }) => name);
}

function mustRaise(effect: Effect, risk: unknown): void {
  if (risk !== undefined && effect !== "raise")
    throw new Refusal("BAD_INPUT", "Only a raise names a risk; leave it out for allow and deny.");
}

/** Whom a rule concerns: its room's approvers and the owner; a rule of all rooms those it can reach. */
const mayRead = (rule: Rule, member: string, deciders: Deciders): boolean =>
  rule.made_by === member ||
  deciders.owners.has(member) ||
  (rule.room !== null
    ? decides(deciders, member, rule.room)
    : [...(deciders.rooms.get(member) ?? [])].some((room) => decides(deciders, rule.made_by, room)));

/** A rule that this person may end or confirm: their own, of a room where they answer gates, or as the owner any. */
async function mine(db: Db, id: string, me: string, deciders: Deciders): Promise<Rule> {
  const rule = await rows.find(db, id);
  if (!rule || !mayRead(rule, me, deciders))
    throw new Refusal("NOT_FOUND", "There is no rule with this id here; list_rules shows those there are.");
  if (rule.made_by !== me && !deciders.owners.has(me) && rule.room === null)
    throw new Refusal(
      "FORBIDDEN",
      `This rule of ${rule.made_by} is for all their rooms: only they and the owner revoke or confirm it. A deny rule of yours beats it in your room.`,
    );
  return rule;
}

export const ruleActions: AnyAction[] = [
  action({
    ...shared,
    name: "list_rules",
    about:
      "Lists the rules that answer or raise gates in your rooms, newest first; those that are too wide wait for confirm_rule, those of earlier versions that match nothing any more say why; ended: also those that no longer do.",
    scope: "server",
    quiet: true,
    input: { ended: z.boolean().optional(), limit: count(1, 500).optional(), cursor: line(64).optional() },
    output: { rules: z.array(z.looseObject({})).optional(), next: z.string().optional() },
    read: async (call, input) => {
      const me = asPerson(call);
      const limit = input.limit ?? 200;
      const deciders = await rows.deciders(call.db);
      const seen = (await rows.all(call.db, input.cursor))
        .filter((rule) => mayRead(rule, me, deciders))
        .map((rule) => view(rule, deciders, call.now))
        .filter(({ status }) => input.ended || ["standing", "too_wide", "never_matches"].includes(String(status)));
      return {
        rules: seen.slice(0, limit),
        ...(seen.length > limit && { next: seen[limit - 1]?.id }),
      };
    },
  }),
  action({
    ...shared,
    name: "create_rule",
    about:
      "Answers approvals beforehand: allow or deny what matches a pattern, or raise its risk; for one agent or room, for a time.",
    scope: "server",
    input: {
      effect,
      ...aim,
      seconds: seconds(1, 366 * 86_400).optional(),
      note: text(4000).optional(),
    },
    output: ruleOutput,
    write: async (call, input) => {
      const me = asPerson(call);
      const deciders = await rows.deciders(call.db);
      const room = input.room ?? null;
      mustDecide(deciders, me, room);
      mustRaise(input.effect, input.risk);
      if (room !== null && !(await roomRow(call.db, room)))
        throw new Refusal("NOT_FOUND", `There is no room called ${room}; list_rooms shows those there are.`);
      if (input.member !== undefined && !(await memberRow(call.db, input.member)))
        throw new Refusal("NOT_FOUND", `There is no member called ${input.member}; list_members shows who is here.`);
      const rule: Rule = {
        id: call.id(),
        effect: input.effect,
        room,
        member: input.member ?? null,
        pattern: canonical(input.pattern, input.effect),
        risk: input.risk ?? null,
        note: input.note ?? null,
        made_by: me,
        made_at: call.now,
        expires_at: input.seconds === undefined ? null : call.now + input.seconds * 1000,
        hits: 0,
        last_used_at: null,
        revoked_by: null,
        revoked_at: null,
        // Whoever makes a rule has read it: what it leaves open, they left open.
        confirmed_by: me,
        confirmed_at: call.now,
      };
      await rows.insert(call.db, rule);
      call.serverFact({
        action: "rule.created",
        subject: `rule:${rule.id}`,
        data: { effect: rule.effect, room, member: rule.member, risk: rule.risk },
      });
      return { rule: view(rule, deciders, call.now) };
    },
  }),
  action({
    ...shared,
    name: "revoke_rule",
    about: "Ends a rule; what it answered stays answered.",
    scope: "server",
    idempotent: true,
    input: { rule_id: line(64) },
    output: ruleOutput,
    write: async (call, input) => {
      const me = asPerson(call);
      const deciders = await rows.deciders(call.db);
      const rule = await mine(call.db, input.rule_id, me, deciders);
      if (rule.revoked_at === null) {
        await rows.revoke(call.db, rule.id, me, call.now);
        call.serverFact({ action: "rule.revoked", subject: `rule:${rule.id}`, data: { effect: rule.effect } });
      }
      const now = await rows.find(call.db, rule.id);
      return { rule: view(now ?? rule, deciders, call.now) };
    },
  }),
  action({
    ...shared,
    name: "confirm_rule",
    about: "Lets an allow rule that is too wide answer as it stands: you have read what it leaves open.",
    scope: "server",
    idempotent: true,
    input: { rule_id: line(64) },
    output: ruleOutput,
    write: async (call, input) => {
      const me = asPerson(call);
      const deciders = await rows.deciders(call.db);
      const rule = await mine(call.db, input.rule_id, me, deciders);
      mustDecide(deciders, me, rule.room);
      const standing = standingOf(rule, call.now);
      if (standing !== "too_wide" && standing !== "standing")
        throw new Refusal("CLOSED", "This rule has ended; make it anew with create_rule if it shall answer.");
      const never = neverMatches(rule);
      if (never !== null)
        throw new Refusal(
          "CONFLICT",
          `This rule matches nothing any more: ${never} Revoke it, or make a narrower one.`,
        );
      if (standing === "too_wide") {
        await rows.confirm(call.db, rule.id, me, call.now);
        call.serverFact({ action: "rule.confirmed", subject: `rule:${rule.id}`, data: { effect: rule.effect } });
      }
      const now = await rows.find(call.db, rule.id);
      return { rule: view(now ?? rule, deciders, call.now) };
    },
  }),
  action({
    ...shared,
    name: "try_rule",
    about: "Shows which of the last 500 approvals a rule would have touched, without making it.",
    scope: "server",
    quiet: true,
    input: { effect: effect.optional(), ...aim },
    output: tried,
    read: async (call, input) => {
      const me = asPerson(call);
      const deciders = await rows.deciders(call.db);
      mustDecide(deciders, me, input.room ?? null);
      const asIf = input.effect ?? "allow";
      mustRaise(asIf, input.risk);
      const rule = {
        effect: asIf,
        room: input.room ?? null,
        member: input.member ?? null,
        pattern: canonical(input.pattern, asIf),
        risk: input.risk ?? null,
        made_by: me,
      };
      return tryOn(call.db, await reach(call.db, me, deciders, input.room), rule, call.now);
    },
  }),
  action({
    ...shared,
    name: "propose_rule",
    about:
      "The narrowest useful rule for what a gate asks, as create_rule takes it, and what else it would have touched of the last 500 approvals; why_not where there is none.",
    quiet: true,
    input: { gate_id: line(64), effect: z.enum(["allow", "deny"]).optional() },
    output: { ...ruleOutput, why_not: z.string().optional(), ...tried },
    find: (db, args) => gates.roomOf(db, args.gate_id),
    read: async (call, input) => {
      const me = asPerson(call);
      const gate = await gates.find(call.db, call.room, input.gate_id);
      if (!gate)
        throw new Refusal("NOT_FOUND", "There is no gate with this id here; list_gates shows those there are.");
      const asIf = input.effect ?? "allow";
      const proposed = propose(gate, asIf);
      if ("why_not" in proposed) return proposed;
      const rule = {
        effect: asIf,
        kind: "approval",
        room: gate.room,
        member: gate.asked_by,
        pattern: proposed.pattern,
      };
      return {
        rule,
        ...(await tryOn(call.db, [gate.room], { ...rule, risk: null, made_by: me }, call.now, gate.id)),
      };
    },
  }),
];
