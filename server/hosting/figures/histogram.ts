/**
 * Histogram of durations with buckets that grow by a constant factor, so that its quantiles are off by at most a tenth,
 * whether requests take 1 ms or a minute. Histograms of several servers and minutes add up bucket by bucket.
 */

/** Upper bound of the first bucket, in milliseconds. */
const FIRST_MS = 0.25;
/** Number of buckets in which the bounds double. */
const BUCKETS_TO_DOUBLE = 4;
/** Number of buckets; the last one has no upper bound, and begins at 65.5 s. */
export const BUCKETS = 74;

export function bucketOf(ms: number): number {
  if (ms <= FIRST_MS) return 0;
  return Math.min(BUCKETS - 1, Math.ceil(Math.log2(ms / FIRST_MS) * BUCKETS_TO_DOUBLE));
}

/**
 * Duration in milliseconds that this share of the counted durations does not exceed; null if nothing was counted.
 * Within a bucket, durations count as evenly spread. The last bucket counts as its lower bound.
 */
export function quantileMs(counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let missing = share * total;
  for (const [bucket, count] of counts.entries()) {
    if (count > 0 && missing <= count) {
      const from = lowerBoundMs(bucket);
      const until = bucket === BUCKETS - 1 ? from : lowerBoundMs(bucket + 1);
      return from + ((until - from) * missing) / count;
    }
    missing -= count;
  }
  return lowerBoundMs(BUCKETS - 1);
}

function lowerBoundMs(bucket: number): number {
  return bucket === 0 ? 0 : FIRST_MS * 2 ** ((bucket - 1) / BUCKETS_TO_DOUBLE);
}
