// What nobody needs any more goes a day after its end: results kept for repeated keys, cards that were put aside,
// sign-in links and ended sessions. It runs with the settlement of a room, whose deadline it is.
import { sql } from "kysely";
import type { WriteCall } from "./action.ts";
import { serverRoom } from "./members/rules.ts";
import type { Db } from "./store/port.ts";

/** How long the first result of a key is given again, and other things are kept after their end (ms). */
export const keptFor = 24 * 3600 * 1000;

/** Deletes what ended a day ago or earlier in this room; when there is more to delete (ms), or null. */
export async function forget({ db, room, now }: WriteCall): Promise<number | null> {
  const ended = now - keptFor;
  const deleted = [await keys(db, room, ended), await snoozes(db, room, ended)];
  if (room === serverRoom) deleted.push(await links(db, ended), await sessions(db, ended));
  const next = deleted.filter((at) => at !== null);
  return next.length > 0 ? Math.min(...next) + keptFor : null;
}

const first = (row: { at: number | null } | undefined): number | null => row?.at ?? null;

async function keys(db: Db, room: string, ended: number): Promise<number | null> {
  await db.deleteFrom("keys").where("room", "=", room).where("at", "<=", ended).execute();
  const left = db.selectFrom("keys").select("at").where("room", "=", room);
  return first(await left.orderBy("at").limit(1).executeTakeFirst());
}

async function snoozes(db: Db, room: string, ended: number): Promise<number | null> {
  await db.deleteFrom("gate_snoozes").where("room", "=", room).where("until", "<=", ended).execute();
  const left = db.selectFrom("gate_snoozes").select("until as at").where("room", "=", room);
  return first(await left.orderBy("until").limit(1).executeTakeFirst());
}

async function links(db: Db, ended: number): Promise<number | null> {
  await db.deleteFrom("links").where("expires_at", "<=", ended).execute();
  const left = db.selectFrom("links").select("expires_at as at");
  return first(await left.orderBy("expires_at").limit(1).executeTakeFirst());
}

async function sessions(db: Db, ended: number): Promise<number | null> {
  await db.deleteFrom("sessions").where("revoked_at", "<=", ended).execute();
  const left = db.selectFrom("sessions").select("revoked_at as at").where(sql<boolean>`revoked_at is not null`);
  return first(await left.orderBy("revoked_at").limit(1).executeTakeFirst());
}
