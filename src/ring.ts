// Wakes who waits on what a fact touched. Only a hint: whoever is rung looks again.
// Facts of other processes are found by re-reading the log from the number last rung.
import { factsAfter } from "./log.ts";
import type { Report } from "./report.ts";
import type { Store } from "./store/port.ts";

/** What of a fact decides who is woken. */
interface Rung {
  seq: number;
  action: string;
  subject: string;
  addressee: string | null;
}

export interface Listener {
  /** Resolves at the next ring since the last `rest`, after `ms`, or when `signal` aborts. */
  rest(ms: number | null, signal: AbortSignal): Promise<void>;
  close(): void;
}

export interface Ring {
  /** After a commit of this process. */
  committed(room: string, facts: readonly Rung[]): void;
  /** Listens on full keys: `ROOM/gate:ID`, `ROOM/task`, `ROOM/floor.paused`, `@NAME`, or `ROOM` for all of a room. */
  listen(keys: readonly string[], after: (ms: number, then: () => void) => () => void): Listener;
  /** Rings who listens on one full key. */
  wake(key: string): void;
  /** Rings everybody, e.g. after a lost connection. */
  everyone(): void;
  /** How many listen now. */
  size(): number;
  close(): Promise<void>;
}

/** Woken in slices, so that a thousand sleepers do not hold up the loop. */
const slice = 50;
/** How soon to look again when the store could not be read (ms). */
const again = 250;

const keysOf = (room: string, fact: Rung): string[] => {
  const kind = fact.subject.slice(0, fact.subject.indexOf(":"));
  const keys = [room, `${room}/${fact.subject}`, `${room}/${kind}`, `${room}/${fact.action}`];
  if (fact.addressee !== null) keys.push(`@${fact.addressee}`);
  return keys;
};

export function openRing(store: Store, report: Report): Ring {
  const sleepers = new Map<string, Set<() => void>>();
  /** Per room, the number of the last fact that was rung here. */
  const known = new Map<string, number>();
  /** Per room, when it was made: a room made anew under the same name is another one. */
  const made = new Map<string, number>();
  let queue: Array<() => void> = [];
  let draining = false;
  let closed = false;

  function drain(): void {
    for (const wake of queue.splice(0, slice)) wake();
    if (queue.length > 0) setImmediate(drain);
    else draining = false;
  }
  function wakeAll(wakes: Set<() => void>): void {
    if (wakes.size === 0) return;
    queue = queue.concat([...wakes]);
    if (draining) return;
    draining = true;
    // The first slice goes at once: a single waiter should not lose a turn of the loop.
    drain();
  }
  function ring(room: string, facts: readonly Rung[]): void {
    const wakes = new Set<() => void>();
    for (const fact of facts)
      for (const key of keysOf(room, fact)) for (const wake of sleepers.get(key) ?? []) wakes.add(wake);
    wakeAll(wakes);
  }

  let looking: Promise<void> | null = null;
  let lookAgain = false;
  /** Told once for each outage, not four times a second. */
  let outage = false;
  async function catchUp(): Promise<void> {
    const rooms = await store.read((db) => db.selectFrom("rooms").select(["name", "facts", "created_at"]).execute());
    const unknown = rooms.filter(
      ({ name, created_at }) => !known.has(name) || (made.has(name) && made.get(name) !== created_at),
    );
    for (const { name, facts } of unknown) known.set(name, facts);
    for (const { name, created_at } of rooms) made.set(name, created_at);
    // A log that was never rung here may be long: whoever listens looks, instead of it being read.
    if (unknown.length > 0) everyone();
    for (const { name, facts } of rooms) {
      let from = known.get(name) ?? facts;
      if (facts <= from) continue;
      while (from < facts) {
        const page = await store.read((db) => factsAfter(db, name, from, 500));
        const last = page.at(-1);
        if (!last) break;
        ring(name, page);
        from = last.seq;
      }
      known.set(name, Math.max(known.get(name) ?? 0, from));
    }
  }
  function everyone(): void {
    wakeAll(new Set([...sleepers.values()].flatMap((set) => [...set])));
  }
  function look(): void {
    if (closed) return;
    if (looking) {
      lookAgain = true;
      return;
    }
    looking = catchUp()
      .then(() => {
        outage = false;
      })
      .catch((error) => {
        if (!outage && !closed)
          report(error, "The log could not be read: what other processes write wakes nobody here until it can be.");
        outage = true;
        setTimeout(look, again).unref();
      })
      .finally(() => {
        looking = null;
        if (lookAgain) {
          lookAgain = false;
          look();
        }
      });
  }
  const unhint = store.onHint(look);

  return {
    committed(room, facts) {
      const first = facts[0];
      const last = facts.at(-1);
      if (!first || !last) return;
      ring(room, facts);
      const at = known.get(room) ?? 0;
      // Only where nothing of another process lies between is there nothing else to ring.
      if (at === first.seq - 1) known.set(room, last.seq);
      else if (at < first.seq) look();
    },
    listen(keys, after) {
      let rung = false;
      let resume: (() => void) | null = null;
      const wake = () => {
        rung = true;
        resume?.();
      };
      for (const key of keys) {
        const set = sleepers.get(key);
        if (set) set.add(wake);
        else sleepers.set(key, new Set([wake]));
      }
      return {
        async rest(ms, signal) {
          if (!rung && !signal.aborted) {
            await new Promise<void>((resolve) => {
              const untimer = ms === null ? () => {} : after(Math.max(ms, 0), done);
              function done(): void {
                untimer();
                signal.removeEventListener("abort", done);
                resume = null;
                resolve();
              }
              resume = done;
              signal.addEventListener("abort", done, { once: true });
            });
          }
          rung = false;
        },
        close() {
          for (const key of keys) {
            const set = sleepers.get(key);
            set?.delete(wake);
            if (set?.size === 0) sleepers.delete(key);
          }
        },
      };
    },
    wake: (key) => wakeAll(sleepers.get(key) ?? new Set()),
    everyone,
    size: () => new Set([...sleepers.values()].flatMap((set) => [...set])).size,
    async close() {
      closed = true;
      unhint();
      await looking;
    },
  };
}
