// The service clock of the floors (T3): every process that has the store open notes the time once a second while
// anything on a floor is running out (a note is no fact and wakes nobody), and settles the rooms where something is due,
// so that what ends by itself ends in time though nobody calls (T1).

import type { Clock } from "../clock.ts";
import { dueRooms } from "../members/room-rows.ts";
import type { Store } from "../store/port.ts";
import { noteTimeIn, roomsRunning } from "./due.ts";

const every = 1000;

/** Notes the time on all floors where something is running out, once. */
export async function noteTime(store: Store, now: number): Promise<void> {
  const rooms = await store.read((db) => roomsRunning(db));
  for (const room of rooms) await store.write(room, ({ db }) => noteTimeIn(db, room, now));
}

/** Notes the time every second, and settles what is due then; answers how to stop. @param settle one room */
export function keepTime(store: Store, clock: Clock, settle: (room: string) => Promise<void>): () => Promise<void> {
  let stopped = false;
  let noting = Promise.resolve();
  let untimer = () => {};
  const next = (): void => {
    if (stopped) return;
    untimer = clock.after(every, () => {
      noting = beat()
        // A store that cannot be written now is an outage: it costs a holder 5 s, and the next note goes on.
        .catch(() => {})
        .then(next);
    });
  };
  async function beat(): Promise<void> {
    await noteTime(store, clock.now());
    for (const room of await store.read((db) => dueRooms(db, clock.now()))) await settle(room);
  }
  next();
  return async () => {
    stopped = true;
    untimer();
    await noting;
  };
}
