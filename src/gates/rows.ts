// Gates as rows: the slice's only SQL.
import { sql } from "kysely";
import type { Db } from "../store/port.ts";
import { clientUntil, type Gate, settle } from "./rules.ts";

/** Written out, not bound: SQLite takes a partial index only for a literal. */
const pending = sql.lit("pending" as const);

const text = (gate: Gate) => ({
  ...gate,
  action: JSON.stringify(gate.action),
  options: JSON.stringify(gate.options),
  approvals: JSON.stringify(gate.approvals),
  edited: JSON.stringify(gate.edited),
  ran: JSON.stringify(gate.ran),
});

export function find(db: Db, room: string, id: string): Promise<Gate | undefined> {
  return db.selectFrom("gates").selectAll().where("id", "=", id).where("room", "=", room).executeTakeFirst();
}

/** The room that a gate stands in. */
export async function roomOf(db: Db, id: unknown): Promise<string | undefined> {
  if (typeof id !== "string") return undefined;
  return (await db.selectFrom("gates").select("room").where("id", "=", id).executeTakeFirst())?.room;
}

export async function insert(db: Db, gate: Gate): Promise<void> {
  await db.insertInto("gates").values(text(gate)).execute();
}

export async function put(db: Db, gate: Gate): Promise<void> {
  const { id, ...rest } = text(gate);
  await db.updateTable("gates").set(rest).where("id", "=", id).execute();
}

export function byKey(db: Db, room: string, member: string, key: string): Promise<Gate | undefined> {
  return db
    .selectFrom("gates")
    .selectAll()
    .where("asked_by", "=", member)
    .where("room", "=", room)
    .where("key", "=", key)
    .executeTakeFirst();
}

/** The last gates of a member with the same kind and digest, newest first. */
export function alike(db: Db, room: string, member: string, kind: Gate["kind"], matchedBy: string): Promise<Gate[]> {
  return db
    .selectFrom("gates")
    .selectAll()
    .where("asked_by", "=", member)
    .where("room", "=", room)
    .where("kind", "=", kind)
    .where("matched_by", "=", matchedBy)
    .orderBy("id", "desc")
    .limit(20)
    .execute();
}

/** A member's pending gates in a room (all rooms: `room` undefined), newest first. */
export function pendingOf(db: Db, member: string, room?: string): Promise<Gate[]> {
  let query = db
    .selectFrom("gates")
    .selectAll()
    .where("asked_by", "=", member)
    .where("status", "=", pending)
    .orderBy("id", "desc");
  if (room !== undefined) query = query.where("room", "=", room);
  return query.execute();
}

export function pendingOfTask(db: Db, room: string, task: number): Promise<Gate[]> {
  return db
    .selectFrom("gates")
    .selectAll()
    .where("room", "=", room)
    .where("status", "=", pending)
    .where("task_id", "=", task)
    .execute();
}

/** Gates of a room: pending ones, past the deadline too, by age; or of any status, newest first. */
export async function ofRoom(db: Db, room: string, filter: Filter): Promise<Gate[]> {
  if (filter.status !== "expired" && filter.status !== "withdrawn") return ofStatus(db, room, filter);
  // What ended by a deadline may still stand as pending in its row until somebody writes (G3). Each status has its
  // place in the index: asked for one after the other, neither is sorted.
  const both = [...(await ofStatus(db, room, filter)), ...(await ofStatus(db, room, { ...filter, status: "pending" }))];
  return both.sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, filter.limit);
}

interface Filter {
  status?: Gate["status"] | undefined;
  member?: string | undefined;
  after?: string | undefined;
  limit: number;
}

function ofStatus(db: Db, room: string, filter: Filter): Promise<Gate[]> {
  let query = db.selectFrom("gates").selectAll().where("room", "=", room).limit(filter.limit);
  if (filter.status) query = query.where("status", "=", filter.status === "pending" ? pending : filter.status);
  if (filter.member !== undefined) query = query.where("asked_by", "=", filter.member);
  if (filter.after !== undefined) query = query.where("id", "<", filter.after);
  return query.orderBy("id", "desc").execute();
}

