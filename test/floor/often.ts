// How often a thing is tried by chance, and from which seed: a little in every run, as much as wanted in a soak.
import type fc from "fast-check";

const { PARLEY_TIMES, PARLEY_SEED } = process.env;
const times = Number(PARLEY_TIMES) || 1;
const seed = Number(PARLEY_SEED) || Date.now() % 2 ** 31;
if (PARLEY_TIMES) process.stderr.write(`${times} times as often: PARLEY_SEED=${seed}\n`);

/** @param usual in an ordinary run */
export const often = (usual: number): number => Math.ceil(usual * times);

/** What may take `ms` in an ordinary run. */
export const within = (ms: number): number => ms * Math.max(1, times);

/** How fast-check is to try. */
export const runs = <T>(usual: number): fc.Parameters<T> => ({ numRuns: often(usual), seed });
