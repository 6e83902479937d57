// A client's use of a tool as the action of a gate, and the action as it came back as the tool's input again.
import { readToolUse } from "../../public/words/tool-use.js";
import { digestOf } from "./digest.ts";

type Json = Record<string, unknown>;

export interface ToolUse {
  tool: string;
  input: Json;
  /** Where it runs, as far as the client says. */
  cwd?: string | undefined;
  /** Whose tool it is, where it belongs to an MCP server: its URL or command. */
  server?: string | undefined;
}

/** As the person sees it and the digest covers it. */
export const actionOf = ({ tool, input, cwd, server }: ToolUse): Json => ({
  tool,
  input,
  ...(cwd !== undefined && { cwd }),
  ...(server !== undefined && { server }),
});

/** `Bash: git push`, `Edit: src/a.ts`, `AskUserQuestion: Which one?`, on one line. The action says the rest. */
export function titleOf({ tool, input }: ToolUse): string {
  const first = whatOf(tool, input);
  const words = plain(`${tool}${first === undefined ? "" : `: ${first}`}`);
  const points = [...(words || "a tool")];
  return points.length <= 200 ? points.join("") : `${points.slice(0, 199).join("")}…`;
}

const telling = ["command", "file_path", "path", "url", "query", "pattern", "prompt"];

/** What it is about: the command, the files, the question, the plan's first line; undefined where none can be told. */
function whatOf(tool: string, input: Json): string | undefined {
  const use = readToolUse(tool, input);
  if (use?.is === "questions") return use.questions.map(({ question }) => question).join(" / ");
  if (use?.is === "plan") return /[^\s#].*/.exec(use.text)?.[0];
  if (use && use.files.length > 0) return use.files.join(", ");
  if (Array.isArray(input.command)) return input.command.join(" ");
  return telling
    .map((field) => input[field])
    .find((value): value is string => typeof value === "string" && value.trim() !== "");
}

/** One line of well-formed text without control characters. */
const plain = (text: string): string =>
  text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is taken out
    .replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\s]+/g, " ")
    .trim();

/**
 * What a person approved of `asked`: the tool's input, edited or not. Null where it is not this tool use any more, or
 * not what its digest says: then nothing may run.
 */
export function inputOf(asked: ToolUse, gate: { action?: unknown; digest?: unknown }): Json | null {
  const { action, digest } = gate;
  if (!isObject(action) || !isObject(action.input) || digest !== digestOf(action)) return null;
  // Only the input can be handed back to the client.
  return digestOf({ ...action, input: null }) === digestOf({ ...actionOf(asked), input: null }) ? action.input : null;
}

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
