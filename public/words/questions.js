// @ts-check
// Questions that a client puts to its person (Claude Code's AskUserQuestion), and the answers in the form in which it
// takes them back: by the question's own words, several choices with a comma between. Pure.
/** @import { Draft } from "../types.d.ts" */
/** @import { Question } from "./tool-use.js" */
import { inputIn, toolUseIn, withInput } from "./action.js";

/** @param {unknown} action @returns {Question[]} none where it asks nothing */
export function questionsIn(action) {
  const use = toolUseIn(action);
  return use?.is === "questions" ? use.questions : [];
}

/** The answers that an action carries already. @param {unknown} action @returns {Record<string, string>} */
export function answersIn(action) {
  const { answers } = inputIn(action);
  if (typeof answers !== "object" || answers === null) return {};
  return Object.fromEntries(Object.entries(answers).filter(([, text]) => typeof text === "string"));
}

/** What a person has chosen and written for one question. @param {Draft["answers"]} answers @param {Question} asked */
function saidTo(answers, { question, options, several }) {
  const { picks = [], own = "" } = answers?.[question] ?? {};
  const chosen = options.map(({ label }) => label).filter((label) => picks.includes(label));
  const words = own.trim();
  // One answer, or several: own words stand beside choices only where there may be several.
  const all = several ? [...chosen, ...(words ? [words] : [])] : [words || chosen[0] || ""];
  return all.filter(Boolean).join(", ");
}

/** @param {unknown} action @param {Draft["answers"]} answers */
const allSaid = (action, answers) => {
  const had = answersIn(action);
  return questionsIn(action).map((asked) => [asked.question, saidTo(answers, asked) || had[asked.question] || ""]);
};

/** Whether every question of the action has its answer. @param {unknown} action @param {Draft["answers"]} answers */
export const isAnswered = (action, answers) => allSaid(action, answers).every(([, text]) => text);

/** The action with a person's answers in it. @param {unknown} action @param {Draft["answers"]} answers */
export const withAnswers = (action, answers) =>
  withInput(action, { ...inputIn(action), answers: Object.fromEntries(allSaid(action, answers)) });
