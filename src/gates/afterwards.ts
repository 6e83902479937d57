// What can still happen to a gate that is answered or past: taken back, asked again, put aside, and what was run.
import { z } from "zod";
import { type AnyAction, action, people, type WriteCall } from "../action.ts";
import { iso } from "../clock.ts";
import { keptFor } from "../forget.ts";
import { memberIn, memberRow } from "../members/rows.ts";
import { Refusal } from "../refusal.ts";
import { line } from "../words.ts";
import { type GateSettings, gateOutput } from "./ask.ts";
import { checkAction, digestOf } from "./digest.ts";
import * as persons from "./people-rows.ts";
import * as rows from "./rows.ts";
import { type Gate, isFinal, ran, recall, reopen, settle } from "./rules.ts";
import { viewFor } from "./view.ts";

const input = { gate_id: line(64) };
const find: NonNullable<AnyAction["find"]> = (db, args) => rows.roomOf(db, args.gate_id);

/** How long a card can be put aside (ms). */
const longestSnooze = 30 * 24 * 3_600_000;

async function standing(call: WriteCall, id: string): Promise<Gate> {
  const gate = await rows.find(call.db, call.room, id);
  if (!gate) throw new Refusal("NOT_FOUND", "There is no gate with this id here; list_gates shows those there are.");
  return gate;
}

/** Nobody would hear the answer, or do what it allows. */
async function mustHaveAsker({ db, room }: WriteCall, { id, asked_by }: Gate): Promise<void> {
  if (await memberIn(db, room, asked_by)) return;
  const asker = await memberRow(db, asked_by);
  if (asker?.server_role === "owner" && asker.removed_at === null) return;
  throw new Refusal(
    "CONFLICT",
    `${asked_by}, who asked this, is no longer in this room, so it cannot be asked again.`,
    {
      gate_id: id,
      asked_by,
      next: { call: "list_members" },
    },
  );
}

export function afterwardsActions(settings: GateSettings): AnyAction[] {
  return [
    action({
      name: "gate_result",
      toolset: "gates",
      always: true,
      about:
        "After an approval: report exactly what you ran (the same JSON shape as action), once for each time you ran it. drift: it was not what was approved, or ran again though approved for one time.",
      may: ["lead", "worker", "reviewer", "approver"],
      quiet: true,
      find,
      input: { ...input, action: z.unknown() },
      output: { ...gateOutput, drift: z.boolean().optional() },
      write: async (call, args) => {
        if (args.action === undefined) throw new Refusal("BAD_INPUT", "gate_result: action is missing (what you ran).");
        checkAction(args.action);
        const was = await standing(call, args.gate_id);
        if (was.asked_by !== call.actor.member)
          throw new Refusal("FORBIDDEN", `Only ${was.asked_by}, who asked, reports what it ran.`);
        const gate = ran(was, args.action, digestOf(args.action), call.now);
        const { digest, drift, twice } = gate.ran.last ?? gate.ran;
        await rows.put(call.db, gate);
        call.fact({
          action: "gate.ran",
          subject: `gate:${gate.id}`,
          data: { digest, drift, ...(twice && { twice }), status: gate.status },
        });
        return { gate: viewFor(gate, call), drift: gate.ran.drift === true };
      },
    }),
    action({
      name: "recall_gate",
      toolset: "gates",
      about: "Takes an approval back that its asker has not had yet: it becomes denied.",
      may: ["approver"],
      peopleOnly: true,
      idempotent: true,
      find,
      input,
      output: gateOutput,
      write: async (call, args) => {
        const was = await standing(call, args.gate_id);
        const by = { member: call.actor.member, device: call.actor.device, now: call.now };
        const gate = recall(was, { ...by, criticalDelay: settings.criticalDelay * 1000 });
        if (gate !== was) {
          await rows.put(call.db, gate);
          call.fact({ action: "gate.recalled", subject: `gate:${gate.id}`, to: gate.asked_by });
        }
        return { gate: viewFor(gate, call) };
      },
    }),
    action({
      name: "reopen_gate",
      toolset: "gates",
      about: "Asks again what has expired or was denied: a new card; its asker learns of the answer though it is late.",
      may: ["approver"],
      peopleOnly: true,
      find,
      input,
      output: gateOutput,
      write: async (call, args) => {
        const was = await standing(call, args.gate_id);
        await mustHaveAsker(call, was);
        const { old, fresh } = reopen(was, call.id(), call.now);
        await rows.put(call.db, old);
        await rows.insert(call.db, fresh);
        call.due(fresh.expires_at);
        call.fact({ action: "gate.reopened", subject: `gate:${old.id}`, to: old.asked_by, data: { as: fresh.id } });
        call.fact({
          action: "gate.asked",
          subject: `gate:${fresh.id}`,
          member: old.asked_by,
          data: { kind: fresh.kind, risk: fresh.risk, digest: fresh.digest, task_id: fresh.task_id, reopens: old.id },
        });
        return { gate: viewFor(fresh, call) };
      },
    }),
    action({
      name: "snooze_gate",
      toolset: "gates",
      about: "Hides a card from you until then, at most until it expires; with a time that is past, shows it again.",
      may: people,
      peopleOnly: true,
      idempotent: true,
      find,
      input: { ...input, until: z.iso.datetime() },
      output: { gate_id: z.string().optional(), snoozed_until: z.string().optional() },
      write: async (call, args) => {
        const gate = await standing(call, args.gate_id);
        const wanted = Date.parse(args.until);
        if (wanted > call.now + longestSnooze)
          throw new Refusal(
            "BAD_INPUT",
            "snooze_gate: until may lie at most 30 days from now; a time that is past shows the card again.",
          );
        // Never past the deadline of what still waits: it would expire unseen, and stay hidden after that.
        const last = isFinal(settle(gate, call.now)) ? null : gate.expires_at;
        const until = Math.max(call.now, last === null ? wanted : Math.min(wanted, last));
        await persons.snooze(call.db, gate, call.actor.member, until);
        call.due(until + keptFor);
        call.fact({ action: "gate.snoozed", subject: `gate:${gate.id}`, data: { until: iso(until) } });
        return { gate_id: gate.id, snoozed_until: iso(until) };
      },
    }),
  ];
}
