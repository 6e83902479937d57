// @ts-check
// Which cards stand under NEEDS YOU, which of them is open, and when the sheet comes up by itself.
/** @import { App, Gate } from "../types.d.ts" */
import { useEffect, useRef, useState } from "preact/hooks";
import { isPhone } from "../view/width.js";
import { byAsker, byUrgency, isDrift, isMissed, kindWord, lingers, mayDecide } from "../words/needs.js";
import { ms, serverNow, useNow } from "./clock.js";
import { lookAt } from "./decide.js";
import { readDraft } from "./drafts.js";
import { shownBefore } from "./lists.js";
import { go, place, usePlace } from "./place.js";
import { hiddenUntil, putAway } from "./snooze.js";
import { change, say, state, useApp } from "./store.js";

/** Somebody is writing, or has a dialog before them: nothing may come up over it. */
function busy() {
  const here = document.activeElement;
  return here?.matches("input, textarea, select, [contenteditable]") || document.querySelector("dialog[open]") !== null;
}

/** @param {Gate} gate @param {App} app @param {string | null} open */
function stands(gate, app, open) {
  if (gate.status === "pending") return hiddenUntil(app, gate) === 0;
  const at = app.settled[gate.id];
  const data = app.data[gate.room];
  if (at === undefined) return gate.id === open && !(isMissed(gate, data, serverNow()) && mayDecide(app, data, gate));
  if (gate.id === open || app.together?.ids.includes(gate.id)) return true;
  return Date.now() - at < lingers || Object.values(readDraft(gate.id)).some(Boolean);
}

/** A settled card is put away; one that would stand here again tomorrow, for good. @param {Gate} gate */
export async function dismiss(gate) {
  const data = state().data[gate.room];
  if (isMissed(gate, data, serverNow()) || isDrift(gate, data, serverNow())) await putAway([gate]);
  change((app) => {
    const { [gate.id]: _, ...settled } = app.settled;
    return { ...app, settled };
  });
}

/**
 * What stands under NEEDS YOU: what waits (and what has just ended) asker by asker, what ran otherwise than approved
 * before all, what expired unanswered after all; and what this person has hidden for a while.
 * @param {App} app @param {string | null} open
 * @returns {{drifted: Gate[], waiting: Gate[], missed: Gate[], hidden: Gate[]}}
 */
export function standing(app, open = null) {
  const data = app.room ? app.data[app.room] : undefined;
  const now = serverNow();
  const gates = Object.values(data?.gates ?? {});
  const drifted = gates.filter((gate) => isDrift(gate, data, now) && mayDecide(app, data, gate)).sort(byUrgency);
  const waiting = gates.filter((gate) => stands(gate, app, open) && !drifted.includes(gate));
  const missed = gates
    .filter((gate) => isMissed(gate, data, now) && !waiting.includes(gate) && mayDecide(app, data, gate))
    .sort((a, b) => ms(b.expires_at) - ms(a.expires_at));
  const hidden = gates
    .filter((gate) => hiddenUntil(app, gate) > 0)
    .sort((a, b) => hiddenUntil(app, a) - hiddenUntil(app, b));
  return { drifted, waiting: byAsker(waiting), missed, hidden };
}

/**
 * The cards, in order, and which of them is open; a card that is settled keeps its place until it goes.
 * @returns {ReturnType<typeof standing> & {open: string | null, byPerson: boolean, openGate: (id: string | null, byPerson?: boolean) => void}}
 *   `openGate(null)`: the list of all of them
 */
export function useNeeds() {
  const app = useApp((a) => a);
  const here = usePlace();
  useNow();
  const [open, setOpen] = useState(
    /** @type {{id: string | null, byPerson: boolean}} */ ({ id: here.gate, byPerson: here.gate !== null }),
  );
  const room = app.room ? app.data[app.room] : undefined;
  const { drifted, waiting, missed, hidden } = standing(app, open.id);
  const gates = [...drifted, ...waiting, ...missed];

  // a link, the palette or the stream asks for a card
  const asked = here.gate;
  const known = Boolean(asked && room?.gates[asked]);
  useEffect(() => {
    if (!asked || !room) return;
    const show = () => setOpen({ id: asked, byPerson: true });
    if (known) show();
    else void lookAt(asked).then(show);
  }, [asked, Boolean(room)]);

  // one card is open while any waits, unless a person asked for all of them; it changes only when it has gone
  const gone = !gates.some((gate) => gate.id === open.id) && !(open.id === null && open.byPerson);
  const first = gates.find((gate) => gate.status === "pending") ?? drifted[0] ?? waiting[0];
  useEffect(() => {
    if (gone && room) setOpen({ id: first?.id ?? null, byPerson: false });
  }, [gone, first?.id, Boolean(room)]);

  useArrivals(gates, (id) => setOpen({ id, byPerson: false }));

  return {
    drifted,
    waiting,
    missed,
    hidden,
    open: open.id,
    byPerson: open.byPerson,
    openGate(id, byPerson = true) {
      setOpen({ id, byPerson });
      if (place().gate) go({ gate: null }, true);
    },
  };
}

/**
 * Tells of new gates, and lets the sheet come up: on the phone, when nobody is writing, once for each gate.
 * @param {Gate[]} gates @param {(id: string) => void} show
 */
function useArrivals(gates, show) {
  const told = useRef(/** @type {Set<string>} */ (new Set()));
  const waiting = gates.filter((gate) => gate.status === "pending");
  const ids = waiting.map((gate) => gate.id).join();
  useEffect(() => {
    const fresh = waiting.filter((gate) => !told.current.has(gate.id));
    if (!fresh.length) return;
    for (const gate of fresh) told.current.add(gate.id);
    const [one] = fresh;
    if (one) {
      const more = fresh.length > 1 ? `, and ${fresh.length - 1} more` : "";
      const risk = one.risk && one.kind === "approval" ? `, ${one.risk} risk` : "";
      say(`${kindWord(one.kind)} from ${one.asked_by}${risk}: ${one.title}${more}`);
    }
    const unseen = fresh.filter((gate) => shownBefore.get(gate.id) === undefined);
    const [next] = unseen;
    if (!next) return;
    for (const gate of unseen) shownBefore.set(gate.id, Date.now());
    if (!isPhone() || place().sheet || busy()) return;
    show(next.id);
    go({ sheet: true });
  }, [ids]);
}
