// What a client's hook tells, and what it is answered: one adapter a client, pure. The rest is the same for all.
import type { ToolUse } from "../gates/tool-use.ts";
import type { Verdict } from "../gates/verdict.ts";

export type Event = Record<string, unknown>;

/** What an event wants: a person's answer, nothing (it may pass), or it tells that earlier questions are over. */
type Wish =
  | { asks: ToolUse; key: string | null }
  | { passes: true }
  /** @param over the key of one question, or with `*` at the end those of a session */
  | { over: string };

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

/** A repeated event is the same question; without both ids each is its own (G5). */
export function keyOf(client: string, event: Event): string | null {
  const session = optional(event, "session_id");
  const use = optional(event, "tool_use_id");
  return session === undefined || use === undefined ? null : `${client}:${session}:${use}`;
}
