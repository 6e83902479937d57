// Floors as rows: the record, read and stored. What is stored again are the columns that changed.
import type { Selectable } from "kysely";
import type { FloorTables } from "../store/migrations/0004_floor.ts";
import type { Db } from "../store/port.ts";
import type { EndedTurn, Floor, Standing, Turn, Utterance } from "./record.ts";

/** With the count of the whole room; none before anybody spoke in it. */
type FloorRow = Selectable<FloorTables["floors"]> & { talk: number | null };
type StandingRow = Selectable<FloorTables["floor_standings"]>;
type TurnRow = Selectable<FloorTables["floor_turns"]>;

function standingOf(row: StandingRow): Standing {
  const { place, arrived, slot_turn, owed_turn, missed, away, unspoken, read, told, news } = row;
  return {
    place,
    request:
      arrived === null
        ? null
        : {
            arrived,
            at: row.asked_at ?? 0,
            urgency: row.urgency ?? "normal",
            purpose: row.purpose ?? "",
            addressed_by: row.addressed_by,
            bypassed: row.bypassed,
            lapses_by: row.lapses_by ?? 0,
          },
    slot: slot_turn === null ? null : { turn: slot_turn, left: row.slot_left },
    owed: owed_turn === null ? null : { turn: owed_turn, left: row.owed_left },
    missed,
    away,
    unspoken,
    read,
    told,
    news,
  };
}

const columnsOfStanding = ({ place, request, slot, owed, missed, away, unspoken, read, told, news }: Standing) => ({
  place,
  arrived: request?.arrived ?? null,
  asked_at: request?.at ?? null,
  urgency: request?.urgency ?? null,
  purpose: request?.purpose ?? null,
  addressed_by: request?.addressed_by ?? null,
  bypassed: request?.bypassed ?? 0,
  lapses_by: request?.lapses_by ?? null,
  slot_turn: slot?.turn ?? null,
  slot_left: slot?.left ?? null,
  owed_turn: owed?.turn ?? null,
  owed_left: owed?.left ?? null,
  missed,
  away,
  unspoken,
  read,
  told,
  news: JSON.stringify(news),
});

const columnsOfFloor = (floor: Floor) => ({
  mode: floor.mode,
  status: floor.status,
  ...floor.settings,
  operators: JSON.stringify(floor.operators),
  turns: floor.turns,
  utterances: floor.utterances,
  arrivals: floor.arrivals,
  notices: floor.notices,
  pointer: floor.pointer,
  quiescent: floor.quiescent,
  handover_by: floor.handover?.by ?? null,
  handover_to: floor.handover?.to ?? null,
  handover_rotates: floor.handover?.rotates ?? null,
  // What the room's count was when this floor last changed; room_talk has the count itself.
  agent_turns: floor.agent_turns,
  capped: floor.capped,
  wrapping: floor.wrapping,
  recent: JSON.stringify(floor.recent),
  lopsided: floor.lopsided,
  questions: JSON.stringify(floor.questions),
});

const columnsOfClock = ({ clock }: Floor, due: number | null) => ({
  clock_time: clock.time,
  clock_wall: clock.wall,
  due,
});

const columnsOfTurn = (turn: Turn | EndedTurn) => ({
  ended: null,
  ended_at: null,
  reason: null,
  utterances: null,
  ...turn,
});

function turnOf(row: TurnRow): Turn {
  const { room: _, channel: __, ended: ___, ended_at: ____, reason: _____, utterances: ______, ...turn } = row;
  return turn;
}

/** A floor's record, or undefined when the channel has none. */
export const find = async (db: Db, room: string, channel: string): Promise<Floor | undefined> =>
  (await load(db, room, [channel]))[0]?.floor;

/** The floors of these channels, with three queries however many they are. */
export const findAll = async (db: Db, room: string, channels: readonly string[]): Promise<Floor[]> =>
  channels.length === 0 ? [] : (await load(db, room, channels)).map(({ floor }) => floor);

/** A floor with the standing of one member only, and when it changes by itself: cheap to look at. */
export const glance = async (db: Db, room: string, channel: string, member: string) =>
  (await load(db, room, [channel], member))[0];

