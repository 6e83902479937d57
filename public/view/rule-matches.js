// @ts-check
// What a rule would have matched of the approvals that are past: how many, and the newest of them.
/** @import { Gate } from "../types.d.ts" */
import { html } from "htm/preact";
import { marked } from "../words/marks.js";
import { WhenTime } from "../words/time.js";

/** @typedef {{matches?: Gate[], matched?: number, tried?: number}} Dry */

const shown = 5;

/** @param {{dry: Dry}} props */
export function Matches({ dry: { matches = [], matched = 0, tried = 0 } }) {
  if (tried === 0) return html`<p class="small muted">There are no earlier approvals to try it on.</p>`;
  return html`<p class="small muted" role="status">Of the last ${tried} approvals it would have touched ${matched}${matched > shown ? `; the newest ${shown}:` : matched > 0 ? ":" : "."}</p>
    ${
      matched > 0 &&
      html`<ul class="small rule-matches">${matches
        .slice(0, shown)
        .map(
          (gate) =>
            html`<li key=${gate.id}>${marked(gate.title)} <span class="muted">${gate.asked_by}, <${WhenTime} at=${gate.asked_at} />, ${gate.status}</span></li>`,
        )}</ul>`
    }`;
}
