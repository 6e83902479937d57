// @ts-check
// A late answer to what expired: asked anew and answered, in one gesture of the person and two requests, each with its
// own outcome. What is refused on the way leaves the new card standing, with the words on it.
/** @import { Gate } from "../types.d.ts" */
/** @import { Decision } from "../words/answer.js" */

import { decide, reopen } from "./decide.js";
import { go } from "./place.js";

/** @param {Gate} gate @returns {Promise<Gate | null>} the new card, which is shown */
export async function reopenAndShow(gate) {
  const next = await reopen(gate);
  if (next) go({ gate: next.id, sheet: true });
  return next;
}

/** @param {Gate} gate as the person read it @param {Decision} decision @param {Record<string, unknown>} words */
export async function reopenAnd(gate, decision, words) {
  const next = await reopenAndShow(gate);
  // the action that was read is that of the old card
  if (next) await decide(next, decision, { ...words, ...(gate.digest && { digest: gate.digest }) });
}
