// @ts-check
// Where the person is: room, view, task, gate, and whether the sheet is up. Kept in the address, so that every place
// is a link and the way back works.
import { useEffect, useState } from "preact/hooks";
import { base, gateOfPage } from "./base.js";

/** @typedef {"stream" | "board" | "floor" | "people" | "settings" | "connect"} View */
/** @typedef {{room: string | null, view: View, task: number | null, gate: string | null, sheet: boolean}} Place */

const views = ["stream", "board", "floor", "people", "settings", "connect"];

/** @returns {Place} */
function read() {
  const query = new URLSearchParams(location.search);
  const view = query.get("view") ?? "";
  const task = Number(query.get("task"));
  return {
    room: query.get("room"),
    view: /** @type {View} */ (task ? "board" : views.includes(view) ? view : "stream"),
    task: task || null,
    gate: query.get("gate"),
    sheet: query.has("gate"),
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

let now = read();
/** @type {Set<() => void>} */
const watching = new Set();

export const place = () => now;

/** @param {Partial<Place>} next @param {boolean} [silently] without a step in the history */
export function go(next, silently = false) {
  const moves = ["room", "view", "task"].some((key) => key in next);
  // a gate's own page shows nothing else: elsewhere is another page
  if (moves && gateOfPage()) return location.assign(linkTo({ gate: null, ...next }));
  const before = linkTo({});
  now = { ...now, ...whole(next) };
  const after = linkTo({});
  if (after !== before && !silently) history.pushState(null, "", after);
  else if (after !== before) history.replaceState(null, "", after);
  for (const tell of watching) tell();
}

addEventListener("popstate", () => {
  now = { ...read(), sheet: false, room: new URLSearchParams(location.search).get("room") ?? now.room };
  for (const tell of watching) tell();
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
