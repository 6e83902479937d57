// What the service clock does with the floors each second (T3), once.
import { noteTimeIn, roomsRunning } from "../../src/floor/due.ts";
import type { Store } from "../../src/store/port.ts";

export async function noteTime(store: Store, now: number): Promise<void> {
  for (const room of await store.read((db) => roomsRunning(db)))
    await store.write(room, ({ db }) => noteTimeIn(db, room, now));
}
