import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { calendarOf } from './calendar.ts';

const stamp = new Date('2026-11-21T08:00:00Z');
const event = {
  id: 'x',
  title: 'חתונה',
  event_date: new Date('2027-06-15T16:30:00Z'),
  venue_name: 'עדן',
  venue_address: null,
  description: null,
  noise_curfew_time: '23:00',
  language_pref: 'hebrew' as const,
  status: 'published' as const,
  answer_until: null,
};
const linesOf = (text: string) => text.replaceAll('\r\n ', '').trimEnd().split('\r\n');

test('the hour is Israel’s, in summer and in winter, with the changes of the clock around it', () => {
  const summer = linesOf(calendarOf(event, 'u', stamp));
  assert.ok(summer.includes('DTSTART;TZID=Asia/Jerusalem:20270615T193000'));
  assert.ok(summer.includes('DTEND;TZID=Asia/Jerusalem:20270615T230000'));
  const daylight = summer.slice(summer.indexOf('BEGIN:DAYLIGHT'), summer.indexOf('END:DAYLIGHT'));
  assert.deepEqual(daylight.slice(1, 4), [
    'DTSTART:20270326T020000',
    'TZOFFSETFROM:+0200',
    'TZOFFSETTO:+0300',
  ]);

  const winter = linesOf(calendarOf({ ...event, event_date: new Date('2027-12-15T16:30:00Z') }, 'u', stamp));
  assert.ok(winter.includes('DTSTART;TZID=Asia/Jerusalem:20271215T183000'));
  assert.ok(winter.indexOf('BEGIN:STANDARD') < winter.indexOf('BEGIN:DAYLIGHT'));
});

test('an event that begins after the curfew, or right before it, lasts the usual hours', () => {
  const late = calendarOf({ ...event, event_date: new Date('2027-06-15T19:30:00Z') }, 'u', stamp);
  assert.match(late, /DTEND;TZID=Asia\/Jerusalem:20270616T033000/);
});

test('whatever stands in an event, its lines are short, whole, and say what it said', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }), (title) => {
      const text = calendarOf({ ...event, title }, 'u', stamp);
      for (const line of text.split('\r\n')) assert.ok(Buffer.byteLength(line) <= 75, line);
      assert.ok(!/[^\r]\n/.test(text), 'a line break of the title got out');
      const summary = linesOf(text).find((line) => line.startsWith('SUMMARY:')) ?? '';
      const back = summary
        .slice('SUMMARY:'.length)
        .replace(/\\([\\;,n])/g, (_, one) => (one === 'n' ? '\n' : one));
      assert.equal(back, title.replace(/\r\n|\r/g, '\n'));
    }),
  );
});
