// @ts-check
// NEEDS YOU: a sheet on the phone with one card at a time and a rail of the others; a column when wide.
/** @import { Gate } from "../types.d.ts" */
import { html } from "htm/preact";
import { useEffect, useRef } from "preact/hooks";
import { dismiss, useNeeds } from "../live/needs.js";
import { go, usePlace } from "../live/place.js";
import { marked } from "../words/marks.js";
import { kindWord, stateOfGate } from "../words/needs.js";
import { CountdownHead, CountdownShort } from "./countdown.js";
import { GateCard } from "./gate.js";
import { Icon } from "./icons.js";
import { useWidth } from "./width.js";

/** @param {{waits: number, blockers: number}} props */
const Badges = ({ waits, blockers }) =>
  html`${waits > 0 && html`<span class="badge" aria-label=${`${waits} wait`}>${waits}</span>`}${
    blockers > 0 &&
    html`<span class="badge red" aria-label=${`${blockers} ${blockers === 1 ? "blocker" : "blockers"}`}><${Icon} name="k-blocker" />${blockers}</span>`
  }`;

/** @param {{gates: Gate[], open: string | null, openGate: (id: string) => void}} props */
function Rail({ gates, open, openGate }) {
  const rail = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    rail.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [open]);
  return html`<nav class="rail" ref=${rail} aria-label="What waits">${gates.map(
    (
      gate,
    ) => html`<button key=${gate.id} aria-current=${gate.id === open ? "true" : undefined} onClick=${() => openGate(gate.id)}
      ><span class=${gate.status === "pending" ? `is-${stateOfGate(gate)}` : "is-done"}><${Icon} name=${gate.status === "pending" ? `k-${gate.kind}` : "i-check"} /></span
      ><span class="vh">${kindWord(gate.kind)}: ${gate.title}, </span>${
        gate.status === "pending" ? html`<${CountdownShort} gate=${gate} />` : gate.status
      }${
        gate.risk === "high" || gate.risk === "critical"
          ? html`<span class=${`risk-${gate.risk}`}><${Icon} name=${`r-${gate.risk}`} /></span><span class="vh">, ${gate.risk} risk</span>`
          : ""
      }</button>`,
  )}</nav>`;
}

/** Drags the sheet up or down by its head. @param {boolean} sheet */
function useDrag(sheet) {
  const from = useRef(0);
  return {
    onPointerDown: (/** @type {PointerEvent} */ e) => {
      from.current = e.clientY;
    },
    onPointerUp: (/** @type {PointerEvent & {currentTarget: HTMLElement}} */ e) => {
      const moved = e.clientY - from.current;
      if (sheet ? moved <= 48 : moved >= -48) return;
      go({ sheet: !sheet });
      // the click that follows a drag is no tap
      const swallow = (/** @type {Event} */ click) => click.stopPropagation();
      const head = e.currentTarget;
      head.addEventListener("click", swallow, { capture: true, once: true });
      setTimeout(() => head.removeEventListener("click", swallow, { capture: true }), 100);
    },
  };
}

export function Needs() {
  const { gates, open, byPerson, openGate } = useNeeds();
  const { sheet } = usePlace();
  const phone = useWidth() === "phone";
  const body = useRef(/** @type {HTMLElement | null} */ (null));
  const waiting = gates.filter((gate) => gate.status === "pending");
  const blockers = waiting.filter((gate) => gate.kind === "blocker").length;
  const [next] = waiting;
  const shown = sheet && phone;
  const drag = useDrag(shown);

  useEffect(() => {
    if (phone) body.current?.scrollTo(0, 0);
  }, [open, shown]);
  useEffect(() => {
    const key = (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Escape" && shown && !document.querySelector("dialog[open]")) go({ sheet: false });
    };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  }, [shown]);

  const away = (/** @type {string} */ id) => {
    dismiss(id);
    const rest = waiting.find((gate) => gate.id !== id);
    openGate(rest?.id ?? "");
    if (!rest) go({ sheet: false });
  };

  return html`<section class="needs" aria-label="Needs you">
    <div class="needs-head" ...${phone ? drag : {}}>
      <div class="needs-what"><h2 class="needs-title">${gates.length ? html`Needs you ${" "}<${Badges} waits=${waiting.length - blockers} blockers=${blockers} />` : "Nothing waits for you"}</h2>
      ${!shown && next && html`<span class="needs-next cut narrow" dir="auto">${marked(next.title)}</span>`}</div>
      ${!shown && next && html`<${CountdownHead} gate=${next} />`}
      ${
        phone &&
        gates.length > 0 &&
        html`<button class="needs-toggle" aria-expanded=${shown} aria-label=${shown ? "Close" : "Open what needs you"}
          onClick=${() => go({ sheet: !shown })}>${shown && html`<${Icon} name="i-down" class="lg" />`}</button>`
      }
    </div>
    ${
      (!phone || shown) &&
      html`<${Rail} gates=${gates} open=${open} openGate=${openGate} />
      <div class="needs-body" ref=${body}>${gates
        .filter((gate) => !phone || gate.id === open)
        .map(
          (
            gate,
          ) => html`<${GateCard} key=${gate.id} gate=${gate} open=${gate.id === open} byPerson=${byPerson && gate.id === open}
            onOpen=${() => openGate(gate.id)} onDismiss=${() => away(gate.id)} />`,
        )}</div>`
    }
  </section>`;
}
