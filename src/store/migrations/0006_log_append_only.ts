// The log can be added to, never changed: the database itself refuses.
import { type Kysely, PostgresAdapter, sql } from "kysely";

const refusal = "the log is append-only";

async function onPostgres(db: Kysely<never>): Promise<void> {
  await sql`
    create function log_append_only() returns trigger language plpgsql as
    ${sql.lit(`begin raise exception '${refusal}'; end`)}`.execute(db);
  await sql`
    create trigger log_append_only before update or delete on log
    for each row execute function log_append_only()`.execute(db);
  await sql`
    create trigger log_no_truncate before truncate on log
    for each statement execute function log_append_only()`.execute(db);
}

async function onSqlite(db: Kysely<never>): Promise<void> {
  for (const verb of ["update", "delete"]) {
    await sql`
      create trigger ${sql.raw(`log_no_${verb}`)} before ${sql.raw(verb)} on log
      begin select raise(abort, ${sql.lit(refusal)}); end`.execute(db);
  }
}

export async function up(db: Kysely<never>): Promise<void> {
  if (db.getExecutor().adapter instanceof PostgresAdapter) await onPostgres(db);
  else await onSqlite(db);
}
