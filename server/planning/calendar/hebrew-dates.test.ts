import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type HebrewMonth, hebrewDateOf, hebrewNumeral, hebrewYear } from './hebrew-dates.ts';

const PARTS_AN_HOUR = 1080;
const PARTS_A_DAY = 24 * PARTS_AN_HOUR;
const PARTS_A_MONTH = 29 * PARTS_A_DAY + 12 * PARTS_AN_HOUR + 793;
/** New moon of the first year: Monday, 5 hours and 204 parts. */
const FIRST_MOON = PARTS_A_DAY + 5 * PARTS_AN_HOUR + 204;

const isLeap = (year: number) => (7 * year + 1) % 19 < 7;

/**
 * Days from a Sunday before the first year to 1 Tishri. Rules of Maimonides, Sanctification of the Month, 6–7.
 */
function newYear(year: number): number {
  const moon = Math.floor((235 * year - 234) / 19) * PARTS_A_MONTH + FIRST_MOON;
  const time = moon % PARTS_A_DAY;
  let day = Math.floor(moon / PARTS_A_DAY);
  const weekday = day % 7;
  const late = (hours: number, parts: number) => time >= hours * PARTS_AN_HOUR + parts;
  if (
    late(18, 0) ||
    (weekday === 2 && late(9, 204) && !isLeap(year)) ||
    (weekday === 1 && late(15, 589) && isLeap(year - 1))
  ) {
    day += 1;
  }
  return [0, 3, 5].includes(day % 7) ? day + 1 : day;
}

/** Months of a year with their lengths. */
function monthsOf(year: number): [HebrewMonth, number][] {
  const days = newYear(year + 1) - newYear(year);
  const rest = days % 10;
  return [
    ['tishri', 30],
    ['heshvan', rest === 5 ? 30 : 29],
    ['kislev', rest === 3 ? 29 : 30],
    ['tevet', 29],
    ['shevat', 30],
    ...((isLeap(year)
      ? [
          ['adar_i', 30],
          ['adar_ii', 29],
        ]
      : [['adar', 29]]) as [HebrewMonth, number][]),
    ['nisan', 30],
    ['iyar', 29],
    ['sivan', 30],
    ['tammuz', 29],
    ['av', 30],
    ['elul', 29],
  ];
}

test('each day from 1989 to 2101 is what the rules of the calendar make it', () => {
  // 1 Tishri 5750 was 30.9.1989, as printed in any calendar.
  let day = Temporal.PlainDate.from('1989-09-30');
  for (let year = 5750; year <= 5861; year += 1) {
    for (const [month, length] of monthsOf(year)) {
      for (let ofMonth = 1; ofMonth <= length; ofMonth += 1) {
        assert.deepEqual(hebrewDateOf(day), { year, month, day: ofMonth }, day.toString());
        day = day.add({ days: 1 });
      }
    }
  }
  assert.equal(day.toString(), '2101-09-24');
});

test('numbers are written in letters as people do', () => {
  const written = [1, 9, 10, 11, 15, 16, 17, 18, 19, 20, 29, 30, 700, 715, 744, 787, 790, 800, 999].map(
    hebrewNumeral,
  );
  assert.deepEqual(written, [
    'א׳',
    'ט׳',
    'י׳',
    'י״א',
    'ט״ו',
    'ט״ז',
    'י״ז',
    'י״ח',
    'י״ט',
    'כ׳',
    'כ״ט',
    'ל׳',
    'ת״ש',
    'תשט״ו',
    'תשמ״ד',
    'תשפ״ז',
    'תש״צ',
    'ת״ת',
    'תתקצ״ט',
  ]);
  assert.deepEqual([5787, 5800, 5999, 6000, 6001].map(hebrewYear), [
    'תשפ״ז',
    'ת״ת',
    'תתקצ״ט',
    '6000',
    '6001',
  ]);
});

const VALUES = new Map([...'אבגדהוזחט'].map((letter, index) => [letter, index + 1]));
[...'יכלמנסעפצ'].forEach((letter, index) => {
  VALUES.set(letter, 10 * (index + 1));
});
[...'קרשת'].forEach((letter, index) => {
  VALUES.set(letter, 100 * (index + 1));
});

test('letters add up to the number, with one mark, and never spell the Name', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 999 }), (number) => {
      const text = hebrewNumeral(number);
      const letters = [...text].filter((one) => VALUES.has(one));
      assert.equal(
        letters.reduce((sum, one) => sum + (VALUES.get(one) ?? 0), 0),
        number,
      );
      assert.match(text, /^([א-ת]׳|[א-ת]+״[א-ת])$/);
      assert.doesNotMatch(text, /י״?[הו]$/);
    }),
  );
});
