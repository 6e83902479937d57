// Which session of its asker an answer went to: a process that died right after it had the answer never used it.
import type { Kysely } from "kysely";

export interface PassedOn {
  /** The MCP session that asked, and later the one that the answer was last written to; null: one without a name. */
  written_to: string | null;
  /** When the answer to another session's question was told to the one in `written_to` (ms); null: never. */
  passed_on_at: number | null;
}

export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable("gates").addColumn("written_to", "text").execute();
  await db.schema.alterTable("gates").addColumn("passed_on_at", "bigint").execute();
}
