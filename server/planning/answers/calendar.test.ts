import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { eventCalendarFile, googleCalendarUrl } from './calendar.ts';

const stamp = Temporal.Instant.from('2026-11-21T08:00:00.123Z');
const event = {
  title: 'חתונה',
  event_date: new Date('2027-06-15T16:30:00Z'),
  venue_name: 'עדן',
  venue_address: null,
  description: null,
  lasts_minutes: 210,
  status: 'published' as const,
  sequence: 3,
};
const entry = { method: 'PUBLISH', uid: 'u', stamp, url: 'https://simcha.example.com/r/x' } as const;
const linesOf = (text: string) => text.replaceAll('\r\n ', '').trimEnd().split('\r\n');

test('the hour is Israel’s, in summer and in winter, with the changes of the clock around it', () => {
  const summer = linesOf(eventCalendarFile(event, entry));
  assert.ok(summer.includes('DTSTART;TZID=Asia/Jerusalem:20270615T193000'));
  assert.ok(summer.includes('DTEND;TZID=Asia/Jerusalem:20270615T230000'));
  const daylight = summer.slice(summer.indexOf('BEGIN:DAYLIGHT'), summer.indexOf('END:DAYLIGHT'));
  assert.deepEqual(daylight.slice(1, 4), [
    'DTSTART:20270326T020000',
    'TZOFFSETFROM:+0200',
    'TZOFFSETTO:+0300',
  ]);

  const winter = linesOf(
    eventCalendarFile({ ...event, event_date: new Date('2027-12-15T16:30:00Z') }, entry),
  );
  assert.ok(winter.includes('DTSTART;TZID=Asia/Jerusalem:20271215T183000'));
  assert.ok(winter.indexOf('BEGIN:STANDARD') < winter.indexOf('BEGIN:DAYLIGHT'));
});

test('an event of which nobody said how long it lasts is five hours long', () => {
  const text = eventCalendarFile({ ...event, lasts_minutes: null }, entry);
  assert.match(text, /DTEND;TZID=Asia\/Jerusalem:20270616T003000/);
});

test('an entry by mail names who asks and who comes, and takes the place of an earlier one', () => {
  const organizer = { name: 'נועה "ו" איתי', email: 'noa@example.com' };
  const attendee = { name: 'דנה', email: 'dana@example.com' };
  const asked = linesOf(eventCalendarFile(event, { ...entry, method: 'REQUEST', organizer, attendee }));
  for (const line of [
    'METHOD:REQUEST',
    'UID:u',
    'SEQUENCE:3',
    'DTSTAMP:20261121T080000Z',
    'ORGANIZER;CN="נועה  ו  איתי":mailto:noa@example.com',
    'ATTENDEE;CN="דנה";PARTSTAT=ACCEPTED;RSVP=FALSE:mailto:dana@example.com',
    'STATUS:CONFIRMED',
  ]) {
    assert.ok(asked.includes(line), `${line} in ${asked.join('\n')}`);
  }
  const over = linesOf(eventCalendarFile(event, { ...entry, method: 'CANCEL', organizer, attendee }));
  assert.ok(over.includes('METHOD:CANCEL') && over.includes('STATUS:CANCELLED'));
});

test('whatever stands in an event, its lines are short, whole, and say what it said', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }), (title) => {
      const text = eventCalendarFile({ ...event, title }, entry);
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

test('control characters, which no text of an entry can hold, are left out', () => {
  const told = linesOf(
    eventCalendarFile({ ...event, title: 'א\u0001\u001b[31m\u007fב', description: 'a\tb\nc' }, entry),
  );
  assert.ok(told.includes('SUMMARY:א[31mב'));
  assert.ok(told.some((line) => line.startsWith('DESCRIPTION:a\tb\\nc')));
});

test('the details of a Google Calendar entry end with the guest’s page, however long the description is', () => {
  for (const description of [null, 'א'.repeat(3_000)]) {
    const url = new URL(googleCalendarUrl({ ...event, description }, entry.url));
    assert.ok(url.searchParams.get('details')?.endsWith(entry.url));
    assert.ok((url.searchParams.get('details')?.length ?? 0) < 600);
  }
});
