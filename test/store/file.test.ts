// What only a store in a file has: modes, backups, locks of other programs.
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openStore } from "../../src/store/open.ts";
import type { Store } from "../../src/store/port.ts";

let folder: string;
const open: Store[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "parley-file-"));
});
afterEach(async () => {
  for (const store of open.splice(0)) await store.close();
  await rm(folder, { recursive: true, force: true });
});

async function opened(where: string): Promise<Store> {
  const store = await openStore(where);
  open.push(store);
  return store;
}
const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);
const setFacts = (store: Store, facts: number) =>
  store.write("main", ({ db }) => db.updateTable("rooms").set({ facts }).where("name", "=", "main").execute());
const facts = (store: Store) =>
  store.read((db) => db.selectFrom("rooms").select("facts").where("name", "=", "main").executeTakeFirstOrThrow());

describe("modes", () => {
  test("new folders are their owner's alone, and so are the file and its companions", async () => {
    const file = join(folder, "a", "b", "parley.db");
    const store = await opened(file);
    await setFacts(store, 1);
    expect(await modeOf(join(folder, "a"))).toBe("700");
    expect(await modeOf(join(folder, "a", "b"))).toBe("700");
    for (const ending of ["", "-wal", "-shm"]) expect(await modeOf(file + ending)).toBe("600");
  });

  test("what is there already keeps its mode, and its companions take it on", async () => {
    const shared = join(folder, "shared");
    await mkdir(shared);
    await chmod(shared, 0o750);
    const file = join(shared, "parley.db");
    await writeFile(file, "");
    await chmod(file, 0o640);
    await opened(file);
    expect(await modeOf(shared)).toBe("750");
    for (const ending of ["", "-wal", "-shm"]) expect(await modeOf(file + ending)).toBe("640");
  });

  test("a backup is its owner's alone", async () => {
    const store = await opened(join(folder, "parley.db"));
    const copy = join(folder, "kept", "copy.db");
    await store.backup(copy);
    expect(await modeOf(copy)).toBe("600");
    expect(await readdir(join(folder, "kept"))).toEqual(["copy.db"]);
  });
});

describe("a backup", () => {
  test("is one moment of a store that is written to meanwhile, and opens as a store", async () => {
    const store = await opened(join(folder, "parley.db"));
    // Large enough for many steps.
    await store.write("main", async ({ db }) => {
      for (let n = 0; n < 40; n++) {
        await db
          .insertInto("links")
          .values(
            Array.from({ length: 100 }, (_, i) => ({
              hash: `${n} ${i} ${"x".repeat(200)}`,
              member: null,
              created_at: 1,
              expires_at: 1,
              used_at: null,
            })),
          )
          .execute();
      }
    });
    let done = false;
    const backup = store.backup(join(folder, "copy.db")).finally(() => {
      done = true;
    });
    let written = 0;
    while (!done) {
      // Two rows that always agree.
      await store.write("main", ({ db }) =>
        db
          .updateTable("rooms")
          .set({ facts: written + 1 })
          .execute(),
      );
      written++;
      await new Promise(setImmediate);
    }
    await backup;
    expect(written).toBeGreaterThan(1);
    const copy = await opened(join(folder, "copy.db"));
    const rooms = await copy.read((db) => db.selectFrom("rooms").select("facts").execute());
    expect(new Set(rooms.map((room) => room.facts)).size).toBe(1);
    const links = await copy.read((db) => db.selectFrom("links").select("hash").execute());
    expect(links).toHaveLength(4000);
    const raw = new Database(join(folder, "copy.db"), { readonly: true });
    expect(raw.pragma("integrity_check", { simple: true })).toBe("ok");
    raw.close();
  });

  test("can be made of a store in memory", async () => {
    const store = await opened(":memory:");
    await setFacts(store, 5);
    await store.backup(join(folder, "copy.db"));
    expect(await facts(await opened(join(folder, "copy.db")))).toEqual({ facts: 5 });
  });

  test("never overwrites what is there", async () => {
    const file = join(folder, "parley.db");
    const store = await opened(file);
    await expect(store.backup(file)).rejects.toThrow(/already exists/);
    expect(await facts(store)).toEqual({ facts: 0 });
  });
});

describe("a lock that another program holds", () => {
  test("is waited for while the loop goes on", async () => {
    const file = join(folder, "parley.db");
    const store = await opened(file);
    const program = new Database(file);
    program.exec("begin immediate");
    let done = false;
    const write = setFacts(store, 1).then(() => {
      done = true;
    });
    // A write that held up the loop would never let these turns come.
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    expect(await facts(store)).toEqual({ facts: 0 });
    expect(done).toBe(false);
    program.exec("commit");
    program.close();
    await write;
    expect(await facts(store)).toEqual({ facts: 1 });
  });
});

describe("opening", () => {
  test("a file that is no store says so, and leaves it as it is", async () => {
    const file = join(folder, "notes.txt");
    await writeFile(file, "Not a database, but long enough to look like one.".repeat(20));
    await expect(openStore(file)).rejects.toThrow(/notes\.txt cannot be opened: file is not a database/);
    expect((await stat(file)).size).toBe(980);
  });

  test("a path through a file says so", async () => {
    await writeFile(join(folder, "file"), "");
    await expect(openStore(join(folder, "file", "parley.db"))).rejects.toThrow(/cannot be opened/);
  });
});

test("more statements than are kept prepared are still answered", async () => {
  const store = await opened(":memory:");
  for (let length = 1; length <= 600; length++) {
    const names = Array.from({ length }, (_, index) => (index === 0 ? "main" : `room ${index}`));
    const found = await store.read((db) => db.selectFrom("rooms").select("open").where("name", "in", names).execute());
    expect(found).toEqual([{ open: true }]);
  }
});

test("nothing is left behind after closing, in the folder or on the clock", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  try {
    const store = await openStore(join(folder, "parley.db"));
    expect(vi.getTimerCount()).toBe(0);
    store.onHint(() => {});
    store.onHint(() => {})();
    expect(vi.getTimerCount()).toBeGreaterThan(0);
    await setFacts(store, 1);
    await store.close();
    expect(vi.getTimerCount()).toBe(0);
    expect(await readdir(folder)).toEqual(["parley.db"]);
  } finally {
    vi.useRealTimers();
  }
});
