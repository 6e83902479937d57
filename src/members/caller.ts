// From a credential to who calls: the only way an identity comes into being (M1).
import type { Actor } from "../action.ts";
import { newId, newSecret, sameDigest, sha256 } from "../ids.ts";
import type { Db } from "../store/port.ts";
import type { Role } from "./rules.ts";

/** Who calls, and in which rooms with what role. */
export interface Caller {
  readonly actor: Actor;
  readonly rooms: ReadonlyMap<string, Role>;
  readonly skills: readonly string[];
  readonly contextTokens: number | null;
}

/** The operator at the command line, who can read the store anyway. No person: it decides no gate. */
export const localOperator: Caller = {
  actor: { member: "", kind: "local", serverRole: null, credential: "local", device: "command line" },
  rooms: new Map(),
  skills: [],
  contextTokens: null,
};

type Found = {
  name: string;
  kind: "agent" | "person";
  server_role: "owner" | null;
  skills: string[];
  context_tokens: number | null;
  room: string | null;
  role: Role | null;
};

const caller = (rows: readonly Found[], credential: string, device: string): Caller | null => {
  const first = rows[0];
  if (!first) return null;
  const rooms = new Map<string, Role>();
  for (const { room, role } of rows) if (room !== null && role !== null) rooms.set(room, role);
  return {
    actor: { member: first.name, kind: first.kind, serverRole: first.server_role, credential, device },
    rooms,
    skills: first.skills,
    contextTokens: first.context_tokens,
  };
};

const memberColumns = [
  "m.name",
  "m.kind",
  "m.server_role",
  "m.skills",
  "m.context_tokens",
  "r.room",
  "r.role",
] as const;

/** The member with its memberships in rooms that stand; one row a room. */
const present = (db: Db) =>
  db
    .selectFrom("members as m")
    .leftJoin(
      (from) =>
        from
          .selectFrom("memberships as s")
          .innerJoin("rooms", "rooms.name", "s.room")
          .select(["s.member", "s.room", "s.role"])
          .where("s.left_at", "is", null)
          .where("s.kicked_at", "is", null)
          .where("rooms.trashed_at", "is", null)
          .as("r"),
      (join) => join.onRef("r.member", "=", "m.name"),
    )
    .where("m.removed_at", "is", null);

/** Who holds this bearer token, or null. */
export async function callerOfToken(db: Db, token: string): Promise<Caller | null> {
  const rows = await present(db)
    .innerJoin("tokens as t", "t.member", "m.name")
    .select([...memberColumns, "t.id", "t.label"])
    .where("t.hash", "=", sha256(token))
    .where("t.revoked_at", "is", null)
    .execute();
  const first = rows[0];
  return first ? caller(rows, `token:${first.id}`, first.label) : null;
}

/** Who holds this session cookie, with the digest of the secret that every change must carry; or null. */
export async function callerOfSession(
  db: Db,
  cookie: string,
): Promise<{ caller: Caller; knows: (secret: string) => boolean } | null> {
  const rows = await present(db)
    .innerJoin("sessions as t", "t.member", "m.name")
    .select([...memberColumns, "t.id", "t.device", "t.secret_hash"])
    .where("t.hash", "=", sha256(cookie))
    .where("t.revoked_at", "is", null)
    .execute();
  const first = rows[0];
  const found = first ? caller(rows, `session:${first.id}`, first.device) : null;
  if (!first || !found) return null;
  return { caller: found, knows: (secret) => sameDigest(sha256(secret), first.secret_hash) };
}

/** A member by name, as `stdio --as NAME` and other local doors need it; or null. */
export async function callerByName(db: Db, name: string): Promise<Caller | null> {
  const rows = await present(db).select(memberColumns).where("m.name", "=", name).execute();
  return caller(rows, "local", "command line");
}

/** The same credential looked at again: null once it was revoked or its member removed (G18). */
export async function callerAgain(db: Db, was: Caller): Promise<Caller | null> {
  const [kind, id] = was.actor.credential.split(":");
  if (kind === "local") return was.actor.kind === "local" ? was : callerByName(db, was.actor.member);
  const query =
    kind === "token"
      ? present(db)
          .innerJoin("tokens as t", "t.member", "m.name")
          .select(memberColumns)
          .where("t.id", "=", id ?? "")
          .where("t.revoked_at", "is", null)
      : present(db)
          .innerJoin("sessions as t", "t.member", "m.name")
          .select(memberColumns)
          .where("t.id", "=", id ?? "")
          .where("t.revoked_at", "is", null);
  const rows = await query.execute();
  return caller(rows, was.actor.credential, was.actor.device);
}

/** A new token's row and the token itself, which is shown once. */
export function mint(member: string, label: string, now: number) {
  const token = newSecret("parley_");
  const row = { id: newId(), member, label, hash: sha256(token), created_at: now, used_at: null, revoked_at: null };
  return { token, row };
}
