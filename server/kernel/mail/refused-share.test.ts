import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRefusedTooOften, REFUSAL_LIMITS } from './refused-share.ts';

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
    const verdict = isRefusedTooOften({ settled, refused }, REFUSAL_LIMITS.sender);
    assert.equal(verdict, isTooOften, `${refused} of ${settled}`);
  }
});

test('a few refused mails stop one network, and only very many slow the mails of all visitors', () => {
  for (const [settled, refused, network, visitors] of [
    [4, 4, false, false],
    [5, 5, true, false],
    [25, 5, false, false],
    [60, 60, true, false],
    [200, 100, true, false],
    [200, 101, true, true],
  ] as const) {
    const verdicts = [REFUSAL_LIMITS.network, REFUSAL_LIMITS.visitors].map((limit) =>
      isRefusedTooOften({ settled, refused }, limit),
    );
    assert.deepEqual(verdicts, [network, visitors], `${refused} of ${settled}`);
  }
});
