// @ts-check
// For how long a card may be hidden: never past its deadline. Pure.
/** @import { Gate } from "../types.d.ts" */
import { ms } from "../live/clock.js";
import { whenever } from "./time.js";

const minute = 60_000;

/**
 * @param {Gate} gate @param {number} now the server's (ms)
 * @returns {{word: string, until: number}[]} none where it expires too soon
 */
export function snoozes(gate, now) {
  const last = gate.expires_at ? ms(gate.expires_at) - minute : Number.POSITIVE_INFINITY;
  const morning = new Date(now);
  const today = morning.getHours() < 6;
  morning.setDate(morning.getDate() + (today ? 0 : 1));
  morning.setHours(8, 0, 0, 0);
  const all = [
    { word: "for 10 min", until: now + 10 * minute },
    { word: "for 1 hour", until: now + 60 * minute },
    { word: `until ${today ? "today" : "tomorrow"} 8:00`, until: morning.getTime() },
  ];
  const fit = all.filter((one) => one.until <= last);
  if (fit.length < all.length && last > now + minute)
    fit.push({ word: `until ${whenever(last, now)}, 1 min before it expires`, until: last });
  return fit;
}
