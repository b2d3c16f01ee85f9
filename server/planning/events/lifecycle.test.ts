import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { endsEvent, hasChecklist, isStatus, mayMove, STATUSES } from './lifecycle.ts';

const ALLOWED = ['draft>published', 'draft>cancelled', 'published>cancelled', 'published>completed'];

test('of the sixteen moves exactly four are allowed', () => {
  for (const from of STATUSES) {
    for (const to of STATUSES) {
      assert.equal(mayMove(from, to), ALLOWED.includes(`${from}>${to}`), `${from} to ${to}`);
    }
  }
});

test('no walk of allowed moves ever returns to where it was', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...STATUSES), { maxLength: 12 }), (wanted) => {
      const seen = ['draft' as (typeof STATUSES)[number]];
      for (const next of wanted) {
        const current = seen.at(-1) ?? 'draft';
        if (mayMove(current, next)) seen.push(next);
      }
      assert.equal(new Set(seen).size, seen.length);
      assert.ok(seen.length <= 3);
    }),
  );
});

test('nothing but the four words is a status', () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      assert.equal(isStatus(value), (STATUSES as readonly unknown[]).includes(value));
    }),
  );
  assert.ok(!isStatus('Draft') && !isStatus(' draft'));
});

test('only ending an event allows a date in the past', () => {
  assert.deepEqual(
    [...STATUSES, undefined].filter((status) => endsEvent(status)),
    ['cancelled', 'completed'],
  );
});

test('the checklist starts at 100 guests', () => {
  assert.deepEqual([null, 0, 99, 100, 101].map(hasChecklist), [false, false, false, true, true]);
});
