// Members, memberships, rooms and credentials: the slice's only SQL.
import type { Db } from "../store/port.ts";
import type { Kind, Role, ServerRole } from "./rules.ts";

export interface MemberRow {
  name: string;
  kind: Kind;
  server_role: ServerRole | null;
  skills: string[];
  context_tokens: number | null;
  status: "working" | "idle" | "done" | "away";
  note: string;
  seen_at: number | null;
  waits_until: number | null;
}

const columns = [
  "m.name",
  "m.kind",
  "m.server_role",
  "m.skills",
  "m.context_tokens",
  "m.status",
  "m.note",
  "m.seen_at",
  "m.waits_until",
] as const;

/** Everybody who is in `room` now, with role, by name. */
export function membersIn(db: Db, room: string): Promise<Array<MemberRow & { role: Role; joined_at: number }>> {
  return db
    .selectFrom("memberships as s")
    .innerJoin("members as m", "m.name", "s.member")
    .select([...columns, "s.role", "s.joined_at"])
    .where("s.room", "=", room)
    .where("s.left_at", "is", null)
    .where("s.kicked_at", "is", null)
    .where("m.removed_at", "is", null)
    .orderBy("m.name")
    .execute();
}

/** One member of `room`, or undefined when it is not in it. */
export function memberIn(db: Db, room: string, name: string) {
  return db
    .selectFrom("memberships as s")
    .innerJoin("members as m", "m.name", "s.member")
    .select([...columns, "s.role"])
    .where("s.room", "=", room)
    .where("s.member", "=", name)
    .where("s.left_at", "is", null)
    .where("s.kicked_at", "is", null)
    .where("m.removed_at", "is", null)
    .executeTakeFirst();
}

export function memberRow(db: Db, name: string) {
  return db.selectFrom("members").selectAll().where("name", "=", name).executeTakeFirst();
}

/** Who has this name or one that looks like it. */
export function memberLike(db: Db, skeleton: string) {
  return db
    .selectFrom("members")
    .select(["name", "kind", "removed_at"])
    .where("skeleton", "=", skeleton)
    .executeTakeFirst();
}

/** Adds a member; false where the name, or one that looks like it, is taken. */
export async function addMember(
  db: Db,
  row: {
    name: string;
    skeleton: string;
    kind: Kind;
    server_role: ServerRole | null;
    skills: readonly string[];
    context_tokens: number | null;
    created_at: number;
  },
): Promise<boolean> {
  const added = await db
    .insertInto("members")
    .values({
      ...row,
      skills: JSON.stringify(row.skills),
      removed_at: null,
      status: "working",
      note: "",
      seen_at: null,
      waits_until: null,
      notices_seen: 0,
    })
    .onConflict((c) => c.doNothing())
    .returning("name")
    .executeTakeFirst();
  return added !== undefined;
}

export async function removeMember(db: Db, name: string, at: number): Promise<void> {
  await db.updateTable("members").set({ removed_at: at }).where("name", "=", name).execute();
  for (const table of ["notices", "channels"] as const)
    await db
      .deleteFrom(table as "channels")
      .where("member", "=", name)
      .execute();
  await db
    .updateTable("tokens")
    .set({ revoked_at: at })
    .where("member", "=", name)
    .where("revoked_at", "is", null)
    .execute();
  await db
    .updateTable("sessions")
    .set({ revoked_at: at })
    .where("member", "=", name)
    .where("revoked_at", "is", null)
    .execute();
}

export function membership(db: Db, room: string, member: string) {
  return db
    .selectFrom("memberships")
    .selectAll()
    .where("room", "=", room)
    .where("member", "=", member)
    .executeTakeFirst();
}

/** Puts a member into a room, or back into it. */
export async function join(db: Db, room: string, member: string, role: Role, at: number): Promise<void> {
  await db
    .insertInto("memberships")
    .values({ room, member, role, joined_at: at, left_at: null, kicked_at: null, kick_reason: null })
    .onConflict((c) =>
      c
        .columns(["room", "member"])
        .doUpdateSet({ role, joined_at: at, left_at: null, kicked_at: null, kick_reason: null }),
    )
    .execute();
}

export async function changeMembership(
  db: Db,
  room: string,
  member: string,
  change: { role?: Role; left_at?: number | null; kicked_at?: number | null; kick_reason?: string | null },
): Promise<void> {
  await db.updateTable("memberships").set(change).where("room", "=", room).where("member", "=", member).execute();
}