async function load(
  db: Db,
  room: string,
  channels: readonly string[],
  only?: string,
): Promise<Array<{ floor: Floor; due: number | null }>> {
  const rows = await db
    .selectFrom("floors as f")
    .leftJoin("room_talk as k", "k.room", "f.room")
    .selectAll("f")
    .select("k.agent_turns as talk")
    .where("f.room", "=", room)
    .where("f.channel", "in", [...channels])
    .orderBy("f.channel")
    .execute();
  if (rows.length === 0) return [];
  let standings = db
    .selectFrom("floor_standings")
    .selectAll()
    .where("room", "=", room)
    .where("channel", "in", [...channels]);
  if (only !== undefined) standings = standings.where("member", "=", only);
  const stood = grouped(await standings.execute());
  const turned = grouped(await lastTurns(db, room, channels));
  return rows.map((row) => ({
    floor: floorOf(row, stood.get(row.channel) ?? [], turned.get(row.channel) ?? []),
    due: row.due,
  }));
}

/** The open turn, if any, is the newest; the one before it, or the newest, is the last that ended. */
const lastTurns = (db: Db, room: string, channels: readonly string[]) =>
  db
    .selectFrom("floors as f")
    .innerJoin("floor_turns as t", (on) => on.onRef("t.room", "=", "f.room").onRef("t.channel", "=", "f.channel"))
    .selectAll("t")
    .where("f.room", "=", room)
    .where("f.channel", "in", [...channels])
    .where((eb) => eb("t.number", ">=", eb("f.turns", "-", 1)))
    .execute();

function grouped<T extends { channel: string }>(rows: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const group = groups.get(row.channel);
    if (group) group.push(row);
    else groups.set(row.channel, [row]);
  }
  return groups;
}

function floorOf(row: FloorRow, members: readonly StandingRow[], turns: readonly TurnRow[]): Floor {
  const open = turns.find(({ ended }) => ended === null);
  const last = turns.filter(({ ended }) => ended !== null).sort((a, b) => b.number - a.number)[0];
  return {
    channel: row.channel,
    mode: row.mode,
    status: row.status,
    settings: {
      hold_seconds: row.hold_seconds,
      max_turn_seconds: row.max_turn_seconds,
      ack_seconds: row.ack_seconds,
      gate_pause_seconds: row.gate_pause_seconds,
      max_bypass: row.max_bypass,
      max_agent_turns: row.max_agent_turns,
    },
    operators: row.operators,
    standings: new Map(members.map((standing) => [standing.member, standingOf(standing)])),
    turn: open ? turnOf(open) : null,
    last:
      last && last.ended !== null
        ? {
            number: last.number,
            seat: last.seat,
            ended: last.ended,
            reason: last.reason,
            utterances: last.utterances ?? 0,
          }
        : null,
    turns: row.turns,
    utterances: row.utterances,
    arrivals: row.arrivals,
    notices: row.notices,
    pointer: row.pointer,
    quiescent: row.quiescent,
    handover:
      row.handover_rotates === null
        ? null
        : { by: row.handover_by, to: row.handover_to, rotates: row.handover_rotates },
    agent_turns: row.talk ?? 0,
    capped: row.capped,
    wrapping: row.wrapping,
    recent: row.recent,
    lopsided: row.lopsided,
    questions: row.questions,
    clock: { time: row.clock_time, wall: row.clock_wall },
  };
}

/** The values of `after` that `before` has otherwise; null when there are none. */
function changed<T extends Record<string, unknown>>(before: T, after: T): Partial<T> | null {
  const entries = Object.entries(after).filter(([column, value]) => before[column] !== value);
  return entries.length === 0 ? null : (Object.fromEntries(entries) as Partial<T>);
}

export interface Next {
  floor: Floor;
  ended: readonly EndedTurn[];
  said: Utterance | null;
  due: number | null;
}

/** Stores a new floor. */
export async function insert(db: Db, room: string, floor: Floor): Promise<void> {
  await db
    .insertInto("floors")
    .values({ room, channel: floor.channel, ...columnsOfFloor(floor), ...columnsOfClock(floor, null) })
    .execute();
}

