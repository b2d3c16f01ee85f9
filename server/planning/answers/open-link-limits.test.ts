import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canAskToConfirm, decideRequest } from './open-link-limits.ts';

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
      decideRequest({ total, ofNetwork }, { isAsked: false, isConfirmed, isRepeated: false }),
      verdict,
      `${total} ${ofNetwork} ${isConfirmed}`,
    );
  }
});

test('a request is confirmed by mail if the organizer wants it; one that waits already only then', () => {
  for (const [total, isAsked, isConfirmed, isRepeated, verdict] of [
    [0, true, false, false, 'to_confirm'],
    [0, true, true, false, 'taken'],
    [0, true, false, true, 'to_confirm'],
    [200, false, false, true, 'taken'],
    [200, true, false, true, 'to_confirm'],
    [5_000, true, false, true, 'full'],
  ] as const) {
    assert.equal(
      decideRequest({ total, ofNetwork: 0 }, { isAsked, isConfirmed, isRepeated }),
      verdict,
      `${total} ${isAsked} ${isConfirmed} ${isRepeated}`,
    );
  }
});

test('unconfirmed requests are limited for an event, for a network and for a mailbox', () => {
  for (const [total, peopleOfNetwork, ofMailbox, people, can] of [
    [0, 0, 0, 1, true],
    [999, 19, 2, 1, true],
    [1_000, 0, 0, 1, false],
    [20, 20, 0, 1, false],
    [2, 12, 0, 8, true],
    [2, 12, 0, 9, false],
    [0, 0, 0, 60, true],
    [1, 1, 0, 60, false],
    [3, 3, 3, 1, false],
  ] as const) {
    assert.equal(
      canAskToConfirm({ total, peopleOfNetwork, ofMailbox }, people),
      can,
      `${total} ${peopleOfNetwork} ${ofMailbox} ${people}`,
    );
  }
});
