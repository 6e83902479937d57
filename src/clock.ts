// Time as a thing that is handed in, so that rules never read it and tests can turn it by hand.

export interface Clock {
  /** Wall clock, milliseconds since 1970 UTC. */
  now(): number;
  /** Calls `then` after `ms` milliseconds (a hint to look again, never a promise); returns how to take it back. */
  after(ms: number, then: () => void): () => void;
}

/** Node caps a timer at 2^31-1 ms; a longer wait simply looks again in between. */
const longest = 2_147_483_647;

export const wallClock: Clock = {
  now: () => Date.now(),
  after(ms, then) {
    const timer = setTimeout(then, Math.min(Math.max(ms, 0), longest));
    return () => clearTimeout(timer);
  },
};

/** ISO 8601 UTC with `Z`, from milliseconds. */
export const iso = (ms: number): string => new Date(ms).toISOString();
