import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { BUCKETS, bucketOf, quantileMs } from './histogram.ts';

const histogramOf = (durations: readonly number[]) => {
  const counts = Array.from({ length: BUCKETS }, () => 0);
  for (const ms of durations) counts[bucketOf(ms)] = (counts[bucketOf(ms)] ?? 0) + 1;
  return counts;
};

const duration = fc.double({ min: 0.3, max: 60_000, noNaN: true });

test('a quantile is off by at most a fifth, from less than a millisecond to a minute', () => {
  fc.assert(
    fc.property(
      fc.array(duration, { minLength: 1, maxLength: 300 }),
      fc.constantFrom(0.5, 0.95, 0.99),
      (durations, share) => {
        const sorted = durations.toSorted((a, b) => a - b);
        const exact = sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
        const found = quantileMs(histogramOf(durations), share) ?? 0;
        assert.ok(found >= exact / 1.2 && found <= exact * 1.2, `${found} for ${exact}`);
      },
    ),
  );
});

test('nothing counted has no quantile; durations beyond the last bucket count as its bound', () => {
  assert.equal(quantileMs(histogramOf([]), 0.5), null);
  assert.equal(bucketOf(0), 0);
  assert.equal(bucketOf(10 ** 9), BUCKETS - 1);
  assert.equal(quantileMs(histogramOf([10 ** 9]), 0.99), 65_536);
});
