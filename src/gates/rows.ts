// Gates as rows: the slice's only SQL.
import { sql } from "kysely";
import type { Db } from "../store/port.ts";
import { clientUntil, type Gate } from "./rules.ts";

/** Written out, not bound: SQLite takes a partial index only for a literal. */
export const pending = sql.lit("pending" as const);

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
