// Any call is a sign of life (M4): written at most every 30 s, no fact.
import type { Clock } from "../clock.ts";
import type { Store } from "../store/port.ts";
import type { Caller } from "./caller.ts";
import { touch } from "./credential-rows.ts";
import { setWaiting } from "./rows.ts";

const every = 30_000;

export interface Presence {
  /** A call begins. */
  sign(caller: Caller): Promise<void>;
  /** A call waits, `seconds` at most: longer ones than a sign of life covers are noted. */
  waits(caller: Caller, seconds: number): Promise<void>;
}

export function openPresence(store: Store, clock: Clock): Presence {
  const signed = new Map<string, number>();
  return {
    async sign({ actor }) {
      if (actor.kind === "local") return;
      const now = clock.now();
      const id = `${actor.member} ${actor.credential}`;
      const last = signed.get(id);
      if (last !== undefined && now >= last && now - last < every) return;
      signed.set(id, now);
      await store.write("_presence", (tx) => touch(tx.db, actor.member, actor.credential, now));
    },
    async waits({ actor }, seconds) {
      if (actor.kind === "local" || seconds <= 55) return;
      const until = clock.now() + seconds * 1000;
      await store.write("_presence", (tx) => setWaiting(tx.db, actor.member, until));
    },
  };
}
