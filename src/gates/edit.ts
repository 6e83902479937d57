// What a person may make of an action: a form that its asker can still run. What it could not run would be approved on the
// card and refused at the client.
import { Refusal } from "../refusal.ts";
import { inputOf, type ToolUse } from "./tool-use.ts";

type Json = Record<string, unknown>;

/** A command as `parley gate` runs it. */
export interface Run {
  command: string[];
  cwd: string;
  /** It reads standard input, whatever that holds. */
  stdin?: true;
}

/** Null for what is anything else, or anything more. */
export function runIn(action: unknown): Run | null {
  if (!isObject(action)) return null;
  const { command, cwd, stdin, ...more } = action;
  if (stdin !== undefined && stdin !== true) return null;
  if (Object.keys(more).length > 0 || typeof cwd !== "string" || cwd === "") return null;
  if (!Array.isArray(command) || !command.every((word) => typeof word === "string") || !command[0]) return null;
  return { command, cwd, ...(stdin && { stdin }) };
}

/** A client's use of a tool as hooks and permission_prompt ask for it. */
function toolUseIn(action: unknown): ToolUse | null {
  if (!isObject(action)) return null;
  const { tool, input, cwd, server, ...more } = action;
  const fits = (text: unknown) => text === undefined || typeof text === "string";
  if (Object.keys(more).length > 0 || typeof tool !== "string" || !isObject(input)) return null;
  return fits(cwd) && fits(server) ? (action as unknown as ToolUse) : null;
}

/** @throws a refusal where who asked for `asked` could not run `edited` */
export function mustFit(asked: unknown, edited: { is: unknown; digest: string }): void {
  const use = toolUseIn(asked);
  if (use && inputOf(use, { action: edited.is, digest: edited.digest }) === null)
    throw unfit("Only the input of a tool's use can be edited; leave the rest of the action as it was asked.");
  const run = runIn(asked);
  if (!run) return;
  const now = runIn(edited.is);
  if (now?.stdin && !run.stdin)
    throw unfit("It was asked for without standard input, so none can be handed to it; leave stdin out.");
  if (now === null)
    throw unfit("This is a command and its folder; edit the words of command and cwd, and leave their form as it is.");
}

const unfit = (sentence: string) => new Refusal("BAD_INPUT", sentence, { status: 422 });

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
