// Rooms, members, credentials, the log and idempotency keys.
import type { ColumnType, Kysely } from "kysely";

/** JSON text: written with JSON.stringify, read as a value. Never null in the column. */
export type Json<T> = ColumnType<T, string, string>;

export interface SpineTables {
  rooms: {
    name: string;
    title: string;
    open: boolean;
    created_by: string | null;
    created_at: number;
    trashed_at: number | null;
    stopped: boolean;
    /** Number of the last fact, and its hash. */
    facts: number;
    head: string;
    /** Number of the last task. */
    tasks: number;
    /** The nearest deadline of anything in the room (ms); never too late. */
    due: number | null;
  };
  members: {
    name: string;
    skeleton: string;
    kind: "agent" | "person";
    server_role: "owner" | null;
    skills: Json<string[]>;
    context_tokens: number | null;
    created_at: number;
    removed_at: number | null;
    status: "working" | "idle" | "done" | "away";
    note: string;
    /** Presence: last call (ms), and until when a call of theirs may be waiting. No facts. */
    seen_at: number | null;
    waits_until: number | null;
    /** A person has acknowledged the notices of `_server` up to this fact. */
    notices_seen: number;
  };
  memberships: {
    room: string;
    member: string;
    role: "lead" | "worker" | "reviewer" | "observer" | "approver" | "viewer";
    joined_at: number;
    left_at: number | null;
    kicked_at: number | null;
    kick_reason: string | null;
  };
  tokens: {
    id: string;
    member: string;
    label: string;
    hash: string;
    created_at: number;
    used_at: number | null;
    revoked_at: number | null;
  };
  links: {
    hash: string;
    member: string | null;
    created_at: number;
    expires_at: number;
    used_at: number | null;
  };
  sessions: {
    id: string;
    hash: string;
    secret_hash: string;
    member: string;
    device: string;
    created_at: number;
    seen_at: number;
    revoked_at: number | null;
  };
  log: {
    room: string;
    seq: number;
    at: number;
    member: string | null;
    action: string;
    subject: string;
    addressee: string | null;
    outcome: string;
    data: Json<Record<string, unknown>>;
    prev: string;
    hash: string;
  };
  keys: {
    room: string;
    member: string;
    action: string;
    key: string;
    digest: string;
    result: Json<Record<string, unknown>>;
    at: number;
  };
}

export async function up(db: Kysely<never>): Promise<void> {
  const schema = db.schema;
  await schema
    .createTable("rooms")
    .addColumn("name", "text", (c) => c.primaryKey())
    .addColumn("title", "text", (c) => c.notNull())
    .addColumn("open", "boolean", (c) => c.notNull())
    .addColumn("created_by", "text")
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("trashed_at", "bigint")
    .addColumn("stopped", "boolean", (c) => c.notNull())
    .addColumn("facts", "bigint", (c) => c.notNull())
    .addColumn("head", "text", (c) => c.notNull())
    .addColumn("tasks", "bigint", (c) => c.notNull())
    .addColumn("due", "bigint")
    .execute();
  await schema
    .createTable("members")
    .addColumn("name", "text", (c) => c.primaryKey())
    .addColumn("skeleton", "text", (c) => c.notNull().unique())
    .addColumn("kind", "text", (c) => c.notNull())
    .addColumn("server_role", "text")
    .addColumn("skills", "json", (c) => c.notNull())
    .addColumn("context_tokens", "bigint")
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("removed_at", "bigint")
    .addColumn("status", "text", (c) => c.notNull())
    .addColumn("note", "text", (c) => c.notNull())
    .addColumn("seen_at", "bigint")
    .addColumn("waits_until", "bigint")
    .addColumn("notices_seen", "bigint", (c) => c.notNull())
    .execute();
  await schema
    .createTable("memberships")
    .addColumn("room", "text", (c) => c.notNull())
    .addColumn("member", "text", (c) => c.notNull())
    .addColumn("role", "text", (c) => c.notNull())
    .addColumn("joined_at", "bigint", (c) => c.notNull())
    .addColumn("left_at", "bigint")
    .addColumn("kicked_at", "bigint")
    .addColumn("kick_reason", "text")
    .addPrimaryKeyConstraint("memberships_pk", ["room", "member"] as never)
    .execute();
  await schema.createIndex("memberships_member").on("memberships").column("member").execute();
  await schema
    .createTable("tokens")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("member", "text", (c) => c.notNull())
    .addColumn("label", "text", (c) => c.notNull())
    .addColumn("hash", "text", (c) => c.notNull().unique())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("used_at", "bigint")
    .addColumn("revoked_at", "bigint")
    .execute();
  await schema.createIndex("tokens_member").on("tokens").column("member").execute();
  await schema
    .createTable("links")
    .addColumn("hash", "text", (c) => c.primaryKey())
    .addColumn("member", "text")
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("expires_at", "bigint", (c) => c.notNull())
    .addColumn("used_at", "bigint")
    .execute();
  await schema
    .createTable("sessions")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("hash", "text", (c) => c.notNull().unique())
    .addColumn("secret_hash", "text", (c) => c.notNull())
    .addColumn("member", "text", (c) => c.notNull())
    .addColumn("device", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("seen_at", "bigint", (c) => c.notNull())
    .addColumn("revoked_at", "bigint")
    .execute();
  await schema.createIndex("sessions_member").on("sessions").column("member").execute();
  await schema
    .createTable("log")
    .addColumn("room", "text", (c) => c.notNull())
    .addColumn("seq", "bigint", (c) => c.notNull())
    .addColumn("at", "bigint", (c) => c.notNull())
    .addColumn("member", "text")
    .addColumn("action", "text", (c) => c.notNull())
    .addColumn("subject", "text", (c) => c.notNull())
    .addColumn("addressee", "text")
    .addColumn("outcome", "text", (c) => c.notNull())
    .addColumn("data", "json", (c) => c.notNull())
    .addColumn("prev", "text", (c) => c.notNull())
    .addColumn("hash", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("log_pk", ["room", "seq"] as never)
    .execute();
  await schema.createIndex("log_subject").on("log").columns(["room", "subject", "seq"]).execute();
  await schema
    .createTable("keys")
    .addColumn("room", "text", (c) => c.notNull())
    .addColumn("member", "text", (c) => c.notNull())
    .addColumn("action", "text", (c) => c.notNull())
    .addColumn("key", "text", (c) => c.notNull())
    .addColumn("digest", "text", (c) => c.notNull())
    .addColumn("result", "json", (c) => c.notNull())
    .addColumn("at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("keys_pk", ["room", "member", "action", "key"] as never)
    .execute();
}
