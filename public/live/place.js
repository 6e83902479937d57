// @ts-check
// Where the person is: room, view, task, gate, and whether the sheet is up. Kept in the address and in the history, so
// that every place is a link and the way back works. On a phone the sheet, and a card opened from the list of all, are
// steps of their own (D19).
import { useEffect, useState } from "preact/hooks";
import { isPhone } from "../view/width.js";
import { base, gateOfPage } from "./base.js";
import { state } from "./store.js";

/** @typedef {"stream" | "board" | "floor" | "people" | "settings" | "connect"} View */
/**
 * @typedef {{room: string | null, view: View, task: number | null, gate: string | null, sheet: boolean, returns: number}} Place
 *   `returns`: how often the history has led here: each time the card of that step is asked for anew
 */
/**
 * One step of the history. `page`: the address without the card; `view`: that without the room; `room`: which was shown,
 * for an address need not say so; `over`: how many steps lead back to the page alone; `card`: what stands open in the
 * sheet, null the list of all, undefined not known yet.
 * @typedef {{page: string, view: string, room: string | null, sheet: boolean, over: number, card?: string | null | undefined}} Step
 */

const views = ["stream", "board", "floor", "people", "settings", "connect"];

/** What this page has written into the present step, if anything. @returns {Partial<Step>} */
const written = () => (typeof history.state?.over === "number" ? history.state : {});

/** @returns {Place} */
function read() {
  const query = new URLSearchParams(location.search);
  const view = query.get("view") ?? "";
  const task = Number(query.get("task"));
  const { sheet = query.has("gate"), card = query.get("gate") } = written();
  return {
    room: query.get("room"),
    view: /** @type {View} */ (task ? "board" : views.includes(view) ? view : "stream"),
    task: task || null,
    gate: sheet ? card : null,
    sheet,
    returns: 0,
  };
}

/** @param {Partial<Place>} place */
export function linkTo(place) {
  const url = new URL(base);
  const next = { ...now, ...place };
  if (next.room) url.searchParams.set("room", next.room);
  if (next.task) url.searchParams.set("task", `${next.task}`);
  else if (next.view !== "stream") url.searchParams.set("view", next.view);
  if (place.gate) url.searchParams.set("gate", place.gate);
  return url.pathname + url.search;
}

/**
 * A task stands on the board, and nothing over it; every other way to move leaves the task.
 * @param {Partial<Place>} next @returns {Partial<Place>}
 */
function whole(next) {
  if (next.task) return { ...next, view: "board", sheet: false };
  return "room" in next || "view" in next ? { task: null, ...next } : next;
}

/** The page alone. @param {Place} there @returns {Step} */
const bare = (there) => ({
  page: linkTo({ ...there, gate: null }),
  view: linkTo({ ...there, gate: null, room: null }),
  room: there.room ?? state().room,
  sheet: false,
  over: 0,
});

let now = read();
if (now.sheet && written().sheet) now.returns = 1;
/** @type {Step} */
let step = { ...bare(now), ...written() };
/** The card that stands open, as far as is known, and whether a person opened it. */
let open = { card: /** @type {string | null | undefined} */ (undefined), byPerson: false };
/** @type {Set<() => void>} */
const watching = new Set();

export const place = () => now;

function tellAll() {
  for (const tell of watching) tell();
}

/** The browser goes back: it does so later, and what it wrote before that would go into the wrong step. */
let going = false;
/** What is written next takes the place of the present step. */
let instead = false;
/** A browser that has lost its earlier steps does not go back (ms). */
const patience = 1000;

/** @param {Step} next @param {boolean} push */
function write(next, push) {
  const address = next.sheet && next.card ? linkTo({ gate: next.card }) : next.page;
  // the step that is left keeps its room, and the card of a link goes over to the step of the sheet
  if (push && !step.sheet) history.replaceState({ ...step, room: step.room ?? state().room }, "", step.page);
  step = next;
  if (push) history.pushState(step, "", address);
  else history.replaceState(step, "", address);
}

/** @param {number} steps */
function back(steps) {
  if (steps < 1 || history.length <= steps) return write(bare(now), false);
  going = true;
  history.go(-steps);
  setTimeout(() => {
    if (!going) return;
    going = false;
    write({ ...bare(now), sheet: now.sheet, card: open.card }, false);
  }, patience);
}

/** Brings the history to where the person is. While the browser goes back, that waits until it is there. */
function record() {
  if (going || gateOfPage()) return;
  const page = bare(now);
  const sheet = now.sheet && isPhone();
  const { card } = open;
  if (page.view !== step.view || page.room !== (step.room ?? page.room)) write(page, !instead);
  instead = false;
  if (sheet !== step.sheet) return sheet ? write({ ...page, sheet, over: 1, card }, true) : back(step.over);
  if (!sheet || card === step.card || card === undefined) return;
  // from the list of all to one card, and back to it
  if (step.card === null && open.byPerson) write({ ...step, card, over: step.over + 1 }, true);
  else if (card === null && step.over > 1) back(1);
  else write({ ...step, card }, false);
}

/** @param {Partial<Place>} next @param {boolean} [silently] without a step in the history */
export function go(next, silently = false) {
  const moves = ["room", "view", "task"].some((key) => key in next);
  // a gate's own page shows nothing else: elsewhere is another page
  if (moves && gateOfPage()) return location.assign(linkTo({ gate: null, ...next }));
  now = { ...now, ...whole(next) };
  instead ||= silently;
  record();
  tellAll();
}

/** Which card stands open in the sheet; null: the list of all. @param {string | null} card @param {boolean} byPerson */
export function showsCard(card, byPerson) {
  open = { card, byPerson };
  record();
}

addEventListener("popstate", () => {
  const found = read();
  step = { ...bare({ ...found, room: found.room ?? now.room }), ...written() };
  if (going) {
    going = false;
    return record();
  }
  now = {
    ...found,
    room: step.room,
    sheet: step.sheet,
    gate: step.sheet ? found.gate : null,
    returns: now.returns + 1,
  };
  // what stood open before is no card of this step
  open = { card: undefined, byPerson: false };
  tellAll();
});

/** @returns {Place} */
export function usePlace() {
  const [, again] = useState(0);
  useEffect(() => {
    const tell = () => again((n) => n + 1);
    watching.add(tell);
    return () => {
      watching.delete(tell);
    };
  }, []);
  return now;
}

/** A click on a link to a place of this page, unless it asks for a new tab. @param {Partial<Place>} next */
export const follow = (next) => (/** @type {MouseEvent} */ event) => {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.button) return;
  event.preventDefault();
  go(next);
};
