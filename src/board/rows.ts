// Tasks as rows: with next.ts and lease-rows.ts the slice's only SQL.
import { sql } from "kysely";
import type { Db } from "../store/port.ts";
import type { WaitsFor } from "./claim.ts";
import { arranged } from "./order.ts";
import { contains, type Found, putWords, search } from "./search.ts";
import { isFinal, type Status, type Task } from "./task.ts";

const text = (task: Task) => ({
  ...arranged(task),
  skills: JSON.stringify(task.skills),
  refs: JSON.stringify(task.refs),
  rounds: JSON.stringify(task.rounds),
  notes: JSON.stringify(task.notes),
});

/** The room's next task number. */
export async function takeNumber(db: Db, room: string): Promise<number> {
  const row = await db
    .updateTable("rooms")
    .set((eb) => ({ tasks: eb("tasks", "+", 1) }))
    .where("name", "=", room)
    .returning("tasks")
    .executeTakeFirstOrThrow();
  return row.tasks;
}

/** The nearest deadline of anything in the room (ms). */
export async function roomDue(db: Db, room: string): Promise<number | null> {
  const row = await db.selectFrom("rooms").select("due").where("name", "=", room).executeTakeFirst();
  return row?.due ?? null;
}

export function find(db: Db, room: string, id: number): Promise<Task | undefined> {
  return db.selectFrom("tasks").selectAll().where("room", "=", room).where("id", "=", id).executeTakeFirst();
}

export function byIds(db: Db, room: string, ids: readonly number[]): Promise<Task[]> {
  return db
    .selectFrom("tasks")
    .selectAll()
    .where("room", "=", room)
    .where("id", "in", [...ids])
    .orderBy("id")
    .execute();
}

export async function insert(db: Db, task: Task): Promise<void> {
  await db.insertInto("tasks").values(text(task)).execute();
  await putWords(db, task);
}

export async function put(db: Db, task: Task): Promise<void> {
  const { room, id, ...rest } = text(task);
  await db.updateTable("tasks").set(rest).where("room", "=", room).where("id", "=", id).execute();
}

export interface Filter {
  status?: Status | undefined;
  assignee?: string | undefined;
  parent_id?: number | undefined;
  /** In title or description, in upper or lower case. */
  text?: string | undefined;
  after?: number | undefined;
  limit: number;
}

/** Compares without an index: for what only narrows down what another index finds. PostgreSQL knows by its figures. */
const unindexed = (column: string) => sql<string | number>`coalesce(${sql.ref(column)}, null)`;

/** Where the other filters leave so few, they are read and no index of words. */
const few = 300;

/** By number. */
export async function list(db: Db, room: string, filter: Filter): Promise<Found> {
  const { text, status, assignee, parent_id, limit } = filter;
  if (text === undefined) return { tasks: await filtered(db, room, filter) };
  if (status !== undefined || assignee !== undefined || parent_id !== undefined) {
    const left = await filtered(db, room, { ...filter, limit: few + 1 });
    if (left.length <= few) return { tasks: left.filter((task) => contains(task, text)).slice(0, limit) };
  }
  return search(db, room, { ...filter, text });
}

/** By number, whatever its text. Whichever of parent, assignee and state finds the fewest has the index. */
function filtered(db: Db, room: string, { status, assignee, parent_id, after, limit }: Filter): Promise<Task[]> {
  let query = db.selectFrom("tasks").selectAll().where("room", "=", room);
  if (parent_id !== undefined) query = query.where("parent_id", "=", parent_id);
  if (assignee !== undefined)
    query = query.where(parent_id === undefined ? sql.ref("assignee") : unindexed("assignee"), "=", assignee);
  if (status) query = query.where(parent_id === undefined ? sql.ref("status") : unindexed("status"), "=", status);
  if (after !== undefined) query = query.where("id", ">", after);
  return query.orderBy("id").limit(limit).execute();
}

/** Done and cancelled ones, newest first. */
export async function newestFinal(db: Db, room: string, limit: number): Promise<Task[]> {
  const both = [...(await newest(db, room, "done", limit)), ...(await newest(db, room, "cancelled", limit))];
  return both.sort((a, b) => b.id - a.id).slice(0, limit);
}

const newest = (db: Db, room: string, status: Status, limit: number): Promise<Task[]> =>
  db
    .selectFrom("tasks")
    .selectAll()
    .where("room", "=", room)
    .where("status", "=", status)
    .orderBy("id", "desc")
    .limit(limit)
    .execute();

