// @ts-check
// Which cards a person had open before their eyes, whole: told to the server once, and remembered here, for only such
// a card is answered together with others. A card whose action has changed since is not open any more.
/** @import { App, Gate } from "../types.d.ts" */
import { openedBefore } from "./lists.js";
import { ask, change, tookGate } from "./store.js";

/** @param {Gate} gate */
const key = (gate) => `${gate.id} ${gate.digest ?? ""}`;

/** @param {App} app @param {Gate} gate */
export const wasOpened = (app, gate) => app.opened[key(gate)] === true || openedBefore.get(key(gate)) !== undefined;

/** @type {Set<string>} */
const told = new Set();

/** @param {Gate} gate */
export async function opened(gate) {
  change((app) => (app.opened[key(gate)] ? app : { ...app, opened: { ...app.opened, [key(gate)]: true } }));
  if (openedBefore.get(key(gate)) === undefined) openedBefore.set(key(gate), Date.now());
  if (gate.seen_at || gate.status !== "pending" || told.has(gate.id)) return;
  told.add(gate.id);
  try {
    const result = await ask("see_gate", { gate_id: gate.id });
    if (result?.gate) tookGate(result.gate);
  } catch {
    told.delete(gate.id);
  }
}

/** Chooses a card, or leaves it out again. @param {string} id @param {boolean} on */
export const pick = (id, on) =>
  change((app) => ({ ...app, picked: [...app.picked.filter((one) => one !== id), ...(on ? [id] : [])] }));
