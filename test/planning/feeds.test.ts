import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signToken } from '../../server/identity/tokens.ts';
import { DATABASES_OF_SLOW_TESTS, SECRET } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { newEvent } from './event.ts';

const linesOf = (text: string) => text.replaceAll('\r\n ', '').trimEnd().split('\r\n');

/** The lines of each entry of a calendar. */
function entriesOf(text: string): string[][] {
  return text
    .split('BEGIN:VEVENT')
    .slice(1)
    .map((entry) => linesOf(entry.slice(0, entry.indexOf('END:VEVENT'))).slice(1));
}

const said = (entry: string[] | undefined, name: string) =>
  entry?.find((line) => line.startsWith(name))?.slice(name.length + 1);

for (const kind of DATABASES_OF_SLOW_TESTS) {
  test(`an organizer’s events are in a calendar that follows them on ${kind}`, async () => {
    await using server = await sharedServer(kind);
    const token = await server.token(`feed of ${kind}`);
    const call = (method: string, path: string, body?: object) =>
      server.call(method, path, { token, ...(body && { body }) });
    const create = async (fields: object) => {
      const body = { title: 'החתונה', event_date: '2099-06-15T19:30', venue_name: 'עדן', ...fields };
      return (await call('POST', '/api/events', body)).body.event.id;
    };
    assert.deepEqual((await call('GET', '/api/calendar/feed')).body.feed, {
      url: null,
      language: 'hebrew',
      payments: false,
      approvals: false,
    });
    assert.equal((await call('POST', '/api/calendar/feed/renew')).status, 404);
    const opened = await call('PUT', '/api/calendar/feed', {});
    assert.equal(opened.status, 200, opened.text);
    const { pathname } = new URL(opened.body.feed.url);
    assert.match(pathname, /^\/c\/[\w-]{43}\.ics$/);
    const again = await call('PUT', '/api/calendar/feed', opened.body.feed);
    assert.deepEqual([again.body, again.headers.get('etag')], [opened.body, opened.headers.get('etag')]);
    const read = async (at = pathname) => {
      const answer = await server.call('GET', at);
      assert.equal(answer.status, 200, answer.text);
      assert.match(answer.headers.get('content-type') ?? '', /^text\/calendar; charset=utf-8/);
      return answer.text;
    };
    const empty = await read();
    assert.deepEqual(entriesOf(empty), []);
    assert.match(empty, /BEGIN:VTIMEZONE.*BEGIN:STANDARD.*END:VTIMEZONE/s, 'a calendar has a component');

    const wedding = await create({ venue_address: 'דרך השרון 12, הוד השרון', description: 'חופה; וריקודים' });
    const conference = await create({ title: 'כנס', event_date: '2099-12-15T09:00' });
    const text = await read();
    for (const line of text.split('\r\n')) assert.ok(Buffer.byteLength(line) <= 75, line);
    const lines = linesOf(text);
    for (const line of [
      'METHOD:PUBLISH',
      'NAME:שמחה: האירועים שלי',
      'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
      'BEGIN:DAYLIGHT',
      'BEGIN:STANDARD',
    ]) {
      assert.ok(lines.includes(line), line);
    }
    const [first, second] = entriesOf(text);
    const host = said(first, 'UID')?.split('@')[1];
    assert.deepEqual(
      [said(first, 'UID'), said(second, 'UID')],
      [`${wedding}@${host}`, `${conference}@${host}`],
    );
    assert.equal(said(first, 'DTSTART;TZID=Asia/Jerusalem'), '20990615T193000');
    assert.equal(said(first, 'DTEND;TZID=Asia/Jerusalem'), '20990616T003000');
    assert.equal(said(first, 'SUMMARY'), 'החתונה (טיוטה)');
    assert.equal(said(first, 'LOCATION'), 'עדן\\, דרך השרון 12\\, הוד השרון');
    assert.equal(said(first, 'DESCRIPTION'), 'חופה\\; וריקודים');
    assert.equal(said(first, 'STATUS'), 'TENTATIVE');

    const tagged = await server.call('GET', pathname);
    const same = { headers: { 'if-none-match': `W/${tagged.headers.get('etag')}` } };
    const unchanged = await server.call('GET', pathname, same);
    assert.deepEqual([unchanged.status, unchanged.text], [304, '']);

    await call('PUT', `/api/events/${wedding}`, { status: 'published', event_date: '2099-06-16T20:00' });
    await call('PUT', `/api/events/${wedding}/invitation`, { event_end: '2099-06-17T01:30' });
    const moved = await server.call('GET', pathname, same);
    assert.equal(moved.status, 200);
    const [after] = entriesOf(moved.text);
    assert.ok(Number(said(after, 'SEQUENCE')) > Number(said(first, 'SEQUENCE')));
    assert.equal(said(after, 'DTSTART;TZID=Asia/Jerusalem'), '20990616T200000');
    assert.equal(said(after, 'DTEND;TZID=Asia/Jerusalem'), '20990617T013000');
    assert.deepEqual([said(after, 'SUMMARY'), said(after, 'STATUS')], ['החתונה', 'CONFIRMED']);
    await call('PUT', `/api/events/${wedding}`, { status: 'cancelled' });
    assert.equal(said(entriesOf(await read())[0], 'STATUS'), 'CANCELLED');
    await call('DELETE', `/api/events/${wedding}`);
    assert.deepEqual(
      entriesOf(await read()).map((entry) => said(entry, 'SUMMARY')),
      ['כנס (טיוטה)'],
    );

    for (const [language, name] of [
      ['arabic', 'سمحا: مناسباتي'],
      ['english', 'Simcha: my events'],
    ] as const) {
      await call('PUT', '/api/calendar/feed', { language });
      assert.ok(linesOf(await read()).includes(`X-WR-CALNAME:${name}`));
    }
    const renewed = await call('POST', '/api/calendar/feed/renew');
    assert.equal(renewed.status, 200, renewed.text);
    for (const [language, message] of [
      ['he', undefined],
      ['ar', 'لا يوجد تقويم هنا. ربما تغيّر العنوان.'],
      ['en', 'There is no calendar at this address. It may have been changed.'],
    ] as const) {
      const gone = await server.call('GET', pathname, { headers: { 'accept-language': language } });
      assert.equal(gone.status, 404, 'the address of before');
      assert.deepEqual([gone.body.error, gone.body.message], ['אין כאן יומן. אולי הכתובת הוחלפה.', message]);
    }
    const next = new URL(renewed.body.feed.url).pathname;
    assert.equal(entriesOf(await read(next)).length, 1);
    assert.equal((await call('DELETE', '/api/calendar/feed')).status, 204);
    assert.equal((await server.call('GET', next)).status, 404);
    assert.equal((await call('GET', '/api/calendar/feed')).body.feed.url, null);
    const reopened = await call('PUT', '/api/calendar/feed', {});
    assert.notEqual(new URL(reopened.body.feed.url).pathname, next);
    assert.equal((await server.call('GET', next)).status, 404);
    for (const at of ['/c/x.ics', `/c/${'a'.repeat(43)}.ics`]) {
      assert.equal((await server.call('GET', at)).status, 404, at);
    }
    assert.equal((await server.call('GET', '/api/calendar/feed')).status, 401);
    assert.equal((await call('PUT', '/api/calendar/feed', { language: 'french' })).body.field, 'language');
    assert.equal((await call('PUT', '/api/calendar/feed', { payment: true })).body.field, 'payment');
  });

  test(`payments that are due and events that others share are in it, while they are on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const { call, server } = event;
    const me = await server.token('me');
    const vendor = { name: 'DJ אבי', kind: 'dj' };
    const { id: vendor_id } = (await server.call('POST', '/api/vendors', { token: me, body: vendor })).body
      .vendor;
    const payments = [
      { amount: 1234.5, due_date: '2099-06-01' },
      { amount: 2, due_date: '2099-06-02', paid_date: '2020-01-01' },
      { amount: 3 },
    ];
    const { booking } = (await call('POST', '/bookings', { body: { vendor_id, payments } })).body;
    const itai = await signToken(
      SECRET,
      { id: `itai of ${kind}`, role: 'organizer', email: `itai-${kind}@example.com` },
      '1h',
    );
    const shared = await call('POST', '/co-organizers', { body: { email: `itai-${kind}@example.com` } });
    const opened = await server.call('PUT', '/api/calendar/feed', { token: itai, body: { payments: true } });
    const { pathname } = new URL(opened.body.feed.url);
    const read = async () => entriesOf((await server.call('GET', pathname)).text);
    const [day, due] = await read();
    assert.equal(said(day, 'UID')?.split('@')[0], event.id);
    assert.equal(said(due, 'UID')?.split('@')[0], booking.payments[0].id);
    assert.equal(said(due, 'DTSTART;VALUE=DATE'), '20990601');
    assert.equal(said(due, 'SUMMARY'), 'תשלום ל־DJ אבי: 1\\,234.5 ₪');
    assert.equal((await read()).length, 2);
    await server.call('PUT', '/api/calendar/feed', { token: itai, body: { payments: false } });
    assert.equal((await read()).length, 1);

    await call('PUT', '/checklist/facts', { body: { alcohol: true } });
    const approvals = { approvals: true, language: 'english' };
    await server.call('PUT', '/api/calendar/feed', { token: itai, body: approvals });
    const { items } = (await call('GET', '/checklist', { headers: { 'accept-language': 'en' } })).body
      .checklist;
    const [item] = items;
    const [, last, ...others] = await read();
    assert.equal(others.length, items.length - 1);
    assert.equal(said(last, 'UID')?.split('@')[0], `${event.id}-${item.item}`);
    assert.equal(said(last, 'DTSTART;VALUE=DATE'), item.due_date.replaceAll('-', ''));
    assert.equal(said(last, 'SUMMARY'), `Due: ${item.title}`);
    for (const { item } of items.slice(1)) {
      await call('PUT', `/checklist/${item}`, { body: { dismissed: true } });
    }
    assert.equal((await read()).length, 2);
    await call('PUT', `/checklist/${item.item}`, { body: { state: 'in_progress' } });
    const moved = (await read()).at(-1);
    assert.equal(Number(said(moved, 'SEQUENCE')), Number(said(last, 'SEQUENCE')) + 1);
    await call('POST', '/checklist/dismiss');
    assert.equal((await read()).length, 1, 'put away as a whole');
    await call('POST', '/checklist/restore');
    await call('PUT', `/checklist/${item.item}`, { body: { state: 'done' } });
    assert.equal((await read()).length, 1);
    await call('DELETE', `/co-organizers/${shared.body.co_organizer.id}`);
    assert.deepEqual(await read(), []);
  });
}
