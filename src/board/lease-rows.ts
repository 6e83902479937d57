// Claims that lapse, and what is known of their holders, as rows.
import { sql } from "kysely";
import type { Presence } from "../members/rules.ts";
import type { Db } from "../store/port.ts";
import type { Holder } from "./lease.ts";
import type { Task } from "./task.ts";

/** A sign of life found late: only the lease moves. No fact: presence. */
export async function renew(db: Db, task: Task, until: number): Promise<void> {
  await db
    .updateTable("tasks")
    .set({ lease_until: until })
    .where("room", "=", task.room)
    .where("id", "=", task.id)
    .execute();
}

/** Claims whose lease is over if nothing was heard of their holder since. */
export function overdue(db: Db, room: string, now: number): Promise<Task[]> {
  return db
    .selectFrom("tasks")
    .selectAll()
    .where("room", "=", room)
    .where("lease_until", "<=", now)
    .orderBy("id")
    .execute();
}

/** Every claim that can lapse. */
export function leased(db: Db, room: string): Promise<Task[]> {
  return db
    .selectFrom("tasks")
    .selectAll()
    .where("room", "=", room)
    .where("lease_until", "is not", null)
    .orderBy("id")
    .execute();
}

/** The rooms with claims that can lapse. */
export async function leasedRooms(db: Db): Promise<string[]> {
  const found = await db.selectFrom("tasks").select("room").distinct().where("lease_until", "is not", null).execute();
  return found.map(({ room }) => room);
}

/** When anything was last heard or recorded anywhere (ms). */
export async function lastSign(db: Db): Promise<number | null> {
  const signs = [
    await db
      .selectFrom("members")
      .select((eb) => eb.fn.max("seen_at").as("at"))
      .executeTakeFirst(),
    await db
      .selectFrom("log as l")
      .innerJoin("rooms as r", (on) => on.onRef("r.name", "=", "l.room").onRef("r.facts", "=", "l.seq"))
      .select((eb) => eb.fn.max("l.at").as("at"))
      .executeTakeFirst(),
  ].flatMap((row) => row?.at ?? []);
  return signs.length > 0 ? Math.max(...signs) : null;
}

/** Up to when the claims of a room were moved on for standstills (ms); 0: never. */
export async function stoodStillUntil(db: Db, room: string): Promise<number> {
  const row = await db.selectFrom("standstills").select("until").where("room", "=", room).executeTakeFirst();
  return row?.until ?? 0;
}

export async function standUntil(db: Db, room: string, until: number): Promise<void> {
  await db
    .insertInto("standstills")
    .values({ room, until })
    .onConflict((c) => c.column("room").doUpdateSet({ until }))
    .execute();
}

export async function nextLapse(db: Db, room: string): Promise<number | null> {
  const row = await db
    .selectFrom("tasks")
    .select((eb) => eb.fn.min("lease_until").as("at"))
    .where("room", "=", room)
    .where("lease_until", "is not", null)
    .executeTakeFirst();
  return row?.at ?? null;
}

/** When these members were last heard of. */
export async function presences(db: Db, names: readonly string[]): Promise<Map<string, Presence>> {
  const rows = await db
    .selectFrom("members")
    .select(["name", "status", "seen_at", "waits_until"])
    .where("name", "in", [...names])
    .execute();
  return new Map(rows.map((row) => [row.name, row]));
}

/** What shields the claims of a member (G12). */
export async function holder(db: Db, name: string, now: number): Promise<Holder | undefined> {
  const presence = (await presences(db, [name])).get(name);
  if (!presence) return undefined;
  const gates = await db
    .selectFrom("gates")
    .select(["status", "expires_at", "decided_at"])
    .where("asked_by", "=", name)
    .where("status", "!=", sql.lit("withdrawn" as const))
    .orderBy("id", "desc")
    .limit(100)
    .execute();
  const pending = gates.filter((gate) => gate.status === "pending" && (gate.expires_at ?? now + 1) > now);
  const ended = gates
    .filter((gate) => !pending.includes(gate))
    .map((gate) => gate.decided_at ?? gate.expires_at)
    .filter((at) => at !== null);
  return { ...presence, asks: pending.length > 0, answered_at: ended.length > 0 ? Math.max(...ended) : null };
}
