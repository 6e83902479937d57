// @ts-check
// A rule in words: what it matches and for whom, so that a person can read what they are about to let happen. Pure.
/** @import { Rule } from "../types.d.ts" */

/** What a pattern looks for, a line for each part. @param {Record<string, unknown>} pattern @returns {[string, string][]} */
export function linesOf(pattern) {
  const { tool, program, argv, command, cwd, fields, ...rest } = pattern;
  /** @type {[string, string][]} */
  const lines = [];
  if (tool) lines.push(["Tool", `${tool}`]);
  if (command) lines.push(["Command", `${command}`]);
  if (Array.isArray(argv))
    lines.push(["Command", argv.map((word) => (/[\s"']/.test(word) ? JSON.stringify(word) : word)).join(" ")]);
  else if (program) lines.push(["Program", `${program}`]);
  if (cwd) lines.push(["In", `${cwd}`]);
  for (const [key, value] of Object.entries({ .../** @type {object} */ (fields ?? {}), ...rest })) {
    lines.push([key, typeof value === "string" ? value : JSON.stringify(value)]);
  }
  return lines.length ? lines : [["Any", "every approval"]];
}

/** @param {Rule["effect"]} effect @param {string | null | undefined} [risk] */
export const effectWord = (effect, risk) =>
  effect === "raise"
    ? `Raise the risk${risk ? ` to ${risk}` : ""}`
    : effect === "allow"
      ? "Always allow"
      : "Always deny";

/** @param {Pick<Rule, "member" | "room">} rule */
export const aimWord = ({ member, room }) => `${member ?? "every agent"}${room ? ` in ${room}` : " in all your rooms"}`;
