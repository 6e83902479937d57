// Chance that can be had again: the same seed, the same numbers.

export interface Chance {
  seed: number;
  /** A whole number from `low` to `high`, both included. */
  whole(low: number, high: number): number;
  pick<T>(list: readonly T[]): T;
}

/** @param seed taken from PARLEY_SEED where that is set, and printed in any case */
export function chance(what: string, seed = Number(process.env.PARLEY_SEED) || Date.now() % 2 ** 31): Chance {
  process.stderr.write(`${what}: PARLEY_SEED=${seed}\n`);
  let state = seed;
  // mulberry32
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  return {
    seed,
    whole,
    pick: (list) => list[whole(0, list.length - 1)] as (typeof list)[number],
  };
}
