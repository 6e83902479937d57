// What a client's hook tells, and what it is answered: one adapter a client, pure. The rest is the same for all.
import type { ToolUse } from "../gates/tool-use.ts";
import type { Verdict } from "../gates/verdict.ts";
import { sha256 } from "../ids.ts";

export type Event = Record<string, unknown>;

/**
 * By what a repeated event finds its card again: the client's id of the tool use; `alike`: the same request of the same
 * session that nobody has answered yet; `own`: by nothing, each event is its own question (G5).
 */
export type Key = { is: string } | "alike" | "own";

/** Earlier questions of a session that are over: that of one tool use, or all. */
export interface Over {
  session: string;
  /** Null: all of the session. */
  use: { key: string | null; asks: ToolUse } | null;
}

/** What an event wants: a person's answer, nothing (it may pass), or it tells that earlier questions are over. */
type Wish =
  | { asks: ToolUse; key: Key; session: string | undefined; cautions?: string | undefined }
  | { passes: true }
  | { over: Over };

export interface Adapter {
  /** @throws Unclear for what is none of the client's events: it must not run */
  wish(event: Event, url: string): Wish;
  /** The client's own words, as it reads them from standard output. */
  says(event: Event, verdict: Verdict): object;
  /** What lets an event pass that asks for nothing. */
  passes: object;
  /** Seconds that the client waits for a hook where its settings say nothing. */
  usual: number;
}

/** Not what this client sends: nothing can be asked, and nothing may run. */
export class Unclear extends Error {}

export const text = (event: Event, field: string): string => {
  const value = event[field];
  if (typeof value !== "string" || value === "") throw new Unclear(`${field} is missing in what the client sent.`);
  return value;
};

export const object = (event: Event, field: string): Record<string, unknown> => {
  const value = event[field];
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Unclear(`${field} is missing in what the client sent.`);
  return value as Record<string, unknown>;
};

export const optional = (event: Event, field: string): string | undefined => {
  const value = event[field];
  return typeof value === "string" && value !== "" ? value : undefined;
};

/** The tool use of `tool_name`, `tool_input`, `cwd`. */
export const toolUse = (event: Event): ToolUse => ({
  tool: text(event, "tool_name"),
  input: object(event, "tool_input"),
  cwd: optional(event, "cwd"),
});

/** The client's session as cards keep it, `CLIENT:ID`; undefined where the event names none. */
export function sessionOf(client: string, event: Event): string | undefined {
  const id = optional(event, "session_id");
  return id === undefined ? undefined : short(`${client}:${id}`);
}

/** The key of the event's tool use; null where it does not name both session and tool use. */
export function useOf(client: string, event: Event): string | null {
  const session = optional(event, "session_id");
  const use = optional(event, "tool_use_id");
  return session === undefined || use === undefined ? null : short(`${client}:${session}:${use}`);
}

/** Asks for this event's tool use, found again by its id where it has one. */
export function asking(client: string, event: Event, otherwise: "alike" | "own" = "own") {
  const is = useOf(client, event);
  const session = sessionOf(client, event);
  const key: Key = is !== null ? { is } : session === undefined ? "own" : otherwise;
  return { asks: toolUse(event), key, session };
}

/** One line of at most 128 plain characters, as the contract wants keys. */
const short = (text: string): string => (/^[\x20-\x7e]{1,128}$/.test(text) ? text : `hook:${sha256(text)}`);