/** Of the open, the claimed and the submitted ones the newest `limit` each, by number. */
export async function newestUnfinished(db: Db, room: string, limit: number): Promise<Task[]> {
  const found = [];
  for (const status of ["open", "claimed", "submitted"] as const)
    found.push(...(await newest(db, room, status, limit)));
  return found.sort((a, b) => a.id - b.id);
}

/** How many tasks of a room have each status; triggers keep the counts. */
export function counts(db: Db, room: string): Promise<Array<{ status: Status; n: number }>> {
  return db.selectFrom("task_counts").select(["status", "n"]).where("room", "=", room).execute();
}

/** The same over all rooms that stand. */
export function countsEverywhere(db: Db): Promise<Array<{ status: Status; n: number }>> {
  return db
    .selectFrom("task_counts as c")
    .innerJoin("rooms as r", "r.name", "c.room")
    .select(["c.status", "c.n"])
    .where("r.trashed_at", "is", null)
    .execute();
}

/** The children of these tasks that are neither done nor cancelled. */
export async function openChildren(db: Db, room: string, ids: readonly number[]): Promise<Task[]> {
  const found = await db
    .selectFrom("tasks")
    .selectAll()
    .where("room", "=", room)
    .where("parent_id", "in", [...ids])
    .execute();
  return found.filter((task) => !isFinal(task)).sort((a, b) => a.id - b.id);
}

/** A whole tree, by number. */
export function ofRoot(db: Db, room: string, root: number): Promise<Task[]> {
  return db
    .selectFrom("tasks")
    .selectAll()
    .where("room", "=", room)
    .where("root_id", "=", root)
    .orderBy("id")
    .execute();
}

/** What these tasks depend on, by number. */
export async function dependenciesOf(
  db: Db,
  room: string,
  ids: readonly number[],
): Promise<Array<{ task_id: number; id: number; status: Status }>> {
  const found = await db
    .selectFrom("task_dependencies as d")
    .innerJoin("tasks as t", (on) => on.onRef("t.room", "=", "d.room").onRef("t.id", "=", "d.depends_on"))
    .select(["d.task_id", "t.id", "t.status"])
    .where("d.room", "=", room)
    .where("d.task_id", "in", [...ids])
    .execute();
  // Sorted here: for an order by the task SQLite would walk every task of the room.
  return found.sort((a, b) => a.id - b.id);
}

/** Unfinished tasks that depend on one of these. */
export async function dependents(db: Db, room: string, ids: readonly number[]): Promise<Task[]> {
  const found = await db
    .selectFrom("task_dependencies as d")
    .innerJoin("tasks as t", (on) => on.onRef("t.room", "=", "d.room").onRef("t.id", "=", "d.task_id"))
    .selectAll("t")
    .where("d.room", "=", room)
    .where("d.depends_on", "in", [...ids])
    .execute();
  const each = new Map(found.filter((task) => !isFinal(task)).map((task) => [task.id, task]));
  return [...each.values()].sort((a, b) => a.id - b.id);
}

/** The numbers of what depends on these, and of their parents. */
export async function neighbours(db: Db, room: string, ids: readonly number[]): Promise<number[]> {
  const on = await db
    .selectFrom("task_dependencies")
    .select("task_id as id")
    .where("room", "=", room)
    .where("depends_on", "in", [...ids])
    .execute();
  // Whole, though only their parents are meant: for the parent alone SQLite reads an index of all tasks of the room.
  const parents = (await byIds(db, room, ids)).map(({ parent_id }) => parent_id);
  return [...new Set([...on.map(({ id }) => id), ...parents])].filter((id) => id !== null);
}

export async function putDependencies(db: Db, room: string, id: number, on: readonly number[]): Promise<void> {
  await db.deleteFrom("task_dependencies").where("room", "=", room).where("task_id", "=", id).execute();
  if (on.length === 0) return;
  await db
    .insertInto("task_dependencies")
    .values(on.map((depends_on) => ({ room, task_id: id, depends_on })))
    .execute();
}

export async function waitsFor(db: Db, task: Task): Promise<WaitsFor> {
  const children = await openChildren(db, task.room, [task.id]);
  const dependencies = await dependenciesOf(db, task.room, [task.id]);
  return {
    children: children.map(({ id }) => id),
    dependencies: dependencies.filter(({ status }) => status !== "done"),
  };
}

/** Tasks with an open blocker. */
export async function blocked(db: Db, room: string): Promise<number[]> {
  const rows = await db
    .selectFrom("gates")
    .select("task_id")
    .distinct()
    .where("room", "=", room)
    .where("status", "=", sql.lit("pending"))
    .where("kind", "=", "blocker")
    .where("task_id", "is not", null)
    .execute();
  return rows.flatMap(({ task_id }) => (task_id === null ? [] : [task_id]));
}

