// Tasks by their words, with the database's own full-text search: the one place where the two are asked in other words.
import { PostgresAdapter, sql } from "kysely";
import { folded, gramsFor, gramsOf } from "../grams.ts";
import type { Db } from "../store/port.ts";
import type { Status, Task } from "./task.ts";

const isPostgres = (db: Db): boolean => db.getExecutor().adapter instanceof PostgresAdapter;

/** To be called when a task is made, and when its title or description has changed. */
export async function putWords(db: Db, { room, id, title, description }: Task): Promise<void> {
  const grams = gramsOf(room, [title, description]);
  if (isPostgres(db)) {
    await sql`
      insert into task_search (room, id, grams) values (${room}, ${id}, array_to_tsvector(${grams}))
      on conflict (room, id) do update set grams = excluded.grams`.execute(db);
    return;
  }
  const doc = sql`(select doc from task_search where room = ${room} and id = ${id})`;
  await sql`insert into task_search (room, id) values (${room}, ${id}) on conflict do nothing`.execute(db);
  await sql`delete from task_grams where rowid = ${doc}`.execute(db);
  await sql`insert into task_grams (rowid, grams) values (${doc}, ${grams.join(" ")})`.execute(db);
}

interface Wanted {
  text: string;
  status?: Status | undefined;
  assignee?: string | undefined;
  parent_id?: number | undefined;
  after?: number | undefined;
  limit: number;
}

const contains = ({ title, description }: Task, part: string): boolean =>
  folded(title).includes(part) || folded(description).includes(part);

/** Tasks with this text in title or description, by number, at most `limit`. */
export async function search(db: Db, room: string, wanted: Wanted): Promise<Task[]> {
  const part = folded(wanted.text);
  const found: Task[] = [];
  for (let after = wanted.after ?? 0; ; ) {
    // The index knows the threes of characters, not their order: what it finds is looked at again.
    const page = await candidates(db, room, { ...wanted, after });
    found.push(...page.filter((task) => contains(task, part)));
    const last = page.at(-1);
    if (!last || page.length < wanted.limit || found.length >= wanted.limit) return found.slice(0, wanted.limit);
    after = last.id;
  }
}

async function candidates(db: Db, room: string, wanted: Wanted & { after: number }): Promise<Task[]> {
  const grams = gramsFor(room, wanted.text);
  const only = sql.join(
    (["status", "assignee", "parent_id"] as const).flatMap((column) =>
      wanted[column] === undefined ? [] : [sql`and ${sql.ref(`t.${column}`)} = ${wanted[column]}`],
    ),
    sql` `,
  );
  const query = isPostgres(db)
    ? sql<Task>`
        select t.* from task_search as s inner join tasks as t on t.room = s.room and t.id = s.id
        where s.room = ${room} and s.id > ${wanted.after}
        and s.grams @@ ${grams.map(({ word, begins }) => `'${word}'${begins ? ":*" : ""}`).join(" & ")}::tsquery
        ${only} order by s.id limit ${wanted.limit}`
    : sql<Task>`
        select t.* from task_grams cross join task_search as s cross join tasks as t
        where task_grams match ${grams.map(({ word, begins }) => `"${word}"${begins ? " *" : ""}`).join(" AND ")}
        and task_grams.rowid > coalesce((
          select doc from task_search where room = ${room} and id <= ${wanted.after} order by id desc limit 1
        ), 0)
        and s.doc = task_grams.rowid and s.room = ${room} and t.room = s.room and t.id = s.id
        ${only} order by task_grams.rowid limit ${wanted.limit}`;
  return (await query.execute(db)).rows;
}
