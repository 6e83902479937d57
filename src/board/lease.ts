// How long an agent's claim lasts (B4, G12), pure: any sign of life renews it, a gate that waits shields it.
import { heardOf, type Presence } from "../members/rules.ts";
import type { Task } from "./task.ts";

/** What is known of who holds a claim. */
export interface Holder extends Presence {
  /** It has a gate that waits for a person. */
  asks: boolean;
  /** When a gate of its was last answered or expired (ms). */
  answered_at: number | null;
}

const afterAnswer = 30 * 60_000;
const longestShield = 24 * 3_600_000;

/** By a sign of life alone. */
export function renewed(task: Pick<Task, "lease_until" | "lease_ms">, presence: Presence, now: number): number | null {
  if (task.lease_until === null || task.lease_ms === null) return null;
  const heard = heardOf(presence, now);
  return heard === null ? task.lease_until : Math.max(task.lease_until, heard + task.lease_ms);
}

/** When the claim lapses, as far as can be told at `now`: a gate that waits shields it until it is looked at again. */
export function lapsesAt(
  task: Pick<Task, "lease_until" | "lease_ms">,
  holder: Holder | undefined,
  now: number,
): number | null {
  if (!holder) return task.lease_until;
  const alive = renewed(task, holder, now);
  const from = holder.asks ? now : holder.answered_at;
  if (alive === null || from === null) return alive;
  const heard = heardOf(holder, now) ?? task.lease_until ?? now;
  return Math.max(alive, Math.min(from + afterAnswer, heard + longestShield));
}
