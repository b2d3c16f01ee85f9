import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastDue, nextDue } from './schedule.ts';

const ZONE = 'Asia/Jerusalem';
const at = (text: string) => Date.parse(text);
const last = (schedule: string, since: string, now: string) => {
  const due = lastDue(schedule, ZONE, at(since), at(now));
  return due === undefined ? undefined : new Date(due).toISOString();
};

test('a time is due from its moment on, once', () => {
  assert.equal(last('0 10 * * *', '2026-11-25T07:59:59.999Z', '2026-11-25T07:59:59.999Z'), undefined);
  assert.equal(
    last('0 10 * * *', '2026-11-25T07:59:59.999Z', '2026-11-25T08:00:00Z'),
    '2026-11-25T08:00:00.000Z',
  );
  assert.equal(last('0 10 * * *', '2026-11-25T08:00:00Z', '2026-11-25T09:00:00Z'), undefined);
});

test('of several that were missed the last is due', () => {
  assert.equal(
    last('*/15 * * * *', '2026-11-25T08:00:00Z', '2026-11-25T09:40:00Z'),
    '2026-11-25T09:30:00.000Z',
  );
});

test('hours are the zone’s: one that is passed over comes later, one that is there twice once', () => {
  // In 2027, clocks go from 2:00 to 3:00 on 26 March, and from 2:00 back to 1:00 on 31 October
  assert.equal(
    last('30 2 * * *', '2027-03-25T12:00:00Z', '2027-03-26T12:00:00Z'),
    '2027-03-26T00:00:00.000Z',
  );
  const autumn = (since: string, now: string) => last('30 1 * * *', since, now);
  assert.equal(autumn('2027-10-30T12:00:00Z', '2027-10-30T22:45:00Z'), '2027-10-30T22:30:00.000Z');
  assert.equal(autumn('2027-10-30T22:45:00Z', '2027-10-31T12:00:00Z'), undefined);
  assert.equal(nextDue('30 1 * * *', ZONE, at('2027-10-30T22:45:00Z')), at('2027-10-31T23:30:00Z'));
});

test('names of schedules are known, and what never comes has no next time', () => {
  assert.equal(nextDue('@daily', ZONE, at('2026-11-25T08:00:00Z')), at('2026-11-25T22:00:00Z'));
  assert.equal(nextDue('0 0 30 2 *', ZONE, at('2026-11-25T08:00:00Z')), null);
  for (const none of ['* * * * * *', '61 * * * *', 'soon', '@reboot'])
    assert.throws(() => nextDue(none, ZONE, 0));
});
