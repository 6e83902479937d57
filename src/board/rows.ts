// Tasks as rows: with next.ts and lease-rows.ts the slice's only SQL.
import { type SqlBool, sql } from "kysely";
import type { Db } from "../store/port.ts";
import type { WaitsFor } from "./claim.ts";
import { arranged } from "./order.ts";
import type { Status, Task } from "./task.ts";

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
}

export async function put(db: Db, task: Task): Promise<void> {
  const { room, id, ...rest } = text(task);
  await db.updateTable("tasks").set(rest).where("room", "=", room).where("id", "=", id).execute();
}

export interface Filter {
  status?: Status | undefined;
  assignee?: string | undefined;
  parent_id?: number | undefined;
  /** In title or description; only ASCII letters are told apart from their case. */
  text?: string | undefined;
  after?: number | undefined;
  limit: number;
}

const lower = (words: string): string => words.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
const literally = (words: string): string => words.replace(/[\\%_]/g, "\\$&");

/** By number. */
export function list(db: Db, room: string, filter: Filter): Promise<Task[]> {
  let query = db.selectFrom("tasks").selectAll().where("room", "=", room);
  if (filter.status) query = query.where("status", "=", filter.status);
  if (filter.assignee !== undefined) query = query.where("assignee", "=", filter.assignee);
  if (filter.parent_id !== undefined) query = query.where("parent_id", "=", filter.parent_id);
  if (filter.after !== undefined) query = query.where("id", ">", filter.after);
  if (filter.text !== undefined) {
    const pattern = `%${literally(lower(filter.text))}%`;
    const like = (column: string) => sql<SqlBool>`lower(${sql.ref(column)}) like ${pattern} escape '\\'`;
    query = query.where((eb) => eb.or([like("title"), like("description")]));
  }
  return query.orderBy("id").limit(filter.limit).execute();
}

/** Done and cancelled ones, newest first. */
export async function newestFinal(db: Db, room: string, limit: number): Promise<Task[]> {
  const each = async (status: Status) =>
    db
      .selectFrom("tasks")
      .selectAll()
      .where("room", "=", room)
      .where("status", "=", status)
      .orderBy("id", "desc")
      .limit(limit)
      .execute();
  const both = [...(await each("done")), ...(await each("cancelled"))];
  return both.sort((a, b) => b.id - a.id).slice(0, limit);
}

/** Open, claimed and submitted ones, by number. */
export function unfinished(db: Db, room: string): Promise<Task[]> {
  return db
    .selectFrom("tasks")
    .selectAll()
    .where("room", "=", room)
    .where("status", "in", ["open", "claimed", "submitted"])
    .orderBy("id")
    .execute();
}

export function counts(db: Db, room: string): Promise<Array<{ status: Status; n: number }>> {
  return db
    .selectFrom("tasks")
    .select((eb) => ["status", eb.fn.countAll<number>().as("n")])
    .where("room", "=", room)
    .groupBy("status")
    .execute();
}

