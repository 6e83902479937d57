// A whole table over any store, with a clock turned by hand, and members to play with.
import type { Result } from "../src/action.ts";
import type { Clock } from "../src/clock.ts";
import { type Caller, callerOfToken, localOperator } from "../src/members/caller.ts";
import { newKey } from "../src/receipts/keys.ts";
import { Refusal } from "../src/refusal.ts";
import type { Report } from "../src/report.ts";
import type { Store } from "../src/store/port.ts";
import { openTable, type Settings, type Table } from "../src/table.ts";

export interface HandClock extends Clock {
  /** Turns time on by `ms`, firing what comes due on the way, in order. */
  tick(ms: number): Promise<void>;
  /** Sets the wall clock on or back; timers and the time that a call holds do not notice. */
  jump(ms: number): void;
}

export function handClock(start = Date.UTC(2026, 0, 5, 9)): HandClock {
  let elapsed = 0;
  /** The wall clock less what has elapsed. */
  let set = start;
  const timers = new Set<{ at: number; then: () => void }>();
  return {
    now: () => elapsed + set,
    elapsed: () => elapsed,
    after(ms, then) {
      const timer = { at: elapsed + ms, then };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    jump(ms) {
      set += ms;
    },
    async tick(ms) {
      const end = elapsed + ms;
      for (;;) {
        const next = [...timers].filter((t) => t.at <= end).sort((a, b) => a.at - b.at)[0];
        if (!next) break;
        timers.delete(next);
        elapsed = Math.max(elapsed, next.at);
        next.then();
        await settled();
      }
      elapsed = end;
      await settled();
    },
  };
}

/** Lets everything that is ready run: promises, the ring's slices, the store's queue. */
export async function settled(): Promise<void> {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
}

export interface Guest {
  readonly caller: Caller;
  readonly token: string;
  readonly name: string;
  /** Performs an action as this member and says that the result was handed over. */
  does(
    action: string,
    args?: Record<string, unknown>,
    ask?: { signal?: AbortSignal; longest?: number; session?: string },
  ): Promise<Result>;
  /** Performs an action that must be refused; answers the refusal. */
  refused(action: string, args?: Record<string, unknown>): Promise<Refusal>;
}

export interface Play {
  readonly table: Table;
  readonly clock: HandClock;
  /** Adds an agent (or person, by role `owner`, `approver`, `viewer`) to a room. */
  guest(
    name: string,
    options?: { role?: string; room?: string; skills?: string[]; context_tokens?: number },
  ): Promise<Guest>;
  /** The member as its token finds it now (after roles or rooms changed). */
  again(guest: Guest): Promise<Guest>;
  operator: Guest;
}

/** Signs what is approved in tests. */
const key = await newKey();

/** What no caller hears of is seen in the output of the tests. */
export const report: Report = (error, what) => void process.stderr.write(`${what} ${error}\n`);

export const settings: Settings = { maxPending: 20, criticalDelay: 60, lease: 1800, sign: key.sign };

export function play(store: Store, clock: HandClock = handClock(), own: Partial<Settings> = {}): Play {
  const table = openTable(store, clock, { ...settings, ...own }, report);
  const as = (caller: Caller, token = ""): Guest => ({
    caller,
    token,
    name: caller.actor.member,
    async does(action, args = {}, ask = {}) {
      const answer = await table.perform(caller, action, args, ask);
      await answer.written();
      return JSON.parse(JSON.stringify(answer.result)) as Result;
    },
    async refused(action, args = {}) {
      try {
        await table.perform(caller, action, args);
      } catch (error) {
        if (error instanceof Refusal) return error;
        throw error;
      }
      throw new Error(`${action} was not refused`);
    },
  });
  const withToken = async (token: string): Promise<Guest> => {
    const caller = await store.read((db) => callerOfToken(db, token));
    if (!caller) throw new Error("this token is not known");
    return as(caller, token);
  };
  const operator = as(localOperator);
  return {
    table,
    clock,
    operator,
    async guest(name, options = {}) {
      const person = ["owner", "approver", "viewer"].includes(options.role ?? "");
      const made = await operator.does("add_member", { name, ...options, ...(person && { person }) });
      return withToken(made.token as string);
    },
    again: (guest) => withToken(guest.token),
  };
}
