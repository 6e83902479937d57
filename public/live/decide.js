// @ts-check
// A person's answer to a gate. It is on its way until the server's own record says what was decided; what could not be
// sent keeps its words and can be sent again (the server takes the same answer twice as one).
/** @import { Answer, Gate } from "../types.d.ts" */

import { serverNow } from "./clock.js";
import { dropDraft } from "./drafts.js";
import { Refusal, Unsent } from "./socket.js";
import { ask, change, sentence, state, toast, tookGate } from "./store.js";

/** @param {string} id @param {Answer | null} answer */
function note(id, answer) {
  change((app) => {
    const { [id]: _, ...rest } = app.answers;
    return { ...app, answers: answer ? { ...rest, [id]: answer } : rest };
  });
}

/** Gates answered on this page: two devices of one person may have the same name. @type {Set<string>} */
const answeredHere = new Set();

/** @param {string} id */
export const wasHere = (id) => answeredHere.has(id);

/** @param {string} id */
export const forgetAnswer = (id) => note(id, null);

/**
 * @param {Gate} gate @param {"approve" | "deny" | "answer" | "resolve"} decision
 * @param {Record<string, unknown>} words note, text, choice, edited_action, confirm
 */
export async function decide(gate, decision, words) {
  if (state().answers[gate.id]?.state === "sending") return;
  const at = serverNow();
  const args = { gate_id: gate.id, decision, ...words };
  note(gate.id, { state: "sending", decision, at });
  try {
    const result = await ask("decide_gate", args);
    dropDraft(gate.id);
    answeredHere.add(gate.id);
    note(gate.id, null);
    tookGate(result.gate);
  } catch (why) {
    if (why instanceof Refusal) note(gate.id, { state: "refused", decision, at, error: why.error });
    else if (why instanceof Unsent) note(gate.id, { state: "unsent", decision, args });
    else throw why;
    if (why instanceof Refusal) await lookAt(gate.id);
  }
}

/** Sends again what was not sent. @param {Gate} gate @param {Answer & {state: "unsent"}} answer */
export function retry(gate, answer) {
  const { gate_id: _, decision: __, ...words } = answer.args;
  return decide(gate, /** @type {"approve"} */ (answer.decision), words);
}

/** The gate's record as it is on the server now. @param {string} id */
export async function lookAt(id) {
  try {
    tookGate((await ask("get_gate", { gate_id: id })).gate);
  } catch {
    // the next message of the server says it
  }
}

/** @param {string} action @param {Record<string, unknown>} args */
async function change1(action, args) {
  try {
    const { gate } = await ask(action, args);
    if (gate) tookGate(gate);
    return gate;
  } catch (why) {
    toast(sentence(why));
    return null;
  }
}

/** Takes an approval back that the agent has not read yet. @param {Gate} gate */
export const recall = (gate) => change1("recall_gate", { gate_id: gate.id });

/** Asks an expired or denied gate anew. @param {Gate} gate @returns {Promise<Gate | null>} */
export const reopen = (gate) => change1("reopen_gate", { gate_id: gate.id });

/** @param {Gate} gate @param {number} minutes */
export async function snooze(gate, minutes) {
  const until = new Date(serverNow() + minutes * 60_000).toISOString();
  try {
    await ask("snooze_gate", { gate_id: gate.id, until });
  } catch (why) {
    toast(sentence(why));
  }
}

/** @type {Set<string>} */
const seen = new Set();

/** A person has the whole card before their eyes. @param {Gate} gate */
export async function see(gate) {
  if (gate.seen_at || gate.status !== "pending" || seen.has(gate.id)) return;
  seen.add(gate.id);
  try {
    const result = await ask("see_gate", { gate_id: gate.id });
    if (result?.gate) tookGate(result.gate);
  } catch {
    seen.delete(gate.id);
  }
}
