// @ts-check
// A person's answer to a gate. It is on its way until the server's own record says what was decided. An answer that
// could not be sent keeps its words and can be sent again (the server takes the same answer twice as one). Where the
// acknowledgement was lost, the server is asked what it has.
/** @import { Answer, Gate } from "../types.d.ts" */
/** @import { Decision } from "../words/answer.js" */

import { isUnknown, wordsOf } from "../words/answer.js";
import { serverNow } from "./clock.js";
import { dropDraft, moveDraft, readDraft } from "./drafts.js";
import { opened } from "./opened.js";
import { Refusal, Unconfirmed, Unsent } from "./socket.js";
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

/** What is sent: the answer, and which action the person saw. @param {Gate} gate @param {string} decision @param {Record<string, unknown>} words */
const argsOf = (gate, decision, words) => ({
  gate_id: gate.id,
  decision,
  ...(gate.digest && { digest: gate.digest }),
  ...words,
});

/** @param {Gate} gate as the server answered */
function took(gate) {
  dropDraft(gate.id);
  answeredHere.add(gate.id);
  note(gate.id, null);
  tookGate(gate);
}

/**
 * @param {Gate} gate @param {Decision} decision
 * @param {Record<string, unknown>} words note, text, choice, edited_action, confirm
 */
export const decide = (gate, decision, words) => send(argsOf(gate, decision, words));

/** @param {Sent} args */
async function send(args) {
  const { gate_id: id, decision } = args;
  if (isUnknown(state().answers[id])) return;
  const at = serverNow();
  note(id, { state: "sending", decision, at });
  try {
    took((await ask("decide_gate", args)).gate);
  } catch (why) {
    failed(args, at, why);
    if (why instanceof Refusal) await lookAt(id);
  }
}

/** @typedef {{gate_id: string, decision: string} & Record<string, unknown>} Sent what was sent, or was to be */

/** @param {Sent} args @param {number} at @param {unknown} why */
function failed(args, at, why) {
  const { gate_id: id, decision } = args;
  if (why instanceof Refusal) note(id, { state: "refused", decision, at, error: why.error });
  else if (why instanceof Unconfirmed) {
    note(id, { state: "unconfirmed", decision, args, looked: false });
    void untilKnown(id);
  } else if (why instanceof Unsent) note(id, { state: "unsent", decision, args });
  else throw why;
}

/** Between two questions to a server that cannot be reached (ms). */
const again = 500;

/** Asks for the gate's record until the server gives it: a settled gate says so, a pending one has no such answer. @param {string} id */
async function untilKnown(id) {
  const answer = state().answers[id];
  if (answer?.state !== "unconfirmed" || answer.looked) return;
  try {
    const { gate } = await ask("get_gate", { gate_id: id });
    tookGate(gate);
    if (gate.decided_by === state().me?.member) dropDraft(id);
    if (gate.status !== "pending") note(id, null);
    else if (state().answers[id] === answer) note(id, { ...answer, looked: true });
  } catch (why) {
    if (why instanceof Refusal)
      return note(id, { state: "refused", decision: answer.decision, at: serverNow(), error: why.error });
    setTimeout(() => void untilKnown(id), again);
  }
}

/** Sends again: the same answer to the same action. @param {Answer & {state: "unsent" | "unconfirmed"}} answer */
export const retry = (answer) => send(/** @type {Sent} */ (answer.args));

/**
 * Several cards with one answer, each by its id and with what was written on it; what came of each is told by each.
 * @param {Gate[]} gates @param {"approve" | "deny"} decision
 */
export async function decideTogether(gates, decision) {
  const decisions = gates.map((gate) => argsOf(gate, decision, wordsOf(gate, readDraft(gate.id), decision)));
  const ids = gates.map((gate) => gate.id);
  change((app) => ({ ...app, picked: [], together: { decision, ids } }));
  const at = serverNow();
  for (const id of ids) note(id, { state: "sending", decision, at });
  try {
    // the server approves together only what it knows to have been opened
    await Promise.all(gates.map(opened));
    const { results } = await ask("decide_gates", { decisions });
    for (const { gate_id: id, gate, error } of results) {
      if (gate) took(gate);
      else note(id, { state: "refused", decision, at, error });
    }
    await Promise.all(results.map((/** @type {any} */ one) => one.error && lookAt(one.gate_id)));
  } catch (why) {
    for (const args of decisions) failed(args, at, why);
  }
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

/** Asks an expired or denied gate anew, with what was written on it. @param {Gate} gate @returns {Promise<Gate | null>} */
export async function reopen(gate) {
  const next = await change1("reopen_gate", { gate_id: gate.id });
  if (next?.id) moveDraft(gate.id, next.id);
  return next;
}
