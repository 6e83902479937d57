// What an action is, and the Call that its body is handed. One description gives the MCP tool,
// POST /api/<name>, the dashboard's command and, where it makes sense, the command line.
import type { z } from "zod";
import type { Role, ServerRole } from "./members/rules.ts";
import type { Db } from "./store/port.ts";

export const toolsets = ["board", "floor", "gates", "messages", "context", "members", "log"] as const;
export type Toolset = (typeof toolsets)[number];

/** Who calls. `local` is the operator at the command line, who can read the store anyway; no person. */
export interface Actor {
  readonly member: string;
  readonly kind: "agent" | "person" | "local";
  readonly serverRole: ServerRole | null;
  /** `token:ID`, `session:ID` or `local`: what a revocation ends. */
  readonly credential: string;
  /** A person's device as shown to others, e.g. "Chrome on Android"; a token's label. */
  readonly device: string;
}

/** Who may call an action at all. The server's owner acts as approver in every room and passes `approver`. */
export type Grant = ReadonlyArray<Role | "owner" | "local">;

const agents = ["lead", "worker", "reviewer", "observer"] as const satisfies Grant;
export const people = ["approver", "viewer"] as const satisfies Grant;
export const everyone = [...agents, ...people] as const satisfies Grant;

/** One row of the log: what happened, in the past tense (`task.claimed`). */
export interface NewFact {
  action: string;
  /** `kind:id`, as `task:12`, `gate:0198…`, `floor:main`; wakes who waits on it. */
  subject: string;
  data?: Record<string, unknown>;
  /** The one member this is addressed to, and who is woken by it. */
  to?: string | null;
  /** Who did it, where that is not the caller (a settlement has no member: null). */
  member?: string | null;
}

export interface ReadCall {
  /**
   * `then` runs once the result has been handed to the caller's connection (G6); `lost`, where it was not: the connection
   * had gone before anything of the result was written.
   */
  written(then: () => Promise<void>, lost?: () => Promise<void>): void;
  readonly db: Db;
  readonly now: number;
  readonly actor: Actor;
  readonly room: string;
  readonly role: Role;
}

export interface WriteCall extends ReadCall {
  /** Appends to the room's log, in this transaction. */
  fact(fact: NewFact): void;
  /** Appends to the log of what belongs to no room (`_server`), in this transaction. */
  serverFact(fact: NewFact): void;
  /** Something in this room has a deadline at `at` (ms): look again then. Too early is harmless. */
  due(at: number | null | undefined): void;
  /** A new id that sorts by time. */
  id(): string;
  /** Nobody else writes what belongs to the whole server until this call is committed. Read such rows only after it. */
  lockServer(): Promise<void>;
}

/** What a look says: a result, or when it must look again at the latest (ms; null: only when rung). */
export type Look<R> = { done: R } | { again: number | null };

/** A client's hook or a command that calls with a member's token. */
export interface Beside {
  readonly through: "hook" | "command";
  /** The client's session, as `claude-code:ID`. */
  readonly session?: string | undefined;
}

export interface WaitCall {
  readonly actor: Actor;
  readonly room: string;
  readonly role: Role;
  readonly signal: AbortSignal;
  /** What calls beside the member; null: the member itself calls. */
  readonly beside: Beside | null;
  /** The MCP session that the call came in; null: one without a name. */
  readonly session: string | null;
  written: ReadCall["written"];
  /** Waits while the caller is cut off and may come back; whether its connection is there to be written to. */
  connected(): Promise<boolean>;
  /** `asked` or the default of 45 s, lowered to what the caller's client bears. */
  hold(asked: number | undefined): number;
  /** Milliseconds since the call came, by a clock that nobody sets. */
  age(): number;
  now(): number;
  read<T>(body: (call: ReadCall) => Promise<T>): Promise<T>;
  /** In the call's own room, or in `room`: then as the same actor, without looking at its role there. */
  write<T>(body: (call: WriteCall) => Promise<T>, room?: string): Promise<T>;
  /**
   * Looks, sleeps to the nearest deadline or a ring on one of `keys`, looks again: until done, `seconds` have passed
   * since the call came, or the caller has gone. Answers what the last look said; `null` when none was done.
   * @param keys subjects of this room (`gate:ID`), kinds (`task`), actions (`floor.paused`), or `@NAME` for facts
   * addressed to a member
   */
  until<R>(keys: readonly string[], seconds: number, look: () => Promise<Look<R>>): Promise<R | null>;
}

export type Shape = z.core.$ZodLooseShape;
export type Input<S extends Shape> = z.infer<z.ZodObject<S>>;
/** Results are plain JSON objects; output schemas are open. */
export type Result = Record<string, unknown>;

type Body<I> =
  | { read: (call: ReadCall, input: I) => Promise<Result> }
  | { write: (call: WriteCall, input: I) => Promise<Result> }
  | { wait: (call: WaitCall, input: I) => Promise<Result> };

interface Words {
  name: string;
  toolset: Toolset;
  /** What it does, when to use it, what comes back: an agent acts on this. */
  about: string;
  /** Who may call it at all. */
  may: Grant;
  /** `room` (default): in one room, `room` optional. `server`: in none; its facts stand in `_server`. */
  scope?: "room" | "server";
  /** Where the arguments name no room: the room that what they name stands in (`gate_id`). */
  find?: (db: Db, args: Record<string, unknown>) => Promise<string | undefined>;
  /** Never an MCP tool: people and the command line only. */
  peopleOnly?: boolean;
  /** Only shown in MCP to these (default: all who may). A hidden tool can still be called by who may. */
  listedFor?: Grant;
  /** Set on the few that agents need always (`_meta: anthropic/alwaysLoad`). */
  always?: boolean;
  /** True when it only reads, waits or asks a person: clients then run it without asking (`readOnlyHint`). */
  quiet?: boolean;
  destructive?: boolean;
  idempotent?: boolean;
  /** True when this result holds words of others (M6). */
  quotes?: (result: Result) => boolean;
  /**
   * For a client's own contract (`permission_prompt`): the result is its one text and nothing more, no inbox, never
   * refused for rate. What a refusal's sentence becomes in that contract.
   */
  bare?: (sentence: string) => Result;
}

export type Action<I = never> = Words & {
  input: Shape;
  output: Shape;
} & Body<I>;

/** An action with its input type forgotten: what `perform` and the edges handle. */
// biome-ignore lint/suspicious/noExplicitAny: the input type is erased here and restored by zod in perform
export type AnyAction = Words & { input: Shape; output: Shape } & Body<any>;

/** Describes an action; only here for the types to be inferred. */
export function action<S extends Shape>(description: Words & { input: S; output: Shape } & Body<Input<S>>): AnyAction {
  return description;
}
