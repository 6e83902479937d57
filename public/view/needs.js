// @ts-check
// NEEDS YOU: a sheet on the phone with one card at a time and a rail of the others; a column when wide.
/** @import { Gate } from "../types.d.ts" */
import { html } from "htm/preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { dismiss, useNeeds } from "../live/needs.js";
import { follow, go, linkTo, usePlace } from "../live/place.js";
import { putAway } from "../live/snooze.js";
import { showRoom, useApp } from "../live/store.js";
import { marked } from "../words/marks.js";
import { waitsElsewhere } from "../words/needs.js";
import { pauseAfterAnswer } from "./arming.js";
import { CountdownHead } from "./countdown.js";
import { GateCard } from "./gate.js";
import { Icon } from "./icons.js";
import { useUp } from "./press.js";
import { Rail } from "./rail.js";
import { Hidden } from "./snooze.js";
import { Together, useTogether } from "./together.js";
import { useWidth } from "./width.js";

/** @param {{waits: number, blockers: number}} props */
const Badges = ({ waits, blockers }) =>
  html`${waits > 0 && html`<span class="badge" aria-label=${`${waits} wait`}>${waits}</span>`}${
    blockers > 0 &&
    html`<span class="badge red" aria-label=${`${blockers} ${blockers === 1 ? "blocker" : "blockers"}`}><${Icon} name="k-blocker" />${blockers}</span>`
  }`;

/** From so many pixels on, a press that moves is a drag. */
const dragged = 48;

/**
 * Drags the sheet up or down by its head; the open sheet follows the finger down.
 * @param {boolean} sheet @param {boolean} may there is something to open
 */
function useDrag(sheet, may) {
  const from = useRef(/** @type {number | null} */ (null));
  /** @param {PointerEvent & {currentTarget: HTMLElement}} e @param {number} by */
  const follow = (e, by) => {
    if (e.currentTarget.parentElement) e.currentTarget.parentElement.style.translate = by > 0 ? `0 ${by}px` : "";
  };
  /** @param {PointerEvent & {currentTarget: HTMLElement}} e */
  const end = (e) => {
    from.current = null;
    follow(e, 0);
  };
  return {
    onPointerDown: (/** @type {PointerEvent & {currentTarget: HTMLElement}} */ e) => {
      if (!e.isPrimary || e.button !== 0) return;
      from.current = e.clientY;
    },
    onPointerMove: (/** @type {PointerEvent & {currentTarget: HTMLElement}} */ e) => {
      if (from.current === null) return;
      const moved = e.clientY - from.current;
      // a mouse that leaves the head still drags; captured any earlier, its click would not reach the button
      if (Math.abs(moved) > 8) e.currentTarget.setPointerCapture(e.pointerId);
      if (sheet) follow(e, moved);
    },
    onPointerUp: (/** @type {PointerEvent & {currentTarget: HTMLElement}} */ e) => {
      if (from.current === null) return;
      const moved = e.clientY - from.current;
      end(e);
      if (Math.abs(moved) < dragged) return;
      useUp();
      if (may && (sheet ? moved > 0 : moved < 0)) go({ sheet: !sheet });
    },
    onPointerCancel: end,
  };
}

/**
 * What the head says. That nothing waits is said only once the room has been loaded, and nothing waits in any other.
 * @param {{waits: number, missed: number, hidden: number}} props
 */
function HeadWords({ waits, missed, hidden }) {
  const known = useApp((app) => (app.room ? app.data[app.room] !== undefined : app.server !== null));
  const app = useApp((a) => a);
  if (waits) return "Needs you";
  if (!known) return html`<${Icon} name="i-spin" class="spin" />Looking for what waits …`;
  const other = waitsElsewhere(app);
  const rest = missed ? `${missed} expired` : hidden ? `${hidden} hidden` : "";
  const here = rest ? `Nothing waits; ${rest}` : other ? "Nothing here" : "Nothing waits for you";
  if (!other) return here;
  const { room, count, where } = other;
  const place = { room, gate: null, task: null, sheet: true };
  const there = (/** @type {MouseEvent} */ event) => {
    follow(place)(event);
    if (event.defaultPrevented) showRoom(room);
  };
  return html`${here} <a class="btn sm needs-else" href=${linkTo(place)} onClick=${there}>${count} in ${marked(where)}</a>`;
}

