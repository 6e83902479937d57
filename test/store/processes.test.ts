// Real processes on one store: they race to make it, write without loss, and die in the middle.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { openStore } from "../../src/store/open.ts";
import { emptyPostgres } from "../setup/stores.ts";
import { hammer, hold } from "./processes/run.ts";

const places = {
  async "a SQLite file"() {
    const folder = await mkdtemp(join(tmpdir(), "parley-processes-"));
    return {
      where: join(folder, "new", "parley.db"),
      remove: () => rm(folder, { recursive: true, force: true }),
    };
  },
  PostgreSQL: () => emptyPostgres(),
};

describe.each(Object.entries(places))("on %s", (_name, place) => {
  let remove = async () => {};
  afterEach(() => remove());

  test("four open a new store at once and count in one room: no error, none lost", async () => {
    const made = await place();
    remove = made.remove;
    const said = await Promise.all(Array.from({ length: 4 }, () => hammer(made.where, "main", 150)));
    expect(said).toEqual(["", "", "", ""]);
    const store = await openStore(made.where);
    const rooms = await store.read((db) => db.selectFrom("rooms").select(["name", "facts"]).orderBy("name").execute());
    await store.close();
    expect(rooms).toEqual([
      { name: "_server", facts: 0 },
      { name: "main", facts: 600 },
    ]);
  });

  test("one that is killed inside a write leaves nothing of it, and its room to the others", async () => {
    const made = await place();
    remove = made.remove;
    const store = await openStore(made.where);
    const other = await hold(made.where, "main");
    let done = false;
    const write = store
      .write("main", async ({ db }) => {
        const room = await db.selectFrom("rooms").select("facts").where("name", "=", "main").executeTakeFirstOrThrow();
        await db
          .updateTable("rooms")
          .set({ facts: room.facts + 1 })
          .where("name", "=", "main")
          .execute();
      })
      .then(() => {
        done = true;
      });
    const seen = await store.read((db) => db.selectFrom("rooms").select("facts").where("name", "=", "main").execute());
    expect([seen, done]).toEqual([[{ facts: 0 }], false]);
    await other.kill();
    await write;
    const after = await store.read((db) => db.selectFrom("rooms").select("facts").where("name", "=", "main").execute());
    expect(after).toEqual([{ facts: 1 }]);
    await store.close();
  });
});
