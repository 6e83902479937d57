// Messages and inboxes as rows: the slice's only SQL.
import { type ExpressionBuilder, type SqlBool, sql } from "kysely";
import type { Db } from "../store/port.ts";
import type { Tables } from "../store/tables.ts";
import type { Message } from "./rules.ts";

export function find(db: Db, room: string, id: string): Promise<Message | undefined> {
  return db
    .selectFrom("messages")
    .selectAll()
    .where("room", "=", room)
    .where("id", "=", id)
    .where("removed_at", "is", null)
    .executeTakeFirst();
}

/** A message and where it goes: the sender's own row stands as read. */
export async function insert(db: Db, message: Message, to: readonly string[]): Promise<void> {
  await db
    .insertInto("messages")
    .values({ ...message, mentions: JSON.stringify(message.mentions) })
    .execute();
  const row = (member: string, read_at: number | null) => ({
    ...{ member, message_id: message.id, room: message.room, read_at },
    ...{ mentioned: message.mentions.includes(member), archived_at: null, removed_at: null },
  });
  await db
    .insertInto("inbox")
    .values([row(message.sender, message.at), ...to.map((member) => row(member, null))])
    .execute();
}

export interface Filter {
  /** Only messages after this id. */
  after?: string | undefined;
  from?: string | undefined;
  task_id?: number | undefined;
  kind?: Message["kind"] | undefined;
  /** Only what is unread in the viewer's inbox; `since` (ms): and whatever was posted from then on. */
  unread?: { since?: number | undefined } | undefined;
  /** Only what mentions the viewer. */
  mentions?: boolean | undefined;
  /** Only what others wrote. */
  others?: boolean | undefined;
  archived?: boolean | undefined;
  limit: number;
}

export type Found = Message & { unread: boolean };

/** How many messages one look walks through that wants only some of them. */
const window = 1000;

interface Span {
  after?: string | undefined;
  until?: string | undefined;
}

/** What is in a viewer's inbox of a room, by an index that holds no more than is asked for. */
function inInbox(db: Db, room: string, viewer: string, { unread, mentions, after, until }: Filter & Span) {
  let query = db.selectFrom("inbox as u").select("u.message_id as id").where("u.member", "=", viewer);
  query = query.where("u.room", "=", room);
  if (unread)
    query = query.where("u.read_at", "is", null).where("u.archived_at", "is", null).where("u.removed_at", "is", null);
  if (mentions) query = query.where(sql<SqlBool>`u.mentioned`);
  if (after !== undefined) query = query.where("u.message_id", ">", after);
  if (until !== undefined) query = query.where("u.message_id", "<=", until);
  return query;
}

/** Who asks for the unread or for mentions alone needs no other messages. */
const isOfInbox = ({ unread, mentions }: Filter): boolean => (unread ? unread.since === undefined : mentions === true);

/** The last message that a look walks to; undefined where there are fewer. */
async function endOfWindow(db: Db, room: string, viewer: string, filter: Filter): Promise<string | undefined> {
  const last = { rows: 1, offset: window - 1 };
  if (isOfInbox(filter)) {
    const query = inInbox(db, room, viewer, filter).orderBy("u.message_id");
    return (await query.limit(last.rows).offset(last.offset).executeTakeFirst())?.id;
  }
  const { task_id, from, kind, after } = filter;
  let query = db.selectFrom("messages").select("id").where("room", "=", room);
  // The one that most likely finds the fewest.
  if (task_id !== undefined) query = query.where("task_id", "=", task_id);
  else if (from !== undefined) query = query.where("sender", "=", from);
  else if (kind) query = query.where("kind", "=", kind);
  if (after !== undefined) query = query.where("id", ">", after);
  return (await query.orderBy("id").limit(last.rows).offset(last.offset).executeTakeFirst())?.id;
}

/**
 * What a viewer may see of a room's messages, oldest first; what it has hidden is left out. `goesOn`: it looked no
 * further than this message, and there may be more behind it.
 */
export async function visible(
  db: Db,
  room: string,
  viewer: string,
  filter: Filter,
): Promise<{ found: Found[]; goesOn: string | null }> {
  const until = await endOfWindow(db, room, viewer, filter);
  let query = db
    .selectFrom("messages as m")
    .leftJoin("inbox as i", (on) => on.onRef("i.message_id", "=", "m.id").on("i.member", "=", viewer))
    .selectAll("m")
    .select(["i.message_id as got", "i.read_at", "i.archived_at"])
    .where("m.room", "=", room)
    .where("m.removed_at", "is", null)
    .where("i.removed_at", "is", null)
    .where((eb) => eb.or([eb("m.addressee", "is", null), eb("m.addressee", "=", viewer), eb("m.sender", "=", viewer)]));
  if (!filter.archived) query = query.where("i.archived_at", "is", null);
  if (filter.after !== undefined) query = query.where("m.id", ">", filter.after);
  if (until !== undefined) query = query.where("m.id", "<=", until);
  if (filter.from !== undefined) query = query.where("m.sender", "=", filter.from);
  if (filter.task_id !== undefined) query = query.where("m.task_id", "=", filter.task_id);
  if (filter.kind) query = query.where("m.kind", "=", filter.kind);
  if (filter.others) query = query.where("m.sender", "!=", viewer);
  const { unread, mentions } = filter;
  if (isOfInbox(filter)) query = query.where("m.id", "in", inInbox(db, room, viewer, { ...filter, until }));
  else if (mentions) query = query.where("i.mentioned", "=", true);
  const since = unread?.since;
  if (since !== undefined)
    query = query.where((eb) =>
      eb.or([
        eb.and([eb("i.message_id", "is not", null), eb("i.read_at", "is", null), eb("i.archived_at", "is", null)]),
        eb("m.at", ">=", since),
      ]),
    );
  const rows = await query.orderBy("m.id").limit(filter.limit).execute();
  const found = rows.map(({ got, read_at, archived_at, ...message }) => ({
    ...message,
    unread: got !== null && read_at === null && archived_at === null,
  }));
  return { found, goesOn: found.length < filter.limit && until !== undefined ? until : null };
}

