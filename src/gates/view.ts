// A gate as the public contract shows it: only the fields that it has.
import type { Actor, Result } from "../action.ts";
import { iso } from "../clock.ts";
import { without } from "../size.ts";
import { type Gate, isAnswered, settle } from "./rules.ts";

const when = (ms: number | null) => (ms === null ? undefined : iso(ms));

/** When a pending gate has waited this long, the agent is told to do other work (ms). */
const longPending = 10 * 60_000;

/** What the asker does next. */
function next(gate: Gate, now: number): Result | undefined {
  if (gate.status === "pending") {
    const call = { call: "wait_for_gate", gate_id: gate.id };
    if (now - gate.asked_at < longPending) return call;
    return {
      ...call,
      advice:
        "Nobody has answered for 10 minutes. Do not do it. End your turn or do other work; the answer will be in your inbox.",
    };
  }
  if (gate.reopened_as !== null) return { call: "wait_for_gate", gate_id: gate.reopened_as };
  if (gate.reopens !== null && isAnswered(gate))
    return { advice: "This answer is late: check first that it still applies, and ask again if it does not." };
  if (gate.status === "expired")
    return gate.kind === "feedback"
      ? { advice: "Nobody answered: go on without." }
      : { advice: "Nobody answered: not approved. Do not do it; do other work, or ask again later." };
  return undefined;
}

/** JSON of a gate as of `now` (ms), as anybody in the room may see it; `undefined` fields vanish in JSON. */
export function view(row: Gate, now: number): Result {
  const gate = settle(row, now);
  const edited = "is" in gate.edited;
  const action = edited ? gate.edited.is : gate.action.is;
  return {
    id: gate.id,
    room: gate.room,
    kind: gate.kind,
    status: gate.status,
    title: gate.title,
    ...(gate.details && { details: gate.details }),
    ...("is" in gate.action && { action }),
    ...(edited && { edited: true, asked_action: gate.action.is }),
    ...(gate.digest !== null && { digest: gate.digest }),
    ...(gate.kind === "approval" && { risk: gate.risk, single_use: gate.single_use }),
    ...(gate.raised_by !== null && { raised_by: gate.raised_by, claimed_risk: gate.claimed_risk }),
    ...(gate.options.length > 0 && { options: gate.options }),
    ...(gate.task_id !== null && { task_id: gate.task_id }),
    asked_by: gate.asked_by,
    ...(gate.asked_through !== null && { asked_through: gate.asked_through }),
    asked_at: iso(gate.asked_at),
    ...(gate.expires_at !== null && { expires_at: iso(gate.expires_at) }),
    ...(gate.approvals_needed > 1 && {
      approvals_needed: gate.approvals_needed,
      approvals: gate.approvals.map((a) => ({ ...a, at: iso(a.at) })),
      ...(gate.alone && { alone: true }),
      ...(gate.confirm_from !== null && { confirm_from: iso(gate.confirm_from) }),
    }),
    ...(gate.seen_at !== null && { seen_at: when(gate.seen_at), seen_by: gate.seen_by }),
    ...(gate.delivered_at !== null && { delivered_at: when(gate.delivered_at) }),
    ...(gate.acknowledged_at !== null &&
      gate.status !== "withdrawn" && { acknowledged_at: when(gate.acknowledged_at) }),
    ...(gate.decided_at !== null && { decided_at: when(gate.decided_at) }),
    ...(gate.decided_by !== null && { decided_by: gate.decided_by, device: gate.device }),
    ...(gate.by_rule !== null && { by_rule: gate.by_rule }),
    ...(gate.note !== null && { note: gate.note }),
    ...(gate.choice !== null && { choice: gate.choice }),
    ...(gate.text !== null && { text: gate.text }),
    ...(gate.reason !== null && { reason: gate.reason }),
    ...(gate.recalled && { recalled: true }),
    ...(gate.consumed_at !== null && { consumed_at: when(gate.consumed_at) }),
    ...(gate.ran.at !== undefined && { ran: ranView(gate.ran, gate.ran.at) }),
    ...(gate.reopens !== null && { reopens: gate.reopens }),
    ...(gate.reopened_as !== null && { reopened_as: gate.reopened_as }),
    ...(isAnswered(gate) && gate.decided_by !== null && gate.by_rule === null && { from_person: true }),
    ...waits(gate, now),
    ...(next(gate, now) && { next: next(gate, now) }),
  };
}

const ranView = ({ last, ...ran }: Gate["ran"], at: number): Result => ({
  ...ran,
  at: iso(at),
  ...(last && { last: { ...last, at: iso(last.at) } }),
});

/** The same for who asked: with the receipt, which is good for whoever holds it. */
const askerView = (row: Gate, now: number): Result => ({
  ...view(row, now),
  ...(row.receipt !== null && { receipt: row.receipt }),
});

/** The same for people, with what one of them wrote too late: no agent may take that for an answer. */
export const cardView = (row: Gate, now: number): Result => ({
  ...askerView(row, now),
  ...(row.draft !== null && { draft: row.draft }),
});

/** As this caller may see it. */
export function viewFor(row: Gate, { actor, now }: { actor: Actor; now: number }): Result {
  if (actor.kind === "person") return cardView(row, now);
  return actor.kind === "local" || actor.member === row.asked_by ? askerView(row, now) : view(row, now);
}

/** Whether somebody waits in a call right now, or since when nobody does. */
function waits(gate: Gate, now: number): Result {
  if (gate.status !== "pending") return {};
  if (gate.waits_until !== null && gate.waits_until > now) return { waiting_now: true };
  return { waiting_now: false, nobody_waits_since: iso(gate.waits_until ?? gate.asked_at) };
}

/** The inbox stands on every result: what is large is fetched by get_gate. */
const editedAs = (action: unknown): Result => without({ action }, ["action"]);

/** What the inbox tells of an answer (M5). */
export const told = (gate: Gate): Result => ({
  id: gate.id,
  kind: gate.kind,
  status: gate.status,
  title: gate.title,
  note: gate.note,
  choice: gate.choice,
  text: gate.text,
  ...(gate.decided_by !== null && { decided_by: gate.decided_by, decided_at: when(gate.decided_at) }),
  ...("is" in gate.edited && { edited: true, ...editedAs(gate.edited.is) }),
  ...(gate.by_rule !== null && { by_rule: gate.by_rule }),
  ...(isAnswered(gate) && gate.by_rule === null && { from_person: true }),
  ...(isAnswered(gate) && { next: { advice: adviceOn(gate) } }),
});

const adviceOn = ({ asked_through, edited, decided_by }: Gate): string =>
  asked_through !== null && "is" in edited
    ? `${decided_by} edited this before it ran: it ran as action says.`
    : "This is your answer: go on by it. Asking again asks a person anew.";
