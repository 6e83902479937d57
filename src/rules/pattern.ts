// What a rule looks for in an action, and whether it is there. Allow rules match plainly: every word and every field
// of the action must be named, and wildcards stand for plain characters. Deny and raise rules look everywhere.
import canonicalize from "canonicalize";
import { leadsToGateSettings } from "../gates/own-settings.ts";
import { Refusal } from "../refusal.ts";
import { type Deed, folder } from "./deed.ts";
import { deadEnd, glob, isTooMuch, literal } from "./glob.ts";
import { bundlesOptions, runnerIn, runsAnother } from "./runners.ts";
import { argvPatternOf, exactly, rest } from "./shell.ts";

export interface Pattern {
  /** Glob on the tool's name; `shell`: a command without a tool. */
  tool?: string;
  /** The first of `argv`. */
  program?: string;
  /** A glob a word; `...` at the end: whatever arguments follow. */
  argv?: string[];
  cwd?: string;
  /** By path of keys with dots between: a glob on a text, anything else exactly; `**` alone is any value. */
  fields?: Record<string, unknown>;
}

export type Effect = "allow" | "deny" | "raise";

/** As people write it: `command` is one plain command with `*` and `...`, in place of program and argv. */
export type Written = { [K in keyof Pattern]?: Pattern[K] | undefined } & { command?: string | undefined };

const unfit = (sentence: string) => new Refusal("BAD_INPUT", sentence);

/** The one form in which a pattern is kept; refuses what means nothing, and what an allow rule must not leave open. */
export function canonical(written: Written, effect: Effect): Pattern {
  const argv = argvFrom(written);
  const program = argv?.[0];
  const tool = written.tool ?? (effect === "allow" && argv ? "shell" : undefined);
  const fields = written.fields && Object.keys(written.fields).length > 0 ? written.fields : undefined;
  const pattern: Pattern = {
    ...(tool !== undefined && { tool }),
    ...(program !== undefined && { program }),
    ...(argv && { argv }),
    ...(written.cwd !== undefined && { cwd: folder(written.cwd) }),
    ...(fields && { fields }),
  };
  if (effect === "allow") mustPin(pattern);
  return pattern;
}

function argvFrom({ program, argv, command }: Written): string[] | undefined {
  if (command !== undefined) {
    if (program !== undefined || argv) throw unfit("Give the pattern's command, or its program and argv, not both.");
    const words = argvPatternOf(command);
    if (words) return words;
    throw unfit(
      "The pattern's command must be one plain command: words and quotes, * and a last ... for what is left open; no operators, variables or backslashes.",
    );
  }
  if (program === undefined) return argv;
  if (argv && argv[0] !== program)
    throw unfit("The first word of the pattern's argv is the program; they must be the same.");
  return argv ?? [program, rest];
}

/** G10: what an allow rule has to say, word for word. */
function mustPin({ tool, program, argv, cwd, fields }: Pattern): void {
  const said = [...(argv ?? []), ...Object.values(fields ?? {}).filter((value) => typeof value === "string")];
  if (
    leadsToGateSettings(
      said.map((word) => literal(word) ?? word),
      cwd === undefined ? [] : [cwd],
    )
  )
    throw unfit("These are settings that make agents ask; no rule allows a change to them, people answer each time.");
  const dead = said.map(deadEnd).find((why) => why !== null);
  if (dead) throw unfit(`In an allow rule ${dead}`);
  if (tool === undefined)
    throw unfit("An allow rule names the tool (tool), and what it may do: program and argv, or fields.");
  if (literal(tool) === null) throw unfit("An allow rule names its tool word for word, without *.");
  if (cwd !== undefined && !isPinned(cwd))
    throw unfit("An allow rule names its working directory whole, from the root, without * and ..");
  if (!argv || program === undefined) {
    if (!fields) throw unfit("An allow rule names what the tool may do: program and argv, or fields.");
    return;
  }
  if (literal(program) === null || program === rest)
    throw unfit("An allow rule names its program word for word, without *.");
  if (cwd === undefined) throw unfit("An allow rule for a command names its working directory (cwd).");
  const runner = runnerIn(argv.map((word) => literal(word) ?? word));
  if (runner !== null && wordsOf(argv) === null)
    throw unfit(
      `Behind ${runner} there may stand what else to run: write every word out, without * and ${rest}, or let a person answer.`,
    );
  if (opensBundle(argv))
    throw unfit(`${program} reads its first argument as options, also without a dash: write that word out.`);
}

