// SQLite says BUSY while another process writes: try again a little later, without holding up the loop.
import { setTimeout as sleep } from "node:timers/promises";
import { StoreUnavailable } from "./unavailable.ts";

/** How long to keep trying before saying so (ms). */
const patience = 15_000;

const busy = (error: unknown): boolean =>
  error instanceof Error && "code" in error && String(error.code).startsWith("SQLITE_BUSY");

export async function patiently<T>(attempt: () => T): Promise<T> {
  const started = performance.now();
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      if (!busy(error)) throw error;
      const waited = performance.now() - started;
      if (waited > patience) {
        throw new StoreUnavailable(
          `The store has been locked by another process for ${Math.round(waited / 1000)} seconds. ` +
            "Find out which program keeps it open for writing, and end that.",
          error,
        );
      }
    }
    // Jitter, so that two who collided do not collide again.
    await sleep(2 + Math.random() * 20);
  }
}
