import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextTry } from './answer-confirmations.ts';

test('each try to confirm an answer waits twice as long as the one before, for some hours', () => {
  const now = Temporal.Instant.from('2027-06-01T07:00:00Z');
  const minutes = [1, 2, 3, 8, 9].map((failed) => nextTry(failed, now)?.since(now).total('minutes'));
  assert.deepEqual(minutes, [2, 4, 8, 256, undefined]);
});