/** Why an allow rule that was made earlier can match nothing any more; null where it can. */
export function whyNever(pattern: Pattern): string | null {
  try {
    mustPin(pattern);
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}

/** Whether the options of such a program as tar are left open. */
const opensBundle = (argv: readonly string[]): boolean =>
  bundlesOptions(argv[0] ?? "") && argv.length > 1 && (argv[1] === rest || literal(argv[1] ?? "") === null);

function isPinned(cwd: string): boolean {
  const path = literal(cwd);
  return path !== null && /^(?:[/\\]|[A-Za-z]:[/\\])/.test(path) && !/(?:^|[/\\])\.\.?(?:[/\\]|$)/.test(path);
}

/** The one argv that a pattern without anything left open matches, or null. */
function wordsOf(argv: readonly string[]): string[] | null {
  if (argv.at(-1) === rest) return null;
  const words = argv.map(literal);
  return words.every((word) => word !== null) ? words : null;
}

export function matches(pattern: Pattern, deed: Deed, effect: Effect): boolean {
  const fields = Object.entries(pattern.fields ?? {});
  if (!fields.every(([path, expected]) => isAs(expected, deed.at(path), effect))) return false;
  return effect === "allow" ? allows(pattern, deed, fields) : finds(pattern, deed, effect);
}

function allows({ tool, argv, cwd }: Pattern, deed: Deed, fields: ReadonlyArray<[string, unknown]>): boolean {
  const named = (at: string) => fields.some(([path]) => path === "" || at === path || at.startsWith(`${path}.`));
  return (
    isOnly(deed.tools, tool) &&
    (cwd === undefined ? deed.cwds.length === 0 : isOnly(deed.cwds, cwd)) &&
    (deed.lines.length === 0
      ? argv === undefined
      : argv !== undefined && deed.argv !== null && isPlainly(argv, deed.argv)) &&
    deed.others.every(({ at }) => named(at))
  );
}

const isOnly = (values: readonly string[], pattern: string | undefined): boolean =>
  pattern !== undefined && values.length > 0 && values.every((value) => value === literal(pattern));

function isPlainly(pattern: readonly string[], argv: readonly string[]): boolean {
  const words = wordsOf(pattern);
  if (words) return words.length === argv.length && words.every((word, i) => word === argv[i]);
  return !runsAnother(argv) && !opensBundle(pattern) && isArgv(pattern, argv, (one, word) => glob(one, word, "word"));
}

function finds({ tool, argv, cwd }: Pattern, deed: Deed, effect: Effect): boolean {
  const some = (values: readonly string[], pattern: string | undefined) =>
    pattern === undefined || values.some((value) => isFound(pattern, value, effect));
  if (!some(deed.tools, tool) || !some(deed.cwds, cwd)) return false;
  if (argv === undefined) return true;
  const commands = deed.commands();
  // What cannot be read to its end is raised, since it may be in it, and denied by people only.
  if (commands === null) return effect === "raise";
  const like = (one: string, word: string, i: number) =>
    isFound(one, word, effect) || (i === 0 && isFound(one, word.slice(word.lastIndexOf("/") + 1), effect));
  return commands.some((command) => isArgv(argv, command, like));
}

/** As deny and raise look for it: a text that is too long to be compared counts as found for a raise. */
const isFound = (pattern: string, text: string, effect: Effect): boolean =>
  pattern === "**" || glob(pattern, text, "anywhere") || (effect === "raise" && isTooMuch(pattern, text));

/** Word by word: a wildcard never reaches into the next one. */
function isArgv(
  pattern: readonly string[],
  argv: readonly string[],
  like: (one: string, word: string, i: number) => boolean,
): boolean {
  const open = pattern.at(-1) === rest;
  const fixed = open ? pattern.slice(0, -1) : pattern;
  if (open ? argv.length < fixed.length : argv.length !== fixed.length) return false;
  return argv.every((word, i) => like(fixed[i] ?? "**", word, i));
}

function isAs(expected: unknown, value: unknown, effect: Effect): boolean {
  if (value === undefined) return false;
  if (expected === "**") return true;
  if (typeof expected === "string" && typeof value === "string")
    return effect === "allow" ? glob(expected, value, "value") : isFound(expected, value, effect);
  return canonicalize(expected) === canonicalize(value);
}

/** An argv pattern that matches this argv alone. */
export const exactArgv = (argv: readonly string[]): string[] => argv.map(exactly);
