// @ts-check
// How long a gate still waits, by the server's clock; a blocker, which never expires, says how long it has waited.
/** @import { Gate } from "../types.d.ts" */
import { html } from "htm/preact";
import { useEffect } from "preact/hooks";
import { ms, useNow } from "../live/clock.js";
import { lookAt } from "../live/decide.js";
import { fullTime, gap, spell, spellShort, whenever } from "../words/time.js";
import { Icon, SmallRing } from "./icons.js";

/** Less than this is soon (ms). */
const soon = 180_000;

/** @param {Gate} gate */
export function useLeft(gate) {
  const now = useNow();
  const end = ms(gate.expires_at);
  const left = end - now;
  const over = gate.status === "pending" && left < -1000;
  // the server settles it when somebody looks
  useEffect(() => {
    if (over) void lookAt(gate.id);
  }, [over]);
  return { now, left, share: left / (end - ms(gate.asked_at)), soon: left < soon, over: left <= 0 };
}

/** @param {{gate: Gate, until?: boolean, push?: boolean}} props */
export function Countdown({ gate, until = false, push = false }) {
  const { now, left, share, soon } = useLeft(gate);
  const css = `count ${push ? "push" : ""}`;
  if (!gate.expires_at) {
    return html`<span class=${css}>${!until && html`<${Icon} name="k-blocker" />`}<time datetime=${gate.asked_at} title=${fullTime(gate.asked_at)}>${gap(now - ms(gate.asked_at))}</time>${until && html`${" "}<span class="muted">since ${whenever(gate.asked_at, now)}</span>`}</span>`;
  }
  return html`<span class=${`${css} ${soon ? "soon" : ""}`}><${SmallRing} left=${share} /><time datetime=${gate.expires_at} title=${fullTime(
    gate.expires_at,
  )}>${spell(left)}</time>${until && html`${" "}<span class="muted">until ${whenever(gate.expires_at, now)}</span>`}</span>`;
}

/** For the rail. @param {{gate: Gate}} props */
export function CountdownShort({ gate }) {
  const { now, left } = useLeft(gate);
  return gate.expires_at
    ? spellShort(left)
    : gap(now - ms(gate.asked_at))
        .replace(" min", "m")
        .replace(" h", "h")
        .replace(" s", "s");
}

/** For the sheet's head: large, with the time beneath. @param {{gate: Gate}} props */
export function CountdownHead({ gate }) {
  const { now, left } = useLeft(gate);
  return gate.expires_at
    ? html`<span class="needs-due push"><time datetime=${gate.expires_at} title=${fullTime(gate.expires_at)}>${spell(left)}</time><small>until ${whenever(gate.expires_at, now)}</small></span>`
    : html`<span class="needs-due push"><time datetime=${gate.asked_at} title=${fullTime(gate.asked_at)}>${gap(now - ms(gate.asked_at))}</time><small>since ${whenever(
        gate.asked_at,
        now,
      )}</small></span>`;
}
