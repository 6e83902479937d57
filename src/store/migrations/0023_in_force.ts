// Indexes of what is wanted among much that is not: mentions of a member, read ones too, and policies in force.
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createIndex("inbox_mentioned")
    .on("inbox")
    .columns(["member", "room", "message_id"] as never)
    .where(sql<boolean>`mentioned`)
    .execute();
  // With its end, so that policies that have ended are not read.
  await db.schema.dropIndex("rules_standing").execute();
  await db.schema
    .createIndex("rules_standing")
    .on("rules")
    .columns(["room", "expires_at"] as never)
    .where(sql.ref("revoked_at"), "is", null)
    .execute();
}
