// What the agent is told of an edit: that another input ran than its own, or, where the client cannot run an edited
// input, what to run instead.
import type { Verdict } from "../gates/verdict.ts";
import type { Event } from "./adapter.ts";

/** How much of an edited input is told (characters); the client has run all of it. */
const most = 4000;

/** Null where nothing was edited. The answers to its own question an agent gets as the tool's result. */
export function toldOfEdit(event: Event, verdict: Verdict): string | null {
  if (!verdict.allow || !verdict.edited || event.tool_name === "AskUserQuestion") return null;
  const ran = inputAsText(verdict.input);
  const whole = ran.length <= most ? ran : `${ran.slice(0, most).toWellFormed()}… (${ran.length} characters in all)`;
  return `${verdict.by} edited this before it ran: ${whole}`;
}

export const toldInstead = ({ why, input }: Verdict & { allow: true }): string =>
  `${why} It was edited, so this did not run. Run exactly this instead: ${inputAsText(input)}`;

function inputAsText(input: Record<string, unknown>): string {
  const { command } = input;
  const only = typeof command === "string" && Object.keys(input).length === 1;
  return only ? command : JSON.stringify(input);
}
