// The limits that the server was started with, for other processes on the same store.
import type { Kysely } from "kysely";

export interface LimitTables {
  limits: {
    /** A name of `Limits` (limits.ts). */
    name: string;
    value: number;
  };
}

export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable("limits")
    .addColumn("name", "text", (c) => c.primaryKey())
    .addColumn("value", "bigint", (c) => c.notNull())
    .execute();
}
