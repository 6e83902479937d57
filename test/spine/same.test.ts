import { expect, it } from "vitest";
import { openSame } from "../../src/same.ts";
import { openStore } from "../../src/store/open.ts";
import { inFile, inMemory } from "../setup/stores.ts";
import { handClock } from "../table.ts";

const titles = (db: Parameters<Parameters<ReturnType<typeof openSame>>[1]>[0]) =>
  db.selectFrom("rooms").select("title").where("name", "=", "main").executeTakeFirstOrThrow();

it("what was read is read again after every commit, of this process and of another", async () => {
  const { store, where, remove } = await inFile.make();
  const other = await openStore(where);
  const same = openSame(store, handClock());
  let reads = 0;
  const look = () =>
    same("title", (db) => {
      reads++;
      return titles(db);
    });
  expect(await look()).toEqual({ title: "main" });
  expect(await look()).toEqual({ title: "main" });
  expect(reads).toBe(1);
  for (const [handle, title] of [
    [store, "by us"],
    [other, "by another"],
  ] as const) {
    await handle.write("main", (tx) => tx.db.updateTable("rooms").set({ title }).where("name", "=", "main").execute());
    expect(await look()).toEqual({ title });
  }
  expect(reads).toBe(3);
  await other.close();
  await remove();
});

it("what was read is read again once a deadline has passed, and when it could not be read", async () => {
  const { store, remove } = await inFile.make();
  const clock = handClock();
  const due = clock.now() + 1000;
  await store.write("main", (tx) => tx.db.updateTable("rooms").set({ due }).where("name", "=", "main").execute());
  const same = openSame(store, clock);
  let reads = 0;
  const look = () => same("count", async () => ++reads);
  expect([await look(), await look()]).toEqual([1, 1]);
  clock.jump(1000);
  expect(await look()).toBe(2);
  await expect(same("bad", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await same("bad", async () => "read")).toBe("read");
  await remove();
});

it("where commits of others cannot be told, everything is read each time", async () => {
  const { store, remove } = await inMemory.make();
  const same = openSame(store, handClock());
  let reads = 0;
  const look = () => same("count", async () => ++reads);
  expect([await look(), await look()]).toEqual([1, 2]);
  await remove();
});

it("what is not there is not remembered, and what is remembered has an end", async () => {
  const { store, remove } = await inFile.make();
  const same = openSame(store, handClock());
  let reads = 0;
  const look = (what: string, value: unknown) =>
    same(what, async () => {
      reads++;
      return value;
    });
  // A stranger's token is nobody's, however often it is tried.
  for (let n = 0; n < 3; n++) expect(await look("token unknown", null)).toBe(null);
  expect(reads).toBe(3);
  reads = 0;
  await look("first", 1);
  for (let n = 0; n < 10_000; n++) await look(`another ${n}`, n);
  expect(reads).toBe(10_001);
  await look("first", 1);
  expect(reads, "the first was forgotten, so that memory has an end").toBe(10_002);
  await look("first", 1);
  expect(reads).toBe(10_002);
  await remove();
});
