// Rules say who has confirmed them as wide as they are. Rules that stand already were confirmed by nobody: some of
// them were proposed wider than anybody meant.
import type { Kysely } from "kysely";

export interface ConfirmedRule {
  confirmed_by: string | null;
  confirmed_at: number | null;
}

export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable("rules").addColumn("confirmed_by", "text").execute();
  await db.schema.alterTable("rules").addColumn("confirmed_at", "bigint").execute();
}
