import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { backOffMs, DEPLOYMENT_STATUSES, isFinal, mayMove, UNFINISHED } from './lifecycle.ts';

test('what has ended stays as it is', () => {
  for (const from of DEPLOYMENT_STATUSES.filter(isFinal))
    for (const to of DEPLOYMENT_STATUSES) assert.equal(mayMove(from, to), false);
  assert.deepEqual(UNFINISHED, ['queued', 'building', 'starting']);
});

test('only what has started goes live, and whatever has not ended can end', () => {
  assert.deepEqual(
    DEPLOYMENT_STATUSES.filter((from) => mayMove(from, 'live')),
    ['starting'],
  );
  for (const from of UNFINISHED) {
    for (const to of ['failed', 'superseded', 'cancelled'] as const) assert.ok(mayMove(from, to));
  }
});

test('the wait before a restart grows and has an end', () => {
  fc.assert(
    fc.property(fc.nat(2_000), (ends) => {
      assert.ok(backOffMs(ends + 1) >= backOffMs(ends));
      assert.ok(backOffMs(ends) >= 500 && backOffMs(ends) <= 60_000);
    }),
  );
});
