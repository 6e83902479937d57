// Indexes and counts that keep the cost of a call the same however much is finished.
import { type Kysely, PostgresAdapter, sql } from "kysely";

export interface GrowthTables {
  /** How many tasks of a room have each status. Triggers on `tasks` keep it; nothing else writes it. */
  task_counts: {
    room: string;
    status: "open" | "claimed" | "submitted" | "done" | "cancelled";
    n: number;
  };
}

const is = (column: string, value: string) => sql<boolean>`${sql.ref(column)} = ${sql.lit(value)}`;
const isNot = (column: string, value: string) => sql<boolean>`${sql.ref(column)} != ${sql.lit(value)}`;
const none = (column: string) => sql<boolean>`${sql.ref(column)} is null`;
const some = (column: string) => sql<boolean>`${sql.ref(column)} is not null`;

/** Table, columns, and what a row must be like to stand in the index. */
const indexes: Readonly<Record<string, [table: string, columns: string[], where?: ReturnType<typeof is>]>> = {
  gates_waiting: ["gates", ["room", "id"], is("status", "pending")],
  gates_waiting_of: ["gates", ["asked_by", "id"], is("status", "pending")],
  gates_status: ["gates", ["room", "status", "id"]],
  gates_ended: ["gates", ["room", "status", "expires_at"]],
  gates_task: ["gates", ["room", "task_id", "id"], some("task_id")],
  gates_asked: ["gates", ["room", "asked_by", "id"]],
  gates_asked_status: ["gates", ["room", "asked_by", "status", "id"]],
  gates_alike: ["gates", ["asked_by", "room", "matched_by", "kind", "id"]],
  gates_shield: ["gates", ["asked_by", "id"], isNot("status", "withdrawn")],
  gates_unacknowledged: ["gates", ["asked_by", "id"], none("acknowledged_at")],
  gate_snoozes_until: ["gate_snoozes", ["room", "until"]],
  notices_channel: ["notices", ["channel_id"]],
  notices_member: ["notices", ["member", "gate_id"]],
  tasks_assigned: ["tasks", ["room", "assignee", "id"], some("assignee")],
  tasks_unreviewed: ["tasks", ["room", "id"], sql<boolean>`status = 'submitted' and reviewer is null`],
  tasks_lease: ["tasks", ["room", "lease_until"], some("lease_until")],
  // With the task, so that it answers alone: else SQLite reads all dependencies of the room.
  task_dependencies_on: ["task_dependencies", ["room", "depends_on", "task_id"]],
  floors_open: ["floors", ["room", "channel"], isNot("status", "closed")],
  floors_closed: ["floors", ["room", "clock_wall"], is("status", "closed")],
  floors_running: ["floors", ["room", "due"], sql<boolean>`status = 'open' and due is not null`],
  floor_standings_owed: ["floor_standings", ["room", "channel"], some("owed_turn")],
  inbox_mentions: [
    "inbox",
    ["member", "room", "message_id"],
    sql<boolean>`mentioned and read_at is null and archived_at is null and removed_at is null`,
  ],
  inbox_kept: ["inbox", ["member", "room", "message_id"], none("archived_at")],
  messages_at: ["messages", ["room", "at"]],
  messages_sender: ["messages", ["room", "sender", "id"]],
  messages_kind: ["messages", ["room", "kind", "id"]],
  log_of_nobody: ["log", ["room", "seq"], none("member")],
  keys_at: ["keys", ["room", "at"]],
  links_expired: ["links", ["expires_at"]],
  sessions_revoked: ["sessions", ["revoked_at"], some("revoked_at")],
};

async function countOnPostgres(db: Kysely<never>): Promise<void> {
  await sql`
    create function count_tasks() returns trigger language plpgsql as ${sql.lit(`
    begin
      if tg_op <> 'INSERT' then
        update task_counts c set n = c.n - o.n
        from (select room, status, count(*) as n from gone group by room, status) o
        where c.room = o.room and c.status = o.status;
      end if;
      if tg_op <> 'DELETE' then
        insert into task_counts (room, status, n) select room, status, count(*) from come group by room, status
        on conflict (room, status) do update set n = task_counts.n + excluded.n;
      end if;
      return null;
    end`)}`.execute(db);
  const transitions = {
    insert: "new table as come",
    update: "old table as gone new table as come",
    delete: "old table as gone",
  };
  for (const [event, tables] of Object.entries(transitions))
    await sql`
      create trigger ${sql.raw(`tasks_counted_${event}`)} after ${sql.raw(event)} on tasks referencing ${sql.raw(tables)}
      for each statement execute function count_tasks()`.execute(db);
}

async function countOnSqlite(db: Kysely<never>): Promise<void> {
  const less = sql.raw("update task_counts set n = n - 1 where room = old.room and status = old.status;");
  const more = sql.raw(`
    insert into task_counts (room, status, n) values (new.room, new.status, 1)
    on conflict (room, status) do update set n = n + 1;`);
  await sql`create trigger tasks_counted_insert after insert on tasks begin ${more} end`.execute(db);
  await sql`create trigger tasks_counted_delete after delete on tasks begin ${less} end`.execute(db);
  await sql`
    create trigger tasks_counted_update after update of status on tasks when old.status <> new.status
    begin ${less} ${more} end`.execute(db);
}

async function countTasks(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable("task_counts")
    .addColumn("room", "text", (c) => c.notNull())
    .addColumn("status", "text", (c) => c.notNull())
    .addColumn("n", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("task_counts_pk", ["room", "status"] as never)
    .execute();
  await sql`insert into task_counts select room, status, count(*) from tasks group by room, status`.execute(db);
  if (db.getExecutor().adapter instanceof PostgresAdapter) await countOnPostgres(db);
  else await countOnSqlite(db);
}

export async function up(db: Kysely<never>): Promise<void> {
  for (const name of ["gates_unacknowledged", "gates_asker", "tasks_lease", "task_dependencies_on"])
    await db.schema.dropIndex(name).execute();
  for (const [name, [table, columns, where]] of Object.entries(indexes)) {
    const index = db.schema
      .createIndex(name)
      .on(table)
      .columns(columns as never);
    await (where ? index.where(where) : index).execute();
  }
  // A withdrawn gate has nothing to tell its asker any more (G6).
  await sql`
    update gates set acknowledged_at = coalesce(decided_at, asked_at)
    where status = 'withdrawn' and acknowledged_at is null`.execute(db);
  await countTasks(db);
}
