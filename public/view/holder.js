// @ts-check
// Who holds the floor, with a ring that runs down to the end of the hold and a thinner one to the end of the turn.
/** @import { Floor, Gate, Member } from "../types.d.ts" */
import { html } from "htm/preact";
import { ms, useNow } from "../live/clock.js";
import { spell, Time } from "../words/time.js";
import { Icon } from "./icons.js";

/** @param {Floor} floor @param {Member | undefined} holder */
function useClock(floor, holder) {
  const now = useNow();
  const times = holder?.kind === "person" ? 5 : 1;
  const hold = (floor.hold_seconds ?? 180) * 1000 * times;
  const limit = (floor.max_turn_seconds ?? 600) * 1000 * times;
  const left = ms(floor.lapses_at) - now;
  const limitLeft = ms(floor.turn_ends_at) - now;
  return {
    left,
    share: left / hold,
    limitShare: limit ? limitLeft / limit : 0,
    warned: left < Math.min(30_000, hold / 4),
  };
}

/** @param {number} part */
const dash = (part) => `${Math.round(Math.min(1, Math.max(0, part || 0)) * 1000) / 10} 100`;

/** @param {{floor: Floor, holder: Member | undefined, gate: Gate | undefined, me: string | undefined}} props */
export function Holder({ floor, holder, gate, me }) {
  const { left, share, limitShare, warned } = useClock(floor, holder);
  if (!floor.holder) {
    return html`<div class="holder"><div class="clock"><svg class="ring" viewBox="0 0 48 48" aria-hidden="true"><circle cx="24" cy="24" r="20" /></svg></div>
      <div class="holds"><div class="who">Nobody</div><div class="small muted">${
        floor.status === "paused"
          ? "the floor is paused"
          : floor.quiescent
            ? "nobody has anything to add"
            : "the floor is free"
      }</div></div></div>`;
  }
  const asks = gate !== undefined || floor.waits_for_person === true;
  const stands = floor.status === "paused" || !floor.lapses_at || asks;
  const state = stands ? "paused" : warned ? "warning" : "";
  const words = stands ? "the clock stands" : `${spell(left)} left`;
  return html`<div class="holder">
    <div class="clock" role="timer" aria-label=${words}><svg class=${`ring ${state}`} viewBox="0 0 48 48" aria-hidden="true"
      ><circle cx="24" cy="24" r="20" /><circle class="left" cx="24" cy="24" r="20" pathLength="100" stroke-dasharray=${dash(stands ? 1 : share)} />${
        limitShare > 0 &&
        html`<circle class="limit left" cx="24" cy="24" r="16" pathLength="100" stroke-dasharray=${dash(limitShare)} />`
      }</svg><span aria-hidden="true">${stands ? html`<${Icon} name="i-pause" class="lg" />` : spell(left)}</span></div>
    <div class="holds"><div class="who">${floor.holder === me ? "You" : floor.holder}</div>
      <div class="small muted">${floor.offered ? "is offered" : floor.holder === me ? "have" : "has"} the floor, turn ${floor.turn}</div>
      <div class="small muted">${
        floor.status === "paused"
          ? "paused: the clock stands"
          : asks
            ? "the clock stands: waits for a person"
            : html`since <${Time} at=${floor.since} />${floor.turn_ends_at ? html`, at most until <${Time} at=${floor.turn_ends_at} />` : ""}`
      }</div></div>
  </div>`;
}
