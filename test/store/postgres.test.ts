// What only PostgreSQL can do to a store: lose connections, find deadlocks, speak another language.
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openStore } from "../../src/store/open.ts";
import type { Store } from "../../src/store/port.ts";
import { emptyPostgres, type Fresh, inPostgres } from "../setup/stores.ts";

let fresh: Fresh;
let store: Store;
let client: pg.Client;
beforeEach(async () => {
  fresh = await inPostgres.make();
  store = fresh.store;
  client = new pg.Client({ connectionString: fresh.where });
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await fresh.remove();
});

const setTasks = (store: Store, room: string, tasks: number) =>
  store.write(room, ({ db }) =>
    db.updateTable("rooms").set({ tasks, facts: tasks }).where("name", "=", room).execute(),
  );

/** Ends the server's side of connections whose last words are like `words`. */
const terminate = (words: string) =>
  client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and query like $1`,
    [words],
  );

test("a connection that is lost inside a write fails that write alone", async () => {
  const write = store.write("main", async ({ db }) => {
    await db.updateTable("rooms").set({ tasks: 7 }).execute();
    await terminate("update%");
    await db.selectFrom("rooms").selectAll().execute();
  });
  await expect(write).rejects.toThrow();
  await setTasks(store, "main", 1);
  const rooms = await store.read((db) => db.selectFrom("rooms").select("tasks").orderBy("name").execute());
  expect(rooms).toEqual([{ tasks: 0 }, { tasks: 1 }]);
});

test("a connection that listens and is lost is made anew, and whoever listens is told", async () => {
  const other = await openStore(fresh.where);
  let heard = () => {};
  const next = () =>
    new Promise<void>((resolve) => {
      heard = resolve;
    });
  const connected = next();
  const unhint = store.onHint(() => heard());
  await connected;
  const told = next();
  await terminate("listen%");
  await told;
  for (let tasks = 1; tasks <= 3; tasks++) {
    const hint = next();
    await setTasks(other, "main", tasks);
    await hint;
  }
  unhint();
  await other.close();
});

test("a deadlock between two rooms is undone and done again, as a whole", async () => {
  let runs = 0;
  let arrived = 0;
  let meet = () => {};
  const both = new Promise<void>((resolve) => {
    meet = resolve;
  });
  const cross = (room: string, first: string, second: string) =>
    store.write(room, async ({ db }) => {
      runs++;
      const touch = async (name: string) => {
        const found = await db.selectFrom("rooms").select("due").where("name", "=", name).executeTakeFirstOrThrow();
        await db
          .updateTable("rooms")
          .set({ due: (found.due ?? 0) + 1 })
          .where("name", "=", name)
          .execute();
      };
      await touch(first);
      if (++arrived === 2) meet();
      await both;
      await touch(second);
    });
  await Promise.all([cross("main", "main", "_server"), cross("_server", "_server", "main")]);
  expect(runs).toBe(3);
  expect(await store.read((db) => db.selectFrom("rooms").select("due").execute())).toEqual([{ due: 2 }, { due: 2 }]);
});

test("many commits at once are told of in few notifications, and presence in none", async () => {
  let notifications = 0;
  let heard = () => {};
  client.on("notification", () => {
    notifications++;
    heard();
  });
  await client.query("listen parley");
  const first = new Promise<void>((resolve) => {
    heard = resolve;
  });
  await store.write("main", ({ db }) => db.updateTable("members").set({ seen_at: 1 }).execute());
  await Promise.all(Array.from({ length: 50 }, (_, index) => setTasks(store, "main", index)));
  await first;
  await client.query("select 1");
  expect(notifications).toBeGreaterThan(0);
  expect(notifications).toBeLessThan(50);
});

test("numbers are read as numbers on the store's connections only", async () => {
  const { rows } = await client.query("select 1::int8 as one");
  expect(rows).toEqual([{ one: "1" }]);
});

test("text sorts by its bytes, whatever language the database speaks", async () => {
  const database = await emptyPostgres("template0 locale_provider icu icu_locale 'en'");
  const english = await openStore(database.where);
  const names = ["B", "a", "ä"];
  const rooms = await english.write("main", async ({ db }) => {
    await db
      .insertInto("links")
      .values(names.map((hash) => ({ hash, member: null, created_at: 1, expires_at: 1, used_at: null })))
      .execute();
    return db.selectFrom("links").select("hash").orderBy("hash").execute();
  });
  expect(rooms.map(({ hash }) => hash)).toEqual(names);
  await english.close();
  await database.remove();
});

test("no connection is left after closing", async () => {
  const heard = new Promise<void>((resolve) => void store.onHint(resolve));
  await heard;
  await setTasks(store, "main", 1);
  await store.close();
  const connections = async () => {
    const { rows } = await client.query<{ n: number }>(
      "select count(*)::int4 as n from pg_stat_activity where datname = current_database() and application_name = 'parley'",
    );
    return rows[0]?.n;
  };
  // The server takes a moment to notice.
  await expect.poll(connections).toBe(0);
});

test("a backup is refused and names pg_dump", async () => {
  await expect(store.backup("/nowhere/copy.db")).rejects.toThrow("pg_dump");
});

test("a server that is not there is named without its password", async () => {
  const opening = openStore("postgres://parley:secret@127.0.0.1:1/parley");
  await expect(opening).rejects.toThrow(
    "The store postgres://127.0.0.1:1/parley cannot be opened: connect ECONNREFUSED",
  );
});
