// @ts-check
// The floors of a room: those that want this person first, then where somebody speaks, then main, then by what was last.
/** @import { Floor, RoomData } from "../types.d.ts" */
/** @import { Call } from "../words/calls.js" */
import { html } from "htm/preact";
import { useEffect, useRef } from "preact/hooks";
import { showChannel } from "../live/channel.js";
import { useApp } from "../live/store.js";
import { callsHere } from "../words/calls.js";
import { Icon } from "./icons.js";

/** The last fact of each floor. @param {RoomData | undefined} data @returns {Map<string, number>} */
function lastOf(data) {
  const last = new Map();
  const many = Object.keys(data?.floors ?? {}).length;
  const facts = data?.facts ?? [];
  for (let i = facts.length - 1; i >= 0 && i > facts.length - 2000 && last.size < many; i--) {
    const { subject = "", seq } = facts[i] ?? {};
    const channel = subject.startsWith("floor:") ? subject.slice("floor:".length) : null;
    if (channel !== null && !last.has(channel)) last.set(channel, seq);
  }
  return last;
}

/** @param {Floor} floor @param {Call | undefined} call */
function rank(floor, call) {
  if (call) return call.what === "turn" ? 0 : 1;
  if (floor.status === "closed") return 5;
  if (floor.holder && floor.status === "open") return 2;
  return floor.channel === "main" ? 3 : 4;
}

/** @param {{floor: Floor, call: Call | undefined}} props */
function Mark({ floor, call }) {
  const asked = floor.questions?.length ?? 0;
  if (call?.what === "turn") return html`<span class="badge">your turn</span>`;
  if (call) return html`<span class="badge">${call.what === "asked" ? "asks you" : "to you"}</span>`;
  return html`${
    floor.status !== "open"
      ? html`<span class="muted">${floor.status}</span>`
      : floor.holder &&
        html`<${Icon} name="i-speak" label=${`${floor.holder} ${floor.offered ? "is offered it" : "holds it"}`} />`
  }${asked > 0 && floor.status !== "closed" && html`<span class="muted" title=${`${asked} open ${asked === 1 ? "question" : "questions"}`}>${asked}?<span class="vh"> open</span></span>`}`;
}

/** @param {{floor: Floor | undefined}} props the one shown */
export function ChannelChips({ floor }) {
  const app = useApp((a) => a);
  const bar = useRef(/** @type {HTMLElement | null} */ (null));
  const data = app.room ? app.data[app.room] : undefined;
  const floors = Object.values(data?.floors ?? {});
  useEffect(() => {
    bar.current?.querySelector('[aria-pressed="true"]')?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [floor?.channel]);
  if (floors.length < 2) return null;
  const calls = callsHere(app);
  const last = lastOf(data);
  const of = (/** @type {Floor} */ one) => rank(one, calls.get(one.channel));
  const ordered = floors.sort(
    (a, b) =>
      of(a) - of(b) || (last.get(b.channel) ?? 0) - (last.get(a.channel) ?? 0) || a.channel.localeCompare(b.channel),
  );
  return html`<div class="chips run channels" role="group" aria-label="Channels" ref=${bar}>${ordered.map(
    (one) =>
      html`<button class="chip" key=${one.channel} aria-pressed=${one === floor} onClick=${() => showChannel(app.room ?? "", one.channel)}>${one.channel}${" "}<${Mark} floor=${one} call=${calls.get(one.channel)} /></button>`,
  )}</div>`;
}
