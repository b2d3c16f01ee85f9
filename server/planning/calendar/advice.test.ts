import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LANGUAGE_NAMES, type LanguageName } from '../../kernel/languages.ts';
import { adviceAt, adviceDuring, isDayOfRest } from './advice.ts';
import { candleLightingOn, nightfallOn } from './sun.ts';

const ZONE = 'Asia/Jerusalem';
const at = (wall: string) => Temporal.PlainDateTime.from(wall).toZonedDateTime(ZONE).toInstant();
const told = (wall: string, language: LanguageName = 'hebrew') =>
  adviceAt(at(wall), { zone: ZONE, language }).map(({ code, occasion }) =>
    code === occasion ? code : `${code} of ${occasion}`,
  );

test('Shabbat is from the lighting of candles on Friday to nightfall on Saturday', () => {
  // In Jerusalem candles are lit at 18:03 on 17.9.2027, and stars are out at 19:17 the day after.
  const week = [
    '2027-09-16T20:00',
    '2027-09-17T00:30',
    '2027-09-17T18:00',
    '2027-09-17T18:05',
    '2027-09-18T01:00',
  ];
  assert.deepEqual(
    week.map((wall) => told(wall)),
    [[], ['shabbat_eve of shabbat'], ['shabbat_eve of shabbat'], ['shabbat'], ['shabbat']],
  );
  assert.deepEqual(told('2027-09-18T19:14'), ['shabbat']);
  assert.deepEqual(told('2027-09-18T19:25'), ['shabbat_end of shabbat']);
  assert.deepEqual(told('2027-09-19T00:10'), []);
});

test('days of rest that follow each other are one rest, told by each of their names', () => {
  // Rosh Hashana 5788: Saturday and Sunday.
  const [shabbat, newYear] = adviceAt(at('2027-10-02T10:00'), { zone: ZONE, language: 'hebrew' });
  assert.deepEqual([shabbat?.code, newYear?.code], ['shabbat', 'rosh_hashana']);
  for (const rest of [shabbat, newYear]) {
    assert.ok(rest?.begins.equals(candleLightingOn(Temporal.PlainDate.from('2027-10-01'))));
    assert.ok(rest?.ends.equals(nightfallOn(Temporal.PlainDate.from('2027-10-03'))));
  }
  assert.deepEqual(told('2027-10-02T22:00'), ['rosh_hashana'], 'Shabbat goes out into the second day');
  assert.deepEqual(told('2027-10-01T12:00'), ['shabbat_eve of shabbat', 'holiday_eve of rosh_hashana']);
  assert.deepEqual(told('2027-10-03T22:00'), ['ten_days_of_repentance', 'holiday_end of rosh_hashana']);
});

test('a fast is from dawn to nightfall, Tisha BeAv from the evening before', () => {
  assert.deepEqual(told('2027-07-22T03:00'), ['three_weeks'], 'before dawn on 17 Tammuz');
  assert.deepEqual(told('2027-07-22T12:00'), ['seventeenth_of_tammuz', 'three_weeks']);
  assert.deepEqual(told('2027-07-22T21:00'), ['three_weeks']);
  assert.deepEqual(told('2027-08-11T18:00'), ['nine_days']);
  assert.deepEqual(told('2027-08-11T21:00'), ['tisha_beav']);
  assert.deepEqual(told('2027-08-12T19:40'), ['tisha_beav'], 'to nightfall');
  assert.deepEqual(told('2027-08-12T21:00'), []);
  // 9 Av 5782 was a Shabbat.
  assert.deepEqual(told('2022-08-06T12:00'), ['shabbat', 'nine_days']);
  assert.deepEqual(told('2022-08-06T20:30'), ['tisha_beav', 'shabbat_end of shabbat']);
});

test('the omer is told by custom, and its 33rd day as well', () => {
  assert.deepEqual(told('2027-04-25T12:00'), ['chol_hamoed_pesach'], 'stronger than the omer');
  assert.deepEqual(told('2027-05-20T21:00'), ['omer']);
  assert.deepEqual(told('2027-05-24T21:00'), ['omer_to_34th', 'lag_baomer'], 'from the evening on');
  assert.deepEqual(told('2027-05-25T21:00'), ['omer_to_34th', 'omer_after_33rd'], 'the night of the 34th');
  assert.deepEqual(told('2027-05-26T12:00'), ['omer_after_33rd']);
  assert.deepEqual(told('2027-06-08T21:00'), [], 'from 3 Sivan');
});

