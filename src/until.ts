// Waiting: look, sleep to the nearest deadline that the look has just read or to a ring, look again.
// It never trusts an event, so no wake-up can be lost.
import type { Look } from "./action.ts";
import { type Clock, sleepUntil } from "./clock.ts";
import type { Ring } from "./ring.ts";

/**
 * @param seconds how long at most, whatever becomes of the wall clock; 0 or less looks once
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
  const end = clock.elapsed() + seconds * 1000;
  // Listening begins before the first look: what is committed after it rings.
  const listener = ring.listen(keys, clock.after);
  try {
    for (;;) {
      const seen = await look();
      if ("done" in seen) return seen.done;
      const left = end - clock.elapsed();
      if (signal.aborted || left <= 0) return null;
      await listener.rest(Math.min(left, sleepUntil(clock, seen.again) ?? left), signal);
    }
  } finally {
    listener.close();
  }
}
