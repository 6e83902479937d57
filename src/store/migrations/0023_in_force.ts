// Indexes of what is wanted among much that is not: mentions of a member, read ones too, policies in force, and tasks
// by one or two characters.
import { type Kysely, PostgresAdapter, sql } from "kysely";
import { gramsOf } from "../../grams.ts";

const page = 500;

/** The full-text table made anew, with an index of how its words begin: of one character, and of two. */
async function beginnings(db: Kysely<never>): Promise<void> {
  await sql`drop table task_grams`.execute(db);
  await sql`
    create virtual table task_grams using fts5(grams, content = '', contentless_delete = 1, detail = none,
      tokenize = 'ascii', prefix = '4 8')`.execute(db);
  for (let after = 0; ; ) {
    const { rows } = await sql<{ doc: number; room: string; title: string; description: string }>`
      select s.doc, s.room, t.title, t.description from task_search as s
      inner join tasks as t on t.room = s.room and t.id = s.id
      where s.doc > ${sql.lit(after)} order by s.doc limit ${sql.lit(page)}`.execute(db);
    for (const { doc, room, title, description } of rows) {
      const grams = gramsOf(room, [title, description]).join(" ");
      await sql`insert into task_grams (rowid, grams) values (${doc}, ${grams})`.execute(db);
    }
    const last = rows.at(-1);
    if (!last || rows.length < page) return;
    after = last.doc;
  }
}

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
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) await beginnings(db);
}
