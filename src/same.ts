// What was read is still true while nothing was committed and no deadline has passed: then it is not read again.
import type { Clock } from "./clock.ts";
import type { Db, Store } from "./store/port.ts";

/** @param what says whose and which: the same `what` must always read the same */
export type Same = <T>(what: string, read: (db: Db) => Promise<T>) => Promise<T>;

interface Known {
  /** The nearest deadline when it was read (ms). */
  until: number;
  value: unknown;
}

/** So many answers are remembered at most; then all are forgotten. */
const most = 10_000;

export function openSame(store: Store, clock: Clock): Same {
  const known = new Map<string, Promise<Known>>();
  let version: string | null = null;

  const readNow = (read: (db: Db) => Promise<unknown>): Promise<Known> =>
    store.read(async (db) => {
      const next = await db
        .selectFrom("rooms")
        .select(({ fn }) => fn.min("due").as("due"))
        .executeTakeFirst();
      return { until: next?.due ?? Number.POSITIVE_INFINITY, value: await read(db) };
    });

  return async <T>(what: string, read: (db: Db) => Promise<T>): Promise<T> => {
    // Taken before reading: what is read can only be newer, and then the version has moved on as well.
    const now = store.version();
    if (now === null) return store.read(read);
    if (now !== version) {
      known.clear();
      version = now;
    }
    const was = known.get(what);
    if (was) {
      const { until, value } = await was;
      if (clock.now() < until) return value as T;
    }
    const reading = readNow(read);
    if (known.size >= most) known.clear();
    known.set(what, reading);
    const forget = () => {
      if (known.get(what) === reading) known.delete(what);
    };
    // Neither what could not be read is remembered, nor that something is not there: a stranger may ask for anything.
    reading.then(({ value }) => value === null && forget(), forget);
    return (await reading).value as T;
  };
}
