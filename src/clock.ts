// Time as a thing that is handed in, so that rules never read it and tests can turn it by hand. There are two clocks:
// what is written down is told by the wall clock, which may be set at any moment; how long a call holds is counted by
// one that nobody sets, or a call would wait for hours after the wall clock went back.

export interface Clock {
  /** Wall clock, milliseconds since 1970 UTC. */
  now(): number;
  /** Milliseconds since some moment of this process. Only differences mean anything; it never goes back. */
  elapsed(): number;
  /** Calls `then` after `ms` milliseconds (a hint to look again, never a promise); returns how to take it back. */
  after(ms: number, then: () => void): () => void;
}

/** Node caps a timer at 2^31-1 ms; a longer wait simply looks again in between. */
const longest = 2_147_483_647;

export const wallClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(ms, then) {
    const timer = setTimeout(then, Math.min(Math.max(ms, 0), longest));
    return () => clearTimeout(timer);
  },
};

/** The longest sleep until a time of the wall clock: a timer knows nothing of a clock that was set or of a machine that
 * slept, so the wall clock is looked at again at least this often (ms). */
const longestSleep = 60_000;

/** Milliseconds to sleep before looking whether `at` (wall clock, ms) has come; null: nothing is waited for. */
export const sleepUntil = (clock: Clock, at: number | null): number | null =>
  at === null ? null : Math.min(Math.max(at - clock.now(), 0), longestSleep);

/** ISO 8601 UTC with `Z`, from milliseconds. */
export const iso = (ms: number): string => new Date(ms).toISOString();
