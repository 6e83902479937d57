// Tables of the board slice.
import type { Kysely } from "kysely";

// biome-ignore lint/complexity/noBannedTypes: filled by the slice
export type BoardTables = {};

export async function up(_db: Kysely<never>): Promise<void> {}