/** Notes when the floor changes by itself next. */
export async function putDue(db: Db, room: string, floor: Floor, due: number | null): Promise<void> {
  await db
    .updateTable("floors")
    .set(columnsOfClock(floor, due))
    .where("room", "=", room)
    .where("channel", "=", floor.channel)
    .execute();
}

/** Stores what became of one member's standing `was`. */
export async function putStanding(
  db: Db,
  of: { room: string; channel: string; member: string },
  was: Standing | undefined,
  standing: Standing,
): Promise<void> {
  if (was === standing) return;
  const columns = columnsOfStanding(standing);
  if (!was) {
    await db
      .insertInto("floor_standings")
      .values({ ...of, ...columns })
      .execute();
    return;
  }
  const change = changed<typeof columns>(columnsOfStanding(was), columns);
  if (change)
    await db
      .updateTable("floor_standings")
      .set(change)
      .where("room", "=", of.room)
      .where("channel", "=", of.channel)
      .where("member", "=", of.member)
      .execute();
}

/** Stores how many turns agents have had in the room without a person: one count for all its floors. */
async function putTalk(db: Db, room: string, agent_turns: number): Promise<void> {
  await db
    .insertInto("room_talk")
    .values({ room, agent_turns })
    .onConflict((c) => c.column("room").doUpdateSet({ agent_turns }))
    .execute();
}

/** Stores what became of `before`. Where nothing but time has passed, it stores nothing. */
export async function put(db: Db, room: string, before: Floor, { floor, ended, said, due }: Next): Promise<void> {
  const { channel } = floor;
  const own = changed<ReturnType<typeof columnsOfFloor>>(columnsOfFloor(before), columnsOfFloor(floor));
  if (own || floor.turn !== before.turn)
    await db
      .updateTable("floors")
      .set({ ...own, ...columnsOfClock(floor, due) })
      .where("room", "=", room)
      .where("channel", "=", channel)
      .execute();
  if (floor.agent_turns !== before.agent_turns) await putTalk(db, room, floor.agent_turns);
  for (const [member, standing] of floor.standings)
    await putStanding(db, { room, channel, member }, before.standings.get(member), standing);
  // Ended ones first: at most one is open at any time.
  for (const turn of [...ended, ...(floor.turn && floor.turn !== before.turn ? [floor.turn] : [])]) {
    const { number, ...columns } = columnsOfTurn(turn);
    await db
      .insertInto("floor_turns")
      .values({ room, channel, number, ...columns })
      .onConflict((c) => c.columns(["room", "channel", "number"]).doUpdateSet(columns))
      .execute();
  }
  if (said)
    await db
      .insertInto("floor_utterances")
      .values({ room, channel, ...said })
      .execute();
}

/** Every turn of a floor, ascending. */
export function turnsOf(db: Db, room: string, channel: string) {
  return db
    .selectFrom("floor_turns")
    .select(["number", "seat", "since", "ended_at", "asked", "ended", "reason", "utterances", "waited", "bypassed"])
    .where("room", "=", room)
    .where("channel", "=", channel)
    .orderBy("number")
    .execute();
}

/** How a turn of `seat` ended. */
export async function endingOf(db: Db, room: string, channel: string, number: number, seat: string) {
  const row = await db
    .selectFrom("floor_turns")
    .select(["ended", "reason", "utterances"])
    .where("room", "=", room)
    .where("channel", "=", channel)
    .where("number", "=", number)
    .where("seat", "=", seat)
    .executeTakeFirst();
  return row && row.ended !== null ? { ended: row.ended, reason: row.reason, utterances: row.utterances ?? 0 } : null;
}

/** Who holds which floor of the room, as stored. */
export function holdersOf(db: Db, room: string): Promise<Array<{ seat: string; channel: string; turn: number }>> {
  return db
    .selectFrom("floor_turns")
    .select(["seat", "channel", "number as turn"])
    .where("room", "=", room)
    .where("ended", "is", null)
    .orderBy("channel")
    .execute();
}
