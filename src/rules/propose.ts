// “Always allow this”, “always deny this”: the narrowest pattern that is of any use for what a gate asks, pure.
import { Refusal } from "../refusal.ts";
import { type Deed, read } from "./deed.ts";
import { asIs, glob } from "./glob.ts";
import { messagesIn } from "./messages.ts";
import { canonical, type Effect, exactArgv, matches, type Pattern } from "./pattern.ts";
import type { Asked } from "./rules.ts";
import { runsAnother } from "./runners.ts";

const longest = 20_000;

/** The pattern, or why there can be no such rule. */
export function propose(asked: Asked, effect: Exclude<Effect, "raise">): { pattern: Pattern } | { why_not: string } {
  if (asked.kind !== "approval") return { why_not: "Rules answer approvals; a question or a blocker wants a person." };
  if (!("is" in asked.action)) return { why_not: "It names no action that a rule could know again." };
  if (asked.risk === "critical") return { why_not: "Critical actions are decided by people, never by a rule." };
  const deed = read(asked.action.is);
  if (deed.asksPerson) return { why_not: "It asks a person something, and no rule answers in their stead." };
  if (effect === "allow") {
    if (asked.options.length > 0) return { why_not: "It offers choices, and a rule makes none." };
    if (deed.touchesGates())
      return { why_not: "It touches settings that make agents ask: people answer that, each time." };
    if (deed.lines.length > 0 && deed.argv === null)
      return {
        why_not:
          "It is not one plain command: operators, variables, redirections and the like are allowed by people only.",
      };
    if (deed.lines.length > 0 && deed.cwds.length === 0)
      return {
        why_not:
          "It does not say in which folder it would run, and a rule has to know that. A hook says it (parley connect CLIENT NAME --gates); Claude Code's permission prompt does not.",
      };
  }
  try {
    const pattern = canonical(written(deed), effect);
    if (JSON.stringify(pattern).length <= longest && matches(pattern, deed, effect)) return { pattern };
  } catch (error) {
    if (error instanceof Refusal) return { why_not: error.message };
    throw error;
  }
  return { why_not: "It is too long, or says more than one thing, so that a rule could not know it again." };
}

function written({ tools, cwds, lines, argv, others, wording }: Deed): Pattern {
  // A rule names the file that is changed, not the words.
  const fields = others.map(({ at, value }) => [at, wording.includes(at) ? "**" : exact(value)]);
  // A deny rule knows a line again that is not plain by its text.
  if (argv === null) for (const { at, line } of lines) fields.push([at, exact(line)]);
  const [tool] = tools;
  const [cwd] = cwds;
  return {
    ...(tool !== undefined && { tool: asIs(tool) }),
    ...(argv && { argv: openWording(argv) }),
    ...(cwd !== undefined && { cwd: asIs(cwd) }),
    ...(fields.length > 0 && { fields: Object.fromEntries(fields) as Record<string, unknown> }),
  };
}

const exact = (value: unknown): unknown => (typeof value === "string" ? asIs(value) : value);

/** A message is new each time. It is left open where it is more than one word, and plain enough to be matched. */
function openWording(argv: readonly string[]): string[] {
  const words = exactArgv(argv);
  if (runsAnother(argv)) return words;
  for (const [at, before] of messagesIn(argv)) {
    const message = argv[at]?.slice(before.length) ?? "";
    if (message.includes(" ") && glob("**", message, "word")) words[at] = `${asIs(before)}**`;
  }
  return words;
}
