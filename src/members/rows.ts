// Members and who is in which room: rows.
import type { Db } from "../store/port.ts";
import type { Kind, Role, ServerRole } from "./rules.ts";
import { lookAlike } from "./skeleton.ts";

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

/** Who has this name or one that looks like it; also of those who have gone. */
export async function memberLike(db: Db, name: string): Promise<{ name: string } | undefined> {
  const all = await db.selectFrom("members").select("name").execute();
  return all.find((member) => lookAlike(member.name, name));
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

/** Names of the rooms that a member is in, or was kicked from: from there it may come back. */
export async function roomsToComeBackTo(db: Db, member: string): Promise<string[]> {
  const rows = await db
    .selectFrom("memberships")
    .select("room")
    .where("member", "=", member)
    .where("left_at", "is", null)
    .orderBy("room")
    .execute();
  return rows.map((row) => row.room);
}

/** What a member says of itself. No fact: presence. */
export async function setPresence(db: Db, name: string, status: MemberRow["status"], note: string): Promise<void> {
  await db.updateTable("members").set({ status, note }).where("name", "=", name).execute();
}

/** Until when a call of the member may be waiting. No fact: presence. */
export async function setWaiting(db: Db, name: string, until: number): Promise<void> {
  await db.updateTable("members").set({ waits_until: until }).where("name", "=", name).execute();
}

/** A wait of the member has ended: until now it was there. No fact: presence. */
export async function endWaiting(db: Db, name: string, now: number): Promise<void> {
  await db.updateTable("members").set({ waits_until: null, seen_at: now }).where("name", "=", name).execute();
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

export async function noticesSeen(db: Db, member: string, seq: number): Promise<void> {
  await db
    .updateTable("members")
    .set({ notices_seen: seq })
    .where("name", "=", member)
    .where("notices_seen", "<", seq)
    .execute();
}
