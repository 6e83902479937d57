// Public keys that receipts are signed with, and cards that a person has put aside for a while.
import type { Kysely } from "kysely";
import type { Json } from "./0001_spine.ts";

export interface ReceiptTables {
  receipt_keys: {
    /** RFC 7638 thumbprint. */
    id: string;
    jwk: Json<Record<string, unknown>>;
    made_at: number;
  };
  gate_snoozes: {
    gate_id: string;
    room: string;
    member: string;
    until: number;
  };
}

export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable("receipt_keys")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("jwk", "json", (c) => c.notNull())
    .addColumn("made_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("gate_snoozes")
    .addColumn("gate_id", "text", (c) => c.notNull())
    .addColumn("room", "text", (c) => c.notNull())
    .addColumn("member", "text", (c) => c.notNull())
    .addColumn("until", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("gate_snoozes_pk", ["gate_id", "member"] as never)
    .execute();
}
