import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { closureOn, lastWorkingDay } from './working-days.ts';

const day = (text: string) => Temporal.PlainDate.from(text);
const why = (text: string) => {
  const closure = closureOn(day(text));
  return closure && (closure.isEve ? `eve of ${closure.occasion}` : closure.occasion);
};

test('banks are closed on the days of the Bank of Israel’s directive, and on no others', () => {
  const closed: Record<string, string> = {};
  for (let date = day('2027-01-01'); date.year === 2027; date = date.add({ days: 1 })) {
    const closure = why(date.toString());
    if (closure && closure !== 'shabbat') closed[date.toString()] = closure;
  }
  assert.deepEqual(closed, {
    '2027-03-23': 'purim',
    '2027-04-22': 'pesach',
    '2027-04-28': 'pesach_seventh',
    '2027-05-12': 'independence_day',
    '2027-06-11': 'shavuot',
    '2027-08-12': 'tisha_beav',
    '2027-10-02': 'rosh_hashana',
    '2027-10-03': 'rosh_hashana',
    '2027-10-10': 'eve of yom_kippur',
    '2027-10-11': 'yom_kippur',
    '2027-10-16': 'sukkot',
    '2027-10-23': 'shemini_atzeret',
  });
  assert.equal(why('2027-06-12'), 'shabbat');
  assert.equal(why('2027-06-18'), undefined, 'a Friday is a business day until noon');
});

test('the last working day is one, and none lies between', () => {
  assert.equal(lastWorkingDay(day('2027-06-12')).toString(), '2027-06-10', 'before Shavuot and Shabbat');
  assert.equal(lastWorkingDay(day('2027-10-11')).toString(), '2027-10-07', 'before Yom Kippur and its eve');
  assert.equal(lastWorkingDay(day('2027-06-15')).toString(), '2027-06-15');
  const date = fc
    .date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
    .map((one) => day(one.toISOString().slice(0, 10)));
  const works = (one: Temporal.PlainDate) => one.dayOfWeek !== 5 && !closureOn(one);
  fc.assert(
    fc.property(date, (due) => {
      const last = lastWorkingDay(due);
      assert.ok(works(last));
      for (
        let between = last.add({ days: 1 });
        !between.equals(due.add({ days: 1 }));
        between = between.add({ days: 1 })
      ) {
        assert.ok(!works(between));
      }
    }),
  );
});
