// @ts-check
// On the phone: one small button for each card, and one for the list of all of them.
/** @import { Gate } from "../types.d.ts" */
import { html } from "htm/preact";
import { useEffect, useRef } from "preact/hooks";
import { kindWord, stateOfGate } from "../words/needs.js";
import { clock } from "../words/time.js";
import { CountdownShort } from "./countdown.js";
import { Icon } from "./icons.js";

/** @param {{gate: Gate}} props */
function Mark({ gate }) {
  if (gate.status === "pending")
    return html`<span class=${`is-${stateOfGate(gate)}`}><${Icon} name=${`k-${gate.kind}`} /></span>`;
  if (gate.ran?.drift) return html`<span class="is-blocked"><${Icon} name="i-warn" /></span>`;
  if (gate.status === "expired") return html`<span class="muted"><${Icon} name="i-snooze" /></span>`;
  if (gate.status === "denied") return html`<span class="is-blocked"><${Icon} name="i-x" /></span>`;
  if (gate.status === "withdrawn") return html`<span class="muted"><${Icon} name="i-x" /></span>`;
  return html`<span class="is-done"><${Icon} name="i-check" /></span>`;
}

/** @param {{gates: Gate[], open: string | null, openGate: (id: string | null) => void}} props */
export function Rail({ gates, open, openGate }) {
  const rail = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    rail.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [open]);
  return html`<nav class="rail" ref=${rail} aria-label="What waits">${
    gates.length > 1 &&
    html`<button class="all" aria-label="All cards" aria-current=${open === null ? "true" : undefined} onClick=${() => openGate(null)}
      ><${Icon} name="i-stream" />All ${gates.length}</button>`
  }${gates.map(
    (
      gate,
    ) => html`<button key=${gate.id} aria-current=${gate.id === open ? "true" : undefined} onClick=${() => openGate(gate.id)}
      ><${Mark} gate=${gate} /><span class="vh">${kindWord(gate.kind)}: ${gate.title}, </span>${
        gate.status === "pending"
          ? html`<${CountdownShort} gate=${gate} />`
          : gate.status === "expired"
            ? html`<span class="vh">expired at </span>${clock(gate.expires_at)}`
            : gate.ran?.drift
              ? "drift"
              : gate.status
      }${
        gate.risk === "high" || gate.risk === "critical"
          ? html`<span class=${`risk-${gate.risk}`}><${Icon} name=${`r-${gate.risk}`} /></span><span class="vh">, ${gate.risk} risk</span>`
          : ""
      }</button>`,
  )}</nav>`;
}
