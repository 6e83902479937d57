// What people do with gates: look, and answer. No MCP tool decides (G4).
import { z } from "zod";
import { type AnyAction, action, everyone, people, type Result, type WaitCall, type WriteCall } from "../action.ts";
import { Refusal } from "../refusal.ts";
import { fitting } from "../size.ts";
import { line, text } from "../words.ts";
import { type GateSettings, gateOutput } from "./ask.ts";
import { checkAction, digestOf } from "./digest.ts";
import { mustFit } from "./edit.ts";
import { withdrawAll } from "./endings.ts";
import { countingHalves } from "./halves.ts";
import * as persons from "./people-rows.ts";
import { withReceipt } from "./receipt.ts";
import * as rows from "./rows.ts";
import { decide, decidedAlready, type Gate, isFinal, settle } from "./rules.ts";
import { view, viewFor } from "./view.ts";
import { brief } from "./view-brief.ts";

const gateId = line(64);
const unknown = () => new Refusal("NOT_FOUND", "There is no gate with this id here; list_gates shows those there are.");

const reason = text(4000).optional();

const decision = {
  gate_id: gateId,
  decision: z.enum(["approve", "deny", "answer", "resolve"]),
  note: reason,
  text: reason,
  choice: line(200).optional(),
  edited_action: z.unknown().optional(),
  confirm: z.boolean().optional(),
  digest: line(80).optional().describe("of the action that the person saw"),
};

export function decideActions(settings: GateSettings): AnyAction[] {
  return [
    action({
      name: "decide_gate",
      toolset: "gates",
      about: "Answers a gate as a person: approve or deny an approval, answer a feedback, resolve a blocker.",
      may: ["approver"],
      peopleOnly: true,
      input: decision,
      output: gateOutput,
      find: (db, args) => rows.roomOf(db, args.gate_id),
      wait: (call, input) => answer(call, call.room, input, settings),
    }),
    action({
      name: "decide_gates",
      toolset: "gates",
      about: "Answers several gates at once, each by its id, with a result for each.",
      may: ["approver"],
      scope: "server",
      peopleOnly: true,
      input: { decisions: z.array(z.strictObject(decision)).min(1).max(100) },
      output: { results: z.array(z.looseObject({})).optional() },
      wait: async (call, input) => {
        const results: Result[] = [];
        for (const one of input.decisions) {
          const room = await call.read(({ db }) => rows.roomOf(db, one.gate_id));
          try {
            if (room === undefined) throw unknown();
            results.push({ gate_id: one.gate_id, ...(await answer(call, room, one, settings, mayStandTogether)) });
          } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            results.push({ gate_id: one.gate_id, error: error.toJSON() });
          }
        }
        return { results };
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
        const { kind, member } = call.actor;
        if (kind === "person" && !(await persons.hasOpened(call.db, gate.id, member))) {
          await persons.open(call.db, gate, member, call.now);
          if (gate.seen_at === null) {
            gate.seen_at = call.now;
            gate.seen_by = member;
            await rows.put(call.db, gate);
          }
          call.fact({ action: "gate.seen", subject: `gate:${gate.id}` });
        }
        return { gate: viewFor(gate, call) };
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
        return { gate: viewFor(gate, call) };
      },
    }),
    action({
      name: "list_gates",
      toolset: "gates",
      about:
        "List the room's gates, newest first; mine: only those you asked. left_out: fields too large here; get_gate has them.",
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
        const shown = fitting(gates.map((gate) => brief(viewFor(gate, call))));
        const more = shown.length < gates.length ? gates[shown.length - 1] : found.length === limit && found.at(-1);
        return { gates: shown, ...(more && { next: more.id }) };
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

/** One answer to one gate, in the gate's own room. */
async function answer(
  call: WaitCall,
  room: string,
  input: z.infer<z.ZodObject<typeof decision>>,
  settings: GateSettings,
  also: (write: WriteCall, was: Gate, decision: string) => Promise<void> = async () => {},
): Promise<Result> {
  const edited = input.edited_action === undefined ? undefined : edit(input.edited_action);
  const done = await call.write(async (write) => {
    const { member, device } = write.actor;
    const asked = await rows.find(write.db, room, input.gate_id);
    // Looked at inside, by the person's own standing: nothing else decides (G4).
    if (!(await persons.isDecider(write.db, room, member))) {
      if (room !== call.room) throw unknown();
      throw new Refusal("FORBIDDEN", "Only a person who is approver here decides a gate.");
    }
    if (!asked) throw unknown();
    const was = await countingHalves(write, asked);
    if (edited) mustFit(was.action.is, edited);
    const by = { member, device, now: write.now, criticalDelay: settings.criticalDelay * 1000 };
    const decided = decide(was, { ...input, edited }, by);
    if ("late" in decided) {
      // Too late, but what was written is kept for reopening.
      if (decided.late.draft !== was.draft) {
        await rows.put(write.db, decided.late);
        write.fact({ action: "gate.answered_late", subject: `gate:${was.id}` });
      }
      return decided;
    }
    if (decided.outcome === "replay") return { gate: decided.gate, at: write.now };
    await also(write, was, input.decision);
    const gate = await withReceipt(decided.gate, settings.sign);
    await rows.put(write.db, gate);
    write.fact(factOf(gate, decided.outcome));
    return { gate, at: write.now };
  }, room);
  if ("late" in done)
    throw new Refusal(
      "EXPIRED",
      "This gate expired before your answer; your words are kept on the card, and it can be reopened.",
      {
        gate_id: done.late.id,
        expired_at: view(done.late, call.now()).expires_at,
        next: { call: "reopen_gate", gate_id: done.late.id },
      },
    );
  return { gate: viewFor(done.gate, { actor: call.actor, now: done.at }) };
}

/** G15: along with others a person approves only what it has opened itself, and nothing of high risk. A no is free. */
async function mayStandTogether({ db, actor }: WriteCall, { id, risk }: Gate, decision: string): Promise<void> {
  if (decision !== "approve") return;
  if (risk === "high" || risk === "critical")
    throw new Refusal("CONFLICT", `Its risk is ${risk}: open it and answer it alone (decide_gate).`, {
      gate_id: id,
      next: { call: "decide_gate", gate_id: id },
    });
  if (await persons.hasOpened(db, id, actor.member)) return;
  throw new Refusal("CONFLICT", "You have not opened it: open it first (see_gate), then answer it with others.", {
    gate_id: id,
    next: { call: "see_gate", gate_id: id },
  });
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