/** The children of these tasks that are neither done nor cancelled. */
export function openChildren(db: Db, room: string, ids: readonly number[]): Promise<Task[]> {
  return db
    .selectFrom("tasks")
    .selectAll()
    .where("room", "=", room)
    .where("parent_id", "in", [...ids])
    .where("status", "in", ["open", "claimed", "submitted"])
    .orderBy("id")
    .execute();
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

export function dependenciesOf(
  db: Db,
  room: string,
  ids: readonly number[],
): Promise<Array<{ task_id: number; id: number; status: Status }>> {
  return db
    .selectFrom("task_dependencies as d")
    .innerJoin("tasks as t", (on) => on.onRef("t.room", "=", "d.room").onRef("t.id", "=", "d.depends_on"))
    .select(["d.task_id", "t.id", "t.status"])
    .where("d.room", "=", room)
    .where("d.task_id", "in", [...ids])
    .orderBy("t.id")
    .execute();
}

/** Unfinished tasks that depend on one of these. */
export function dependents(db: Db, room: string, ids: readonly number[]): Promise<Task[]> {
  return db
    .selectFrom("tasks as t")
    .selectAll()
    .where("room", "=", room)
    .where("status", "in", ["open", "claimed", "submitted"])
    .where("id", "in", (eb) =>
      eb
        .selectFrom("task_dependencies")
        .select("task_id")
        .where("room", "=", room)
        .where("depends_on", "in", [...ids]),
    )
    .orderBy("id")
    .execute();
}

/** The numbers of what depends on these, and of their parents. */
export async function neighbours(db: Db, room: string, ids: readonly number[]): Promise<number[]> {
  const on = await db
    .selectFrom("task_dependencies")
    .select("task_id as id")
    .where("room", "=", room)
    .where("depends_on", "in", [...ids])
    .execute();
  const parents = await db
    .selectFrom("tasks")
    .select("parent_id as id")
    .where("room", "=", room)
    .where("id", "in", [...ids])
    .execute();
  return [...new Set([...on, ...parents].flatMap(({ id }) => id ?? []))];
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
export function tiedTo(db: Db, room: string, member: string): Promise<Task[]> {
  return db
    .selectFrom("tasks")
    .selectAll()
    .where("room", "=", room)
    .where("status", "in", ["open", "claimed", "submitted"])
    .where((eb) => eb.or([eb("assignee", "=", member), eb("reviewer", "=", member)]))
    .orderBy("id")
    .execute();
}

/** What a member has claimed, in rooms that stand. */
export function claimedBy(db: Db, member: string) {
  return db
    .selectFrom("tasks as t")
    .innerJoin("rooms as r", "r.name", "t.room")
    .select(["t.room", "t.id", "t.title", "t.status"])
    .where("t.assignee", "=", member)
    .where("t.status", "=", "claimed")
    .where("r.trashed_at", "is", null)
    .orderBy("t.room")
    .orderBy("t.id")
    .execute();
}

/** What is claimed in a room, by number. */
export function claimedIn(db: Db, room: string) {
  return db
    .selectFrom("tasks")
    .select(["id", "title", "status", "assignee"])
    .where("room", "=", room)
    .where("status", "=", "claimed")
    .orderBy("id")
    .execute();
}

/**
 * Submitted tasks that wait for this member's review, in rooms that stand: those that name it, and for a `reviewer`
 * of the room those that name nobody.
 */
export function toReview(db: Db, member: string) {
  return db
    .selectFrom("tasks as t")
    .innerJoin("rooms as r", "r.name", "t.room")
    .innerJoin("memberships as s", (on) => on.onRef("s.room", "=", "t.room").on("s.member", "=", member))
    .select(["t.room", "t.id as task_id"])
    .where("t.status", "=", "submitted")
    .where("r.trashed_at", "is", null)
    .where("s.left_at", "is", null)
    .where("s.kicked_at", "is", null)
    .where((eb) =>
      eb.or([
        eb("t.reviewer", "=", member),
        eb.and([eb("s.role", "=", "reviewer"), eb("t.reviewer", "is", null), eb("t.assignee", "!=", member)]),
      ]),
    )
    .orderBy("t.room")
    .orderBy("t.id")
    .limit(20)
    .execute();
}

/** Open tasks that wait for this member to claim them: assigned to it, or sent back after its own work on them. */
export async function toClaim(db: Db, member: string) {
  const found = await db
    .selectFrom("tasks as t")
    .innerJoin("rooms as r", "r.name", "t.room")
    .select(["t.room", "t.id as task_id", "t.title", "t.assignee", "t.rounds"])
    .where("t.status", "=", "open")
    .where("r.trashed_at", "is", null)
    .where((eb) => eb.or([eb("t.assignee", "=", member), eb("t.last_assignee", "=", member)]))
    .orderBy("t.room")
    .orderBy("t.id")
    .limit(20)
    .execute();
  return found.flatMap(({ assignee, rounds, ...task }) => {
    const last = rounds.at(-1);
    const rejected = last?.by === member && last.verdict === "reject";
    if (assignee !== member && !rejected) return [];
    return [
      { ...task, ...(assignee === member && { assigned: true }), ...(rejected && { rejected: last.note ?? true }) },
    ];
  });
}
