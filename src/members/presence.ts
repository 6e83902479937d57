// Any call is a sign of life (M4): written at most every 30 s, no fact.
import type { Clock } from "../clock.ts";
import type { Report } from "../report.ts";
import type { Store } from "../store/port.ts";
import type { Caller } from "./caller.ts";
import { touch } from "./credential-rows.ts";
import { endWaiting, setWaiting } from "./rows.ts";

const every = 30_000;
/** How far ahead a wait is announced, and how often while it lasts (ms). */
const ahead = 45_000;
const renewal = 40_000;

export interface Presence {
  /** A call begins. */
  sign(caller: Caller): Promise<void>;
  /**
   * A call waits, `seconds` at most. A wait longer than a sign of life covers is announced, again and again while it
   * lasts, so that a process that was killed is believed to wait for 45 s at most.
   * @returns what to run when the wait has ended: the announcement is taken back
   */
  waits(caller: Caller, seconds: number): Promise<() => Promise<void>>;
}

export function openPresence(store: Store, clock: Clock, report: Report): Presence {
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
      if (actor.kind === "local" || seconds <= 55) return async () => {};
      let untimer = () => {};
      let announcing = Promise.resolve();
      const announce = async () => {
        untimer = clock.after(renewal, () => {
          announcing = announce().catch((error) =>
            report(error, `${actor.member} waits, and could not be noted as present; it is noted again in 40 s`),
          );
        });
        await store.write("_presence", (tx) => setWaiting(tx.db, actor.member, clock.now() + ahead));
      };
      await announce();
      return async () => {
        untimer();
        await announcing;
        untimer();
        // The call's result must not be lost for want of this note.
        await store
          .write("_presence", (tx) => endWaiting(tx.db, actor.member, clock.now()))
          .catch((error) =>
            report(error, `that ${actor.member} waits no more could not be noted; it shows within 45 s`),
          );
      };
    },
  };
}
