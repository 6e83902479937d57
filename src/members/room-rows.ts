// Rooms as rows.
import type { Db } from "../store/port.ts";

/** Rooms that stand, with how many are in them. */
export function roomsWithCounts(db: Db) {
  return db
    .selectFrom("rooms as r")
    .leftJoin(
      (from) =>
        from
          .selectFrom("memberships")
          .select((eb) => ["room", eb.fn.countAll<number>().as("members")])
          .where("left_at", "is", null)
          .where("kicked_at", "is", null)
          .groupBy("room")
          .as("c"),
      (on) => on.onRef("c.room", "=", "r.name"),
    )
    .select(["r.name", "r.title", "r.open", "r.stopped", "r.facts", "c.members"])
    .where("r.trashed_at", "is", null)
    .where("r.name", "!=", "_server")
    .orderBy("r.name")
    .execute();
}

export function roomRow(db: Db, name: string) {
  return db.selectFrom("rooms").selectAll().where("name", "=", name).executeTakeFirst();
}

export async function addRoom(db: Db, name: string, title: string, open: boolean, by: string | null, at: number) {
  await db
    .insertInto("rooms")
    .values({
      name,
      title,
      open,
      created_by: by,
      created_at: at,
      trashed_at: null,
      stopped: false,
      facts: 0,
      head: "",
      tasks: 0,
      due: null,
    })
    .execute();
}

export async function renameRoom(db: Db, name: string, title: string): Promise<void> {
  await db.updateTable("rooms").set({ title }).where("name", "=", name).execute();
}

/** G17: whether all stands still there. */
export async function isStopped(db: Db, room: string): Promise<boolean> {
  const row = await db.selectFrom("rooms").select("stopped").where("name", "=", room).executeTakeFirst();
  return row?.stopped ?? false;
}

/** Names of the rooms where something is due by `now` (ms). */
export async function dueRooms(db: Db, now: number): Promise<string[]> {
  const rows = await db.selectFrom("rooms").select("name").where("due", "<=", now).execute();
  return rows.map(({ name }) => name);
}

export async function setStopped(db: Db, name: string, stopped: boolean): Promise<void> {
  await db.updateTable("rooms").set({ stopped }).where("name", "=", name).execute();
}

/** Every table that has rows of a room, the room's own last but the log: its rows go only after it. */
const ofRoom = [
  "memberships",
  "keys",
  "gates",
  "gate_snoozes",
  "gate_openings",
  "room_talk",
  "tasks",
  "task_dependencies",
  "rules",
  "messages",
  "inbox",
  "floors",
  "floor_standings",
  "floor_turns",
  "floor_utterances",
  "notices",
  "standstills",
] as const;

/** Deletes a room with all that is in it, its log too. Members stay. */
export async function deleteRoom(db: Db, name: string): Promise<void> {
  for (const table of ofRoom)
    await db
      .deleteFrom(table as "gates")
      .where("room", "=", name)
      .execute();
  await db.deleteFrom("rooms").where("name", "=", name).execute();
  await db.deleteFrom("log").where("room", "=", name).execute();
}
