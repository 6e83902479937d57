// One log per room: numbered without gap, each row hashed over itself and the one before.
// Audit trail, dashboard's cursor and what waiters look at, in one.
import canonicalize from "canonicalize";
import type { NewFact } from "./action.ts";
import { sha256 } from "./ids.ts";
import type { Db } from "./store/port.ts";

export interface Fact {
  seq: number;
  at: number;
  member: string | null;
  action: string;
  subject: string;
  addressee: string | null;
  outcome: string;
  data: Record<string, unknown>;
}

interface Row extends Fact {
  room: string;
  prev: string;
  hash: string;
}

const hashOf = (row: Omit<Row, "hash">): string =>
  sha256(
    canonicalize([
      row.room,
      row.seq,
      row.at,
      row.member,
      row.action,
      row.subject,
      row.addressee,
      row.outcome,
      row.data,
      row.prev,
    ]) as string,
  );

const columns = ["seq", "at", "member", "action", "subject", "addressee", "outcome", "data"] as const;

/** Where a room's log stands: number and hash of its last fact. */
export interface Head {
  facts: number;
  head: string;
}

/** Appends `facts` after `head` in the caller's transaction and says where the log stands then. */
export async function append(
  db: Db,
  room: string,
  at: number,
  member: string | null,
  head: Head,
  facts: readonly NewFact[],
): Promise<{ head: Head; rows: Fact[] }> {
  let { facts: seq, head: prev } = head;
  const rows = facts.map((fact) => {
    const row = {
      room,
      seq: ++seq,
      at,
      member: fact.member === undefined ? member : fact.member,
      action: fact.action,
      subject: fact.subject,
      addressee: fact.to ?? null,
      outcome: "ok",
      // Through JSON once, so that what is hashed is what is read back.
      data: JSON.parse(JSON.stringify(fact.data ?? {})) as Record<string, unknown>,
      prev,
    };
    prev = hashOf(row);
    return { ...row, hash: prev };
  });
  // A statement bears only so many values.
  for (let from = 0; from < rows.length; from += 1000)
    await db
      .insertInto("log")
      .values(rows.slice(from, from + 1000).map((row) => ({ ...row, data: JSON.stringify(row.data) })))
      .execute();
  return { head: { facts: seq, head: prev }, rows };
}

/** Facts after number `after`, ascending, at most `limit`. */
export async function factsAfter(db: Db, room: string, after: number, limit: number): Promise<Fact[]> {
  return db
    .selectFrom("log")
    .select(columns)
    .where("room", "=", room)
    .where("seq", ">", after)
    .orderBy("seq")
    .limit(limit)
    .execute();
}

/** Facts of these actions that no member did (the command line, a deadline), after number `after`, ascending. */
export async function factsOfNobody(
  db: Db,
  room: string,
  actions: readonly string[],
  after: number,
  limit: number,
): Promise<Fact[]> {
  return db
    .selectFrom("log")
    .select(columns)
    .where("room", "=", room)
    .where("seq", ">", after)
    .where("member", "is", null)
    .where("action", "in", [...actions])
    .orderBy("seq")
    .limit(limit)
    .execute();
}

/** Facts before number `before`, newest first, at most `limit`. */
export async function factsBefore(
  db: Db,
  room: string,
  before: number,
  limit: number,
  { kinds, after = 0 }: { kinds?: readonly string[] | undefined; after?: number } = {},
): Promise<Fact[]> {
  let query = db
    .selectFrom("log")
    .select(columns)
    .where("room", "=", room)
    .where("seq", "<", before)
    .where("seq", ">", after)
    .orderBy("seq", "desc")
    .limit(limit);
  if (kinds?.length) query = query.where((eb) => eb.or(kinds.map((kind) => eb("subject", "like", `${kind}:%`))));
  return query.execute();
}

/** How many facts one call looks at that wants only some of them. Facts have no gaps, so that numbers count them. */
export const logWindow = 5000;

/** Number of the room's last fact. */
export async function lastFact(db: Db, room: string): Promise<number> {
  const row = await db.selectFrom("rooms").select("facts").where("name", "=", room).executeTakeFirstOrThrow();
  return row.facts;
}

/** Facts after a number that fit, ascending. `goesOn`: it looked no further than this number. */
export async function factsFiltered(
  db: Db,
  room: string,
  filter: {
    member: string | undefined;
    action: string | undefined;
    since: number | undefined;
    after: number;
    limit: number;
  },
): Promise<{ facts: Fact[]; goesOn: number | null }> {
  const last = await lastFact(db, room);
  const after = filter.since === undefined ? filter.after : await before(db, room, filter.since, filter.after, last);
  const until = after + logWindow;
  let query = db
    .selectFrom("log")
    .select(columns)
    .where("room", "=", room)
    .where("seq", ">", after)
    .where("seq", "<=", until)
    .orderBy("seq")
    .limit(filter.limit);
  if (filter.member !== undefined) query = query.where("member", "=", filter.member);
  if (filter.action !== undefined) query = query.where("action", "=", filter.action);
  if (filter.since !== undefined) query = query.where("at", ">=", filter.since);
  const facts = await query.execute();
  return { facts, goesOn: facts.length < filter.limit && until < last ? until : null };
}

/** Halves what lies between two facts until it has the last fact from before `since` (ms), or `from`. */
async function before(db: Db, room: string, since: number, from: number, to: number): Promise<number> {
  let [low, high] = [from, to + 1];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const row = await db
      .selectFrom("log")
      .select("at")
      .where("room", "=", room)
      .where("seq", "=", middle)
      .executeTakeFirst();
    if (row && row.at < since) low = middle;
    else high = middle;
  }
  return low;
}

/** The history of one subject, ascending. */
export async function factsOf(db: Db, room: string, subject: string): Promise<Fact[]> {
  return db
    .selectFrom("log")
    .select(columns)
    .where("room", "=", room)
    .where("subject", "=", subject)
    .orderBy("seq")
    .execute();
}

/** The last fact of this action about a subject. */
export async function lastFactOf(db: Db, room: string, subject: string, action: string): Promise<Fact | undefined> {
  return db
    .selectFrom("log")
    .select(columns)
    .where("room", "=", room)
    .where("subject", "=", subject)
    .where("action", "=", action)
    .orderBy("seq", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** What a chain looks like: sound up to `facts`, or broken at fact `at` for a reason. */
export type Verdict = { sound: true; facts: number; head: string } | { sound: false; at: number; why: string };

/** Checks a room's whole chain, page by page, against its rows and its head. */
export async function verify(db: Db, room: string): Promise<Verdict> {
  let prev = "";
  let seq = 0;
  for (;;) {
    const page = await db
      .selectFrom("log")
      .selectAll()
      .where("room", "=", room)
      .where("seq", ">", seq)
      .orderBy("seq")
      .limit(1000)
      .execute();
    for (const { hash, ...row } of page) {
      if (row.seq !== seq + 1) return { sound: false, at: seq + 1, why: "a fact is missing" };
      if (row.prev !== prev) return { sound: false, at: row.seq, why: "it does not follow the fact before" };
      if (hashOf(row) !== hash) return { sound: false, at: row.seq, why: "it was altered" };
      prev = hash;
      seq = row.seq;
    }
    if (page.length < 1000) break;
  }
  const head = await db.selectFrom("rooms").select(["facts", "head"]).where("name", "=", room).executeTakeFirst();
  if (head && (head.facts !== seq || head.head !== prev))
    return { sound: false, at: seq + 1, why: "the log ends before the room's head" };
  return { sound: true, facts: seq, head: prev };
}
