// @ts-check
// The whole page: the door, or the room with its panes, what waits, and what lies over it.
import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { gateOfPage } from "../live/base.js";
import { before } from "../live/channel.js";
import { standing } from "../live/needs.js";
import { go, place, usePlace } from "../live/place.js";
import { roomOf } from "../live/state.js";
import { showRoom, start, useApp } from "../live/store.js";
import { useTitle } from "../live/title.js";
import { floorOf } from "../words/floor.js";
import { marked } from "../words/marks.js";
import { Board } from "./board.js";
import { Connect } from "./connect.js";
import { FloorPane } from "./floor.js";
import { GatePage } from "./gate-page.js";
import { Homeless, useHomeless } from "./homeless.js";
import { Icon, Sprite } from "./icons.js";
import { Needs } from "./needs.js";
import { NewTask } from "./new-task.js";
import { Palette } from "./palette.js";
import { People } from "./people.js";
import { SeatsDialog } from "./seats.js";
import { Settings } from "./settings.js";
import { SignIn } from "./sign-in.js";
import { StopDialog } from "./stop.js";
import { Stream } from "./stream.js";
import { TabBar } from "./tabs.js";
import { Toasts } from "./toasts.js";
import { Banners, Top } from "./top.js";
import { useWidth } from "./width.js";

/** What stands here for this person: something that waits, only what has been answered or has expired, or nothing. */
const useStanding = () =>
  useApp((app) => {
    const { drifted, waiting, missed, hidden } = standing(app);
    if (drifted.length || waiting.some((gate) => gate.status === "pending")) return "waits";
    return waiting.length || missed.length || hidden.length ? "over" : "nothing";
  });

/** @param {{onPalette: () => void, onClose: () => void, over: string | null, setOver: (over: string | null) => void}} props */
function Over({ over, setOver }) {
  const data = useApp((app) => (app.room ? app.data[app.room] : undefined));
  const close = () => setOver(null);
  const floor = useApp(floorOf);
  if (over === "palette") {
    return html`<${Palette} onClose=${close} newTask=${() => setOver("task")} openFloor=${() => setOver("floor")} stop=${() => setOver("stop")} />`;
  }
  if (over === "task") return html`<${NewTask} onClose=${close} />`;
  if (over === "floor") {
    return html`<${SeatsDialog} floor=${floor} members=${data?.members ?? []} onClose=${close} />`;
  }
  return over === "stop" ? html`<${StopDialog} onClose=${close} />` : null;
}

/** Ctrl K everywhere. @param {() => void} open */
function usePaletteKey(open) {
  useEffect(() => {
    const key = (/** @type {KeyboardEvent} */ event) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      if (!document.querySelector("dialog[open]")) open();
    };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  }, [open]);
}

function Room() {
  const { view, sheet, room: asked } = usePlace();
  const room = useApp((app) => app.room);
  const agents = useApp((app) =>
    app.room ? app.data[app.room]?.members.filter((one) => one.kind === "agent").length : undefined,
  );
  const stands = useStanding();
  const calm = stands !== "waits";
  const width = useWidth();
  const homeless = useHomeless();
  const viewer = useApp((app) => roomOf(app)?.role === "viewer");
  const [over, setOver] = useState(/** @type {string | null} */ (null));
  const palette = () => setOver("palette");
  usePaletteKey(palette);
  useEffect(() => {
    if (asked && asked !== room) showRoom(asked);
  }, [asked]);

  const up = sheet && width === "phone" && stands !== "nothing";
  const wide = width === "wide";
  // an empty room teaches how to fill it, whoever may
  const shown = view === "stream" && agents === 0 && !viewer ? "connect" : view;
  const middle = wide && (shown === "floor" || shown === "people") ? "stream" : shown;
  const behind = up ? { inert: true } : {};
  const title = useApp((app) => roomOf(app)?.title || app.room);
  return html`<div class="app" data-view=${homeless && shown !== "settings" ? "homeless" : shown === "connect" ? "empty" : shown} data-sheet=${up ? "open" : ""} data-calm=${calm ? "" : undefined} data-toast="">
    <a class="skip" href="#needs" onClick=${toNeeds}>What needs you</a>
    <div class="top-slot"><${Top} onPalette=${palette} /></div>
    <${Banners} />
    <main class="panes"><h1 class="vh">${title ? html`${marked(title)} · Parley` : "Parley"}</h1>
      <div class="side" ...${behind}>${(wide || shown === "floor") && html`<${FloorPane} />`}${(wide || shown === "people") && html`<${People} />`}</div>
      <div class="center" ...${behind}>
        ${homeless && middle !== "settings" && html`<${Homeless} />`}
        ${!homeless && middle === "stream" && html`<${Stream} />`}
        ${!homeless && middle === "board" && html`<${Board} />`}
        ${!homeless && middle === "connect" && html`<${Connect} />`}
        ${middle === "settings" && html`<${Settings} />`}
      </div>
      <div class="scrim" onClick=${closeSheet}></div>
      <${Needs} />
    </main>
    <div class="tab-slot not-wide" ...${behind}><${TabBar} /></div>
    <${Over} over=${over} setOver=${setOver} />
  </div>`;
}

/** Past everything else to the card that is open, or to where cards stand. @param {Event} event */
function toNeeds(event) {
  event.preventDefault();
  go({ sheet: true });
  const focus = (/** @type {string} */ where) => {
    const there = /** @type {HTMLElement | null} */ (document.querySelector(where));
    there?.focus();
    return there;
  };
  setTimeout(() => focus(".needs .gate-title") ?? focus(".needs"), 0);
}

const closeSheet = () => go({ sheet: false });

function Announcer() {
  const said = useApp((app) => app.said);
  return html`<div class="vh" role="status" aria-live="polite">${said}</div>`;
}

export function App() {
  const phase = useApp((app) => app.phase);
  const alone = gateOfPage();
  useTitle();
  if (phase === "starting")
    return html`<${Sprite} /><p class="starting" role="status"><${Icon} name="i-spin" class="spin lg" /><span class="vh">Loading</span></p>`;
  if (phase === "out") return html`<${Sprite} /><${SignIn} onIn=${() => start(place().room, before())} />`;
  return html`<${Sprite} />${
    alone
      ? html`<div class="app alone-page"><${Top} onPalette=${() => {}} /><${Banners} /><${GatePage} id=${alone} /></div>`
      : html`<${Room} />`
  }<${Toasts} /><${Announcer} />`;
}
