// The service clock of the floors (T3): every process that has the store open notes the time once a second while
// anything on a floor is running out. A note is no fact and wakes nobody.

import type { Clock } from "../clock.ts";
import type { Store } from "../store/port.ts";
import { noteTimeIn, roomsRunning } from "./due.ts";

const every = 1000;

/** Notes the time on all floors where something is running out, once. */
export async function noteTime(store: Store, now: number): Promise<void> {
  const rooms = await store.read((db) => roomsRunning(db));
  for (const room of rooms) await store.write(room, ({ db }) => noteTimeIn(db, room, now));
}

/** Notes the time every second; answers how to stop. */
export function keepTime(store: Store, clock: Clock): () => Promise<void> {
  let stopped = false;
  let noting = Promise.resolve();
  let untimer = () => {};
  const next = (): void => {
    if (stopped) return;
    untimer = clock.after(every, () => {
      noting = noteTime(store, clock.now())
        // A store that cannot be written now is an outage: it costs a holder 5 s, and the next note goes on.
        .catch(() => {})
        .then(next);
    });
  };
  next();
  return async () => {
    stopped = true;
    untimer();
    await noting;
  };
}
