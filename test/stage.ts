// A table on a fresh store for one test. When the test ends, nobody listens any more and nothing is left.
import { expect, onTestFinished } from "vitest";
import type { Result } from "../src/action.ts";
import { Refusal } from "../src/refusal.ts";
import type { Settings } from "../src/table.ts";
import type { Fresh } from "./setup/stores.ts";
import { type Guest, handClock, type Play, play, settled } from "./table.ts";

export interface Stage extends Play {
  fresh: Fresh;
}

export async function stage(make: () => Promise<Fresh>, own: Partial<Settings> = {}): Promise<Stage> {
  const fresh = await make();
  const p = play(fresh.store, handClock(), own);
  onTestFinished(async () => {
    const listening = p.table.ring.size();
    await p.table.close();
    await fresh.remove();
    expect(listening, "somebody still listens").toBe(0);
  });
  return { ...p, fresh };
}

/** Looks again until `look` finds something. */
export async function found<T>(look: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (;;) {
    const seen = await look();
    if (seen !== undefined) return seen;
    await settled();
  }
}

/** Until so many listen; a waiting call listens twice: to what it waits for, and whether it may still wait. */
export const listening = (p: Play, n: number): Promise<true> =>
  found(() => (p.table.ring.size() >= n ? true : undefined));

/** The refusal that a call ends in. */
export async function refusal(call: Promise<unknown>): Promise<Refusal> {
  try {
    await call;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error("it was not refused");
}

export type Gate = Record<string, unknown> & { id: string; status: string };

/** Asks for something without waiting; the gate. */
export async function ask(who: Guest, action: string, args: Record<string, unknown>): Promise<Gate> {
  return gateOf(await who.does(action, { wait_seconds: 0, ...args }));
}

export const gateOf = (result: Result): Gate => result.gate as Gate;

/** The gate as `who` sees it now. */
export const look = async (who: Guest, gate: { id: string }): Promise<Gate> =>
  gateOf(await who.does("get_gate", { gate_id: gate.id }));

/** The actions of a room's facts so far, with their subject. */
export async function facts(
  p: Play,
  room = "main",
): Promise<Array<{ action: string; subject: string; member: string | null }>> {
  return p.table.store.read((db) =>
    db.selectFrom("log").select(["action", "subject", "member"]).where("room", "=", room).orderBy("seq").execute(),
  );
}

/** Number of the room's last fact. */
export const head = (p: Play, room = "main"): Promise<number> =>
  p.table.store.read(async (db) => {
    const row = await db.selectFrom("rooms").select("facts").where("name", "=", room).executeTakeFirstOrThrow();
    return row.facts;
  });
