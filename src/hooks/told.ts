// Where a client cannot run an edited input, the agent is told what to run instead.
import type { Verdict } from "../gates/verdict.ts";

export function toldInstead({ why, input }: Verdict & { allow: true }): string {
  const { command } = input;
  const only = typeof command === "string" && Object.keys(input).length === 1;
  return `${why} It was edited, so this did not run. Run exactly this instead: ${only ? command : JSON.stringify(input)}`;
}
