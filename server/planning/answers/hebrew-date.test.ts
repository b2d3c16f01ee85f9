import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LANGUAGE_NAMES } from '../../kernel/languages.ts';
import { addHebrewDate, type HebrewDateSource, hebrewDateFor } from './hebrew-date.ts';

const EVENT: HebrewDateSource = {
  event_date: new Date('2027-06-20T19:30+03:00'),
  coordinates: null,
  language_pref: 'hebrew',
  hebrew_date: null,
  registration: false,
};
const told = (changes: Partial<HebrewDateSource> = {}) =>
  LANGUAGE_NAMES.map((language) => hebrewDateFor({ ...EVENT, ...changes }, language));

test('guests who read Hebrew or English are told the Hebrew date, by day and by night', () => {
  assert.deepEqual(LANGUAGE_NAMES, ['hebrew', 'arabic', 'english']);
  assert.deepEqual(told(), ['ט״ו בסיוון תשפ״ז', '', '15 Sivan 5787']);
  const night = ['אור לט״ז בסיוון תשפ״ז', '', 'eve of 16 Sivan 5787'];
  assert.deepEqual(told({ event_date: new Date('2027-06-20T20:00+03:00') }), night);
  assert.deepEqual(told({ event_date: new Date('2027-06-21T01:00+03:00') }), night, 'the same night');
  // Sunset in Jerusalem on this day is at 19:47.
  const between = { event_date: new Date('2027-06-20T19:45+03:00') };
  assert.deepEqual(told(between), told());
  assert.deepEqual(told({ ...between, coordinates: '29.5577, 34.9519' }), night, 'Eilat');
});

test('a conference, an event in Arabic and one without a date tell none, unless the organizer says so', () => {
  const none = ['', '', ''];
  assert.deepEqual(told({ registration: true }), none);
  assert.deepEqual(told({ language_pref: 'arabic' }), none);
  assert.deepEqual(told({ event_date: null, hebrew_date: true }), none);
  assert.deepEqual(told({ hebrew_date: false }), none);
  assert.deepEqual(told({ hebrew_date: true, registration: true, language_pref: 'arabic' }), told());
});

test('in a line it stands behind the date', () => {
  assert.equal(addHebrewDate('20 June', EVENT, 'english'), '20 June (15 Sivan 5787)');
  assert.equal(addHebrewDate('20 حزيران', EVENT, 'arabic'), '20 حزيران');
});
