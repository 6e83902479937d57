// What lets a caller in, as rows: tokens, links and sessions.
import type { Db } from "../store/port.ts";

/** A sign of life of a member and of its credential. No fact: presence. */
export async function touch(db: Db, name: string, credential: string, at: number): Promise<void> {
  await db.updateTable("members").set({ seen_at: at }).where("name", "=", name).execute();
  const [kind, id] = credential.split(":");
  if (kind === "token" && id) await db.updateTable("tokens").set({ used_at: at }).where("id", "=", id).execute();
  if (kind === "session" && id) await db.updateTable("sessions").set({ seen_at: at }).where("id", "=", id).execute();
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
