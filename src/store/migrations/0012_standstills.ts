// How far each room's claims have been moved on for the time in which nobody could call.
import type { Kysely } from "kysely";

export interface StandstillTables {
  standstills: {
    room: string;
    /** Standstills up to this time (ms) are made up for. */
    until: number;
  };
}

export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable("standstills")
    .addColumn("room", "text", (c) => c.primaryKey())
    .addColumn("until", "bigint", (c) => c.notNull())
    .execute();
}