/** @param {{missed: Gate[]}} props */
function MissedHead({ missed }) {
  const [busy, setBusy] = useState(false);
  const all = async () => {
    setBusy(true);
    await putAway(missed);
    setBusy(false);
  };
  return html`<div class="needs-part"><h3>Expired while you were away <span class="num">${missed.length}</span></h3>
    <button class="btn sm soft push" disabled=${busy} onClick=${all}>${busy && html`<${Icon} name="i-spin" class="spin" />`}Dismiss all</button></div>`;
}

/** What stands above a card: whose cards follow, where they are several. @param {Gate[]} gates @param {number} i */
function askerAbove(gates, i) {
  const asker = gates[i]?.asked_by;
  if (gates[i - 1]?.asked_by === asker || gates[i + 1]?.asked_by !== asker) return null;
  const many = gates.filter((gate) => gate.asked_by === asker).length;
  return html`<div class="needs-part" key=${`of ${asker}`}><h3>${asker} <span class="num">${many}</span></h3></div>`;
}

export function Needs() {
  const { drifted, waiting, missed, hidden, open, byPerson, openGate } = useNeeds();
  const { sheet } = usePlace();
  const phone = useWidth() === "phone";
  const body = useRef(/** @type {HTMLElement | null} */ (null));
  const pending = waiting.filter((gate) => gate.status === "pending");
  const blockers = pending.filter((gate) => gate.kind === "blocker").length;
  const together = useTogether(pending);
  const [next] = pending;
  const shown = sheet && phone;
  const all = [...drifted, ...waiting, ...missed];
  const drag = useDrag(shown, all.length > 0);

  // a card that comes in the place of another was not what the finger meant
  const shownBefore = useRef(open);
  useLayoutEffect(() => {
    if (shownBefore.current && shownBefore.current !== open && !byPerson) pauseAfterAnswer();
    shownBefore.current = open;
  }, [open]);
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

  const away = async (/** @type {Gate} */ gate) => {
    await dismiss(gate);
    const rest = [...pending, ...drifted, ...missed].find((one) => one.id !== gate.id);
    openGate(rest && missed.includes(rest) ? null : (rest?.id ?? null), false);
    if (!rest) go({ sheet: false });
  };
  // the phone shows one card, or the rows of all
  const list = phone && !all.some((gate) => gate.id === open);
  const here = (/** @type {Gate[]} */ gates) => (phone && !list ? gates.filter((gate) => gate.id === open) : gates);
  const card = (/** @type {Gate} */ gate) =>
    html`<${GateCard} key=${gate.id} gate=${gate} open=${gate.id === open} byPerson=${byPerson && gate.id === open}
      together=${together} onOpen=${() => openGate(gate.id)} onDismiss=${() => away(gate)} />`;

  return html`<section class="needs" id="needs" tabindex="-1" aria-label="Needs you" data-list=${list ? "" : undefined}>
    <div class="needs-head" ...${phone ? drag : {}}>
      <div class="needs-what"><h2 class="needs-title"><${HeadWords} waits=${drifted.length + pending.length} missed=${missed.length} hidden=${hidden.length} /> ${" "}<${Badges} waits=${pending.length - blockers} blockers=${blockers + drifted.length} /></h2>
      ${!shown && next && html`<span class="needs-next cut narrow" dir="auto">${marked(next.title)}</span>`}</div>
      ${!shown && next && html`<${CountdownHead} gate=${next} />`}
      ${
        phone &&
        all.length + hidden.length > 0 &&
        html`<button class="needs-toggle" aria-expanded=${shown} aria-label=${shown ? "Close" : "Open what needs you"}
          onClick=${() => go({ sheet: !shown })}>${shown && html`<${Icon} name="i-down" class="lg" />`}</button>`
      }
    </div>
    ${
      (!phone || shown) &&
      html`<${Rail} gates=${all} open=${list ? null : open} openGate=${openGate} />
      <div class="needs-body" ref=${body}>
        ${here(drifted).map(card)}
        ${here(waiting).map((gate, i, gates) => [phone && !list ? null : askerAbove(gates, i), card(gate)])}
        ${here(missed).length > 0 && html`<${MissedHead} key="missed" missed=${missed} />`}
        ${here(missed).map(card)}
        <${Hidden} gates=${hidden} open=${!all.length} /></div>
      <${Together} gates=${pending} one=${phone && !list} onAll=${() => openGate(null)} />`
    }
  </section>`;
}
