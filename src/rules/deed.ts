// An action as rules read it: which tool, which command, where, and everything else that it says.
import { readToolUse, type ToolUse } from "../../public/words/tool-use.js";
import { leadsToGateSettings, namesGateSettings } from "../gates/own-settings.ts";
import { argvOf, commandsIn, commandsOf } from "./shell.ts";

export interface Deed {
  /** Names of the tool; `shell` where there is a command and none is named. */
  tools: string[];
  /** Working directories that it names. */
  cwds: string[];
  /** Command lines, or argvs, by their path. */
  lines: Array<{ at: string; line: string | string[] }>;
  /** The argv of its one plain command; null where there is none, or anything more. */
  argv: string[] | null;
  /** Every command that can be found in it; null where it cannot be read to its end. */
  commands(): string[][] | null;
  /** What else it says, leaf by leaf; a list is one leaf. */
  others: Array<{ at: string; value: unknown }>;
  /** Paths of what is new each time in a change of a file. */
  wording: string[];
  /** It puts a plan or questions to a person. */
  asksPerson: boolean;
  /** Whether it names settings that make agents ask, in whatever folder and however written. */
  touchesGates(): boolean;
  /** The value at a path of keys with dots between; undefined where there is none. */
  at(path: string): unknown;
}

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isArgv = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === "string");

const places = ["", "input.", "tool_input.", "arguments."];
const named = (...keys: string[]): Set<string> => new Set(places.flatMap((place) => keys.map((key) => place + key)));
const ofTool = new Set(["tool", "tool_name"]);
const ofCommand = named("command", "cmd");
const ofCwd = named("cwd", "workdir");
/** How long to wait: it changes nothing of what is done. */
const patience = named("timeout", "timeout_ms");
/** Words for people. For any other tool they may be the very thing that it sends. */
const words = named("description");
/** Tools whose `description` tells people what a command does, and nothing else. */
const described = new Set([
  // Claude Code
  "Bash",
  "PowerShell",
  // Gemini CLI
  "run_shell_command",
  // opencode
  "bash",
  // A command without a tool.
  "shell",
]);

/** Without the slash at its end. */
export const folder = (path: string): string => (path.length > 1 ? path.replace(/(?<=[^:])[/\\]+$/, "") : path);

/** Where a rule finds what becomes of the files that a patch names, `["Update File: src/a.ts"]`. */
export const filesAt = "files";

/** The uses of tools in it, each with the paths of what is new each time. */
function usesIn(action: unknown): Array<{ use: ToolUse; wording: string[] }> {
  if (!isObject(action)) return [];
  const tool = [action.tool, action.tool_name].find((name) => typeof name === "string") ?? "";
  return places.flatMap((place) => {
    const input = place === "" ? action : action[place.slice(0, -1)];
    const use = isObject(input) ? readToolUse(String(tool), input) : null;
    return use ? [{ use, wording: use.wording.map((name) => `${place}${name}`) }] : [];
  });
}

/** Reads any JSON. A text or a list of words is a command. */
export function read(action: unknown): Deed {
  if (typeof action === "string" || isArgv(action)) return read({ command: action });
  const tools: string[] = [];
  const cwds: string[] = [];
  const lines: Deed["lines"] = [];
  const others: Deed["others"] = [];
  const uses = usesIn(action);
  const patch = uses.find(({ use }) => use.is === "patch" && use.acts !== null);
  const patched = patch && valueAt(action, filesAt) === undefined ? patch : undefined;
  for (const { at, value } of leaves(null, action)) {
    if (ofTool.has(at) && typeof value === "string") tools.push(value);
    else if (ofCwd.has(at) && typeof value === "string") cwds.push(folder(value));
    else if (ofCommand.has(at) && at !== patched?.wording[0] && (typeof value === "string" || isArgv(value)))
      lines.push({ at, line: value });
    else if (!patience.has(at) || typeof value !== "number") others.push({ at, value });
  }
  if (patched) others.push({ at: filesAt, value: patched.use.acts });
  if (tools.length === 0 && lines.length > 0) tools.push("shell");
  const isShown = ({ at, value }: Deed["others"][number]) =>
    words.has(at) && typeof value === "string" && tools.length > 0 && tools.every((tool) => described.has(tool));
  const told = others.filter((one) => !isShown(one));
  const [first] = lines;
  let commands: { found: string[][] | null } | undefined;
  return {
    tools,
    cwds,
    lines,
    argv: first && lines.length === 1 ? (typeof first.line === "string" ? argvOf(first.line) : first.line) : null,
    commands() {
      commands ??= { found: found(lines) };
      return commands.found;
    },
    others: told,
    touchesGates() {
      const files = uses.flatMap(({ use }) => use.files);
      const paths = [...cwds, ...files, ...wordsIn(lines), ...pathsIn(others)];
      return namesGateSettings(action) || leadsToGateSettings(paths, cwds);
    },
    wording: uses.flatMap(({ wording }) => wording),
    asksPerson: uses.some(({ use }) => use.is === "plan" || use.is === "questions"),
    at: (path) => (patched && path === filesAt ? patched.use.acts : valueAt(action, path)),
  };
}

/** The words of its commands, as far as they are plain. */
const wordsIn = (lines: Deed["lines"]): string[] =>
  lines.flatMap(({ line }) => (typeof line === "string" ? (argvOf(line) ?? []) : line));

/** The values that may be paths. */
const pathsIn = (others: Deed["others"]): string[] =>
  others
    .flatMap(({ value }) => value as unknown[] | unknown)
    .filter((value): value is string => typeof value === "string" && value.length <= 4096 && !/[\r\n]/.test(value));

function found(lines: Deed["lines"]): string[][] | null {
  const all: string[][] = [];
  for (const { line } of lines) {
    const some = typeof line === "string" ? commandsIn(line) : commandsOf(line);
    if (some === null) return null;
    all.push(...some);
  }
  return all;
}

function* leaves(at: string | null, value: unknown): Generator<{ at: string; value: unknown }> {
  const entries = isObject(value) ? Object.entries(value) : [];
  if (entries.length === 0) yield { at: at ?? "", value };
  for (const [key, inner] of entries) {
    const step = key.replace(/[\\.]/g, "\\$&");
    yield* leaves(at === null ? step : `${at}.${step}`, inner);
  }
}

function valueAt(action: unknown, path: string): unknown {
  let value = action;
  for (const step of path.match(/(?:\\[\s\S]|[^.\\])+/g) ?? []) {
    const key = step.replace(/\\([\s\S])/g, "$1");
    if (!isObject(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}
