// Writes in a room, says so, and never ends the transaction: node hold.ts WHERE ROOM.
import { openStore } from "../../../src/store/open.ts";

const [where = "", room = ""] = process.argv.slice(2);
const store = await openStore(where);
await store.write(room, async ({ db }) => {
  await db.updateTable("rooms").set({ facts: 1000 }).where("name", "=", room).execute();
  process.stdout.write("holding\n");
  setInterval(() => {}, 60_000);
  await new Promise(() => {});
});
