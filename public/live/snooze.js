// @ts-check
// A person hides a card for a while, on all their devices; what is hidden is listed, and comes back with a tap.
/** @import { App, Gate } from "../types.d.ts" */
import { whenever } from "../words/time.js";
import { serverNow } from "./clock.js";
import { ask, change, sentence, toast } from "./store.js";

/** @param {Gate} gate @param {number} until ms; past: it is shown again @returns {Promise<number | null>} until when it is hidden; null: refused */
async function set(gate, until) {
  try {
    const { snoozed_until } = await ask("snooze_gate", { gate_id: gate.id, until: new Date(until).toISOString() });
    const end = Date.parse(snoozed_until);
    change((app) => {
      const data = app.data[gate.room];
      if (!data) return app;
      const snoozed = { ...data.snoozed, [gate.id]: end };
      return { ...app, data: { ...app.data, [gate.room]: { ...data, snoozed } } };
    });
    return end;
  } catch (why) {
    toast(sentence(why));
    return null;
  }
}

/** @param {Gate} gate */
export const showAgain = (gate) => set(gate, serverNow());

/** @param {Gate} gate @param {number} until ms */
export async function hide(gate, until) {
  const end = await set(gate, until);
  if (end !== null)
    toast(`Hidden until ${whenever(end, serverNow())}.`, { label: "Undo", act: () => void showAgain(gate) });
}

/** How long a card stays put aside that no longer waits: longer than anybody is shown it (ms). */
const forGood = 8 * 86_400_000;

/** Cards that no longer wait are put away, for this person, on every device. @param {Gate[]} gates */
export const putAway = (gates) => Promise.all(gates.map((gate) => set(gate, serverNow() + forGood)));

/** Until when this person has hidden a card that waits; 0: it is shown. @param {App} app @param {Gate} gate */
export function hiddenUntil(app, gate) {
  const until = gate.status === "pending" ? (app.data[gate.room]?.snoozed[gate.id] ?? 0) : 0;
  return until > serverNow() ? until : 0;
}
