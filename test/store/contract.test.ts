// What the port promises, on every store alike.
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openStore } from "../../src/store/open.ts";
import type { Db, Store } from "../../src/store/port.ts";
import { eachStore, type Fresh } from "../setup/stores.ts";

const factsIn = async (db: Db, room: string): Promise<number> =>
  (await db.selectFrom("rooms").select("facts").where("name", "=", room).executeTakeFirstOrThrow()).facts;

const setFacts = (db: Db, room: string, facts: number) =>
  db.updateTable("rooms").set({ facts }).where("name", "=", room).execute();

/** Reads, then writes what it read plus one: lost updates show. */
const countUp = (store: Store, room: string): Promise<number> =>
  store.write(room, async ({ db }) => {
    const facts = await factsIn(db, room);
    await setFacts(db, room, facts + 1);
    return facts;
  });

const member = (name: string, skills: unknown = []) => ({
  name,
  skeleton: name,
  kind: "agent" as const,
  server_role: null,
  skills: JSON.stringify(skills),
  context_tokens: null,
  created_at: 1,
  removed_at: null,
  status: "idle" as const,
  note: "",
  seen_at: null,
  waits_until: null,
  notices_seen: 0,
});

const fact = (seq: number, data: Record<string, unknown> = {}) => ({
  room: "main",
  seq,
  at: 1,
  member: null,
  action: "task.added",
  subject: "task:1",
  addressee: null,
  outcome: "ok",
  data: JSON.stringify(data),
  prev: "",
  hash: `hash ${seq}`,
});

const newRoom = (db: Db, name: string) =>
  db
    .insertInto("rooms")
    .values({
      name,
      title: name,
      open: true,
      created_by: null,
      created_at: 1,
      trashed_at: null,
      stopped: false,
      facts: 0,
      head: "",
      tasks: 0,
      due: null,
    })
    .execute();

/** A promise and the hand that resolves it. */
function latch(): { open: () => void; opened: Promise<void> } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

/** What cannot be asked of a store is no test of it. */
const testIf =
  (applies: boolean) =>
  (title: string, body: () => unknown): void => {
    if (applies) test(title, body as () => Promise<void>);
  };

