// @ts-check
// The shapes: one for each state, kind of gate, risk, thing and act. Drawn once into the page and used by name.
import { html } from "htm/preact";

export const Sprite = () => html`<svg hidden aria-hidden="true">
  <symbol id="s-waiting" viewBox="0 0 16 16"><path d="M8 .8 15.2 8 8 15.2.8 8Z"/></symbol>
  <symbol id="s-blocked" viewBox="0 0 16 16"><path fill-rule="evenodd" d="M5.1 1h5.8L15 5.1v5.8L10.9 15H5.100L1 10.900V5.100ZM4 6.900v2.200h8V6.900Z"/></symbol>
  <symbol id="s-working" viewBox="0 0 16 16"><path fill-rule="evenodd" d="M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1Zm0 1.800a5.2 5.2 0 0 0 0 10.400Z"/></symbol>
  <symbol id="s-done" viewBox="0 0 16 16"><path fill-rule="evenodd" d="M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1Zm3.3 3.900L7 9.2 4.9 7.1 3.6 8.4 7 11.800l5.6-5.600Z"/></symbol>
  <symbol id="s-quiet" viewBox="0 0 16 16"><path fill-rule="evenodd" d="M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1Zm0 1.800a5.2 5.2 0 1 0 0 10.400A5.2 5.2 0 0 0 8 2.800Z"/></symbol>
  <symbol id="s-offline" viewBox="0 0 16 16"><path d="M2.2 3.5 3.5 2.2 8 6.700l4.5-4.5 1.3 1.300L9.3 8l4.5 4.5-1.3 1.300L8 9.300l-4.5 4.5-1.3-1.300L6.7 8Z"/></symbol>
  <symbol id="k-approval" viewBox="0 0 16 16"><path d="M8 1.2 14.8 8 8 14.8 1.2 8Z"/><path d="m5.6 8 1.7 1.8 3.2-3.5"/></symbol>
  <symbol id="k-feedback" viewBox="0 0 16 16"><path d="M2 3h12v8H7.500L4.5 13.800V11H2Z"/><path d="M5 6h6M5 8.300h4"/></symbol>
  <symbol id="k-blocker" viewBox="0 0 16 16"><path d="M5.3 1.500h5.400l3.8 3.800v5.400l-3.8 3.800H5.300l-3.8-3.800V5.300ZM5 8h6"/></symbol>
  <symbol id="r-low" viewBox="0 0 16 16"><path d="M1 11h2.500v3H1z"/><path opacity=".28" d="M5 8h2.500v6H5zM9 5h2.500v9H9zM13 2h2.500v12H13z"/></symbol>
  <symbol id="r-medium" viewBox="0 0 16 16"><path d="M1 11h2.500v3H1zM5 8h2.500v6H5z"/><path opacity=".28" d="M9 5h2.500v9H9zM13 2h2.500v12H13z"/></symbol>
  <symbol id="r-high" viewBox="0 0 16 16"><path d="M1 11h2.500v3H1zM5 8h2.500v6H5zM9 5h2.500v9H9z"/><path opacity=".28" d="M13 2h2.500v12H13z"/></symbol>
  <symbol id="r-critical" viewBox="0 0 16 16"><path d="M1 11h2.500v3H1zM5 8h2.500v6H5zM9 5h2.500v9H9zM13 2h2.500v12H13z"/></symbol>
  <symbol id="i-search" viewBox="0 0 16 16"><circle cx="7" cy="7" r="4.5"/><path d="m10.5 10.5 3.5 3.5"/></symbol>
  <symbol id="i-stop" viewBox="0 0 16 16"><path d="M5.3 1.500h5.400l3.8 3.800v5.400l-3.8 3.800H5.300l-3.8-3.800V5.300Z"/><path fill="currentColor" d="M6 6h4v4H6z"/></symbol>
  <symbol id="i-down" viewBox="0 0 16 16"><path d="m3.5 6 4.5 4.500L12.5 6"/></symbol>
  <symbol id="i-arrow" viewBox="0 0 16 16"><path d="M8 3v10M4 9l4 4 4-4"/></symbol>
  <symbol id="i-copy" viewBox="0 0 16 16"><path d="M5.5 5.500h8v8h-8zM10.5 5.500v-3h-8v8h3"/></symbol>
  <symbol id="i-edit" viewBox="0 0 16 16"><path d="m3 13 .7-3L11 2.7 13.3 5 6 12.300ZM9.5 4.200l2.3 2.3"/></symbol>
  <symbol id="i-check" viewBox="0 0 16 16"><path d="m3 8.5 3.3 3.300L13 4.8"/></symbol>
  <symbol id="i-x" viewBox="0 0 16 16"><path d="m4 4 8 8m0-8-8 8"/></symbol>
  <symbol id="i-more" viewBox="0 0 16 16"><path stroke-width="2.2" d="M3 8h.01M8 8h.01M13 8h.01"/></symbol>
  <symbol id="i-snooze" viewBox="0 0 16 16"><circle cx="8" cy="8.5" r="5.5"/><path d="M6 6.500h4l-4 4h4M2 3.5 4 2m10 1.500L12 2"/></symbol>
  <symbol id="i-rule" viewBox="0 0 16 16"><path d="M3 4h10M3 8h6M3 12h4m3.5-1 1.5 1.5 2.5-3"/></symbol>
  <symbol id="i-speak" viewBox="0 0 16 16"><path d="M2 8.500v-1M5 11V5m3 8.500v-11M11 11V5m3 3.500v-1"/></symbol>
  <symbol id="i-pause" viewBox="0 0 16 16"><path d="M5.5 3.500v9m5-9v9"/></symbol>
  <symbol id="i-take" viewBox="0 0 16 16"><path d="M3 13h10M8 10V2.500M4.5 6 8 2.5 11.5 6"/></symbol>
  <symbol id="i-stream" viewBox="0 0 16 16"><path d="M2 3.500h12M2 8h8m-8 4.500h10"/></symbol>
  <symbol id="i-board" viewBox="0 0 16 16"><path d="M2 2.500h3v11H2zM6.5 2.500h3v7h-3zM11 2.500h3v9h-3z"/></symbol>
  <symbol id="i-floor" viewBox="0 0 16 16"><path d="M8 1.800A6.2 6.2 0 1 1 1.8 8"/><circle cx="8" cy="8" r="1.8" fill="currentColor" stroke="none"/></symbol>
  <symbol id="i-people" viewBox="0 0 16 16"><circle cx="6" cy="5" r="2.5"/><path d="M1.5 13.500c0-2.5 2-4 4.5-4s4.5 1.5 4.5 4M10.5 2.800a2.5 2.5 0 0 1 0 4.400m1.3 2.700c1.7.5 2.7 1.8 2.7 3.6"/></symbol>
  <symbol id="i-plus" viewBox="0 0 16 16"><path d="M8 3v10M3 8h10"/></symbol>
  <symbol id="i-up2" viewBox="0 0 16 16"><path d="m4 8 4-4 4 4M4 12.500l4-4 4 4"/></symbol>
  <symbol id="i-mid" viewBox="0 0 16 16"><path d="M4 8h8"/></symbol>
  <symbol id="i-low" viewBox="0 0 16 16"><path d="m4 6.5 4 4 4-4"/></symbol>
  <symbol id="i-task" viewBox="0 0 16 16"><path d="M2.5 2.500h11v11h-11z"/><path d="m5.5 8 1.8 1.800L10.5 6.3"/></symbol>
  <symbol id="i-msg" viewBox="0 0 16 16"><path d="M2 3h12v8H7.500L4.5 13.800V11H2Z"/></symbol>
  <symbol id="i-spin" viewBox="0 0 16 16"><path d="M8 2a6 6 0 1 1-6 6"/></symbol>
  <symbol id="i-cloud-off" viewBox="0 0 16 16"><path d="M2 2l12 12M4.5 6.500A3 3 0 0 0 4.5 12.500h6.500M6.8 4.300A3.8 3.8 0 0 1 11.5 7.500a2.5 2.5 0 0 1 2 4"/></symbol>
  <symbol id="i-logo" viewBox="0 0 16 16"><path stroke-width="2" d="M2 13V3.500h7a3.5 3.5 0 0 1 0 7H6"/><path stroke-width="2" d="M13.5 13v-2"/></symbol>
  <symbol id="i-gear" viewBox="0 0 16 16"><circle cx="8" cy="8" r="2.2"/><path d="M8 1.500v2M8 12.500v2M1.5 8h2M12.500 8h2M3.400 3.400l1.400 1.400M11.200 11.200l1.400 1.400M3.400 12.600l1.400-1.400M11.200 4.800l1.400-1.400"/></symbol>
  <symbol id="i-back" viewBox="0 0 16 16"><path d="M10 3.500 5.5 8l4.500 4.500"/></symbol>
  <symbol id="i-play" viewBox="0 0 16 16"><path d="M5 3.500v9L12.500 8Z"/></symbol>
  <symbol id="i-pass" viewBox="0 0 16 16"><path d="M2.500 8h9M8 4.500 11.500 8 8 11.500M14 3.500v9"/></symbol>
  <symbol id="i-key" viewBox="0 0 16 16"><circle cx="5" cy="11" r="3"/><path d="m7.200 8.800 6-6M11 5l2 2"/></symbol>
  <symbol id="i-up" viewBox="0 0 16 16"><path d="M3.500 10 8 5.500l4.500 4.500"/></symbol>
  <symbol id="i-warn" viewBox="0 0 16 16"><path d="M8 2 14.500 13.500h-13ZM8 6.500v3.500M8 12h.01"/></symbol>
  <symbol id="i-bell" viewBox="0 0 16 16"><path d="M3.500 11.500c1-1 1-2.500 1-4a3.500 3.500 0 0 1 7 0c0 1.500 0 3 1 4ZM6.800 13.800h2.400"/></symbol>
</svg>`;

