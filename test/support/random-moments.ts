import fc from 'fast-check';

/** Seed of all random choices of a test run; CRASH_SEED=<seed> repeats a run's choices. */
export const SEED = Number(process.env.CRASH_SEED ?? Date.now() % 1_000_000_007);

/**
 * Random times in milliseconds up to `withinMs`. The same seed gives the same times; within a test run, each number
 * `turn` gives different ones.
 */
export function randomMoments(count: number, withinMs: number, turn = 0): number[] {
  return fc.sample(fc.noBias(fc.integer({ min: 0, max: withinMs })), { seed: SEED + turn, numRuns: count });
}
