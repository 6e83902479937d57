import { expect, test } from "vitest";
import { eachStore } from "../setup/stores.ts";

eachStore(({ make }) => {
  test("opens", async () => {
    for (let i = 0; i < 5; i++) {
      const t = performance.now();
      const { store, remove } = await make();
      expect(
        await store.read((db) => db.selectFrom("rooms").select(["name", "open", "facts"]).orderBy("name").execute()),
      ).toEqual([
        { name: "_server", open: false, facts: 0 },
        { name: "main", open: true, facts: 0 },
      ]);
      await remove();
    }
  });
});
