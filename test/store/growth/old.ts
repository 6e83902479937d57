// Much that is old, made by the database itself: copies of one row that the product has made, so that a new column needs
// nothing here.
import { type RawBuilder, sql } from "kysely";
import type { Store } from "../../../src/store/port.ts";
import type { Tables } from "../../../src/store/tables.ts";

/** `n.i` counts from 1. */
type Changes = Readonly<Record<string, RawBuilder<unknown> | string | number | null>>;

/** Copies the one row that `where` finds `times` times, with these columns changed. */
async function copies(
  store: Store,
  table: keyof Tables,
  where: Readonly<Record<string, string | number>>,
  times: number,
  changes: Changes,
): Promise<void> {
  await store.write("main", async ({ db }) => {
    let query = db.selectFrom(table as "gates").selectAll();
    for (const [column, value] of Object.entries(where)) query = query.where(column as "id", "=", value as string);
    const columns = Object.keys(await query.limit(1).executeTakeFirstOrThrow());
    const values = columns.map((column) => {
      const change = changes[column];
      if (change === undefined) return sql.ref(`t.${column}`);
      return change !== null && typeof change === "object" ? change : sql.lit(change);
    });
    const same = Object.entries(where).map(([column, value]) => sql`${sql.ref(`t.${column}`)} = ${sql.lit(value)}`);
    await sql`
      insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
      with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(times)}),
      t as (select * from ${sql.table(table)} as t where ${sql.join(same, sql` and `)} limit 1)
      select ${sql.join(values)} from n cross join t`.execute(db);
  });
}

/** Gates that were approved and acknowledged long ago. */
export const oldGates = (store: Store, gate: string, times: number, changes: Changes, after: number) =>
  copies(store, "gates", { id: gate }, times, { id: sql`'0000-' || (n.i + ${sql.lit(after)})`, key: null, ...changes });

/** Closed floors, with the standings and turns of the one they are copied from. */
export async function oldFloors(
  store: Store,
  channel: string,
  member: string,
  times: number,
  after: number,
): Promise<void> {
  const name = { channel: sql`'old-' || (n.i + ${sql.lit(after)})` };
  const where = { room: "main", channel };
  await copies(store, "floors", where, times, name);
  await copies(store, "floor_standings", { ...where, member }, times, name);
  await copies(store, "floor_turns", { ...where, number: 1 }, times, name);
}

/** Tasks after number `after`, as the one that they are copied from but for `changes`. */
export async function moreTasks(
  store: Store,
  task: number,
  after: number,
  times: number,
  changes: Changes = {},
): Promise<void> {
  const id = sql`n.i + ${sql.lit(after)}`;
  await copies(store, "tasks", { room: "main", id: task }, times, { id, root_id: id, ...changes });
  await store.write("main", ({ db }) =>
    db
      .updateTable("rooms")
      .set({ tasks: after + times })
      .where("name", "=", "main")
      .execute(),
  );
}

/** Facts after number `after`, as the one that they are copied from. */
export async function moreFacts(store: Store, seq: number, after: number, times: number): Promise<void> {
  await copies(store, "log", { room: "main", seq }, times, { seq: sql`n.i + ${sql.lit(after)}` });
  await store.write("main", ({ db }) =>
    db
      .updateTable("rooms")
      .set({ facts: after + times })
      .where("name", "=", "main")
      .execute(),
  );
}

/** Messages from before all others, as the one that they are copied from, in the inbox of this member. */
export async function oldMessages(store: Store, id: string, member: string, times: number): Promise<void> {
  const name = sql`'0000-' || (n.i + 1000000)`;
  await copies(store, "messages", { id }, times, { id: name });
  await copies(store, "inbox", { message_id: id, member }, times, { message_id: name });
}
