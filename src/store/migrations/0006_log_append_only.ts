// The log can be added to, never changed: the database itself refuses. Rows go only with the whole room, once the
// room's own row is gone.
import { type Kysely, PostgresAdapter, sql } from "kysely";

const refusal = "the log is append-only";

async function onPostgres(db: Kysely<never>): Promise<void> {
  await sql`
    create function log_append_only() returns trigger language plpgsql as
    ${sql.lit(`begin raise exception '${refusal}'; end`)}`.execute(db);
  await sql`
    create function log_goes_with_its_room() returns trigger language plpgsql as
    ${sql.lit(`begin if exists (select from rooms where name = old.room) then raise exception '${refusal}'; end if; return old; end`)}`.execute(
    db,
  );
  await sql`
    create trigger log_no_update before update on log
    for each row execute function log_append_only()`.execute(db);
  await sql`
    create trigger log_no_delete before delete on log
    for each row execute function log_goes_with_its_room()`.execute(db);
  await sql`
    create trigger log_no_truncate before truncate on log
    for each statement execute function log_append_only()`.execute(db);
}

async function onSqlite(db: Kysely<never>): Promise<void> {
  await sql`
    create trigger log_no_update before update on log
    begin select raise(abort, ${sql.lit(refusal)}); end`.execute(db);
  await sql`
    create trigger log_no_delete before delete on log
    when exists (select 1 from rooms where name = old.room)
    begin select raise(abort, ${sql.lit(refusal)}); end`.execute(db);
}

export async function up(db: Kysely<never>): Promise<void> {
  if (db.getExecutor().adapter instanceof PostgresAdapter) await onPostgres(db);
  else await onSqlite(db);
}
