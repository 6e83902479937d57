// @ts-check
// Hiding a card: for how long, and the list of what is hidden.
/** @import { Gate } from "../types.d.ts" */
import { html } from "htm/preact";
import { useNow } from "../live/clock.js";
import { hiddenUntil, hide, showAgain } from "../live/snooze.js";
import { useApp } from "../live/store.js";
import { marked } from "../words/marks.js";
import { snoozes } from "../words/snooze.js";
import { WhenTime } from "../words/time.js";
import { Icon } from "./icons.js";

/** @param {{gate: Gate}} props */
export function Snooze({ gate }) {
  const choices = snoozes(gate, useNow());
  if (!choices.length) return html`<span class="small muted">It expires too soon to be hidden.</span>`;
  return choices.map(
    ({ word, until }, i) =>
      html`<button class="btn sm soft" key=${word} onClick=${() => hide(gate, until)}>${i === 0 && html`<${Icon} name="i-snooze" />`}Hide ${word}</button>`,
  );
}

/** @param {{gate: Gate}} props */
function Row({ gate }) {
  const until = useApp((app) => hiddenUntil(app, gate));
  return html`<li><span><bdi>${marked(gate.title)}</bdi><br /><span class="small muted">Hidden until <${WhenTime} at=${until} />${
    gate.expires_at && html`, expires <${WhenTime} at=${gate.expires_at} />`
  }</span></span><button class="btn sm push" onClick=${() => showAgain(gate)}>Show now</button></li>`;
}

/** At the foot of NEEDS YOU. @param {{gates: Gate[], open: boolean}} props `gates`: the first to come back first; `open`: nothing else stands there */
export function Hidden({ gates, open }) {
  const first = useApp((app) => (gates[0] ? hiddenUntil(app, gates[0]) : 0));
  if (!gates.length) return null;
  return html`<details class="hidden-cards" open=${open}><summary>${gates.length} hidden${gates.length > 1 ? ", the first" : ""} until <${WhenTime} at=${first} /></summary>
    <ul>${gates.map((gate) => html`<${Row} key=${gate.id} gate=${gate} />`)}</ul></details>`;
}
