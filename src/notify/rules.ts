// What is to be done about a notice now, pure: send, wait, or be done with it. Looked at anew each time it falls due.
import type { Selectable } from "kysely";
import type { Gate } from "../gates/rules.ts";
import type { NotifyTables } from "../store/migrations/0009_notify.ts";
import { quietUntil } from "./quiet.ts";

export type Channel = Selectable<NotifyTables["channels"]>;
export type Notice = Selectable<NotifyTables["notices"]>;

export type Event = "gate.asked" | "gate.reminder" | "gate.settled";
export type Step = { send: Event } | { wait: number | null } | { over: true };

const risks = ["low", "medium", "high", "critical"] as const;
export type Risk = (typeof risks)[number];
/** Whether a channel takes gates of this risk. */
export const reaches = (channel: Pick<Channel, "min_risk">, risk: Risk): boolean =>
  risks.indexOf(risk) >= risks.indexOf(channel.min_risk);

/** Until when a channel's quiet hours hold a gate of this risk back (ms); `now`: they do not. Critical passes them. */
const heldUntil = (channel: Pick<Channel, "quiet_from" | "quiet_to" | "zone">, risk: Risk, now: number): number =>
  risk === "critical" ? now : quietUntil(channel, now);

/** Whether a person is likely to be told on this channel now: its last delivery was accepted, and it is not quiet. */
export const tellsNow = (
  channel: Pick<Channel, "last_error" | "quiet_from" | "quiet_to" | "zone">,
  risk: Risk,
  now: number,
): boolean => channel.last_error === null && heldUntil(channel, risk, now) <= now;

/**
 * @param gate as of `now`: past its deadline is expired
 * @param decides whether its person may still answer it
 */
export function step(
  notice: Pick<Notice, "told_at" | "maybe" | "remind_at">,
  gate: Gate,
  channel: Pick<Channel, "quiet_from" | "quiet_to" | "zone">,
  { decides, snoozed, now }: { decides: boolean; snoozed: number | null; now: number },
): Step {
  const stands = notice.told_at !== null || notice.maybe;
  if (gate.status !== "pending" || !decides) return stands ? { send: "gate.settled" } : { over: true };
  const free = Math.max(heldUntil(channel, gate.risk, now), snoozed ?? now);
  if (notice.told_at === null) return free > now ? wait(free, gate) : { send: "gate.asked" };
  if (notice.remind_at === null) return wait(null, gate);
  const at = Math.max(free, notice.remind_at);
  return at > now ? wait(at, gate) : { send: "gate.reminder" };
}

const wait = (at: number | null, { expires_at }: Gate): Step => ({
  wait: at === null || expires_at === null ? (at ?? expires_at) : Math.min(at, expires_at),
});

const second = 1000;
const backOff = [10, 30, 120, 600, 3600].map((s) => s * second);
const giveUpAfter = 24 * 3600 * second;

/** When to try again after so many failures (ms); null: no more. */
export function tryAgain(attempts: number, since: number, now: number): number | null {
  if (now - since >= giveUpAfter) return null;
  return now + (backOff[Math.min(attempts, backOff.length) - 1] ?? 0);
}
