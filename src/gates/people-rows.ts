// The people of a gate, as rows: who decides, who has opened it, and who has put it aside until when.
import { sql } from "kysely";
import type { Db } from "../store/port.ts";
import { pending } from "./rows.ts";
import type { Gate } from "./rules.ts";

/** Who decides in a room: the people who are approvers of it, and the server's owners. */
export const deciding = (db: Db, room: string) =>
  db
    .selectFrom("members as m")
    .leftJoin("memberships as s", (on) =>
      on
        .onRef("s.member", "=", "m.name")
        .on("s.room", "=", room)
        .on("s.left_at", "is", null)
        .on("s.kicked_at", "is", null),
    )
    .where("m.kind", "=", "person")
    .where("m.removed_at", "is", null)
    .where((eb) => eb.or([eb("m.server_role", "=", "owner"), eb("s.role", "=", "approver")]));

/** How many can decide what `asker` asks in this room. */
export async function deciders(db: Db, room: string, asker: string): Promise<number> {
  return (await deciding(db, room).select("m.name").where("m.name", "!=", asker).execute()).length;
}

/** Whether this member decides in this room. */
export async function isDecider(db: Db, room: string, member: string): Promise<boolean> {
  return (await deciding(db, room).select("m.name").where("m.name", "=", member).executeTakeFirst()) !== undefined;
}

/** Notes that this person has opened the card; false where it had been opened by it before. */
export async function open(db: Db, gate: Pick<Gate, "id" | "room">, member: string, at: number): Promise<boolean> {
  const added = await db
    .insertInto("gate_openings")
    .values({ gate_id: gate.id, room: gate.room, member, at })
    .onConflict((c) => c.doNothing())
    .returning("gate_id")
    .executeTakeFirst();
  return added !== undefined;
}

/** Whether this person has opened the card. */
export async function hasOpened(db: Db, id: string, member: string): Promise<boolean> {
  const row = await db
    .selectFrom("gate_openings")
    .select("at")
    .where("gate_id", "=", id)
    .where("member", "=", member)
    .executeTakeFirst();
  return row !== undefined;
}

/** Hides a card from one person until then (ms). */
export async function snooze(db: Db, gate: Pick<Gate, "id" | "room">, member: string, until: number): Promise<void> {
  await db
    .insertInto("gate_snoozes")
    .values({ gate_id: gate.id, room: gate.room, member, until })
    .onConflict((c) => c.columns(["gate_id", "member"]).doUpdateSet({ until }))
    .execute();
}

/** Which cards of a room a person has put aside, until when (ms). */
export async function snoozes(db: Db, room: string, member: string, now: number): Promise<Record<string, number>> {
  const found = await db
    .selectFrom("gate_snoozes")
    .select(["gate_id", "until"])
    .where("room", "=", room)
    .where("member", "=", member)
    .where("until", ">", now)
    .execute();
  return Object.fromEntries(found.map(({ gate_id, until }) => [gate_id, until]));
}

/** What ended unanswered since then (ms) and was neither asked again nor put aside by this person, newest first. */
export async function unansweredFor(db: Db, room: string, member: string, since: number, now: number): Promise<Gate[]> {
  const limit = 50;
  const each = (status: "pending" | "expired") =>
    notPutAside(db, room, member, now)
      .where("g.status", "=", sql.lit(status))
      .where("g.expires_at", ">", since)
      .where("g.expires_at", "<=", now)
      .where((eb) => eb.or([eb("g.client_until", "is", null), eb("g.client_until", ">=", eb.ref("g.expires_at"))]))
      .where("g.reopened_as", "is", null)
      .orderBy("g.expires_at", "desc")
      .limit(limit)
      .execute();
  const both = [...(await each("expired")), ...(await each("pending"))];
  return both.sort((a, b) => (b.expires_at ?? 0) - (a.expires_at ?? 0)).slice(0, limit);
}

/** What ran otherwise than approved since then (ms) and was not put aside by this person, newest first. */
export function driftedFor(db: Db, room: string, member: string, since: number, now: number): Promise<Gate[]> {
  return notPutAside(db, room, member, now)
    .where("g.drifted_at", ">", since)
    .orderBy("g.drifted_at", "desc")
    .limit(50)
    .execute();
}

/** Gates of a room but those that this person has put aside. */
const notPutAside = (db: Db, room: string, member: string, now: number) =>
  db
    .selectFrom("gates as g")
    .selectAll("g")
    .where("g.room", "=", room)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("gate_snoozes as s")
            .select("s.gate_id")
            .whereRef("s.gate_id", "=", "g.id")
            .where("s.member", "=", member)
            .where("s.until", ">", now),
        ),
      ),
    );

/** How many of those this person has put aside, by kind. */
export function hiddenCounts(db: Db, room: string, member: string, now: number) {
  return db
    .selectFrom("gate_snoozes as s")
    .innerJoin("gates as g", "g.id", "s.gate_id")
    .select((eb) => ["g.kind", eb.fn.countAll<number>().as("n")])
    .where("s.room", "=", room)
    .where("s.member", "=", member)
    .where("s.until", ">", now)
    .where("g.status", "=", pending)
    .where((eb) => eb.or([eb("g.expires_at", "is", null), eb("g.expires_at", ">", now)]))
    .where((eb) => eb.or([eb("g.client_until", "is", null), eb("g.client_until", ">", now)]))
    .groupBy("g.kind")
    .execute();
}