/** Who asked the room's pending gates, and with which, newest first: for the roster. */
export function waitingIn(db: Db, room: string, limit: number) {
  return db
    .selectFrom("gates")
    .select(["asked_by", "id", "kind", "title"])
    .where("room", "=", room)
    .where("status", "=", pending)
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

/** The members whose approval or question in this room waits for a person (R20). */
export async function askingIn(db: Db, room: string, now: number): Promise<ReadonlySet<string>> {
  const counts = await pendingCounts(db, room, now);
  return new Set(counts.filter(({ kind }) => kind !== "blocker").map(({ asked_by }) => asked_by));
}

/** How many gates of the whole server wait for a person. */
export async function pendingEverywhere(db: Db, now: number): Promise<number> {
  const row = await db
    .selectFrom("gates")
    .select((eb) => eb.fn.countAll<number>().as("n"))
    .where("status", "=", pending)
    .where((eb) => eb.or([eb("expires_at", "is", null), eb("expires_at", ">", now)]))
    .where((eb) => eb.or([eb("client_until", "is", null), eb("client_until", ">", now)]))
    .executeTakeFirst();
  return Number(row?.n ?? 0);
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

export function ofTask(db: Db, room: string, task: number): Promise<Gate[]> {
  return db
    .selectFrom("gates")
    .selectAll()
    .where("room", "=", room)
    .where("task_id", "=", task)
    .orderBy("id", "desc")
    .limit(50)
    .execute();
}

export function byIds(db: Db, room: string, ids: readonly string[]): Promise<Gate[]> {
  return db
    .selectFrom("gates")
    .selectAll()
    .where("room", "=", room)
    .where("id", "in", [...ids])
    .execute();
}

/** Pending gates of a room that need a second approval. */
export function needingTwo(db: Db, room: string): Promise<Gate[]> {
  return db
    .selectFrom("gates")
    .selectAll()
    .where("room", "=", room)
    .where("status", "=", pending)
    .where("approvals_needed", ">", 1)
    .execute();
}

/** What ends a pending gate by itself: its own deadline, and that by which its client must ask again. */
const deadlines = ["expires_at", "client_until"] as const;

export async function pastDeadline(db: Db, room: string, now: number): Promise<Gate[]> {
  const found = new Map<string, Gate>();
  for (const deadline of deadlines)
    for (const gate of await db
      .selectFrom("gates")
      .selectAll()
      .where("room", "=", room)
      .where("status", "=", pending)
      .where(deadline, "<=", now)
      .orderBy(deadline)
      .execute())
      found.set(gate.id, gate);
  return [...found.values()];
}

export async function nextDeadline(db: Db, room: string): Promise<number | null> {
  const found: number[] = [];
  for (const deadline of deadlines) {
    const row = await db
      .selectFrom("gates")
      .select(`${deadline} as at`)
      .where("room", "=", room)
      .where("status", "=", pending)
      .where(deadline, "is not", null)
      .orderBy(deadline)
      .limit(1)
      .executeTakeFirst();
    if (row?.at != null) found.push(row.at);
  }
  return found.length > 0 ? Math.min(...found) : null;
}

/** Final gates whose answer their asker has not acknowledged, oldest first; past the deadline is expired (G3). */
export async function unacknowledged(db: Db, member: string, now: number): Promise<Gate[]> {
  const found = await db
    .selectFrom("gates")
    .selectAll()
    .where("asked_by", "=", member)
    .where("acknowledged_at", "is", null)
    .where((eb) =>
      eb.or([
        eb("status", "in", ["approved", "denied", "answered", "resolved", "expired"]),
        eb.and([eb("status", "=", pending), eb("expires_at", "<=", now)]),
      ]),
    )
    .orderBy("id")
    .limit(20)
    .execute();
  // Of a client that is gone nobody waits for an answer.
  return found.map((gate) => settle(gate, now)).filter((gate) => gate.status !== "withdrawn");
}

export async function deliver(db: Db, ids: readonly string[], at: number): Promise<void> {
  await db
    .updateTable("gates")
    .set({ delivered_at: at })
    .where("id", "in", [...ids])
    .where("delivered_at", "is", null)
    .execute();
}

/** Not delivered after all. */
export async function undeliver(db: Db, ids: readonly string[]): Promise<void> {
  await db
    .updateTable("gates")
    .set({ delivered_at: null })
    .where("id", "in", [...ids])
    .execute();
}

/**
 * An answer went out to a session of its asker (null: one without a name).
 * @param told by the inbox, beside another result; not as the result of asking or waiting
 */
export async function written(
  db: Db,
  ids: readonly string[],
  at: number,
  session: string | null,
  told: boolean,
): Promise<void> {
  for (const { id, written_to } of await db
    .selectFrom("gates")
    .select(["id", "written_to"])
    .where("id", "in", [...ids])
    .execute()) {
    const passedOn = told && written_to !== session;
    await db
      .updateTable("gates")
      .set({ written_at: at, written_to: session, ...(passedOn && { passed_on_at: at }) })
      .where("id", "=", id)
      .execute();
  }
}

/** Asking again has found this answer: it does so no more. */
export async function found(db: Db, id: string): Promise<void> {
  await db.updateTable("gates").set({ passed_on_at: null }).where("id", "=", id).execute();
}

export async function acknowledge(db: Db, ids: readonly string[], at: number): Promise<void> {
  await db
    .updateTable("gates")
    .set({ acknowledged_at: at })
    .where("id", "in", [...ids])
    .where("acknowledged_at", "is", null)
    .execute();
}

/**
 * Until when a call may be waiting for it; in the past: nobody waits since. No fact: presence.
 * @returns when its client counts as gone, if it has one that can: the room's next deadline
 */
export async function setWaiting(
  db: Db,
  gate: Pick<Gate, "id" | "asked_through">,
  until: number,
): Promise<number | null> {
  const client_until = clientUntil(gate, until);
  await db.updateTable("gates").set({ waits_until: until, client_until }).where("id", "=", gate.id).execute();
  return client_until;
}

/** Rooms with pending cards of clients. */
export async function roomsOfClients(db: Db): Promise<string[]> {
  const found = await db
    .selectFrom("gates")
    .select("room")
    .distinct()
    .where("status", "=", pending)
    .where("client_until", "is not", null)
    .execute();
  return found.map(({ room }) => room);
}

/** Clients of a room's pending cards count as gone at `until` (ms) at the earliest. */
export async function waitForClients(db: Db, room: string, until: number): Promise<void> {
  await db
    .updateTable("gates")
    .set({ client_until: until })
    .where("room", "=", room)
    .where("status", "=", pending)
    .where("client_until", "<", until)
    .execute();
}

/**
 * Pending gates of a room by kind, and by who asked: for badges and the roster. Counted here: to group them, SQLite
 * would read every gate ever asked in the room in the order of who asked.
 */
export async function pendingCounts(
  db: Db,
  room: string,
  now: number,
): Promise<Array<Pick<Gate, "asked_by" | "kind"> & { n: number }>> {
  const waiting = await db
    .selectFrom("gates")
    .select(["asked_by", "kind"])
    .where("room", "=", room)
    .where("status", "=", pending)
    .where((eb) => eb.or([eb("expires_at", "is", null), eb("expires_at", ">", now)]))
    .where((eb) => eb.or([eb("client_until", "is", null), eb("client_until", ">", now)]))
    .execute();
  const counts = new Map<string, Pick<Gate, "asked_by" | "kind"> & { n: number }>();
  for (const { asked_by, kind } of waiting) {
    const of = `${kind} ${asked_by}`;
    counts.set(of, { asked_by, kind, n: (counts.get(of)?.n ?? 0) + 1 });
  }
  return [...counts.values()];
}

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
