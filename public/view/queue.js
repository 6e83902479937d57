// @ts-check
// Who speaks next: the interrupted first, then those who asked, each with what for and after how many turns at most.
/** @import { Floor, Waiting } from "../types.d.ts" */
import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { doIt, useApp } from "../live/store.js";
import { marked } from "../words/marks.js";
import { Clamp } from "./clamp.js";
import { DenyDialog } from "./floor-acts.js";
import { Icon } from "./icons.js";

/** @param {{floor: Floor, may: boolean}} props */
export function Queue({ floor, may }) {
  const room = useApp((app) => app.room);
  const [denied, setDenied] = useState(/** @type {string | null} */ (null));
  const interrupted = slots(floor);
  if (!floor.queue.length && !interrupted.length) return null;
  const grant = (/** @type {string} */ seat) => () => doIt("grant_floor", { room, channel: floor.channel, seat });
  return html`<h3 class="sub">Next</h3><ol class="queue">
    ${interrupted.map(
      (seat) => html`<li class="resume" key=${`r ${seat}`}><span class="pos"><${Icon} name="i-arrow" /></span>
        <span class="top-line"><span class="name cut">${seat}</span><span class="bound">speaks next</span></span>
        ${may && html`<span class="acts"><button class="btn sm soft" aria-label=${`Grant to ${seat}`} onClick=${grant(seat)}>Grant</button></span>`}
        <span class="purpose">Was interrupted</span></li>`,
    )}
    ${floor.queue.map(
      (/** @type {Waiting} */ one, i) => html`<li key=${one.seat}><span class="pos">${i + 1}</span>
        <span class="top-line"><span class="name cut">${one.seat}</span>${
          one.urgency === "high"
            ? html`<${Icon} name="i-up2" label="high urgency" />`
            : one.urgency === "low"
              ? html`<span class="bound">low urgency</span>`
              : ""
        }<span class="bound">${bound(one, floor)}</span></span>
        ${
          may &&
          html`<span class="acts"><button class="icon-btn" aria-label=${`Deny ${one.seat}`} title="Deny" onClick=${() => setDenied(one.seat)}><${Icon} name="i-x" /></button
          ><button class="btn sm soft" aria-label=${`Grant to ${one.seat}`} onClick=${grant(one.seat)}>Grant</button></span>`
        }
        <${Clamp} class="purpose">${marked(one.purpose || "No purpose said")}<//></li>`,
    )}</ol>
    ${denied !== null && html`<${DenyDialog} floor=${floor} seat=${denied} onClose=${() => setDenied(null)} />`}`;
}

/** @param {Waiting} one @param {Floor} floor */
function bound(one, floor) {
  if (floor.mode === "moderated") return "waits for a grant";
  const turns = one.at_most_turns;
  return turns ? `at most ${turns} ${turns === 1 ? "turn" : "turns"}` : "";
}

/** Seats with the right to speak next. @param {Floor} floor @returns {string[]} */
const slots = (floor) =>
  (Array.isArray(floor.resume) ? floor.resume : floor.resume ? [floor.resume] : []).map((one) =>
    typeof one === "string" ? one : one.seat,
  );
