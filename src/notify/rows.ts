// Channels and notices as rows: the slice's only SQL.
import { deciding } from "../gates/people-rows.ts";
import { heardOf, offlineAfter } from "../members/rules.ts";
import type { Db } from "../store/port.ts";
import { type Channel, type Notice, type Risk, reaches, tellsNow } from "./rules.ts";

export function channelsOf(db: Db, member: string): Promise<Channel[]> {
  return db.selectFrom("channels").selectAll().where("member", "=", member).orderBy("id").execute();
}

export function channel(db: Db, id: string): Promise<Channel | undefined> {
  return db.selectFrom("channels").selectAll().where("id", "=", id).executeTakeFirst();
}

export async function addChannel(db: Db, row: Channel): Promise<void> {
  await db.insertInto("channels").values(row).execute();
}

/** With all that was still to be told there. */
export async function removeChannel(db: Db, id: string): Promise<void> {
  await db.deleteFrom("notices").where("channel_id", "=", id).execute();
  await db.deleteFrom("channels").where("id", "=", id).execute();
}

/** How the last sending went. No fact: the sender's own affair. */
export async function setState(
  db: Db,
  id: string,
  at: number,
  went: { accepted: boolean; status: number | null; error: string | null },
): Promise<void> {
  await db
    .updateTable("channels")
    .set({ last_at: at, last_status: went.status, last_error: went.error, ...(went.accepted && { accepted_at: at }) })
    .where("id", "=", id)
    .execute();
}

/** Who can answer what `asker` asks in this room. */
const deciders = (db: Db, room: string, asker: string) => deciding(db, room).where("m.name", "!=", asker);

/** The channels of those who can answer a gate, that take its risk. */
export async function channelsFor(
  db: Db,
  gate: { room: string; asked_by: string; risk: Risk },
): Promise<Array<Pick<Channel, "id" | "member" | "min_risk" | "last_error" | "quiet_from" | "quiet_to" | "zone">>> {
  const found = await deciders(db, gate.room, gate.asked_by)
    .innerJoin("channels as c", "c.member", "m.name")
    .select(["c.id", "c.member", "c.min_risk", "c.last_error", "c.quiet_from", "c.quiet_to", "c.zone"])
    .orderBy("c.id")
    .execute();
  return found.filter((row) => reaches(row, gate.risk));
}

/** Whether a person who can answer this gate was heard of lately, or has a channel that will tell them now (G14). */
export async function isReachable(
  db: Db,
  gate: { room: string; asked_by: string; risk: Risk },
  now: number,
): Promise<boolean> {
  const people = await deciders(db, gate.room, gate.asked_by)
    .select(["m.seen_at", "m.waits_until", "m.status"])
    .execute();
  const here = people.some((person) => {
    const heard = heardOf(person, now);
    return heard !== null && now - heard < offlineAfter;
  });
  return here || (await channelsFor(db, gate)).some((channel) => tellsNow(channel, gate.risk, now));
}

export async function insert(db: Db, notices: readonly Notice[]): Promise<void> {
  if (notices.length === 0) return;
  await db
    .insertInto("notices")
    .values([...notices])
    .onConflict((c) => c.columns(["gate_id", "channel_id"]).doNothing())
    .execute();
}

/** Something has happened to these gates: their notices are looked at again, and tried anew. */
export async function stir(db: Db, gates: readonly string[], now: number): Promise<void> {
  await db
    .updateTable("notices")
    .set({ due: now, attempts: 0, trying_since: null })
    .where("gate_id", "in", [...gates])
    .execute();
}

/** A person has put a gate aside until then: they are reminded when it comes back. */
export async function remindAt(db: Db, gate: string, member: string, at: number, now: number): Promise<void> {
  await db
    .updateTable("notices")
    .set({ remind_at: at, due: now })
    .where("gate_id", "=", gate)
    .where("member", "=", member)
    .execute();
}

export async function snoozedUntil(db: Db, gate: string, member: string): Promise<number | null> {
  const row = await db
    .selectFrom("gate_snoozes")
    .select("until")
    .where("gate_id", "=", gate)
    .where("member", "=", member)
    .executeTakeFirst();
  return row?.until ?? null;
}

/** What has something to be done at some time, the nearest first. */
export function waiting(db: Db, limit: number) {
  return db
    .selectFrom("notices")
    .select(["id", "room", "channel_id", "due", "leased_until"])
    .where("due", "is not", null)
    .orderBy("due")
    .limit(limit)
    .execute();
}

export function notice(db: Db, id: string): Promise<Notice | undefined> {
  return db.selectFrom("notices").selectAll().where("id", "=", id).executeTakeFirst();
}

export async function change(db: Db, id: string, columns: Partial<Omit<Notice, "id">>): Promise<void> {
  await db.updateTable("notices").set(columns).where("id", "=", id).execute();
}

export async function remove(db: Db, id: string): Promise<void> {
  await db.deleteFrom("notices").where("id", "=", id).execute();
}

/** Names of all rooms. */
export async function rooms(db: Db): Promise<string[]> {
  return (await db.selectFrom("rooms").select("name").orderBy("name").execute()).map(({ name }) => name);
}