/** Names of the rooms that a member is in (as `role`), trashed ones too. */
export async function roomsOf(db: Db, member: string, role?: Role): Promise<string[]> {
  let query = db.selectFrom("memberships").select("room").where("member", "=", member);
  if (role !== undefined) query = query.where("role", "=", role);
  const rows = await query.where("left_at", "is", null).where("kicked_at", "is", null).orderBy("room").execute();
  return rows.map((row) => row.room);
}

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

export async function setStopped(db: Db, name: string, stopped: boolean): Promise<void> {
  await db.updateTable("rooms").set({ stopped }).where("name", "=", name).execute();
}

/** What a member says of itself. No fact: presence. */
export async function setPresence(db: Db, name: string, status: MemberRow["status"], note: string): Promise<void> {
  await db.updateTable("members").set({ status, note }).where("name", "=", name).execute();
}

/** A sign of life of a member and of its credential. No fact: presence. */
export async function touch(db: Db, name: string, credential: string, at: number): Promise<void> {
  await db.updateTable("members").set({ seen_at: at }).where("name", "=", name).execute();
  const [kind, id] = credential.split(":");
  if (kind === "token" && id) await db.updateTable("tokens").set({ used_at: at }).where("id", "=", id).execute();
  if (kind === "session" && id) await db.updateTable("sessions").set({ seen_at: at }).where("id", "=", id).execute();
}

/** Until when a call of the member may be waiting. No fact: presence. */
export async function setWaiting(db: Db, name: string, until: number): Promise<void> {
  await db.updateTable("members").set({ waits_until: until }).where("name", "=", name).execute();
}

export function tokensOf(db: Db, member?: string) {
  const query = db
    .selectFrom("tokens")
    .select(["id", "member", "label", "created_at", "used_at", "revoked_at"])
    .orderBy("id");
  return (member === undefined ? query : query.where("member", "=", member)).execute();
}

export function tokenRow(db: Db, id: string) {
  return db
    .selectFrom("tokens")
    .select(["id", "member", "label", "revoked_at"])
    .where("id", "=", id)
    .executeTakeFirst();
}

export async function addToken(
  db: Db,
  row: { id: string; member: string; label: string; hash: string; created_at: number; used_at: null; revoked_at: null },
): Promise<void> {
  await db.insertInto("tokens").values(row).execute();
}

export async function revokeToken(db: Db, id: string, at: number): Promise<void> {
  await db.updateTable("tokens").set({ revoked_at: at }).where("id", "=", id).where("revoked_at", "is", null).execute();
}

/** People who are here, by name. */
export function persons(db: Db) {
  return db
    .selectFrom("members")
    .select(["name", "server_role"])
    .where("kind", "=", "person")
    .where("removed_at", "is", null)
    .orderBy("name")
    .execute();
}

export async function setServerRole(db: Db, name: string, role: ServerRole | null): Promise<void> {
  await db.updateTable("members").set({ server_role: role }).where("name", "=", name).execute();
}

export async function addLink(db: Db, hash: string, member: string | null, at: number, expires: number): Promise<void> {
  await db.insertInto("links").values({ hash, member, created_at: at, expires_at: expires, used_at: null }).execute();
}

export function linkRow(db: Db, hash: string) {
  return db.selectFrom("links").selectAll().where("hash", "=", hash).executeTakeFirst();
}

export async function useLink(db: Db, hash: string, at: number): Promise<void> {
  await db.updateTable("links").set({ used_at: at }).where("hash", "=", hash).execute();
}

export async function addSession(
  db: Db,
  row: { id: string; hash: string; secret_hash: string; member: string; device: string; at: number },
): Promise<void> {
  const { at, ...rest } = row;
  await db
    .insertInto("sessions")
    .values({ ...rest, created_at: at, seen_at: at, revoked_at: null })
    .execute();
}

export function sessionsOf(db: Db, member: string) {
  return db
    .selectFrom("sessions")
    .select(["id", "device", "created_at", "seen_at"])
    .where("member", "=", member)
    .where("revoked_at", "is", null)
    .orderBy("seen_at", "desc")
    .execute();
}

export async function revokeSession(db: Db, id: string, at: number): Promise<void> {
  await db
    .updateTable("sessions")
    .set({ revoked_at: at })
    .where("id", "=", id)
    .where("revoked_at", "is", null)
    .execute();
}

export async function noticesSeen(db: Db, member: string, seq: number): Promise<void> {
  await db
    .updateTable("members")
    .set({ notices_seen: seq })
    .where("name", "=", member)
    .where("notices_seen", "<", seq)
    .execute();
}

/** Every table that has rows of a room, the room's own last but the log: its rows go only after it. */
const ofRoom = [
  "memberships",
  "keys",
  "gates",
  "gate_snoozes",
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
