import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRefusedTooOften } from './refused-share.ts';

test('a sender is stopped by a large part that was refused, and not by a few', () => {
  for (const [settled, refused, isTooOften] of [
    [0, 0, false],
    [19, 19, false],
    [20, 20, true],
    [99, 20, true],
    [100, 20, false],
    [200, 40, false],
    [200, 41, true],
  ] as const) {
    assert.equal(isRefusedTooOften({ settled, refused }), isTooOften, `${refused} of ${settled}`);
  }
});
