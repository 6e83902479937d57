// An index of all words of the tasks. On SQLite it is a full-text table, on PostgreSQL a column under a GIN index; both
// hold the same words (grams.ts).
import { type Kysely, PostgresAdapter, sql } from "kysely";
import { gramsOf } from "../../grams.ts";

async function onPostgres(db: Kysely<never>): Promise<void> {
  await sql`
    create table task_search (
      room text collate "C" not null, id bigint not null, grams tsvector not null, primary key (room, id)
    )`.execute(db);
  await sql`create index task_search_grams on task_search using gin (grams)`.execute(db);
  await sql`
    create function forget_task_search() returns trigger language plpgsql as
    ${sql.lit("begin delete from task_search where room = old.room and id = old.id; return null; end")}`.execute(db);
  await sql`
    create trigger tasks_unsearched after delete on tasks
    for each row execute function forget_task_search()`.execute(db);
}

async function onSqlite(db: Kysely<never>): Promise<void> {
  // The full-text table numbers its rows itself, in the order in which tasks are made.
  await sql`
    create table task_search (doc integer primary key, room text not null, id bigint not null, unique (room, id))
  `.execute(db);
  await sql`
    create virtual table task_grams using fts5(grams, content = '', contentless_delete = 1, detail = none,
      tokenize = 'ascii')`.execute(db);
  await sql`
    create trigger tasks_unsearched after delete on tasks begin
      delete from task_grams where rowid = (select doc from task_search where room = old.room and id = old.id);
      delete from task_search where room = old.room and id = old.id;
    end`.execute(db);
}

interface Row {
  room: string;
  id: number;
  title: string;
  description: string;
}

const page = 500;

export async function up(db: Kysely<never>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  await (isPostgres ? onPostgres(db) : onSqlite(db));
  for (let [room, id] = ["", 0]; ; ) {
    const { rows } = await sql<Row>`
      select room, id, title, description from tasks where (room, id) > (${room}, ${sql.lit(id)})
      order by room, id limit ${sql.lit(page)}`.execute(db);
    for (const row of rows) {
      const grams = gramsOf(row.room, [row.title, row.description]);
      if (isPostgres)
        await sql`
          insert into task_search (room, id, grams)
          values (${row.room}, ${row.id}, array_to_tsvector(${grams}))`.execute(db);
      else {
        await sql`insert into task_search (room, id) values (${row.room}, ${row.id})`.execute(db);
        await sql`
          insert into task_grams (rowid, grams)
          select doc, ${grams.join(" ")} from task_search where room = ${row.room} and id = ${row.id}`.execute(db);
      }
    }
    const last = rows.at(-1);
    if (!last || rows.length < page) return;
    [room, id] = [last.room, last.id];
  }
}
