import fc from 'fast-check';

/** Seed of all random choices; CRASH_SEED=<seed> repeats them. */
export const SEED = Number(process.env.CRASH_SEED ?? Date.now() % 1_000_000_007);

/** Random moments within a number of milliseconds; each `turn` gives other moments. */
export function randomMoments(count: number, withinMs: number, turn = 0): number[] {
  return fc.sample(fc.noBias(fc.integer({ min: 0, max: withinMs })), { seed: SEED + turn, numRuns: count });
}
