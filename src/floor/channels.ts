// Which channels of a room have a floor that is not closed, and how a member stands to those: what has ended is never
// read for it.
import { sql } from "kysely";
import type { Db } from "../store/port.ts";

/** Written out, not bound: SQLite takes a partial index only for a literal. */
const closed = sql.lit("closed" as const);

/** The channels of a room whose floor is not closed, by name. */
export async function openChannels(db: Db, room: string): Promise<string[]> {
  const rows = await db
    .selectFrom("floors")
    .select("channel")
    .where("room", "=", room)
    .where("status", "!=", closed)
    .orderBy("channel")
    .execute();
  return rows.map(({ channel }) => channel);
}

/** The channels whose floor was closed last, newest first. */
export async function lastClosed(db: Db, room: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom("floors")
    .select("channel")
    .where("room", "=", room)
    .where("status", "=", closed)
    .orderBy("clock_wall", "desc")
    .limit(limit)
    .execute();
  return rows.map(({ channel }) => channel);
}

/** Whether a member was named operator of a floor that is not closed, in any room. */
export async function isNamedOperator(db: Db, member: string): Promise<boolean> {
  const named = await db.selectFrom("floors").select("operators").where("status", "!=", closed).execute();
  return named.some(({ operators }) => operators.includes(member));
}

/** How a member stands to every floor that is not closed, in every room, with the turn it has there. */
export async function standingsOf(db: Db, member: string) {
  const rows = await db
    .selectFrom("floors as f")
    // Crossed, so that SQLite begins at the floors that are not closed: a member's standings are as many as all floors
    // that ever knew it.
    .crossJoin("floor_standings as s")
    .leftJoin("floor_turns as t", (on) =>
      on
        .onRef("t.room", "=", "s.room")
        .onRef("t.channel", "=", "s.channel")
        .onRef("t.seat", "=", "s.member")
        .on("t.ended", "is", null),
    )
    .select(["s.room", "s.channel", "s.place", "s.arrived", "s.slot_turn", "s.news"])
    .select(["f.status", "f.clock_time", "f.clock_wall", "f.gate_pause_seconds", "f.questions"])
    .select(["t.number", "t.answer_by", "t.speak_by", "t.end_by", "t.asks_since", "t.asked"])
    .where("f.status", "!=", closed)
    .whereRef("s.room", "=", "f.room")
    .whereRef("s.channel", "=", "f.channel")
    .where("s.member", "=", member)
    .orderBy("s.room")
    .orderBy("s.channel")
    .execute();
  return rows.map(({ room, channel, place, arrived, slot_turn, news, status, ...rest }) => {
    const { clock_time, clock_wall, gate_pause_seconds, questions, number, speak_by, asked, ...deadlines } = rest;
    return {
      room,
      channel,
      place,
      waits: arrived !== null || slot_turn !== null,
      news,
      status,
      clock: { time: clock_time, wall: clock_wall },
      gate_pause_seconds,
      questions: questions.filter(({ to }) => to === member),
      turn: number === null || speak_by === null ? null : { ...deadlines, number, speak_by, asked: asked ?? 0 },
    };
  });
}
