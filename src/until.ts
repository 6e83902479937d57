// Waiting: look, sleep to the nearest deadline that the look has just read or to a ring, look again.
// It never trusts an event, so no wake-up can be lost.
import type { Look } from "./action.ts";
import type { Clock } from "./clock.ts";
import type { Ring } from "./ring.ts";

/**
 * @param seconds how long at most; 0 looks once
 * @returns what `look` was done with, or null when time was over or the caller had gone
 */
export async function until<R>(
  ring: Ring,
  clock: Clock,
  keys: readonly string[],
  seconds: number,
  signal: AbortSignal,
  look: () => Promise<Look<R>>,
): Promise<R | null> {
  const end = clock.now() + seconds * 1000;
  // Listening begins before the first look: what is committed after it rings.
  const listener = ring.listen(keys, clock.after);
  try {
    for (;;) {
      const seen = await look();
      if ("done" in seen) return seen.done;
      const now = clock.now();
      if (signal.aborted || now >= end) return null;
      await listener.rest(Math.min(end, seen.again ?? end) - now, signal);
    }
  } finally {
    listener.close();
  }
}
