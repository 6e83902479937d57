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

/** @type {Map<string, Promise<void>>} */
const told = new Map();

/** Resolves once the server knows it, or could not be told. @param {Gate} gate @returns {Promise<void>} */
export async function opened(gate) {
  change((app) => (app.opened[key(gate)] ? app : { ...app, opened: { ...app.opened, [key(gate)]: true } }));
  if (openedBefore.get(key(gate)) === undefined) openedBefore.set(key(gate), Date.now());
  if (gate.status !== "pending") return;
  const telling = told.get(gate.id) ?? tell(gate);
  told.set(gate.id, telling);
  return telling;
}

/** @param {Gate} gate */
async function tell(gate) {
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
