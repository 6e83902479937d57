// @ts-check
// What the stream of a room leaves out: the large fields of a card that is opened, and what did not fit in a snapshot.
import { ask, tookGate } from "./store.js";

/** @type {Set<string>} */
const asked = new Set();

/** The whole card; where it cannot be had, whoever shows it asks again. @param {string} id */
export async function loadWhole(id) {
  if (asked.has(id)) return;
  asked.add(id);
  try {
    tookGate((await ask("get_gate", { gate_id: id })).gate);
  } catch {
    // asked again while the card is open
  } finally {
    asked.delete(id);
  }
}
