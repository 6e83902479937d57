// Every transaction passes here: none inside another, none after closing, and closing waits for those inside.
import { AsyncLocalStorage } from "node:async_hooks";

interface Inside {
  open: boolean;
}

const inside = new AsyncLocalStorage<Inside>();

export interface Doorway {
  pass<T>(work: () => Promise<T>): Promise<T>;
  /** Lets nobody in any more and resolves once all are out; the second call answers false. */
  shut(): Promise<boolean>;
}

export function doorway(): Doorway {
  const running = new Set<Promise<unknown>>();
  let shut = false;
  return {
    async pass(work) {
      // It would wait for the transaction that waits for it: better loud than silent for ever.
      if (inside.getStore()?.open) throw new Error("A transaction inside a transaction: this is a bug in Parley.");
      if (shut) throw new Error("The store is closed.");
      const here = { open: true };
      const run = inside.run(here, work);
      running.add(run);
      try {
        return await run;
      } finally {
        here.open = false;
        running.delete(run);
      }
    },
    async shut() {
      if (shut) return false;
      shut = true;
      await Promise.allSettled(running);
      return true;
    },
  };
}