eachStore(({ kind, shared, make }) => {
  let fresh: Fresh;
  let store: Store;
  const others: Store[] = [];
  beforeEach(async () => {
    fresh = await make();
    store = fresh.store;
  });
  afterEach(async () => {
    for (const other of others.splice(0)) await other.close();
    await fresh.remove();
  });
  /** A second handle, as another process would have it. */
  async function another(): Promise<Store> {
    const other = await openStore(fresh.where);
    others.push(other);
    return other;
  }

  describe("a write", () => {
    test("answers with what its work answers, and is there for readers", async () => {
      expect(await countUp(store, "main")).toBe(0);
      expect(await store.read((db) => factsIn(db, "main"))).toBe(1);
    });

    test("that throws leaves nothing behind and rejects with what was thrown", async () => {
      const refusal = new Error("no");
      const write = store.write("main", async ({ db }) => {
        await db.insertInto("members").values(member("ada")).execute();
        await setFacts(db, "main", 7);
        throw refusal;
      });
      await expect(write).rejects.toBe(refusal);
      expect(await store.read((db) => factsIn(db, "main"))).toBe(0);
      expect(await store.read((db) => db.selectFrom("members").select("name").execute())).toEqual([]);
      expect(await countUp(store, "main")).toBe(0);
    });

    test("in a room is alone there: of 50 at once that read and then write, none is lost", async () => {
      const numbers = await Promise.all(Array.from({ length: 50 }, () => countUp(store, "main")));
      expect(numbers).toEqual(Array.from({ length: 50 }, (_, index) => index));
    });

    testIf(shared)("is alone in its room through two handles, too", async () => {
      const other = await another();
      const numbers = await Promise.all(
        Array.from({ length: 50 }, (_, index) => countUp(index % 2 ? store : other, "main")),
      );
      expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, index) => index));
    });

    test("of one room leaves the facts of another alone", async () => {
      await store.write("_server", ({ db }) => newRoom(db, "annex"));
      await Promise.all(Array.from({ length: 20 }, (_, index) => countUp(store, index % 2 ? "main" : "annex")));
      expect(await store.read((db) => factsIn(db, "main"))).toBe(10);
      expect(await store.read((db) => factsIn(db, "annex"))).toBe(10);
    });

    testIf(kind === "postgres")("of one room does not wait for another room", async () => {
      const { open, opened } = latch();
      const { open: begun, opened: hasBegun } = latch();
      const slow = store.write("main", async () => {
        begun();
        await opened;
      });
      await hasBegun;
      await countUp(store, "_server");
      open();
      await slow;
    });

    test("that takes the server room's lock as well counts there without loss", async () => {
      await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          index % 2
            ? countUp(store, "_server")
            : store.write("main", async ({ db, lock }) => {
                await lock("_server");
                await setFacts(db, "_server", (await factsIn(db, "_server")) + 1);
              }),
        ),
      );
      expect(await store.read((db) => factsIn(db, "_server"))).toBe(20);
    });

    test("is refused inside another transaction, which goes on unharmed", async () => {
      const inside = /inside a transaction/;
      await store.write("main", async ({ db }) => {
        await expect(store.write("main", async () => {})).rejects.toThrow(inside);
        await expect(store.write("_server", async () => {})).rejects.toThrow(inside);
        await expect(store.read(async () => {})).rejects.toThrow(inside);
        await setFacts(db, "main", 3);
      });
      await store.read(async () => {
        await expect(store.write("main", async () => {})).rejects.toThrow(inside);
        await expect(store.read(async () => {})).rejects.toThrow(inside);
      });
      expect(await countUp(store, "main")).toBe(3);
    });

    test("may follow from what ran inside a transaction, once that has ended", async () => {
      const { open, opened } = latch();
      let later: Promise<number> = Promise.resolve(-1);
      await store.write("main", async () => {
        later = opened.then(() => countUp(store, "main"));
      });
      open();
      expect(await later).toBe(0);
    });

    test("cannot be used after it has ended", async () => {
      const db = await store.write("main", async (tx) => tx.db);
      await expect(setFacts(db, "main", 9)).rejects.toThrow();
      expect(await store.read((reader) => factsIn(reader, "main"))).toBe(0);
    });

    test("whose statement has failed commits nothing, even if the failure was caught", async () => {
      const write = store.write("main", async ({ db }) => {
        await setFacts(db, "main", 5);
        await db
          .insertInto("log")
          .values([fact(1), fact(1)])
          .execute()
          .catch(() => {});
        await setFacts(db, "main", 6).catch(() => {});
      });
      await expect(write).rejects.toThrow();
      expect(await store.read((db) => factsIn(db, "main"))).toBe(0);
      expect(await countUp(store, "main")).toBe(0);
    });
  });

  describe("a savepoint", () => {
    test("keeps what was before it when what follows is rolled back", async () => {
      await store.write("main", async (tx) => {
        await setFacts(tx.db, "main", 1);
        await tx.savepoint();
        await setFacts(tx.db, "main", 2);
        await tx.db.insertInto("members").values(member("ada")).execute();
        await tx.rollback();
        expect(await factsIn(tx.db, "main")).toBe(1);
      });
      expect(await store.read((db) => factsIn(db, "main"))).toBe(1);
      expect(await store.read((db) => db.selectFrom("members").selectAll().execute())).toEqual([]);
    });

    test("moves forward with each call, and can be gone back to more than once", async () => {
      await store.write("main", async (tx) => {
        await tx.savepoint();
        await setFacts(tx.db, "main", 1);
        await tx.savepoint();
        for (const facts of [2, 3]) {
          await setFacts(tx.db, "main", facts);
          await tx.rollback();
        }
        await tx.db.updateTable("rooms").set({ tasks: 4 }).where("name", "=", "main").execute();
      });
      const room = store.read((db) =>
        db.selectFrom("rooms").select(["facts", "tasks"]).where("name", "=", "main").execute(),
      );
      expect(await room).toEqual([{ facts: 1, tasks: 4 }]);
    });

    test("is a way back from a statement that failed", async () => {
      await store.write("main", async (tx) => {
        await setFacts(tx.db, "main", 1);
        await tx.savepoint();
        await expect(
          tx.db
            .insertInto("log")
            .values([fact(1), fact(1)])
            .execute(),
        ).rejects.toThrow();
        await tx.rollback();
        await tx.db.insertInto("log").values(fact(1)).execute();
      });
      expect(await store.read((db) => factsIn(db, "main"))).toBe(1);
      expect(await store.read((db) => db.selectFrom("log").select("seq").execute())).toEqual([{ seq: 1 }]);
    });

    test("does not outlive its transaction when that throws", async () => {
      const write = store.write("main", async (tx) => {
        await setFacts(tx.db, "main", 1);
        await tx.savepoint();
        throw new Error("no");
      });
      await expect(write).rejects.toThrow("no");
      expect(await store.read((db) => factsIn(db, "main"))).toBe(0);
    });

    test("must be there to be gone back to", async () => {
      const write = store.write("main", (tx) => tx.rollback());
      await expect(write).rejects.toThrow("no savepoint");
    });
  });

  describe("wrote()", () => {
    const cases: ReadonlyArray<readonly [what: string, wrote: boolean, work: (db: Db) => Promise<unknown>]> = [
      ["nothing", false, async () => {}],
      ["a select", false, (db) => db.selectFrom("rooms").selectAll().execute()],
      ["a raw select", false, (db) => sql`select 1 as one`.execute(db)],
      ["an insert", true, (db) => db.insertInto("log").values(fact(1)).execute()],
      ["an update", true, (db) => setFacts(db, "main", 1)],
      ["an update of no row", true, (db) => setFacts(db, "nowhere", 1)],
      ["a delete", true, (db) => db.deleteFrom("keys").execute()],
      ["a raw update", true, (db) => sql`update rooms set facts = 1`.execute(db)],
      ["a member seen", false, (db) => db.updateTable("members").set({ seen_at: 5 }).execute()],
      ["a member waiting", false, (db) => db.updateTable("members").set({ seen_at: 5, waits_until: 6 }).execute()],
      ["a member's note", false, (db) => db.updateTable("members").set({ status: "done", note: "x" }).execute()],
      ["a member's skills", true, (db) => db.updateTable("members").set({ seen_at: 5, skills: "[]" }).execute()],
      ["a new member", true, (db) => db.insertInto("members").values(member("ada")).execute()],
      ["a session seen", false, (db) => db.updateTable("sessions").set({ seen_at: 5 }).where("id", "=", "1").execute()],
      ["a session ended", true, (db) => db.updateTable("sessions").set({ revoked_at: 5 }).execute()],
      ["a token used", false, (db) => db.updateTable("tokens").set({ used_at: 5 }).execute()],
      ["a token revoked", true, (db) => db.updateTable("tokens").set({ used_at: 5, revoked_at: 5 }).execute()],
      ["another table's seen_at", true, (db) => db.updateTable("links").set({ used_at: 5 }).execute()],
    ];
    test("is true after whatever changes more than presence", async () => {
      for (const [what, wrote, work] of cases) {
        await store.write("main", async (tx) => {
          await work(tx.db);
          expect(tx.wrote(), what).toBe(wrote);
        });
      }
    });

    test("counts from the last savepoint, and not what was rolled back", async () => {
      await store.write("main", async (tx) => {
        await setFacts(tx.db, "main", 1);
        await tx.savepoint();
        expect(tx.wrote()).toBe(false);
        await setFacts(tx.db, "main", 2);
        expect(tx.wrote()).toBe(true);
        await tx.rollback();
        expect(tx.wrote()).toBe(false);
      });
    });
  });

  describe("a read", () => {
    testIf(shared)("sees one moment, whatever is committed meanwhile", async () => {
      const { open, opened } = latch();
      const { open: begun, opened: hasBegun } = latch();
      const read = store.read(async (db) => {
        const before = await factsIn(db, "main");
        begun();
        await opened;
        return [before, await factsIn(db, "main")];
      });
      await hasBegun;
      await countUp(store, "main");
      open();
      expect(await read).toEqual([0, 0]);
      expect(await store.read((db) => factsIn(db, "main"))).toBe(1);
    });

    testIf(shared)("neither waits for a writer nor sees what it has not committed", async () => {
      const { open, opened } = latch();
      const { open: written, opened: hasWritten } = latch();
      const write = store.write("main", async ({ db }) => {
        await setFacts(db, "main", 5);
        written();
        await opened;
      });
      await hasWritten;
      expect(await store.read((db) => factsIn(db, "main"))).toBe(0);
      open();
      await write;
      expect(await store.read((db) => factsIn(db, "main"))).toBe(5);
    });

    test("cannot write", async () => {
      await expect(store.read((db) => setFacts(db, "main", 9))).rejects.toThrow();
      expect(await store.read((db) => factsIn(db, "main"))).toBe(0);
    });

    test("that throws does not keep the next from reading", async () => {
      await expect(store.read(async () => Promise.reject(new Error("no")))).rejects.toThrow("no");
      expect(await store.read((db) => factsIn(db, "main"))).toBe(0);
    });
  });

  describe("values", () => {
    test("in JSON columns come back as they were, even half a surrogate pair", async () => {
      const values = [
        { a: [1, 2.5, null, true], "\u043a\u043b\u044e\u0447": "Wert" },
        "0012",
        12,
        true,
        [],
        ["👩‍👩‍👧", `"'\\`, "\u2028"],
        ["\ud83d"],
      ];
      await store.write("main", ({ db }) =>
        db
          .insertInto("members")
          .values(values.map((skills, index) => member(`m${index}`, skills)))
          .execute(),
      );
      const found = await store.read((db) => db.selectFrom("members").select("skills").orderBy("name").execute());
      expect(found.map(({ skills }) => skills)).toEqual(values);
    });

    test("are true or false in boolean columns, in conditions and in what a statement returns", async () => {
      const open = await store.write("main", ({ db }) =>
        db
          .updateTable("rooms")
          .set({ stopped: true })
          .where("open", "=", true)
          .returning(["name", "open", "stopped"])
          .execute(),
      );
      expect(open).toEqual([{ name: "main", open: true, stopped: true }]);
      const closed = await store.read((db) =>
        db.selectFrom("rooms").select(["name", "open as is_open"]).where("open", "=", sql.lit(false)).execute(),
      );
      expect(closed).toEqual([{ name: "_server", is_open: false }]);
    });

    test("are numbers in bigint columns, far beyond 32 bits, and null where there is none", async () => {
      const due = 8_640_000_000_000_000;
      await store.write("main", ({ db }) => db.updateTable("rooms").set({ due }).where("name", "=", "main").execute());
      const rooms = await store.read((db) => db.selectFrom("rooms").select(["name", "due"]).orderBy("name").execute());
      expect(rooms).toEqual([
        { name: "_server", due: null },
        { name: "main", due },
      ]);
    });

    test("that are counted or added up are numbers", async () => {
      await store.write("main", ({ db }) => db.updateTable("rooms").set({ facts: 21 }).execute());
      const sums = await store.read((db) =>
        db
          .selectFrom("rooms")
          .select(({ fn }) => [
            fn.countAll<number>().as("rooms"),
            fn.sum<number>("facts").as("facts"),
            fn.max("facts").as("most"),
          ])
          .execute(),
      );
      expect(sums).toEqual([{ rooms: 2, facts: 42, most: 21 }]);
    });

    test("in text columns come back as they were; half a surrogate pair as U+FFFD", async () => {
      const note = "Grüße 👋\n\t\u0001\u2028 'quoted' \"twice\" \\ %_";
      await store.write("main", ({ db }) =>
        db
          .insertInto("members")
          .values([
            { ...member("ada"), note },
            { ...member("bo"), note: "a\ud83db" },
          ])
          .execute(),
      );
      const notes = await store.read((db) => db.selectFrom("members").select("note").orderBy("name").execute());
      expect(notes).toEqual([{ note }, { note: "a\ufffdb" }]);
    });

    test("in text columns sort by their bytes, and `like` tells upper from lower case", async () => {
      const names = ["B", "Z", "_", "a", "z", "ä", "€", "😀"];
      await store.write("main", ({ db }) =>
        db
          .insertInto("members")
          .values([...names].reverse().map((name) => member(name)))
          .execute(),
      );
      const sorted = await store.read((db) => db.selectFrom("members").select("name").orderBy("name").execute());
      expect(sorted.map(({ name }) => name)).toEqual(names);
      const z = await store.read((db) => db.selectFrom("members").select("name").where("name", "like", "z%").execute());
      expect(z).toEqual([{ name: "z" }]);
    });

    test("are in no empty list, and not in every empty list", async () => {
      const within = (op: "in" | "not in") =>
        store.read((db) => db.selectFrom("rooms").select("name").where("name", op, []).orderBy("name").execute());
      expect(await within("in")).toEqual([]);
      expect(await within("not in")).toEqual([{ name: "_server" }, { name: "main" }]);
    });
  });

  describe("backstops", () => {
    test("the log can be added to, not changed", async () => {
      const refusal = /append-only/;
      await store.write("main", ({ db }) =>
        db
          .insertInto("log")
          .values(fact(1, { a: 1 }))
          .execute(),
      );
      const change = (work: (db: Db) => Promise<unknown>) => store.write("main", ({ db }) => work(db));
      await expect(change((db) => db.updateTable("log").set({ action: "x" }).execute())).rejects.toThrow(refusal);
      await expect(change((db) => db.deleteFrom("log").execute())).rejects.toThrow(refusal);
      await expect(
        change((db) =>
          db
            .insertInto("log")
            .values(fact(1))
            .onConflict((c) => c.columns(["room", "seq"]).doUpdateSet({ action: "x" }))
            .execute(),
        ),
      ).rejects.toThrow(refusal);
      const emptying = kind === "sqlite" ? sql`replace into log select * from log` : sql`truncate log`;
      await expect(change((db) => emptying.execute(db))).rejects.toThrow(refusal);
      expect(await store.read((db) => db.selectFrom("log").select(["action", "data"]).execute())).toEqual([
        { action: "task.added", data: { a: 1 } },
      ]);
    });

    test("two members cannot share a skeleton, nor two facts a number", async () => {
      const twins = [member("ada"), { ...member("Ada"), skeleton: "ada" }];
      await expect(store.write("main", ({ db }) => db.insertInto("members").values(twins).execute())).rejects.toThrow();
      const facts = [fact(1), fact(1)];
      await expect(store.write("main", ({ db }) => db.insertInto("log").values(facts).execute())).rejects.toThrow();
    });

    test("a conflict that is allowed for does no harm", async () => {
      const insert = () =>
        store.write("main", ({ db }) =>
          db
            .insertInto("members")
            .values(member("ada"))
            .onConflict((c) => c.column("name").doNothing())
            .executeTakeFirst(),
        );
      expect((await insert()).numInsertedOrUpdatedRows).toBe(1n);
      expect((await insert()).numInsertedOrUpdatedRows).toBe(0n);
    });
  });

  describe("a hint", () => {
    testIf(shared)("comes for every commit of another handle, and what was committed is then there", async () => {
      const other = await another();
      let expected = 0;
      let seen = latch();
      const unhint = store.onHint(async () => {
        if ((await store.read((db) => factsIn(db, "main"))) === expected) seen.open();
      });
      for (expected = 1; expected <= 20; expected++) {
        seen = latch();
        await countUp(other, "main");
        await seen.opened;
      }
      unhint();
    });

    testIf(shared)("comes to all who listen, and no more to who has stopped", async () => {
      const other = await another();
      const calls = { stays: 0, leaves: 0 };
      let next = latch();
      const stay = store.onHint(() => {
        calls.stays++;
        next.open();
      });
      const leave = store.onHint(() => calls.leaves++);
      await countUp(other, "main");
      await next.opened;
      leave();
      const before = calls.leaves;
      for (let round = 0; round < 5; round++) {
        next = latch();
        await countUp(other, "main");
        await next.opened;
      }
      expect(calls.leaves).toBe(before);
      stay();
    });

    testIf(!shared)("never comes where no other process can be", () => {
      expect(() => store.onHint(() => {})()).not.toThrow();
    });
  });

  describe("opening", () => {
    const shape = (db: Db) => db.introspection.getTables();

    test("makes the rooms main and _server", async () => {
      const rooms = await store.read((db) => db.selectFrom("rooms").selectAll().orderBy("name").execute());
      const empty = { created_by: null, trashed_at: null, stopped: false, facts: 0, head: "", tasks: 0, due: null };
      expect(rooms).toEqual([
        { name: "_server", title: "Server", open: false, created_at: expect.any(Number), ...empty },
        { name: "main", title: "main", open: true, created_at: expect.any(Number), ...empty },
      ]);
    });

    testIf(shared)("again changes nothing", async () => {
      await countUp(store, "main");
      const before = await store.read(shape);
      const other = await another();
      expect(await other.read(shape)).toEqual(before);
      expect(await other.read((db) => factsIn(db, "main"))).toBe(1);
    });

    testIf(shared)("is refused where a newer version has been, before anything is written", async () => {
      await store.write("main", async ({ db }) => {
        await sql`insert into parley_migrations (name, at) values ('0999_from_the_future', 1)`.execute(db);
        await db.deleteFrom("rooms").where("name", "=", "main").execute();
      });
      const opening = openStore(fresh.where);
      await expect(opening).rejects.toThrow(/newer Parley: it has 0999_from_the_future.*Update Parley/);
      // It would have made the room anew.
      const rooms = await store.read((db) => db.selectFrom("rooms").select("name").execute());
      expect(rooms).toEqual([{ name: "_server" }]);
    });
  });

  describe("closing", () => {
    test("waits for who is inside, lets nobody else in, and may be asked for twice", async () => {
      const { open, opened } = latch();
      let done = false;
      const write = store.write("main", async ({ db }) => {
        await opened;
        await setFacts(db, "main", 1);
        done = true;
      });
      const closed = store.close().then(() => done);
      await expect(store.read(async () => {})).rejects.toThrow("closed");
      await expect(store.write("main", async () => {})).rejects.toThrow("closed");
      open();
      await write;
      expect(await closed).toBe(true);
      await store.close();
    });
  });
});
