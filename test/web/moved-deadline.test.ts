import assert from 'node:assert/strict';
import { test } from 'node:test';
import { movedDeadline } from '../../web/src/features/events/api/moved-deadline.ts';

// Wall times in Israel, in summer time unless a case says otherwise.
const at = (wall: string) => `${wall}:00.000Z`;
const JUNE = at('2027-06-20T16:30');
const DEADLINE = at('2027-06-10T20:59');

const CASES: [string, Parameters<typeof movedDeadline>, ReturnType<typeof movedDeadline>][] = [
  [
    'to a later day',
    [DEADLINE, { from: JUNE, to: at('2027-09-20T16:30') }, '2027-05-01'],
    { until: '2027-09-10T23:59', isAdvised: true },
  ],
  [
    'across the end of summer time',
    [DEADLINE, { from: JUNE, to: at('2027-12-20T17:30') }, '2027-05-01'],
    { until: '2027-12-10T23:59', isAdvised: true },
  ],
  [
    'to an earlier day before the deadline',
    [DEADLINE, { from: JUNE, to: at('2027-06-05T16:30') }, '2027-05-01'],
    { until: '2027-05-26T23:59', isAdvised: true },
  ],
  [
    'to an earlier day after the deadline',
    [DEADLINE, { from: JUNE, to: at('2027-06-18T16:30') }, '2027-05-01'],
    { until: '2027-06-08T23:59', isAdvised: false },
  ],
  [
    'so near that the deadline would have passed',
    [DEADLINE, { from: JUNE, to: at('2027-06-05T16:30') }, '2027-05-26'],
    undefined,
  ],
  ['to another hour', [DEADLINE, { from: JUNE, to: at('2027-06-20T10:30') }, '2027-05-01'], undefined],
  [
    'to an hour before the deadline',
    [JUNE, { from: JUNE, to: at('2027-06-21T10:30') }, '2027-05-01'],
    undefined,
  ],
  ['without a deadline', [null, { from: JUNE, to: at('2027-09-20T16:30') }, '2027-05-01'], undefined],
  ['that had no date', [DEADLINE, { from: null, to: JUNE }, '2027-05-01'], undefined],
];

for (const [what, given, expected] of CASES) {
  test(`the deadline for answers moves with an event ${what}`, () => {
    assert.deepEqual(movedDeadline(...given), expected);
  });
}
