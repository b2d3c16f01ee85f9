import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DeadlineFacts, type DeadlineWarning, deadlineWarning } from './deadline.ts';

const NOW = Temporal.Instant.from('2027-06-10T09:00:00Z');
const june = (day: number) => new Date(Date.UTC(2027, 5, day, 16));
const event: DeadlineFacts = {
  status: 'published',
  event_date: june(25),
  answer_until: june(1),
  former_date: null,
};

const CASES: [string, Partial<DeadlineFacts>, DeadlineWarning | undefined][] = [
  ['a deadline that has passed as it was meant to', {}, undefined],
  ['a deadline that has passed, and a later event', { former_date: june(15) }, 'answers_closed'],
  ['a deadline that has passed, and an earlier event', { former_date: june(30) }, undefined],
  ['a deadline ahead, and a later event', { answer_until: june(12), former_date: june(15) }, undefined],
  ['a deadline after the event', { answer_until: june(26) }, 'answers_after_event'],
  ['a deadline after a draft', { status: 'draft', answer_until: june(26) }, 'answers_after_event'],
  ['no deadline', { answer_until: null, former_date: june(15) }, undefined],
  ['no date', { event_date: null, answer_until: june(26) }, undefined],
  ['an event that has begun', { event_date: june(9), answer_until: june(26) }, undefined],
  ['a cancelled event', { status: 'cancelled', answer_until: june(26) }, undefined],
];

for (const [what, facts, expected] of CASES) {
  test(`the deadline for answers is compared with the event's date: ${what}`, () => {
    assert.equal(deadlineWarning({ ...event, ...facts }, NOW), expected);
  });
}
