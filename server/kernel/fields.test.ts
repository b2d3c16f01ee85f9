import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { wholeNumber } from './field-types.ts';
import {
  FieldProblem,
  fieldsOf,
  isBlank,
  LARGEST_INTEGER,
  readAmount,
  readDateTime,
  readText,
  readTimeOfDay,
} from './fields.ts';

const count = wholeNumber(0, LARGEST_INTEGER).read;
const ZONE = 'Asia/Jerusalem';
const refused = (read: () => unknown, kind: string) =>
  assert.throws(read, (error) => error instanceof FieldProblem && error.complaint.kind === kind);

test('a date-time without an offset is wall time in Israel, winter and summer', () => {
  assert.equal(readDateTime('d', '2027-01-15T19:30', ZONE).toString(), '2027-01-15T17:30:00Z');
  assert.equal(readDateTime('d', '2027-06-15T19:30', ZONE).toString(), '2027-06-15T16:30:00Z');
  assert.equal(readDateTime('d', '2027-06-15 19:30:05.25', ZONE).toString(), '2027-06-15T16:30:05.25Z');
});

test('a date-time with an offset is that instant', () => {
  assert.equal(readDateTime('d', '2027-06-15T19:30:00Z', ZONE).toString(), '2027-06-15T19:30:00Z');
  assert.equal(readDateTime('d', '2027-06-15T19:30-05:00', ZONE).toString(), '2027-06-16T00:30:00Z');
  assert.equal(readDateTime('d', '2027-06-15T19:30+0300', ZONE).toString(), '2027-06-15T16:30:00Z');
});

test('dates and hours that do not exist are refused', () => {
  const wrong = [
    '2027-02-31T10:00',
    '2027-02-29T10:00:00Z',
    '2027-13-01T10:00',
    '2027-00-10T10:00',
    '2027-06-15T24:00',
    '2027-06-15T10:60',
    '2027-06-15T10:00+25:00',
    // Clocks change from 02:00 to 03:00 on Friday, 26 March 2027.
    '2027-03-26T02:30',
    '2027-06-15',
    '15/06/2027 19:30',
    'tomorrow',
    '+012027-06-15T10:00',
    '2027-06-15T10:00[Europe/Paris]',
    1_800_000_000_000,
    null,
    ['2027-06-15T10:00'],
  ];
  for (const value of wrong) refused(() => readDateTime('d', value, ZONE), 'date_time');
});

test('an hour that comes twice is the first of the two', () => {
  assert.equal(readDateTime('d', '2027-10-31T01:30', ZONE).toString(), '2027-10-30T22:30:00Z');
});

test('the first and the last instant are those with a year of four digits in UTC', () => {
  for (const value of ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999+02:00'])
    readDateTime('d', value, ZONE);
  for (const value of ['0000-12-31T23:59:59.999Z', '9999-12-31T23:30:00-01:00', '0001-01-01T00:00:00+02:00'])
    refused(() => readDateTime('d', value, ZONE), 'date_time');
});

test('every instant written with its offset is read back as itself', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('1970-01-01'), max: new Date('9999-12-30'), noInvalidDate: true }),
      fc.integer({ min: -14 * 60, max: 14 * 60 }),
      (date, minutes) => {
        const instant = Temporal.Instant.fromEpochMilliseconds(date.getTime());
        const sign = minutes < 0 ? '-' : '+';
        const two = (number: number) => String(number).padStart(2, '0');
        const offset = `${sign}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
        const written = instant.toString({ timeZone: offset });
        assert.ok(readDateTime('d', written, ZONE).equals(instant), written);
      },
    ),
  );
});

test('no text whatever makes a reader throw anything but a FieldProblem', () => {
  const onlyProblems = (read: () => unknown) => {
    try {
      read();
    } catch (error) {
      assert.ok(error instanceof FieldProblem, String(error));
    }
  };
  fc.assert(
    fc.property(fc.oneof(fc.anything(), fc.string({ unit: 'binary' })), (value) => {
      onlyProblems(() => readDateTime('f', value, ZONE));
      onlyProblems(() => readText('f', value, 10));
      onlyProblems(() => count('f', value));
      onlyProblems(() => readAmount('f', value));
      onlyProblems(() => readTimeOfDay('f', value));
      onlyProblems(() => fieldsOf(value));
    }),
  );
});

test('whole numbers from 0 to 2³¹ − 1 are counts, and nothing else is', () => {
  for (const value of [0, 1, 100, LARGEST_INTEGER]) assert.equal(count('f', value), value);
  for (const value of [-1, 1.5, LARGEST_INTEGER + 1, Number.NaN, Infinity, '5', true, null, {}]) {
    refused(() => count('f', value), 'integer');
  }
});

test('amounts have at most two decimals and fit numeric(12,2)', () => {
  for (const value of [0, 0.01, 1234.5, 19.99, 9_999_999_999.99]) assert.equal(readAmount('f', value), value);
  for (const value of [-0.01, 0.001, 10_000_000_000, Number.NaN, Infinity, '5', null]) {
    refused(() => readAmount('f', value), 'amount');
  }
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 999_999_999_999 }), (agorot) => {
      assert.equal(readAmount('f', agorot / 100), agorot / 100);
    }),
  );
});

test('text is trimmed, measured, and free of what PostgreSQL can’t keep', () => {
  assert.equal(readText('f', '  שלום \n', 10), 'שלום');
  refused(() => readText('f', 'a'.repeat(11), 10), 'too_long');
  refused(() => readText('f', 'a\0b', 10), 'characters');
  refused(() => readText('f', '\ud800', 10), 'characters');
  refused(() => readText('f', 5, 10), 'text');
});

test('times of day are HH:MM', () => {
  for (const value of ['00:00', '09:05', '23:59']) assert.equal(readTimeOfDay('f', value), value);
  for (const value of ['25:99', '24:00', '9:05', '23:59:00', '', 2300])
    refused(() => readTimeOfDay('f', value), 'time_of_day');
});

test('blank is what is falsy, judged after trimming', () => {
  for (const value of [undefined, null, 0, false, '', ' \t\n']) assert.ok(isBlank(value));
  for (const value of [1, true, 'a', [], {}]) assert.ok(!isBlank(value));
});
