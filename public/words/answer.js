// @ts-check
// What goes with an answer, from what a person has written on the card. Pure.
/** @import { Answer, Draft, Gate } from "../types.d.ts" */
import { isAnswered, questionsIn, withAnswers } from "./questions.js";

/** @typedef {"approve" | "deny" | "answer" | "resolve"} Decision */

/** @param {Gate["kind"]} kind @returns {Decision} */
export const yesTo = (kind) =>
  /** @type {const} */ ({ approval: "approve", feedback: "answer", blocker: "resolve" })[kind];

/**
 * The words of the contract for `decide_gate`.
 * @param {Gate} gate @param {Draft} draft @param {Decision} decision
 * @returns {Record<string, unknown>}
 */
export function wordsOf(gate, draft, decision) {
  const note = draft.reason?.trim();
  const text = draft.text?.trim();
  const choice = draft.choice !== undefined && gate.options?.includes(draft.choice) ? draft.choice : undefined;
  switch (decision) {
    case "deny":
      return { ...(note && { note }) };
    case "approve":
      return {
        ...(note && { note }),
        ...(choice !== undefined && { choice }),
        ...editOf(gate, draft),
      };
    default:
      return { ...(text && { text }), ...(choice !== undefined && { choice }) };
  }
}

/** Only the server knows whether it was taken; until it has said so nothing else is sent. @param {Answer | undefined} answer */
export const isUnknown = (answer) => answer?.state === "sending" || (answer?.state === "unconfirmed" && !answer.looked);

/**
 * It did not arrive, so the person may send it again.
 * @param {Answer | undefined} answer @returns {answer is Answer & {state: "unsent" | "unconfirmed"}}
 */
export const mayRetry = (answer) => answer?.state === "unsent" || (answer?.state === "unconfirmed" && answer.looked);

/** The action as the person would have it, with their answers in it. @param {Gate} gate @param {Draft} draft */
function editOf(gate, { edited, answers }) {
  const action = edited === undefined ? gate.action : JSON.parse(edited);
  if (answers && questionsIn(action).length > 0) return { edited_action: withAnswers(action, answers) };
  return edited === undefined ? {} : { edited_action: action };
}

/** Whether there is enough to say yes. @param {Gate} gate @param {Draft} draft */
export function isReady(gate, draft) {
  const { text, choice } = wordsOf(gate, draft, yesTo(gate.kind));
  // a yes without the choice that was asked for says nothing about it
  if (gate.kind === "approval")
    return (
      (!gate.options?.length || choice !== undefined) &&
      isAnswered(draft.edited === undefined ? gate.action : JSON.parse(draft.edited), draft.answers)
    );
  return text !== undefined || (gate.kind === "feedback" && choice !== undefined);
}
