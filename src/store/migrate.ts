// Brings a store to the shape this version knows, in one transaction, so that many may open it at once.
// A store that a newer version has shaped is refused before anything is written.
import type { Kysely } from "kysely";
import { Refusal } from "../refusal.ts";
import * as spine from "./migrations/0001_spine.ts";
import * as gates from "./migrations/0002_gates.ts";
import * as board from "./migrations/0003_board.ts";
import * as floor from "./migrations/0004_floor.ts";
import * as messages from "./migrations/0005_messages.ts";
import * as appendOnly from "./migrations/0006_log_append_only.ts";
import * as rules from "./migrations/0007_rules.ts";
import * as receipts from "./migrations/0008_receipts.ts";
import * as notify from "./migrations/0009_notify.ts";
import * as growth from "./migrations/0010_growth.ts";
import * as confirmedRules from "./migrations/0011_confirmed_rules.ts";
import * as standstills from "./migrations/0012_standstills.ts";
import * as openings from "./migrations/0013_openings_and_talk.ts";
import * as clientCards from "./migrations/0015_client_cards.ts";
import * as search from "./migrations/0016_search.ts";
import * as limits from "./migrations/0017_limits.ts";
import * as passedOn from "./migrations/0019_answers_passed_on.ts";
import * as inForce from "./migrations/0023_in_force.ts";
import type { Db, Store } from "./port.ts";

interface Migration {
  up(db: Kysely<never>): Promise<void>;
}

/** In this order; a name never changes once it is published. */
const migrations: ReadonlyArray<readonly [name: string, migration: Migration]> = [
  ["0001_spine", spine],
  ["0002_gates", gates],
  ["0003_board", board],
  ["0004_floor", floor],
  ["0005_messages", messages],
  ["0006_log_append_only", appendOnly],
  ["0007_rules", rules],
  ["0008_receipts", receipts],
  ["0009_notify", notify],
  ["0010_growth", growth],
  ["0011_confirmed_rules", confirmedRules],
  ["0012_standstills", standstills],
  ["0013_openings_and_talk", openings],
  ["0015_client_cards", clientCards],
  ["0016_search", search],
  ["0017_limits", limits],
  ["0019_answers_passed_on", passedOn],
  ["0023_in_force", inForce],
];

interface Done {
  parley_migrations: { name: string; at: number };
}

/** The migration table is the migrator's alone. */
const own = (db: Db) => db as unknown as Kysely<Done>;

async function done(db: Db): Promise<Set<string>> {
  const rows = await own(db).selectFrom("parley_migrations").select("name").execute();
  return new Set(rows.map(({ name }) => name));
}

function refuseNewer(names: ReadonlySet<string>): void {
  const unknown = [...names].filter((name) => !migrations.some(([known]) => known === name)).sort();
  if (unknown.length === 0) return;
  throw new Refusal(
    "CONFLICT",
    `This store was last opened by a newer Parley: it has ${unknown.join(", ")}, and this version knows only up to ` +
      `${migrations.at(-1)?.[0]}. Update Parley, then open it again. Nothing was changed.`,
  );
}

const rooms = [
  { name: "main", title: "main", open: true },
  { name: "_server", title: "Server", open: false },
];

async function isReady(db: Db): Promise<boolean> {
  const names = await done(db);
  refuseNewer(names);
  if (migrations.some(([name]) => !names.has(name))) return false;
  const found = await db
    .selectFrom("rooms")
    .select("name")
    .where(
      "name",
      "in",
      rooms.map(({ name }) => name),
    )
    .execute();
  return found.length === rooms.length;
}

/** What both databases say of a table that is not there: the store is new. */
function isMissingTable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.message.startsWith("no such table") || ("code" in error && error.code === "42P01");
}

/** Whether the store has the shape that this version knows. */
export function isUpToDate(store: Store): Promise<boolean> {
  return store.read(isReady).catch((error) => {
    if (isMissingTable(error)) return false;
    throw error;
  });
}

export async function migrate(store: Store): Promise<void> {
  await store.write("_server", async ({ db }) => {
    const now = Date.now();
    await own(db)
      .schema.createTable("parley_migrations")
      .ifNotExists()
      .addColumn("name", "text", (c) => c.primaryKey())
      .addColumn("at", "bigint", (c) => c.notNull())
      .execute();
    // Read again: another process may have been here first.
    const names = await done(db);
    refuseNewer(names);
    for (const [name, migration] of migrations) {
      if (names.has(name)) continue;
      await migration.up(db as unknown as Kysely<never>);
      await own(db).insertInto("parley_migrations").values({ name, at: now }).execute();
    }
    await db
      .insertInto("rooms")
      .values(
        rooms.map((room) => ({
          ...room,
          created_by: null,
          created_at: now,
          trashed_at: null,
          stopped: false,
          facts: 0,
          head: "",
          tasks: 0,
          due: null,
        })),
      )
      .onConflict((c) => c.column("name").doNothing())
      .execute();
  });
}
