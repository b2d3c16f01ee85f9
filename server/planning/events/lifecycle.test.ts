import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { EVENT_STATUSES, endsEvent, hasChecklist, isEventStatus, mayChangeStatus } from './lifecycle.ts';

const ALLOWED = ['draft>published', 'draft>cancelled', 'published>cancelled', 'published>completed'];

test('of the sixteen moves exactly four are allowed', () => {
  for (const from of EVENT_STATUSES) {
    for (const to of EVENT_STATUSES) {
      assert.equal(mayChangeStatus(from, to), ALLOWED.includes(`${from}>${to}`), `${from} to ${to}`);
    }
  }
});

test('no walk of allowed moves ever returns to where it was', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...EVENT_STATUSES), { maxLength: 12 }), (wanted) => {
      const seen = ['draft' as (typeof EVENT_STATUSES)[number]];
      for (const next of wanted) {
        const current = seen.at(-1) ?? 'draft';
        if (mayChangeStatus(current, next)) seen.push(next);
      }
      assert.equal(new Set(seen).size, seen.length);
      assert.ok(seen.length <= 3);
    }),
  );
});

test('nothing but the four words is a status', () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      assert.equal(isEventStatus(value), (EVENT_STATUSES as readonly unknown[]).includes(value));
    }),
  );
  assert.ok(!isEventStatus('Draft') && !isEventStatus(' draft'));
});

test('only ending an event allows a date in the past', () => {
  assert.deepEqual(
    [...EVENT_STATUSES, undefined].filter((status) => endsEvent(status)),
    ['cancelled', 'completed'],
  );
});

test('the checklist starts at 100 guests', () => {
  assert.deepEqual([null, 0, 99, 100, 101].map(hasChecklist), [false, false, false, true, true]);
});
