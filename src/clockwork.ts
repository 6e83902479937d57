// The service clock: every process that has the store open looks once a second. It notes the time on the floors where
// something is running out (T3; a note is no fact and wakes nobody), settles the rooms where something is due, so that
// what ends by itself ends in time though nobody calls (T1), and makes up for a standstill of its own (M4). A room that
// cannot be settled is reported, and holds up no other.
import { standStill } from "./board/downtime.ts";
import { noteTimeIn, roomsRunning } from "./floor/due.ts";
import { waitForClients } from "./gates/endings.ts";
import { localOperator } from "./members/caller.ts";
import { dueRooms } from "./members/room-rows.ts";
import type { Table } from "./table.ts";

const every = 1000;
/** How many beats lie between two looks at the store's health: about a minute. */
const healthEvery = 60;

/** Looks every second; answers how to stop. */
export function keepTime({ store, clock, write, awake, report }: KeptTable): () => Promise<void> {
  let stopped = false;
  let beating = Promise.resolve();
  let untimer = () => {};
  /** What fails now, and was reported: once for each time that it begins to fail. */
  const failing = new Set<string>();

  async function attempt(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
      failing.delete(what);
    } catch (error) {
      if (!failing.has(what)) report(error, `${what} failed; it is tried again every second.`);
      failing.add(what);
    }
  }
  async function beat(): Promise<void> {
    await attempt("Making up for a standstill", async () => {
      const now = clock.now();
      const since = awake.stillSince(now);
      if (since !== null) {
        await standStill(store, now, since);
        await waitForClients(store, now);
      }
      awake.beat(now);
    });
    await attempt("Noting the time on the floors", async () => {
      for (const room of await store.read((db) => roomsRunning(db)))
        await attempt(`Noting the time on the floors of ${room}`, () =>
          store.write(room, ({ db }) => noteTimeIn(db, room, clock.now())),
        );
    });
    if (beats++ % healthEvery === 0) await attempt("Looking at the store's health", examine);
    await attempt("Looking for what is due", async () => {
      for (const room of await store.read((db) => dueRooms(db, clock.now())))
        await attempt(`Settling what is due in ${room}`, () => write(localOperator, room, async () => {}));
    });
  }
  let beats = 0;
  let ailing = false;
  /** What is not well is reported when it begins, not every minute. */
  async function examine(): Promise<void> {
    const warnings = await store.health();
    if (!ailing) for (const warning of warnings) report(undefined, warning);
    ailing = warnings.length > 0;
  }
  const next = (): void => {
    if (stopped) return;
    untimer = clock.after(every, () => {
      beating = beat().then(next);
    });
  };
  awake.beat(clock.now());
  next();
  return async () => {
    stopped = true;
    untimer();
    await beating;
  };
}

type KeptTable = Pick<Table, "store" | "clock" | "write" | "awake" | "report">;
