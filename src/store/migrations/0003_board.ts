// The board: tasks, and what each waits for.
import { type Kysely, sql } from "kysely";
import type { Json } from "./0001_spine.ts";

export interface BoardTables {
  tasks: {
    room: string;
    id: number;
    title: string;
    description: string;
    status: "open" | "claimed" | "submitted" | "done" | "cancelled";
    priority: "low" | "medium" | "high";
    /** Where it stands in the order of `next_task`: 0 first. Whose root a person made come first, then by priority. */
    rank: number;
    /** What must be held to claim it, as written. */
    skills: Json<string[]>;
    /** Tasks that the same members may claim have the same: JSON of assignee, reviewer and skills, case-folded. */
    pool: string;
    /** Characters of title, description and refs. */
    size: number;
    /** Who holds it; while it is open, who alone may claim it. */
    assignee: string | null;
    /** Who claimed it last; null: nobody ever has. */
    last_assignee: string | null;
    creator: string;
    reviewer: string | null;
    parent_id: number | null;
    /** Itself, where it has no parent. */
    root_id: number;
    /** 0 for a root. */
    depth: number;
    /** Children that are neither done nor cancelled, and dependencies that are not done. */
    open_children: number;
    open_dependencies: number;
    refs: Json<string[]>;
    rounds: Json<
      Array<{
        by: string;
        result: string;
        refs?: string[];
        at: number;
        verdict: "approve" | "reject" | null;
        reviewer: string | null;
        note: string | null;
      }>
    >;
    /** What was said on a release or a cancellation. */
    notes: Json<Array<{ by: string | null; at: number; on: "release" | "cancel"; note: string }>>;
    /** When the claim lapses at the earliest (ms); null where it never does. Later, if the holder was heard of. */
    lease_until: number | null;
    /** How long a sign of life keeps the claim (ms). */
    lease_ms: number | null;
    /** Of a root: what its tree may spend, was ever made in it, and was given back. */
    budget_tasks: number | null;
    budget_depth: number | null;
    made: number;
    given_back: number;
    created_at: number;
    updated_at: number;
  };
  task_dependencies: {
    room: string;
    task_id: number;
    depends_on: number;
  };
}

export async function up(db: Kysely<never>): Promise<void> {
  const schema = db.schema;
  let table = schema
    .createTable("tasks")
    .addColumn("room", "text", (c) => c.notNull())
    .addColumn("id", "bigint", (c) => c.notNull());
  for (const name of ["title", "description", "status", "priority", "pool", "creator"])
    table = table.addColumn(name, "text", (c) => c.notNull());
  for (const name of [
    "rank",
    "size",
    "root_id",
    "depth",
    "open_children",
    "open_dependencies",
    "made",
    "given_back",
    "created_at",
    "updated_at",
  ])
    table = table.addColumn(name, "bigint", (c) => c.notNull());
  for (const name of ["skills", "refs", "rounds", "notes"]) table = table.addColumn(name, "json", (c) => c.notNull());
  for (const name of ["assignee", "last_assignee", "reviewer"]) table = table.addColumn(name, "text");
  for (const name of ["parent_id", "lease_until", "lease_ms", "budget_tasks", "budget_depth"])
    table = table.addColumn(name, "bigint");
  await table.addPrimaryKeyConstraint("tasks_pk", ["room", "id"] as never).execute();

  const index = (name: string, columns: string[], on = "tasks") =>
    schema
      .createIndex(name)
      .on(on)
      .columns(columns as never);
  // Serves `next_task` alone, from end to end: it never touches a task that it does not claim.
  await index("tasks_next", ["room", "pool", "rank", "id", "size"])
    .where(sql.ref("status"), "=", sql.lit("open"))
    .where(sql.ref("open_children"), "=", sql.lit(0))
    .where(sql.ref("open_dependencies"), "=", sql.lit(0))
    .execute();
  await index("tasks_status", ["room", "status", "id"]).execute();
  await index("tasks_parent", ["room", "parent_id", "id"]).execute();
  await index("tasks_root", ["room", "root_id", "id"]).execute();
  // Asked for with every call of an agent: what it holds, and what it has to review.
  await index("tasks_assignee", ["assignee", "status", "room", "id"]).execute();
  await index("tasks_last_assignee", ["last_assignee", "status", "room", "id"]).execute();
  await index("tasks_reviewer", ["reviewer", "status", "room", "id"]).execute();
  await index("tasks_lease", ["room", "lease_until"]).execute();

  await schema
    .createTable("task_dependencies")
    .addColumn("room", "text", (c) => c.notNull())
    .addColumn("task_id", "bigint", (c) => c.notNull())
    .addColumn("depends_on", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("task_dependencies_pk", ["room", "task_id", "depends_on"] as never)
    .execute();
  await index("task_dependencies_on", ["room", "depends_on"], "task_dependencies").execute();
}
