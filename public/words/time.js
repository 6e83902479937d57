// @ts-check
// Times in the viewer's zone; the zone and the server's UTC on hover.
import { html } from "htm/preact";
import { ms, useNow } from "../live/clock.js";

/** @typedef {string | number | null | undefined} When */

/** @param {Intl.DateTimeFormatOptions} options */
const format = (options) => {
  const shape = new Intl.DateTimeFormat("en-GB", options);
  return (/** @type {When} */ at) => {
    const time = ms(at);
    return Number.isNaN(time) ? "" : shape.format(time);
  };
};

/** 22:38 */
export const clock = format({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
/** 22:38:04 */
export const clockSeconds = format({ hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
const weekday = format({ weekday: "long", day: "numeric", month: "long" });
const withYear = format({ weekday: "long", day: "numeric", month: "long", year: "numeric" });
const shortDay = format({ weekday: "short", day: "numeric", month: "short" });
const whole = format({ dateStyle: "full", timeStyle: "long" });
const dayKey = format({ year: "numeric", month: "2-digit", day: "2-digit" });
const year = format({ year: "numeric" });

/** A name for the day of `at`, the same for all times of it. @param {When} at */
export const dayOf = dayKey;

/** Today, Thursday 26 November · Yesterday, … · Monday 23 November (with the year when it is another). */
export function dayLabel(/** @type {When} */ at, /** @type {number} */ now) {
  const plain = (year(at) === year(now) ? weekday(at) : withYear(at)).replace(",", "");
  const noon = new Date(now);
  noon.setHours(12, 0, 0, 0);
  if (dayKey(at) === dayKey(now)) return `Today, ${plain}`;
  if (dayKey(at) === dayKey(noon.getTime() - 86_400_000)) return `Yesterday, ${plain}`;
  return plain;
}

/** The time alone today, with the day otherwise. @param {When} at @param {number} now */
export function whenever(at, now) {
  if (dayKey(at) === dayKey(now)) return clock(at);
  const noon = new Date(now);
  noon.setHours(12, 0, 0, 0);
  return `${dayKey(at) === dayKey(noon.getTime() + 86_400_000) ? "tomorrow" : shortDay(at)} ${clock(at)}`;
}

/** What is left, or how long it has been: 2:41, 18 min, 3 h, 2 days. @param {number} span ms */
export function spell(span) {
  const seconds = Math.max(0, Math.ceil(span / 1000));
  if (seconds < 600) return `${Math.floor(seconds / 60)}:${`${seconds % 60}`.padStart(2, "0")}`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 36 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}

/** As `spell`, for a tight place: 18m. @param {number} span ms */
export const spellShort = (span) => spell(span).replace(" min", "m").replace(" h", "h").replace(" days", "d");

/** How much later, in words: 3 s, 4 min, 2 h. @param {number} span ms */
export function gap(span) {
  const seconds = Math.max(0, Math.round(span / 1000));
  if (seconds < 90) return `${seconds} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

/** The whole time with its zone, and UTC. @param {When} at */
export const fullTime = (at) => `${whole(at)} · ${new Date(ms(at)).toISOString().replace(/\.\d+Z$/, "Z")}`;

/** @param {{at: When, show?: (at: When) => string, class?: string}} props */
export function Time({ at, show = clock, class: name }) {
  if (Number.isNaN(ms(at))) return null;
  return html`<time class=${name} datetime=${new Date(ms(at)).toISOString()} title=${fullTime(at)}>${show(at)}</time>`;
}

/** A time that adds the day when it isn't today. @param {{at: When, class?: string}} props */
export function WhenTime({ at, class: name }) {
  const now = useNow();
  return html`<${Time} at=${at} class=${name} show=${(/** @type {When} */ time) => whenever(time, now)} />`;
}
