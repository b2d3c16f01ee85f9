import assert from 'node:assert/strict';
import { test } from 'node:test';
import { typedTime } from '../../web/src/lib/time-of-day.ts';

test('a time is read as people type it, in 24 hours, and other text is refused', () => {
  const typed = {
    '1930': '19:30',
    '7:30': '07:30',
    '730': '07:30',
    '7': '07:00',
    '19.30': '19:30',
    ' 19 30 ': '19:30',
    '0': '00:00',
    '00:05': '00:05',
    '24:00': undefined,
    '1960': undefined,
    '19:3': undefined,
    '7pm': undefined,
    '': undefined,
    '12345': undefined,
  };
  for (const [text, time] of Object.entries(typed)) assert.equal(typedTime(text), time, text);
});
