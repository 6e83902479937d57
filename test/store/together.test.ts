import { expect, it } from "vitest";
import type { Store, WriteTx } from "../../src/store/port.ts";
import { eachStore } from "../setup/stores.ts";

const titled = (title: string) => (tx: WriteTx) =>
  tx.db.updateTable("rooms").set({ title }).where("name", "=", "main").execute();
const titleOf = (store: Store) =>
  store.read(async (db) => {
    const row = await db.selectFrom("rooms").select("title").where("name", "=", "main").executeTakeFirst();
    return row?.title;
  });

eachStore(({ make }) => {
  it("of many writes at the same time each sees those before it, and is told in its order", async () => {
    const { store, remove } = await make();
    const told: number[] = [];
    await Promise.all(
      Array.from({ length: 120 }, async (_, n) => {
        const seen = await store.write("main", async (tx) => {
          const row = await tx.db.selectFrom("rooms").select("facts").where("name", "=", "main").executeTakeFirst();
          const facts = (row?.facts ?? 0) + 1;
          await tx.db.updateTable("rooms").set({ facts }).where("name", "=", "main").execute();
          return facts;
        });
        told.push(seen);
        expect(seen).toBe(n + 1);
      }),
    );
    expect(told).toEqual([...told].sort((a, b) => a - b));
    await remove();
  });

  it("one that throws, or whose statement fails, or that goes back to its savepoint, takes nothing else with it", async () => {
    const { store, remove } = await make();
    const outcomes = await Promise.allSettled([
      store.write("main", titled("first")),
      store.write("main", async (tx) => {
        await titled("thrown")(tx);
        throw new Error("no");
      }),
      store.write("main", async (tx) => {
        await titled("failed")(tx);
        await tx.db
          .insertInto("rooms")
          .values({ name: "main" } as never)
          .execute();
      }),
      store.write("main", async (tx) => {
        await tx.savepoint();
        await titled("gone back")(tx);
        await tx.rollback();
      }),
      store.write("main", async (tx) => {
        const row = await tx.db.selectFrom("rooms").select("title").where("name", "=", "main").executeTakeFirst();
        return row?.title;
      }),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual([
      "fulfilled",
      "rejected",
      "rejected",
      "fulfilled",
      "fulfilled",
    ]);
    expect(outcomes.at(-1)).toMatchObject({ value: "first" });
    expect(await titleOf(store)).toBe("first");
    await remove();
  });

  it("a write inside a write is still refused, and closing waits for those that wait", async () => {
    const { store, remove } = await make();
    const both = [1, 2].map(() => store.write("main", () => store.write("main", titled("inner"))));
    for (const one of await Promise.allSettled(both)) expect(one.status).toBe("rejected");
    const last = store.write("main", titled("last"));
    const closed = store.close();
    await last;
    await closed;
    await remove();
  });
});
