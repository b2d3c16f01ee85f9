import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LANGUAGES, type Language, type Words } from '../../kernel/languages.ts';
import { buildCalendar, buildCalendarDays } from './calendar.ts';
import { messages, type OccasionTimes } from './messages.ts';
import { placeAt } from './place.ts';

const ZONE = 'Asia/Jerusalem';
const circle = { zone: ZONE, language: 'hebrew' } as const;
const at = (wall: string) => Temporal.PlainDateTime.from(wall).toZonedDateTime(ZONE).toInstant();

test('the Hebrew date is that of the light until sunset, of the day to come by night', () => {
  const dates = (wall: string, language: Language = 'he') => {
    const { after_sunset, hebrew_date, hebrew_date_before_sunset, hebrew_date_after_sunset } = buildCalendar(
      at(wall),
      circle,
      language,
    );
    return [after_sunset, hebrew_date, hebrew_date_before_sunset, hebrew_date_after_sunset].map((shown) =>
      typeof shown === 'object' ? shown?.text : shown,
    );
  };
  const [light, night] = ['י׳ בסיוון תשפ״ז', 'אור לי״א בסיוון תשפ״ז'];
  // The sun sets at 19:45.
  assert.deepEqual(dates('2027-06-15T19:30'), [false, light, light, night]);
  assert.deepEqual(dates('2027-06-15T20:00'), [true, night, light, night]);
  const next = ['י״א בסיוון תשפ״ז', 'אור לי״ב בסיוון תשפ״ז'];
  assert.deepEqual(dates('2027-06-16T01:00'), [true, night, ...next], 'after midnight it is the same night');
  assert.deepEqual(dates('2027-06-16T06:00'), [false, next[0], ...next]);
  assert.deepEqual(dates('2027-06-15T20:00', 'ar'), [
    true,
    'ليلة 11 سيفان 5787',
    '10 سيفان 5787',
    'ليلة 11 سيفان 5787',
  ]);
  assert.deepEqual(dates('2027-06-15T20:00', 'en').slice(0, 3), [
    true,
    'eve of 11 Sivan 5787',
    '10 Sivan 5787',
  ]);
  assert.equal(buildCalendar(at('2027-06-15T20:00'), circle, 'en').hebrew_date?.letters, night);
  assert.deepEqual(
    ['2024-02-20T12:00', '2024-03-20T12:00', '2025-03-10T12:00', '2026-09-12T12:00'].map(
      (wall) => dates(wall)[1],
    ),
    ['י״א באדר א׳ תשפ״ד', 'י׳ באדר ב׳ תשפ״ד', 'י׳ באדר תשפ״ה', 'א׳ בתשרי תשפ״ז'],
  );
});

test('an event without a date has a place and nothing more', () => {
  const { place, advice, ...rest } = buildCalendar(null, circle, 'he');
  assert.deepEqual([place, advice], ['ירושלים', []]);
  assert.deepEqual(new Set(Object.values(rest)), new Set([null]));
});

test('times in sentences are those of the place, rounded to be on the safe side', () => {
  const message = (wall: string, language: Language) =>
    buildCalendar(at(wall), circle, language).advice[0]?.message;
  assert.equal(
    message('2027-06-18T20:00', 'he'),
    'מיום שישי ב־19:06 עד יום שבת ב־20:30 (בירושלים). לא נערכות אז חתונות, וספקים שומרי שבת אינם עובדים.',
  );
  assert.equal(
    message('2027-06-18T13:00', 'en'),
    'It begins on Friday 19:06 (candle lighting in Jerusalem); end early enough for guests and vendors to be home by then.',
  );
  assert.equal(
    message('2027-06-19T21:00', 'ar'),
    'ينتهي في الساعة 20:30 (في القدس)، وبعدها فقط يبدأ المورّدون المحافظون على السبت بالتحضير.',
  );
  const inArabic = { ...circle, language: 'arabic' } as const;
  assert.equal(
    buildCalendar(at('2027-06-18T20:00'), inArabic, 'ar').advice[0]?.message,
    'من الجمعة الساعة 19:06 حتى السبت الساعة 20:30 (في القدس). كثير من القاعات والمورّدين لا يعملون خلاله، ولا مواصلات عامة في معظم الأماكن.',
  );
  const inHaifa = { ...circle, place: placeAt('32.815, 34.985') };
  const there = buildCalendar(at('2027-06-18T20:00'), inHaifa, 'en');
  assert.equal(there.place, 'The venue');
  assert.equal(
    there.advice[0]?.message,
    'From Friday 19:20 to Saturday 20:34 (at the venue). Jewish weddings are not held then, and vendors who keep Shabbat do not work.',
  );
});

test('whatever is told is told in letters of its language, and no two things have one name', () => {
  const letters = {
    he: /^[^a-z\u0600-\u06ff]*[א-ת][^a-z\u0600-\u06ff]*$/i,
    ar: /^[^a-zא-ת]*[\u0600-\u06ff][^a-zא-ת]*$/i,
    en: /^[^א-ת\u0600-\u06ff]*[a-z][^א-ת\u0600-\u06ff]*$/i,
  };
  const friday = messages.hourOf({ he: 'יום שישי', ar: 'الجمعة', en: 'Friday' }, '19:06');
  const { where } = messages.places.event;
  const times = { begins: friday, ends: friday, endsAt: '20:30', where };
  const spoken = (says: Words | ((times: OccasionTimes) => Words)) =>
    typeof says === 'function' ? says(times) : says;
  const occasions = Object.values(messages.occasions);
  for (const language of LANGUAGES) {
    const names = occasions.flatMap(({ name }) => [name, messages.eve.name(name), messages.end.name(name)]);
    assert.equal(new Set(names.map((name) => name[language])).size, names.length, language);
    const sentences = [...occasions, messages.eve, messages.end, { says: messages.restOfOthers }].map(
      ({ says }) => spoken(says),
    );
    for (const words of [
      ...names,
      ...sentences,
      ...Object.values({ ...messages.customs, ...messages.months }),
    ]) {
      assert.match(words[language], letters[language]);
    }
  }
});

test('a picker’s days have the advice of noon and of the night', () => {
  const days = ['2027-06-18', '2027-06-19'].map((day) => Temporal.PlainDate.from(day));
  const codes = buildCalendarDays(days, circle, 'he').map(({ date, sunset, ...day }) => [
    date,
    sunset,
    day.hebrew_date_before_sunset.text,
    day.advice_before_sunset.map(({ code }) => code),
    day.advice_after_sunset.map(({ code }) => code),
  ]);
  assert.deepEqual(codes, [
    ['2027-06-18', '19:46', 'י״ג בסיוון תשפ״ז', ['shabbat_eve'], ['shabbat']],
    ['2027-06-19', '19:47', 'י״ד בסיוון תשפ״ז', ['shabbat'], ['shabbat_end']],
  ]);
});
