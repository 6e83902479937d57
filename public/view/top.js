// @ts-check
// The top of every page: rooms with what waits in each, whether what is seen is live, the palette, Stop all.
/** @import { Room } from "../types.d.ts" */
import { html } from "htm/preact";
import { useEffect, useRef } from "preact/hooks";
import { ms, useNow } from "../live/clock.js";
import { follow, go, linkTo } from "../live/place.js";
import { ask, change, lookAgain, sentence, showRoom, toast, useApp } from "../live/store.js";
import { marked } from "../words/marks.js";
import { clock, clockSeconds, WhenTime } from "../words/time.js";
import { Calls } from "./calls.js";
import { Icon } from "./icons.js";
import { StopButton, Stopped } from "./stop.js";

/** @param {{one: Room, current: boolean}} props */
function RoomTab({ one, current }) {
  const open = (/** @type {MouseEvent} */ event) => {
    follow({ room: one.room, gate: null, task: null })(event);
    if (event.defaultPrevented) showRoom(one.room);
  };
  return html`<a class="room" href=${linkTo({ room: one.room, task: null })} aria-current=${current ? "page" : undefined} onClick=${open}><bdi>${marked(one.title || one.room)}</bdi>${" "}${
    one.approvals > 0 && html`<span class="badge" aria-label=${`${one.approvals} wait for you`}>${one.approvals}</span>`
  }${
    one.blockers > 0 &&
    html`<span class="badge red" aria-label=${`${one.blockers} ${one.blockers === 1 ? "blocker" : "blockers"}`}>${one.blockers}</span>`
  }</a>`;
}

/** @param {{onPalette: () => void}} props */
export function Top({ onPalette }) {
  const rooms = useApp((app) => app.rooms);
  const current = useApp((app) => app.room);
  const link = useApp((app) => app.link);
  const bar = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    bar.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [current]);
  return html`<header class="top">
    <span class="brand wide"><${Icon} name="i-logo" />Parley</span>
    <nav class="rooms" aria-label="Rooms" ref=${bar}>${rooms.map((one) => html`<${RoomTab} key=${one.room} one=${one} current=${one.room === current} />`)}</nav>
    ${link.state === "live" && html`<span class="live" title="What you see is live"><${Icon} name="s-done" class="state" label="Live" /><span class="wide" aria-hidden="true">Live</span></span>`}
    <button class="find wide" onClick=${onPalette}><${Icon} name="i-search" />Find or do<kbd>Ctrl K</kbd></button>
    <button class="icon-btn not-wide" aria-label="Find or do" onClick=${onPalette}><${Icon} name="i-search" class="lg" /></button>
    <button class="icon-btn wide-grid" aria-label="Settings" title="Settings" onClick=${() => go({ view: "settings" })}><${Icon} name="i-gear" class="lg" /></button>
    <${StopButton} />
  </header>`;
}

/** Says it when what is seen is not live. */
function Connection() {
  const link = useApp((app) => app.link);
  useNow();
  if (link.state === "live") return null;
  if (link.state === "offline") {
    return html`<div class="conn offline" role="status"><${Icon} name="i-cloud-off" /><span><b>Offline${link.heard ? ` since ${clock(link.heard)}` : ""}.</b> Answers can’t be sent.</span>
      <button class="push" onClick=${lookAgain}>Try now</button></div>`;
  }
  if (link.state === "connecting" && link.heard === null) return null;
  return html`<div class="conn" role="status"><${Icon} name="i-spin" class="spin" /><span>Reconnecting.${link.heard ? ` What you see is from ${clockSeconds(link.heard)}.` : ""}</span></div>`;
}

/** What every signed-in person is told until they say that they have read it. */
function Notices() {
  const notices = useApp((app) => app.notices);
  const newest = [...notices].sort((a, b) => ms(b.at) - ms(a.at));
  const [last] = newest;
  if (!last) return null;
  const read = async () => {
    try {
      const seq = Math.max(...notices.map((one) => one.seq));
      await ask("acknowledge_notices", { seq });
      change((app) => ({ ...app, notices: app.notices.filter((one) => one.seq > seq) }));
    } catch (why) {
      toast(sentence(why));
    }
  };
  return html`<div class="conn notice" role="status"><${Icon} name="i-bell" />${
    newest.length > 1
      ? html`<details><summary><b>${newest.length} notices.</b> ${marked(last.text)} <${WhenTime} class="muted" at=${last.at} /></summary>
        <ul class="told">${newest.slice(1).map((one) => html`<li key=${one.seq}>${marked(one.text)} <${WhenTime} class="muted" at=${one.at} /></li>`)}</ul></details>`
      : html`<span>${marked(last.text)} <${WhenTime} class="muted" at=${last.at} /></span>`
  }
    <button class="push" onClick=${read}>I know</button></div>`;
}

export const Banners = () =>
  html`<div class="conn-slot"><${Connection} /><${Stopped} /><${Notices} /><${Calls} /></div>`;
