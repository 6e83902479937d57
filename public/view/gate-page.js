// @ts-check
// A gate's own page (`gate/ID`): the card alone, the same as everywhere.
import { html } from "htm/preact";
import { at } from "../live/base.js";
import { useApp } from "../live/store.js";
import { GateCard } from "./gate.js";
import { Icon } from "./icons.js";

/** @param {{id: string}} props */
export function GatePage({ id }) {
  const gate = useApp((app) => (app.room ? app.data[app.room]?.gates[id] : undefined));
  const room = useApp((app) => app.room);
  const why = useApp((app) => app.why);
  return html`<main class="alone"><h1 class="vh">One gate</h1><div class="alone-box">
    <a class="btn quiet sm" href=${at(room ? `?room=${encodeURIComponent(room)}` : ".")}><${Icon} name="i-back" />${room ?? "Dashboard"}</a>
    ${gate ? html`<${GateCard} key=${id} gate=${gate} open alone />` : html`<p class="nothing muted" role="status">${why ?? "Looking for it …"}${why && html` <a href=${at(".")}>Open the dashboard</a>`}</p>`}
  </div></main>`;
}
