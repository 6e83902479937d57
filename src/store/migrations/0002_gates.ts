// Gates: what an agent waits for, as a durable row.
import { type Kysely, sql } from "kysely";
import type { Json } from "./0001_spine.ts";

/** One report of what was run: the first that drifted stays, and beside it the last. */
export interface RanReport {
  at: number;
  digest: string;
  drift: boolean;
  /** The same again, though it was approved for one time. */
  twice?: boolean;
  /** Where it is not what was approved. */
  action?: unknown;
}

export interface GateTables {
  gates: {
    id: string;
    room: string;
    kind: "approval" | "feedback" | "blocker";
    status: "pending" | "approved" | "denied" | "answered" | "resolved" | "expired" | "withdrawn";
    title: string;
    details: string;
    /** The action to approve, any JSON, wrapped so that `null` is an action too; `{}`: none. */
    action: Json<{ is?: unknown }>;
    /** Of the action; null where there is none. */
    digest: string | null;
    /** What a call without a key is matched by: the action's digest, or that of title, details, options. */
    matched_by: string;
    risk: "low" | "medium" | "high" | "critical";
    options: Json<string[]>;
    single_use: boolean;
    task_id: number | null;
    key: string | null;
    asked_by: string;
    asked_at: number;
    expires_at: number | null;
    /** How many approvals it takes, and those given so far. */
    approvals_needed: number;
    /** The room had one approver when it was made: that person may confirm again (G9). */
    alone: boolean;
    approvals: Json<Array<{ by: string; at: number; digest: string | null; device: string }>>;
    /** From when on the one approver may confirm again (ms). */
    confirm_from: number | null;
    decided_by: string | null;
    decided_at: number | null;
    device: string | null;
    note: string | null;
    choice: string | null;
    text: string | null;
    /** The action as approved, where a person edited it; `{}`: as asked. */
    edited: Json<{ is?: unknown }>;
    /** Of a withdrawal. */
    reason: string | null;
    /** What a person wrote too late, kept for reopening. */
    draft: string | null;
    reopens: string | null;
    reopened_as: string | null;
    recalled: boolean;
    /** The signed statement of an approval, and when it was used up. */
    receipt: string | null;
    consumed_at: number | null;
    /** The rule that answered it, the one that raised its risk, and the risk that the asker had claimed (G9, G10). */
    by_rule: string | null;
    raised_by: string | null;
    claimed_risk: "low" | "medium" | "high" | "critical" | null;
    /** What the asker says it ran; `{}`: nothing said. */
    ran: Json<Partial<RanReport> & { times?: number; last?: RanReport }>;
    /** When it first ran something else than was approved (ms). */
    drifted_at: number | null;
    seen_at: number | null;
    seen_by: string | null;
    /** First put into a result, handed to the connection, acknowledged by a later call (G6, G17). */
    delivered_at: number | null;
    written_at: number | null;
    acknowledged_at: number | null;
    /** Until when a call may be waiting for it. */
    waits_until: number | null;
  };
}

export async function up(db: Kysely<never>): Promise<void> {
  const schema = db.schema;
  let table = schema.createTable("gates").addColumn("id", "text", (c) => c.primaryKey());
  const required = ["room", "kind", "status", "title", "details", "matched_by", "risk", "asked_by"];
  for (const name of required) table = table.addColumn(name, "text", (c) => c.notNull());
  for (const name of ["action", "options", "approvals", "edited", "ran"])
    table = table.addColumn(name, "json", (c) => c.notNull());
  for (const name of [
    "digest",
    "key",
    "decided_by",
    "device",
    "note",
    "choice",
    "text",
    "reason",
    "draft",
    "reopens",
    "reopened_as",
    "seen_by",
    "receipt",
    "by_rule",
    "raised_by",
    "claimed_risk",
  ])
    table = table.addColumn(name, "text");
  for (const name of [
    "task_id",
    "expires_at",
    "decided_at",
    "seen_at",
    "delivered_at",
    "written_at",
    "acknowledged_at",
    "waits_until",
    "consumed_at",
    "confirm_from",
    "drifted_at",
  ])
    table = table.addColumn(name, "bigint");
  await table
    .addColumn("asked_at", "bigint", (c) => c.notNull())
    .addColumn("approvals_needed", "bigint", (c) => c.notNull())
    .addColumn("single_use", "boolean", (c) => c.notNull())
    .addColumn("alone", "boolean", (c) => c.notNull())
    .addColumn("recalled", "boolean", (c) => c.notNull())
    .execute();
  // One card a key (G5): a backstop under the rule.
  await schema
    .createIndex("gates_key")
    .unique()
    .on("gates")
    .columns(["asked_by", "room", "key"] as never)
    .where(sql.ref("key"), "is not", null)
    .execute();
  await schema
    .createIndex("gates_pending")
    .on("gates")
    .columns(["room", "expires_at"] as never)
    .where(sql.ref("status"), "=", sql.lit("pending"))
    .execute();
  await schema
    .createIndex("gates_room")
    .on("gates")
    .columns(["room", "id"] as never)
    .execute();
  await schema
    .createIndex("gates_asker")
    .on("gates")
    .columns(["asked_by", "room", "matched_by"] as never)
    .execute();
  await schema
    .createIndex("gates_drifted")
    .on("gates")
    .columns(["room", "drifted_at"] as never)
    .where(sql.ref("drifted_at"), "is not", null)
    .execute();
  // Answers that their asker has not acknowledged: asked for with every call of it.
  await schema
    .createIndex("gates_unacknowledged")
    .on("gates")
    .column("asked_by" as never)
    .where(sql.ref("acknowledged_at"), "is", null)
    .execute();
}
