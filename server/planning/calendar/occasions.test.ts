import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { OCCASIONS, type Occasion, occasionsOn } from './occasions.ts';
import { hijriDateOf } from './umm-al-qura.ts';

/**
 * First days of occasions in the years 2020 to 2050, one column an occasion. Sources: docs/calendar.md, "Tested
 * against".
 */
const published = readFileSync(new URL('../../../test/planning/calendar-days.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.split('\t'));

const FIRST = Temporal.PlainDate.from('2020-01-01');
const LAST = Temporal.PlainDate.from('2050-12-31');

function* daysOf(from: Temporal.PlainDate, to: Temporal.PlainDate): Generator<Temporal.PlainDate> {
  for (let day = from; Temporal.PlainDate.compare(day, to) <= 0; day = day.add({ days: 1 })) yield day;
}

const found = new Map<Occasion, string[]>();
for (const day of daysOf(FIRST.subtract({ days: 1 }), LAST)) {
  for (const occasion of occasionsOn(day)) {
    found.set(occasion, [...(found.get(occasion) ?? []), day.toString()]);
  }
}
const on = (occasion: Occasion) => found.get(occasion) ?? [];
/** First days of an occasion: the day before does not belong to it. */
const firstDays = (occasion: Occasion) => {
  const days = on(occasion);
  return days.filter((day) => !days.includes(Temporal.PlainDate.from(day).subtract({ days: 1 }).toString()));
};

test('holidays, fasts, memorial days, Easters and the feasts of Islam fall on their published days for 31 years', () => {
  const [head = [], ...years] = published;
  assert.equal(years.length, 31);
  for (const [column, occasion] of head.entries()) {
    if (column === 0) continue;
    const expected = years.flatMap((row) =>
      (row[column] ?? '')
        .split(',')
        .filter((day) => day !== '-')
        .map((day) => `${row[0]}-${day}`),
    );
    assert.ok(expected.length >= 30, occasion);
    assert.deepEqual(
      firstDays(occasion as Occasion).filter((day) => day >= FIRST.toString()),
      expected,
      occasion,
    );
  }
});

test('Jerusalem keeps Purim a day later, in a leap year in the second Adar too', () => {
  const later = on('purim').map((day) => Temporal.PlainDate.from(day).add({ days: 1 }).toString());
  assert.deepEqual(on('shushan_purim'), later);
  assert.ok(
    ['2026-03-04', '2027-03-24'].every((day) => later.includes(day)),
    '15 Adar, 15 Adar II',
  );
});

test('Temporal’s Umm al-Qura and the table after it make one calendar, whose days follow each other', () => {
  const end = Temporal.PlainDate.from('2077-11-16');
  let before = hijriDateOf(Temporal.PlainDate.from('1999-12-31'));
  for (const day of daysOf(Temporal.PlainDate.from('2000-01-01'), end)) {
    const now = hijriDateOf(day);
    const follows =
      now.day === before.day + 1
        ? now.month === before.month && now.day <= 30
        : now.day === 1 && before.day >= 29 && now.month === (before.month % 12) + 1;
    assert.ok(follows, day.toString());
    before = now;
  }
  assert.deepEqual(before, { year: 1500, month: 12, day: 30 });
});

test('what lasts for days lasts as long as it should', () => {
  const lengths: Partial<Record<Occasion, number[]>> = {
    rosh_hashana: [2],
    chol_hamoed_sukkot: [6],
    chol_hamoed_pesach: [5],
    hanukkah: [8],
    ten_days_of_repentance: [7],
    omer: [26],
    omer_after_33rd: [13],
    three_weeks: [13],
    nine_days: [8, 9],
    ramadan: [29, 30],
    eid_al_fitr: [3],
    eid_al_adha: [4],
    western_lent: [46],
    eastern_lent: [48],
    nabi_shuayb: [4],
  };
  for (const [occasion, expected] of Object.entries(lengths) as [Occasion, number[]][]) {
    const days = on(occasion);
    const starts = firstDays(occasion).map((day) => days.indexOf(day));
    const all = starts.slice(0, -1).map((at, index) => (starts[index + 1] ?? 0) - at);
    assert.deepEqual([...new Set(all.slice(1))].sort(), expected, occasion);
  }
});

test('fasts keep away from Shabbat, memorial days from its eve and its end', () => {
  const weekdays = (occasion: Occasion) =>
    new Set(on(occasion).map((day) => Temporal.PlainDate.from(day).dayOfWeek));
  for (const [occasion, { span }] of Object.entries(OCCASIONS)) {
    if (span === 'fast' || span === 'full_fast') assert.ok(!weekdays(occasion as Occasion).has(6), occasion);
  }
  assert.deepEqual([...weekdays('holocaust_remembrance_day')].sort(), [1, 2, 4]);
  assert.deepEqual([...weekdays('remembrance_day')].sort(), [1, 2, 3]);
  const dayAfter = (day: string) => Temporal.PlainDate.from(day).add({ days: 1 }).toString();
  assert.deepEqual(on('remembrance_day').map(dayAfter), on('independence_day'));
});
