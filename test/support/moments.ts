import fc from 'fast-check';

/** What happens by chance happens again so with CRASH_SEED=<this>. */
export const SEED = Number(process.env.CRASH_SEED ?? Date.now() % 1_000_000_007);

/** Moments by chance within so many milliseconds; others for each `turn`. */
export function moments(count: number, withinMs: number, turn = 0): number[] {
  return fc.sample(fc.noBias(fc.integer({ min: 0, max: withinMs })), { seed: SEED + turn, numRuns: count });
}
