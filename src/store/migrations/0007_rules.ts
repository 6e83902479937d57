// Rules by which people answer gates beforehand (G10).
import { type Kysely, sql } from "kysely";
import type { Json } from "./0001_spine.ts";

export interface RuleTables {
  rules: {
    id: string;
    effect: "allow" | "deny" | "raise";
    /** Null: every room in which its maker is approver. */
    room: string | null;
    /** Whose gates; null: anybody's. */
    member: string | null;
    pattern: Json<{
      tool?: string;
      program?: string;
      argv?: string[];
      cwd?: string;
      fields?: Record<string, unknown>;
    }>;
    /** What a raise raises to; null: one step. */
    risk: "medium" | "high" | "critical" | null;
    /** What an agent is told that is answered by it. */
    note: string | null;
    made_by: string;
    made_at: number;
    expires_at: number | null;
    hits: number;
    last_used_at: number | null;
    revoked_by: string | null;
    revoked_at: number | null;
  };
}

export async function up(db: Kysely<never>): Promise<void> {
  let table = db.schema.createTable("rules").addColumn("id", "text", (c) => c.primaryKey());
  for (const name of ["effect", "made_by"]) table = table.addColumn(name, "text", (c) => c.notNull());
  for (const name of ["room", "member", "risk", "note", "revoked_by"]) table = table.addColumn(name, "text");
  for (const name of ["made_at", "hits"]) table = table.addColumn(name, "bigint", (c) => c.notNull());
  for (const name of ["expires_at", "last_used_at", "revoked_at"]) table = table.addColumn(name, "bigint");
  await table.addColumn("pattern", "json", (c) => c.notNull()).execute();
  // Looked at with every approval that is asked for.
  await db.schema
    .createIndex("rules_standing")
    .on("rules")
    .column("room" as never)
    .where(sql.ref("revoked_at"), "is", null)
    .execute();
}