/** What of the room's unfinished tasks is tied to a member. */
export async function tiedTo(db: Db, room: string, member: string): Promise<Task[]> {
  const tied = new Map<number, Task>();
  for (const column of ["assignee", "reviewer"] as const)
    for (const status of ["open", "claimed", "submitted"] as const) {
      const found = await db
        .selectFrom("tasks")
        .selectAll()
        .where(column, "=", member)
        .where("status", "=", status)
        .where("room", "=", room)
        .execute();
      for (const task of found) tied.set(task.id, task);
    }
  return [...tied.values()].sort((a, b) => a.id - b.id);
}

/** What a member has claimed, in rooms that stand. */
export async function claimedBy(db: Db, member: string) {
  const found = await db
    .selectFrom("tasks as t")
    .innerJoin("rooms as r", "r.name", "t.room")
    .leftJoin("members as c", "c.name", "t.creator")
    .select(["t.room", "t.id", "t.title", "t.status", "t.creator", "c.kind"])
    .where("t.assignee", "=", member)
    .where("t.status", "=", "claimed")
    .where("r.trashed_at", "is", null)
    .orderBy("t.room")
    .orderBy("t.id")
    .execute();
  return found.map(authored);
}

/** M6: a title is its task's creator's words. */
function authored<T extends { creator: string; kind: "agent" | "person" | null }>({ creator, kind, ...task }: T) {
  return { ...task, from: creator, ...(kind === "person" && { from_person: true as const }) };
}

/** The newest that are claimed in a room, by number. */
export async function claimedIn(db: Db, room: string, limit: number) {
  const found = await db
    .selectFrom("tasks")
    .select(["id", "title", "status", "assignee"])
    .where("room", "=", room)
    .where("status", "=", "claimed")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return found.reverse();
}

/**
 * Submitted tasks that wait for this member's review, in rooms that stand: those that name it, and for a `reviewer`
 * of the room those that name nobody. At most 20.
 */
export async function toReview(db: Db, member: string): Promise<Array<{ room: string; task_id: number }>> {
  const inRooms = db
    .selectFrom("memberships as s")
    .innerJoin("rooms as r", "r.name", "s.room")
    .where("s.member", "=", member)
    .where("r.trashed_at", "is", null)
    .where("s.left_at", "is", null)
    .where("s.kicked_at", "is", null);
  const found: Array<{ room: string; task_id: number }> = [];
  for (const { room, role } of await inRooms.select(["s.room", "s.role"]).orderBy("s.room").execute()) {
    if (found.length >= 20) break;
    const submitted = db
      .selectFrom("tasks")
      .select(["room", "id as task_id"])
      .where("room", "=", room)
      .where("status", "=", sql.lit("submitted" as const))
      .orderBy("id")
      .limit(20 - found.length);
    found.push(...(await submitted.where("reviewer", "=", member).execute()));
    if (role === "reviewer")
      found.push(...(await submitted.where("reviewer", "is", null).where("assignee", "!=", member).execute()));
  }
  return found.sort((a, b) => (a.room === b.room ? a.task_id - b.task_id : a.room < b.room ? -1 : 1)).slice(0, 20);
}

/** Open tasks that wait for this member to claim them: assigned to it, or sent back after its own work on them. */
export async function toClaim(db: Db, member: string) {
  const waiting = db
    .selectFrom("tasks as t")
    .innerJoin("rooms as r", "r.name", "t.room")
    .leftJoin("members as c", "c.name", "t.creator")
    .select(["t.room", "t.id as task_id", "t.title", "t.assignee", "t.rounds", "t.creator", "c.kind"])
    .where("t.status", "=", "open")
    .where("r.trashed_at", "is", null)
    .orderBy("t.room")
    .orderBy("t.id")
    .limit(20);
  const found = [
    ...(await waiting.where("t.assignee", "=", member).execute()),
    ...(await waiting.where("t.last_assignee", "=", member).where("t.assignee", "is", null).execute()),
  ];
  return found.flatMap(({ assignee, rounds, ...task }) => {
    const last = rounds.at(-1);
    const rejected = last?.by === member && last.verdict === "reject";
    if (assignee !== member && !rejected) return [];
    return [
      {
        ...authored(task),
        ...(assignee === member && { assigned: true }),
        ...(rejected && { rejected: last.note ?? true, rejected_by: last.reviewer }),
      },
    ];
  });
}
