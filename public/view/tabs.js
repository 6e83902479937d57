// @ts-check
// Where one can go in a room: tabs at the foot of the phone, a switch above the middle pane when wide.
import { html } from "htm/preact";
import { follow, linkTo, usePlace } from "../live/place.js";
import { useApp } from "../live/store.js";
import { callsHere } from "../words/calls.js";
import { Icon } from "./icons.js";

/** @typedef {import("../live/place.js").View} View */

/** @type {[View, string][]} */
const views = [
  ["stream", "Stream"],
  ["board", "Board"],
  ["floor", "Floor"],
  ["people", "People"],
];

/** @param {KeyboardEvent & {currentTarget: HTMLElement}} event */
function arrows(event) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[/** @type {"ArrowLeft"} */ (event.key)];
  if (!step) return;
  const tabs = [.../** @type {NodeListOf<HTMLElement>} */ (event.currentTarget.querySelectorAll("[role=tab]"))];
  const next =
    tabs[(tabs.indexOf(/** @type {HTMLElement} */ (document.activeElement)) + step + tabs.length) % tabs.length];
  event.preventDefault();
  next?.focus();
  next?.click();
}

/** @param {{which: [View, string][], css: string, icon: string, label: string}} props */
function Tabs({ which, css, icon, label }) {
  const { view } = usePlace();
  const calls = useApp((app) => callsHere(app).size);
  const current = which.some(([name]) => name === view)
    ? view
    : which.length === 2 && view !== "settings" && view !== "connect"
      ? "stream"
      : null;
  return html`<nav class=${css} aria-label=${label}><div role="tablist" aria-label=${label} onKeyDown=${arrows}>${which.map(
    ([name, word]) => html`<a role="tab" href=${linkTo({ view: name, task: null })} aria-selected=${current === name}
      aria-current=${current === name ? "page" : undefined} onClick=${follow({ view: name, task: null, sheet: false })}
      onKeyDown=${(/** @type {KeyboardEvent} */ e) => e.key === " " && follow({ view: name, task: null, sheet: false })(/** @type {any} */ (e))}
      ><${Icon} name=${`i-${name}`} class=${icon} />${word}${
        name === "floor" && calls > 0 && html`<span class="badge" aria-label=${`${calls} for you`}>${calls}</span>`
      }</a>`,
  )}</div></nav>`;
}

export const TabBar = () => html`<${Tabs} which=${views} css="tabbar" icon="lg" label="Views" />`;

export const ViewTabs = () => html`<${Tabs} which=${views.slice(0, 2)} css="seg wide" icon="" label="View" />`;