export function byIds(db: Db, room: string, ids: readonly string[]): Promise<Message[]> {
  return db
    .selectFrom("messages")
    .selectAll()
    .where("room", "=", room)
    .where("id", "in", [...ids])
    .where("removed_at", "is", null)
    .orderBy("id")
    .execute();
}

/** The newest of a task, oldest first. */
export async function ofTask(db: Db, room: string, task: number, viewer: string, limit: number): Promise<Message[]> {
  const found = await db
    .selectFrom("messages")
    .selectAll()
    .where("room", "=", room)
    .where("task_id", "=", task)
    .where("removed_at", "is", null)
    .where((eb) => eb.or([eb("addressee", "is", null), eb("addressee", "=", viewer), eb("sender", "=", viewer)]))
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return found.reverse();
}

/** Only what was put into a result. No fact: a member's own view. */
export async function markRead(db: Db, member: string, ids: readonly string[], at: number): Promise<void> {
  await db
    .updateTable("inbox")
    .set({ read_at: at })
    .where("member", "=", member)
    .where("message_id", "in", [...ids])
    .where("read_at", "is", null)
    .execute();
}

/** Hides from the member's own lists; how many. No fact: a member's own view. */
export async function archive(
  db: Db,
  room: string,
  member: string,
  which: { ids?: readonly string[] | undefined; before?: number | undefined; from?: string | undefined },
  at: number,
): Promise<number> {
  let query = db
    .updateTable("inbox")
    .set({ archived_at: at })
    .where("member", "=", member)
    .where("room", "=", room)
    .where("archived_at", "is", null);
  if (which.ids) query = query.where("message_id", "in", [...which.ids]);
  const { before, from } = which;
  if (before !== undefined || from !== undefined)
    query = query.where((eb) => {
      let its = eb.selectFrom("messages").select("id").whereRef("messages.id", "=", "inbox.message_id");
      if (before !== undefined) its = its.where("at", "<", before);
      if (from !== undefined) its = its.where("sender", "=", from);
      return eb.exists(its);
    });
  const { numUpdatedRows } = await query.executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** Takes it out of the member's own inbox; whether it was there. No fact: a member's own view. */
export async function hide(db: Db, member: string, id: string, at: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("inbox")
    .set({ removed_at: at })
    .where("member", "=", member)
    .where("message_id", "=", id)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows) > 0;
}

/** For everyone: the words are gone. */
export async function remove(db: Db, id: string, at: number): Promise<void> {
  await db.updateTable("messages").set({ text: "", mentions: "[]", removed_at: at }).where("id", "=", id).execute();
  await db.deleteFrom("inbox").where("message_id", "=", id).execute();
}

/** Everything in a room from before `before` (ms), for good; how many messages. */
export async function purge(db: Db, room: string, before: number): Promise<number> {
  const old = (eb: ExpressionBuilder<Tables, "inbox">) =>
    eb.selectFrom("messages").select("id").where("room", "=", room).where("at", "<", before);
  await db.deleteFrom("inbox").where("room", "=", room).where("message_id", "in", old).execute();
  const { numDeletedRows } = await db
    .deleteFrom("messages")
    .where("room", "=", room)
    .where("at", "<", before)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Counted up to here: who has more unread learns that it is at least so many. */
const mostCounted = 100;

/**
 * How much is unread, and how much of it mentions the member, in the rooms that it is in; each at most 100, which
 * then means 100 or more.
 */
export async function unreadCounts(db: Db, member: string): Promise<{ unread: number; mentions: number }> {
  const rooms = db
    .selectFrom("memberships as s")
    .innerJoin("rooms as r", "r.name", "s.room")
    .select("s.room")
    .where("s.member", "=", member)
    .where("r.trashed_at", "is", null)
    .where("s.left_at", "is", null)
    .where("s.kicked_at", "is", null);
  let [unread, mentions] = [0, 0];
  for (const { room } of await rooms.execute()) {
    unread += await counted(unreadOf(db, room, member), mostCounted - unread);
    mentions += await counted(
      // Written as in its index, which holds the unread that mention their reader and nothing else.
      unreadOf(db, room, member).where(sql<SqlBool>`mentioned`),
      mostCounted - mentions,
    );
  }
  return { unread, mentions };
}

const unreadOf = (db: Db, room: string, member: string) =>
  db
    .selectFrom("inbox")
    .select("message_id")
    .where("member", "=", member)
    .where("room", "=", room)
    .where("read_at", "is", null)
    .where("archived_at", "is", null)
    .where("removed_at", "is", null);

const counted = async (query: ReturnType<typeof unreadOf>, most: number): Promise<number> =>
  most <= 0 ? 0 : (await query.limit(most).execute()).length;
