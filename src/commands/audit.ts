// parley audit: whether the log is whole, and its rows for others to check.
import { verify } from "../log.ts";
import { out } from "./print.ts";
import { withTable } from "./store.ts";

const rooms = (names: Array<{ name: string }>) => names.map(({ name }) => name).sort();

/** One line a room; false when any is broken. */
export function verifyAudit(): Promise<boolean> {
  return withTable(async ({ store }) => {
    let sound = true;
    for (const room of rooms(await store.read((db) => db.selectFrom("rooms").select("name").execute()))) {
      const verdict = await store.read((db) => verify(db, room));
      if (!verdict.sound) sound = false;
      out(
        verdict.sound
          ? `${room}: ${verdict.facts} facts, sound, head ${verdict.head || "none"}`
          : `${room}: BROKEN at fact ${verdict.at}: ${verdict.why}`,
      );
    }
    return sound;
  });
}
