import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hebrewDayLetters, hebrewMonthsOf } from '../../web/src/lib/dates.ts';

test('days of Hebrew months are written in letters', () => {
  // Tishri 5788 begins on 2027-10-02.
  const letters = Array.from({ length: 30 }, (_, at) =>
    hebrewDayLetters(new Date(Date.UTC(2027, 9, 2 + at)).toISOString().slice(0, 10)),
  );
  assert.deepEqual(
    letters.join(' '),
    'א׳ ב׳ ג׳ ד׳ ה׳ ו׳ ז׳ ח׳ ט׳ י׳ י״א י״ב י״ג י״ד ט״ו ט״ז י״ז י״ח י״ט כ׳ כ״א כ״ב כ״ג כ״ד כ״ה כ״ו כ״ז כ״ח כ״ט ל׳',
  );
});

test('the Hebrew months of a civil month are named in the language', () => {
  assert.equal(hebrewMonthsOf('2027-06-15', 'he'), 'אייר–סיוון');
  assert.equal(hebrewMonthsOf('2027-06-15', 'en'), 'Iyar–Sivan');
  assert.equal(hebrewMonthsOf('2024-03-01', 'he'), 'אדר א׳–אדר ב׳');
  assert.equal(hebrewMonthsOf('2027-02-28', 'he'), 'שבט–אדר א׳');
});
