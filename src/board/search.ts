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

/** Tasks by number. `goesOn`: it looked no further than this number, and there may be more behind it. */
export interface Found {
  tasks: Task[];
  goesOn?: number;
}

/** How many tasks that the index finds one search looks at. */
const window = 1000;

/** Whether the text stands in title or description, in upper or lower case. */
export function contains({ title, description }: Task, text: string): boolean {
  const part = folded(text);
  return folded(title).includes(part) || folded(description).includes(part);
}

/** Tasks with this text in title or description, at most `limit`. */
export async function search(db: Db, room: string, wanted: Wanted): Promise<Found> {
  const tasks: Task[] = [];
  let after = wanted.after ?? 0;
  const { status, assignee, parent_id } = wanted;
  const narrowed = status !== undefined || assignee !== undefined || parent_id !== undefined;
  const until = narrowed ? await endOfWindow(db, room, wanted.text, after) : null;
  for (let read = 0; read < window; ) {
    // The index knows the threes of characters, not their order: what it finds is looked at again.
    const page = await candidates(db, room, { ...wanted, after, until });
    tasks.push(...page.filter((task) => contains(task, wanted.text)));
    const last = page.at(-1);
    if (tasks.length >= wanted.limit) return { tasks: tasks.slice(0, wanted.limit) };
    if (!last || page.length < wanted.limit) return { tasks, ...(until !== null && { goesOn: until }) };
    after = last.id;
    read += page.length;
  }
  return { tasks, goesOn: after };
}

const tsquery = (room: string, text: string): string =>
  gramsFor(room, text)
    .map(({ word, begins }) => `'${word}'${begins ? ":*" : ""}`)
    .join(" & ");
const ftsQuery = (room: string, text: string): string =>
  gramsFor(room, text)
    .map(({ word, begins }) => `"${word}"${begins ? " *" : ""}`)
    .join(" AND ");

/** The row of the full-text table that has the last task up to number `id`. */
const docUpTo = (room: string, id: number) =>
  sql`coalesce((select doc from task_search where room = ${room} and id <= ${id} order by id desc limit 1), 0)`;

/** The number of the last task that a search from here looks at; null where the index finds fewer. */
async function endOfWindow(db: Db, room: string, text: string, after: number): Promise<number | null> {
  const query = isPostgres(db)
    ? sql<{ id: number }>`
        select id from task_search where room = ${room} and id > ${after}
        and grams @@ ${tsquery(room, text)}::tsquery order by id limit 1 offset ${sql.lit(window - 1)}`
    : sql<{ id: number }>`
        select id from task_search where doc = (
          select rowid from task_grams where task_grams match ${ftsQuery(room, text)}
          and rowid > ${docUpTo(room, after)} order by rowid limit 1 offset ${sql.lit(window - 1)}
        )`;
  return (await query.execute(db)).rows[0]?.id ?? null;
}

async function candidates(
  db: Db,
  room: string,
  wanted: Wanted & { after: number; until: number | null },
): Promise<Task[]> {
  const { after, until } = wanted;
  const only = sql.join(
    (["status", "assignee", "parent_id"] as const).flatMap((column) =>
      wanted[column] === undefined ? [] : [sql`and ${sql.ref(`t.${column}`)} = ${wanted[column]}`],
    ),
    sql` `,
  );
  const query = isPostgres(db)
    ? sql<Task>`
        select t.* from task_search as s inner join tasks as t on t.room = s.room and t.id = s.id
        where s.room = ${room} and s.id > ${after} ${until === null ? sql`` : sql`and s.id <= ${until}`}
        and s.grams @@ ${tsquery(room, wanted.text)}::tsquery
        ${only} order by s.id limit ${wanted.limit}`
    : sql<Task>`
        select t.* from task_grams cross join task_search as s cross join tasks as t
        where task_grams match ${ftsQuery(room, wanted.text)} and task_grams.rowid > ${docUpTo(room, after)}
        ${until === null ? sql`` : sql`and task_grams.rowid <= ${docUpTo(room, until)}`}
        and s.doc = task_grams.rowid and s.room = ${room} and t.room = s.room and t.id = s.id
        ${only} order by task_grams.rowid limit ${wanted.limit}`;
  return (await query.execute(db)).rows;
}
