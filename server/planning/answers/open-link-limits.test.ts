import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decideRequest } from './open-link-limits.ts';

test('an open link slows before it closes, and keeps room for networks that asked nothing yet', () => {
  for (const [total, ofNetwork, isConfirmed, verdict] of [
    [0, 0, false, 'taken'],
    [199, 99, false, 'taken'],
    [150, 100, false, 'full'],
    [150, 100, true, 'full'],
    [200, 0, false, 'to_confirm'],
    [200, 0, true, 'taken'],
    [3_999, 1, true, 'taken'],
    [4_000, 1, true, 'full'],
    [4_000, 0, false, 'to_confirm'],
    [4_999, 0, true, 'taken'],
    [5_000, 0, true, 'full'],
  ] as const) {
    assert.equal(
      decideRequest({ total, ofNetwork }, isConfirmed),
      verdict,
      `${total} ${ofNetwork} ${isConfirmed}`,
    );
  }
});
