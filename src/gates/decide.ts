// What people do with gates: look, and answer. No MCP tool decides (G4).
import { z } from "zod";
import { type AnyAction, action, everyone, people, type Result } from "../action.ts";
import { Refusal } from "../refusal.ts";
import { line, text } from "../words.ts";
import { type GateSettings, gateOutput } from "./ask.ts";
import { checkAction, digestOf } from "./digest.ts";
import { withdrawAll } from "./endings.ts";
import * as rows from "./rows.ts";
import { type Decision, decide, decidedAlready, type Gate, isFinal, settle } from "./rules.ts";
import { view } from "./view.ts";

const gateId = line(64);
const unknown = () => new Refusal("NOT_FOUND", "There is no gate with this id here; list_gates shows those there are.");

const reason = text(4000).optional();

export function decideActions(settings: GateSettings): AnyAction[] {
  return [
    action({
      name: "decide_gate",
      toolset: "gates",
      about: "Answers a gate as a person: approve or deny an approval, answer a feedback, resolve a blocker.",
      may: ["approver"],
      peopleOnly: true,
      input: {
        gate_id: gateId,
        decision: z.enum(["approve", "deny", "answer", "resolve"]),
        note: reason,
        text: reason,
        choice: line(200).optional(),
        edited_action: z.unknown().optional(),
        confirm: z.boolean().optional(),
      },
      output: gateOutput,
      find: (db, args) => rows.roomOf(db, args.gate_id),
      wait: async (call, input): Promise<Result> => {
        if (call.actor.kind !== "person")
          throw new Refusal("FORBIDDEN", "Only a person who is approver here decides a gate.");
        const edited = input.edited_action === undefined ? undefined : edit(input.edited_action);
        const done = await call.write(async (write) => {
          const was = await rows.find(write.db, write.room, input.gate_id);
          if (!was) throw unknown();
          const decision: Decision = { ...input, edited };
          const by = {
            member: write.actor.member,
            device: write.actor.device,
            now: write.now,
            criticalDelay: settings.criticalDelay * 1000,
          };
          const decided = decide(was, decision, by);
          if ("late" in decided) {
            // Too late, but what was written is kept for reopening.
            if (decided.late.draft !== was.draft) {
              await rows.put(write.db, decided.late);
              write.fact({ action: "gate.answered_late", subject: `gate:${was.id}` });
            }
            return decided;
          }
          if (decided.outcome !== "replay") {
            await rows.put(write.db, decided.gate);
            write.fact(factOf(decided.gate, decided.outcome));
          }
          return { ...decided, at: write.now };
        });
        if ("late" in done)
          throw new Refusal(
            "EXPIRED",
            "This gate expired before your answer; your words are kept on the card, and it can be reopened.",
            { gate_id: done.late.id, expired_at: view(done.late, call.now()).expires_at },
          );
        return { gate: view(done.gate, done.at) };
      },
    }),
    action({
      name: "see_gate",
      toolset: "gates",
      about: "Marks a gate as seen by a person.",
      may: people,
      peopleOnly: true,
      idempotent: true,
      input: { gate_id: gateId },
      output: gateOutput,
      find: (db, args) => rows.roomOf(db, args.gate_id),
      write: async (call, input) => {
        const gate = await rows.find(call.db, call.room, input.gate_id);
        if (!gate) throw unknown();
        if (gate.seen_at === null && call.actor.kind === "person") {
          gate.seen_at = call.now;
          gate.seen_by = call.actor.member;
          await rows.put(call.db, gate);
          call.fact({ action: "gate.seen", subject: `gate:${gate.id}` });
        }
        return { gate: view(gate, call.now) };
      },
    }),
    action({
      name: "get_gate",
      toolset: "gates",
      about: "Look at one gate as it stands, without waiting.",
      may: everyone,
      quiet: true,
      quotes: () => true,
      input: { gate_id: gateId },
      output: gateOutput,
      find: (db, args) => rows.roomOf(db, args.gate_id),
      read: async (call, input) => {
        const gate = await rows.find(call.db, call.room, input.gate_id);
        if (!gate) throw unknown();
        return { gate: view(gate, call.now) };
      },
    }),
    action({
      name: "list_gates",
      toolset: "gates",
      about: "List the room's gates, newest first; mine: only those you asked.",
      may: everyone,
      quiet: true,
      quotes: (result) => (result.gates as unknown[]).length > 0,
      input: {
        status: z.enum(["pending", "approved", "denied", "answered", "resolved", "expired", "withdrawn"]).optional(),
        mine: z.boolean().optional(),
        limit: z.number().int().min(1).max(100).optional(),
        cursor: line(64).optional(),
      },
      output: { gates: z.array(z.looseObject({})).optional(), next: z.string().optional() },
      read: async (call, input) => {
        const limit = input.limit ?? 50;
        const member = input.mine ? call.actor.member : undefined;
        const found = await rows.ofRoom(call.db, call.room, {
          status: input.status,
          member,
          after: input.cursor,
          limit,
        });
        const gates = found.filter((gate) => !input.status || settle(gate, call.now).status === input.status);
        return {
          gates: gates.map((gate) => view(gate, call.now)),
          ...(found.length === limit && { next: found.at(-1)?.id }),
        };
      },
    }),
    action({
      name: "withdraw_gate",
      toolset: "gates",
      about: "Take back a gate of yours that nobody has answered yet, because you no longer need it.",
      may: everyone,
      input: { gate_id: gateId, reason: text(4000).optional() },
      output: gateOutput,
      find: (db, args) => rows.roomOf(db, args.gate_id),
      write: async (call, input) => {
        const was = await rows.find(call.db, call.room, input.gate_id);
        if (!was) throw unknown();
        if (was.asked_by !== call.actor.member)
          throw new Refusal("FORBIDDEN", `Only ${was.asked_by}, who asked, withdraws this gate.`);
        const gate = settle(was, call.now);
        if (gate.status === "withdrawn") return { gate: view(gate, call.now) };
        if (isFinal(gate)) throw decidedAlready(gate);
        await withdrawAll(call, [was], input.reason ?? "");
        const now = await rows.find(call.db, call.room, input.gate_id);
        return { gate: view(now ?? gate, call.now) };
      },
    }),
  ];
}

function edit(action: unknown) {
  checkAction(action);
  return { is: action, digest: digestOf(action) };
}

function factOf(gate: Gate, outcome: "decided" | "approval") {
  return {
    action: outcome === "approval" ? "gate.approval_given" : `gate.${gate.status}`,
    subject: `gate:${gate.id}`,
    to: gate.asked_by,
    data: { kind: gate.kind, digest: gate.digest, ...(gate.choice !== null && { choice: gate.choice }) },
  };
}