test('an event in Arabic is told of Muslim, Christian and Druze days, and of what closes the land', () => {
  const arabic = (wall: string) => told(wall, 'arabic');
  assert.deepEqual(arabic('2027-10-10T12:00'), ['holiday_eve of yom_kippur']);
  assert.deepEqual(arabic('2027-10-11T12:00'), ['yom_kippur']);
  assert.deepEqual(
    arabic('2027-05-10T21:00'),
    ['remembrance_day', 'druze_ten_nights'],
    'from the evening on',
  );
  assert.deepEqual(arabic('2027-02-10T12:00'), ['ramadan', 'western_lent']);
  assert.deepEqual(
    arabic('2027-03-09T20:00'),
    ['western_lent', 'eid_al_fitr'],
    'Ramadan went out with the sun',
  );
  assert.deepEqual(arabic('2027-05-10T12:00'), ['druze_ten_nights']);
  assert.deepEqual(arabic('2027-05-16T12:00'), ['eid_al_adha']);
  assert.deepEqual(arabic('2027-03-26T12:00'), ['western_good_friday', 'western_lent', 'eastern_lent']);
  assert.deepEqual(arabic('2027-12-24T20:00'), ['shabbat', 'western_christmas']);
  assert.deepEqual(arabic('2027-01-07T12:00'), ['eastern_christmas']);
  for (const language of ['hebrew', 'english'] as const) {
    assert.deepEqual(told('2027-02-10T12:00', language), []);
    assert.deepEqual(told('2027-05-10T21:00', language), ['remembrance_day', 'omer']);
  }
});

test('an event in Arabic is told that others rest, as good to know, and is not held up by it', () => {
  const rests = (wall: string) =>
    adviceAt(at(wall), { zone: ZONE, language: 'arabic' }).map((one) => [
      one.occasion,
      one.strength,
      one.keptByOthers,
    ]);
  assert.deepEqual(rests('2027-09-17T12:00'), [], 'no word of the day before');
  assert.deepEqual(rests('2027-09-17T20:00'), [['shabbat', 'good_to_know', true]]);
  assert.deepEqual(rests('2027-09-18T21:00'), []);
  assert.deepEqual(rests('2027-10-03T12:00'), [['rosh_hashana', 'good_to_know', true]]);
  assert.deepEqual(rests('2027-10-11T12:00'), [['yom_kippur', 'not_held', false]], 'closes the land');
  const waits = (wall: string) =>
    LANGUAGE_NAMES.filter((language) => isDayOfRest(at(wall), { zone: ZONE, language }));
  assert.deepEqual(waits('2027-09-18T12:00'), ['hebrew', 'english']);
  assert.deepEqual(waits('2027-10-11T12:00'), LANGUAGE_NAMES);
});

test('whatever the moment, advice is told once, what weighs most first, and holds then', () => {
  const moment = fc
    .date({ min: new Date('2020-01-01'), max: new Date('2060-01-01'), noInvalidDate: true })
    .map((date) => Temporal.Instant.fromEpochMilliseconds(date.getTime()));
  fc.assert(
    fc.property(moment, fc.constantFrom(...LANGUAGE_NAMES), (instant, language) => {
      const advice = adviceAt(instant, { zone: ZONE, language });
      const order = advice.map(({ strength }) => ['not_held', 'customary', 'good_to_know'].indexOf(strength));
      assert.deepEqual(order, order.toSorted());
      assert.equal(new Set(advice.map(({ code, occasion }) => `${code} ${occasion}`)).size, advice.length);
      for (const { code, begins, ends } of advice) {
        const [fromBegin, toEnd] = [
          Temporal.Instant.compare(begins, instant) <= 0,
          Temporal.Instant.compare(instant, ends) < 0,
        ];
        assert.deepEqual([fromBegin, toEnd], [!code.endsWith('_eve'), !code.endsWith('_end')], code);
      }
    }),
  );
});

test('an event is told of what begins before it ends', () => {
  const during = (from: string, to: string) =>
    adviceDuring({ begins: at(from), ends: at(to) }, { zone: ZONE, language: 'hebrew' }).map(
      ({ code, atStart }) => `${code}${atStart ? '' : ', later'}`,
    );
  // Candles are lit soon after 18:00.
  assert.deepEqual(during('2027-09-17T12:00', '2027-09-17T18:00'), ['shabbat_eve']);
  assert.deepEqual(during('2027-09-17T12:00', '2027-09-17T18:05'), ['shabbat, later']);
  assert.deepEqual(during('2027-09-16T09:00', '2027-09-19T14:00'), ['shabbat, later'], 'a conference, once');
  assert.deepEqual(during('2027-09-18T20:00', '2027-09-19T01:00'), ['shabbat_end']);
  const holidays = during('2027-10-01T12:00', '2027-10-03T12:00');
  assert.deepEqual(holidays, ['shabbat, later', 'rosh_hashana, later']);
});

test('an event of no length is told what its beginning is told, and a longer one no less of days that are held', () => {
  const moment = fc
    .date({ min: new Date('2025-01-01'), max: new Date('2032-01-01'), noInvalidDate: true })
    .map((date) => date.toTemporalInstant());
  const language = fc.constantFrom(...LANGUAGE_NAMES);
  fc.assert(
    fc.property(moment, fc.nat(5 * 24), language, (begins, hours, name) => {
      const circle = { zone: ZONE, language: name };
      const atOnce = adviceAt(begins, circle);
      assert.deepEqual(adviceDuring({ begins, ends: begins }, circle), atOnce);
      const longer = adviceDuring({ begins, ends: begins.add({ hours }) }, circle);
      for (const { code, occasion } of atOnce.filter((one) => one.code === one.occasion)) {
        assert.ok(longer.some((one) => one.code === code && one.occasion === occasion && one.atStart));
      }
    }),
    { numRuns: 60 },
  );
});
