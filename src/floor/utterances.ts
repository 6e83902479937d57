// What was said, as rows.
import type { Db } from "../store/port.ts";
import type { Utterance } from "./record.ts";

const utteranceColumns = [
  "id",
  "turn",
  "speaker",
  "text",
  "at",
  "kind",
  "from_person",
  "addressed_to",
  "expects_reply",
] as const;

/** What was said after number `after`, ascending, at most `limit`. */
export function utterancesAfter(
  db: Db,
  room: string,
  channel: string,
  after: number,
  limit: number,
): Promise<Utterance[]> {
  return db
    .selectFrom("floor_utterances")
    .select(utteranceColumns)
    .where("room", "=", room)
    .where("channel", "=", channel)
    .where("id", ">", after)
    .orderBy("id")
    .limit(limit)
    .execute();
}

/** What others than `reader` said after number `after`, newest first, at most `limit`. */
export function newestOfOthers(
  db: Db,
  room: string,
  channel: string,
  reader: string,
  after: number,
  limit: number,
): Promise<Utterance[]> {
  return db
    .selectFrom("floor_utterances")
    .select(utteranceColumns)
    .where("room", "=", room)
    .where("channel", "=", channel)
    .where("id", ">", after)
    .where("speaker", "!=", reader)
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

/** These utterances of a floor. */
export function utterancesOf(db: Db, room: string, channel: string, ids: readonly number[]): Promise<Utterance[]> {
  return db
    .selectFrom("floor_utterances")
    .select(utteranceColumns)
    .where("room", "=", room)
    .where("channel", "=", channel)
    .where("id", "in", ids)
    .orderBy("id")
    .execute();
}

/** These utterances of several floors, each with its channel, in the order of their numbers. */
export async function utterancesIn(
  db: Db,
  room: string,
  which: ReadonlyArray<{ channel: string; utterance: number }>,
): Promise<Array<Utterance & { channel: string }>> {
  if (which.length === 0) return [];
  const wanted = new Set(which.map(({ channel, utterance }) => `${utterance} ${channel}`));
  const found = await db
    .selectFrom("floor_utterances")
    .select([...utteranceColumns, "channel"])
    .where("room", "=", room)
    .where("channel", "in", [...new Set(which.map(({ channel }) => channel))])
    .where("id", "in", [...new Set(which.map(({ utterance }) => utterance))])
    .execute();
  return found.filter(({ channel, id }) => wanted.has(`${id} ${channel}`)).sort((a, b) => a.id - b.id);
}

/** How many characters each member said. */
export async function charactersOf(db: Db, room: string, channel: string): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom("floor_utterances")
    .select(({ fn }) => ["speaker", fn.sum(fn<number>("length", ["text"])).as("characters")])
    .where("room", "=", room)
    .where("channel", "=", channel)
    .groupBy("speaker")
    .execute();
  return new Map(rows.map(({ speaker, characters }) => [speaker, Number(characters)]));
}