/**
 * @param {{name: string, label?: string, class?: string}} props
 *   `label` when the shape says something that no word beside it says
 */
export const Icon = ({ name, label, class: css = "" }) =>
  label
    ? html`<svg class=${`icon ${css}`} role="img" aria-label=${label}><use href=${`#${name}`} /></svg>`
    : html`<svg class=${`icon ${css}`} aria-hidden="true"><use href=${`#${name}`} /></svg>`;

/** A member's state: shape and colour, with the word for who cannot see them. @param {{state: string, label?: string}} props */
export const StateMark = ({ state, label = state }) =>
  html`<${Icon} name=${`s-${state}`} class=${`state is-${state}`} label=${label} />`;

/** @param {{risk: string}} props */
export const RiskMark = ({ risk }) =>
  html`<span class=${`risk ${risk}`}><${Icon} name=${`r-${risk}`} />${risk} risk</span>`;

/** A small ring that runs down. @param {{left: number, class?: string}} props `left` 0 to 1 */
export const SmallRing = ({
  left,
  class: css = "",
}) => html`<svg class=${`ring small ${css}`} viewBox="0 0 48 48" aria-hidden="true"
  ><circle cx="24" cy="24" r="18" /><circle class="left" cx="24" cy="24" r="18" pathLength="100" stroke-dasharray=${`${Math.round(
    Math.min(1, Math.max(0, left)) * 100,
  )} 100`} /></svg>`;
