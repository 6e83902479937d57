// @ts-check
// A critical approval, told as its two steps: who has approved, and who may complete it from when.
/** @import { Gate } from "../types.d.ts" */
import { html } from "htm/preact";
import { ms, useNow } from "../live/clock.js";
import { clockSeconds, spell, Time } from "../words/time.js";
import { Icon, SmallRing } from "./icons.js";

/** Between two confirmations of one person, unless the server said otherwise (s). */
const delay = 60;

/**
 * Where this person stands in a critical approval.
 * @param {Gate} gate @param {string | undefined} me @param {string | undefined} confirmFrom the server's word for it
 */
export function stepOf(gate, me, confirmFrom) {
  const first = gate.approvals?.[0];
  const mine = first?.by === me;
  const from = confirmFrom ? ms(confirmFrom) : ms(first?.at) + delay * 1000;
  return { first, mine, again: Boolean(gate.alone && mine), blocked: Boolean(mine && !gate.alone), from };
}

/** @param {{gate: Gate, me: string | undefined, confirmFrom: string | undefined, others: string[]}} props */
export function Steps({ gate, me, confirmFrom, others }) {
  const now = useNow();
  const { first, mine, again, from } = stepOf(gate, me, confirmFrom);
  const left = from - now;
  const second = others.filter((name) => name !== first?.by).join(" or ") || "another approver";
  return html`<ol class="steps" aria-label="Two approvals">
    <li>${
      first
        ? html`<${Icon} name="i-check" /><span><b>1 of 2</b> ${mine ? "You" : first.by} approved${
            first.device ? `, on ${first.device}` : ""
          }</span><${Time} at=${first.at} show=${clockSeconds} class="muted" />`
        : html`<${Icon} name="i-mid" /><span><b>1 of 2</b> Nobody yet</span>`
    }</li>
    <li>${first && again && left > 0 ? html`<${SmallRing} left=${1 - left / (from - ms(first.at))} />` : html`<${Icon} name="i-mid" />`}<span><b>2 of 2</b> ${
      !first
        ? gate.alone
          ? "You again, a minute later"
          : "A second person"
        : again
          ? left > 0
            ? html`You again in <b class="num">${spell(left)}</b>`
            : "You again, now"
          : mine
            ? `${second}, at any time`
            : "You, or another approver, at any time"
    }</span>${first && again ? html`<${Time} at=${from} show=${clockSeconds} class="muted" />` : ""}</li>
  </ol>`;
}
