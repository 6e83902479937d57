// @ts-check
// No accident under a finger (D18). A click counts only for the control on which its own press began, and a press at the
// place of the press before it counts only on a control that has stood there for a while: what has just come under the
// finger has not been seen. This one guard watches every control of the page, so no view has to. The keyboard is not
// concerned: it acts on what has the focus, not on what has come to a place.

/** A control that has come or moved under the finger is dead to it for this long (ms). */
export const dead = 400;

/** A press counts as one at the same place for this long (ms) and this far around (px). */
const recent = 1500;
const around = 72;

/** Moved by less than this (px), it is still what the finger meant. */
const near = 8;

/** What can be pressed. A dialog and the shade beside the sheet close by a tap, so they count too. */
const controls = "button, a[href], input, select, textarea, summary, label, dialog, .scrim";
/** Of those, what acts at once. Links and fields lead somewhere and undo nothing. */
const acting = "button, summary, input[type=checkbox], input[type=radio], dialog, .scrim";

/**
 * Where a control stands on the screen, how far everything around it is scrolled, and since when it stands there.
 * @typedef {{left: number, top: number, right: number, bottom: number, x: number, y: number, since: number}} Stand
 */

/** Where each control stands, and since when. @type {Map<Element, Stand>} */
let stands = new Map();
/** Until then something on the page is dead. */
let until = 0;
/** The last press: where it began, and whether it counts. @type {{control: Element | null, counts: boolean} | null} */
let press = null;
/** Where the finger was last on the glass, and when. @type {{x: number, y: number, at: number} | null} */
let finger = null;

/** Whether the finger was here a moment ago. @param {PointerEvent} event @param {number} now */
const wasHere = (event, now) =>
  finger !== null &&
  now - finger.at < recent &&
  Math.hypot(event.clientX - finger.x, event.clientY - finger.y) < around;

/** @param {EventTarget | null} target */
function controlOf(target) {
  const found = target instanceof Element ? target.closest(controls) : null;
  return found instanceof HTMLLabelElement ? (found.control ?? found) : found;
}

/** @param {Element} one @param {number} since @returns {Stand} */
function standOf(one, since) {
  const { left, top, right, bottom } = one.getBoundingClientRect();
  let x = 0;
  let y = 0;
  for (let box = one.parentElement; box; box = box.parentElement) {
    x += box.scrollLeft;
    y += box.scrollTop;
  }
  return { left, top, right, bottom, x, y, since };
}

/**
 * It stands elsewhere, and not because something around it was scrolled: what a person scrolls, they move themselves.
 * @param {Stand} a @param {Stand} b
 */
const moved = (a, b) =>
  a.x === b.x &&
  a.y === b.y &&
  (Math.abs(a.left - b.left) > near ||
    Math.abs(a.right - b.right) > near ||
    Math.abs(a.top - b.top) > near ||
    Math.abs(a.bottom - b.bottom) > near);

/** Notes where the controls stand now. True where one has come or moved. */
function look() {
  const now = performance.now();
  /** @type {typeof stands} */
  const next = new Map();
  let changed = false;
  // what lies behind a dialog or behind the sheet comes back when that closes
  const front = [...document.querySelectorAll("dialog[open]")].at(-1);
  const all = front ? [front, ...front.querySelectorAll(acting)] : document.querySelectorAll(acting);
  for (const one of all) {
    const stand = standOf(one, now);
    if (stand.left === stand.right || one.closest("[inert]")) continue;
    const had = stands.get(one);
    if (had && !moved(had, stand)) stand.since = had.since;
    else changed = true;
    next.set(one, stand);
  }
  stands = next;
  if (changed && finger && now - finger.at < recent) settle(now);
  return changed;
}

/** Says on the page that something is dead, for as long as it is. @param {number} now */
function settle(now) {
  const root = document.documentElement;
  const waits = root.hasAttribute("data-settling");
  until = now + dead;
  if (waits) return;
  root.setAttribute("data-settling", "");
  const end = () => {
    const left = until - performance.now();
    if (left > 0) setTimeout(end, left);
    else root.removeAttribute("data-settling");
  };
  setTimeout(end, dead);
}

let asked = false;
/** Looks in the next frame, and again until nothing moves: a sheet rises over many frames. */
function lookSoon() {
  if (asked) return;
  asked = true;
  requestAnimationFrame(() => {
    asked = false;
    if (look()) lookSoon();
  });
}

/** @param {Event} event */
function swallow(event) {
  event.stopImmediatePropagation();
  event.preventDefault();
}

/** Notes where the finger is. @param {PointerEvent} event */
function touch(event) {
  if (event.isPrimary) finger = { x: event.clientX, y: event.clientY, at: performance.now() };
}

/** Whoever types has seen the page since the last press. */
function typed() {
  finger = null;
}

/** @param {PointerEvent} event */
function onDown(event) {
  if (!event.isPrimary) return;
  look();
  const control = controlOf(event.target);
  const stand = control && stands.get(control);
  const now = performance.now();
  const counts = !stand || now - stand.since >= dead || !wasHere(event, now);
  press = { control, counts };
  touch(event);
  if (counts) return;
  // whoever taps again so soon has not seen what is there now: its time begins again
  stand.since = now;
  settle(now);
  // the page may still be scrolled from here, so the default stays
  event.stopImmediatePropagation();
}

/** @param {MouseEvent} event */
function onClick(event) {
  const by = press;
  press = null;
  // by keyboard, by the page itself, or by an assistive technology that does not press
  if (!event.isTrusted || event.detail === 0 || !by) return;
  if (!by.counts || controlOf(event.target) !== by.control) swallow(event);
}

/** This press has done what it was for, as a drag has: no click comes of it. */
export function useUp() {
  if (press) press.counts = false;
}

/** Begins to watch. Before the first drawing, so that what is drawn has come. */
export function guardPresses() {
  new MutationObserver(lookSoon).observe(document.body, {
    subtree: true,
    childList: true,
    attributes: true,
    characterData: true,
  });
  addEventListener("resize", lookSoon);
  addEventListener("input", lookSoon, { capture: true, passive: true });
  addEventListener("pointerdown", onDown, { capture: true });
  addEventListener("pointerup", touch, { capture: true });
  addEventListener("keydown", typed, { capture: true });
  addEventListener("input", typed, { capture: true });
  addEventListener("pointercancel", () => (press = null), { capture: true });
  addEventListener("click", onClick, { capture: true });
}
