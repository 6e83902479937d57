// Notices that this process stood still: the machine slept, the process was stopped, or the wall clock was set on.
// Whoever could not call meanwhile must lose nothing by it.

export interface Awake {
  /** The process is running at `now` (wall clock, ms). Said once a second; whatever stood still before is settled. */
  beat(now: number): void;
  /** Since when the process has stood still (wall clock, ms); null while it runs, and where nobody says that it does. */
  stillSince(now: number): number | null;
}

/** Beats come once a second; a busy moment is no standstill (ms). */
const slack = 4000;

export function openAwake(): Awake {
  let last: number | null = null;
  return {
    beat(now) {
      last = now;
    },
    stillSince: (now) => (last !== null && now - last > slack ? last : null),
  };
}
