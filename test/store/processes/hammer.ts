// Counts a room's facts up by one, N times, each time reading first: node hammer.ts WHERE ROOM N.
import { openStore } from "../../../src/store/open.ts";

const [where = "", room = "", times = "0"] = process.argv.slice(2);
const store = await openStore(where);
for (let left = Number(times); left > 0; left--) {
  await store.write(room, async ({ db }) => {
    const { facts } = await db.selectFrom("rooms").select("facts").where("name", "=", room).executeTakeFirstOrThrow();
    await db
      .updateTable("rooms")
      .set({ facts: facts + 1 })
      .where("name", "=", room)
      .execute();
  });
}
await store.close();
