import assert from 'node:assert/strict';
import { test } from 'node:test';
import { localDate } from './dates.ts';

test('a date with its hour reads as people write it in each language', () => {
  const date = new Date('2027-06-02T16:00:00Z');
  assert.equal(localDate(date, 'hebrew'), 'יום רביעי, 2 ביוני 2027 בשעה 19:00');
  assert.equal(localDate(date, 'arabic'), 'الأربعاء، 2 حزيران 2027 الساعة 19:00');
  assert.equal(localDate(date, 'english'), 'Wednesday, 2 June 2027 at 19:00');
});
