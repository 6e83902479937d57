// When floors change by themselves, as rows.
import { sql } from "kysely";
import { askingIn } from "../gates/rows.ts";
import type { Db } from "../store/port.ts";
import { clockAt } from "./timing.ts";

/** Written out, not bound: SQLite takes a partial index only for a literal. */
const open = sql.lit("open" as const);

/** The channels whose floor changes by itself by `now`. */
export async function dueChannels(db: Db, room: string, now: number): Promise<string[]> {
  const rows = await db
    .selectFrom("floors")
    .select("channel")
    .where("room", "=", room)
    .where("due", "<=", now)
    .orderBy("channel")
    .execute();
  return rows.map(({ channel }) => channel);
}

/** The channels whose holder, or who has lost its turn so, has begun or ceased to wait for a person (R20). */
export async function channelsToHeed(db: Db, room: string, now: number): Promise<string[]> {
  const asking = await askingIn(db, room, now);
  const turns = await db
    .selectFrom("floor_turns")
    .select(["channel", "seat", "asks_since"])
    .where("room", "=", room)
    .where("ended", "is", null)
    .execute();
  const owed = await db
    .selectFrom("floor_standings")
    .select(["channel", "member"])
    .where("room", "=", room)
    .where("owed_turn", "is not", null)
    .where("away", "=", false)
    .execute();
  return [
    ...turns.filter(({ seat, asks_since }) => asking.has(seat) !== (asks_since !== null)),
    ...owed.filter(({ member }) => !asking.has(member)),
  ].map(({ channel }) => channel);
}

/** The rooms where something on a floor is running out. */
export async function roomsRunning(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom("floors")
    .select("room")
    .distinct()
    .where("status", "=", open)
    .where("due", "is not", null)
    .execute();
  return rows.map(({ room }) => room);
}

/** Notes the time on the floors of a room (T3); where it went less far than the wall clock, what is due moves. */
export async function noteTimeIn(db: Db, room: string, now: number): Promise<void> {
  const running = await db
    .selectFrom("floors")
    .select(["channel", "status", "clock_time", "clock_wall", "due"])
    .where("room", "=", room)
    .where("status", "=", open)
    .where("due", "is not", null)
    .execute();
  for (const { channel, status, clock_time, clock_wall, due } of running) {
    const clock = clockAt({ status, clock: { time: clock_time, wall: clock_wall } }, now);
    const left = (due ?? 0) - clock_wall - (clock.time - clock_time);
    await db
      .updateTable("floors")
      .set({ clock_time: clock.time, clock_wall: clock.wall, due: now + left })
      .where("room", "=", room)
      .where("channel", "=", channel)
      .execute();
  }
  const next = await nextDue(db, room);
  // After a clock that went back, the room has to be looked at earlier than it thought.
  await db.updateTable("rooms").set({ due: next }).where("name", "=", room).where("due", ">", next).execute();
}

/** When the next floor of the room changes by itself (ms). */
export async function nextDue(db: Db, room: string): Promise<number | null> {
  const row = await db
    .selectFrom("floors")
    .select("due")
    .where("room", "=", room)
    .where("due", "is not", null)
    .orderBy("due")
    .limit(1)
    .executeTakeFirst();
  return row?.due ?? null;
}
