import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DATABASES_OF_SLOW_TESTS } from '../support/server.ts';
import { newEvent } from './event.ts';

// Who reads, and sends back the whole of what was read, changes nothing: no version, no line of history. The event
// itself is the contract's, and refuses its own status (test/contract).

for (const kind of DATABASES_OF_SLOW_TESTS) {
  test(`what was read is sent back without a change on ${kind}`, async () => {
    await using event = await newEvent(kind, { max_guests: 5, venue_capacity: 4 });
    const { call, server } = event;
    const made = async (path: string, body: object, key: string) => {
      const answer = await call('POST', path, { body });
      assert.ok(answer.status === 201 || answer.status === 202, answer.text);
      return answer.body[key].id;
    };
    const choice = await call('POST', '/questions', {
      body: { kind: 'choice', text: { hebrew: 'הסעה?' }, options: [{ text: 'כן' }, { text: 'לא' }] },
    });
    const { id: choiceId, options } = choice.body.question;
    const numberId = await made('/questions', { kind: 'number', text: 'כמה?' }, 'question');
    const guests = [
      { name: 'משפחת כהן', party_size: 3, party_children: 1, rsvp_status: 'confirmed', vegan: 1 },
      { name: 'משפחת לוי', party_size: 3, rsvp_status: 'confirmed', answers: { [choiceId]: options[0].id } },
      { name: 'דנה', rsvp_status: 'maybe', phone: '050-123-4567', tags: ['עבודה'], note: 'א' },
      { name: 'רון', rsvp_status: 'declined', email: 'ron@example.com', language: 'english' },
      { name: 'נועה', max_plus_ones: 0 },
      { name: 'סבא', rsvp_status: 'confirmed', party_size: 4, over_limit: true },
    ];
    const guestIds = [];
    for (const guest of guests) guestIds.push(await made('/guests', guest, 'guest'));
    const token = await server.token('me');
    const vendor = { name: 'DJ אבי', kind: 'dj', phone: '050-765-4321' };
    const added = await server.call('POST', '/api/vendors', { token, body: vendor });
    const bookingId = await made(
      '/bookings',
      {
        vendor_id: added.body.vendor.id,
        status: 'confirmed',
        price: 100,
        starts_at: '2099-06-15T14:00',
        payments: [{ amount: 40, due_date: '2099-01-01', paid_date: '2020-01-01' }, { amount: 60 }],
      },
      'booking',
    );
    const roundId = await made(
      '/rounds',
      { filter: {}, message: 'מחכים לכם', send_at: new Date(Date.now() + 9 * 86_400_000).toISOString() },
      'round',
    );
    const talk = { title: 'חופה', starts_at: '2099-06-15T20:30', ends_at: '2099-06-15T21:00' };
    const itemId = await made('/agenda', talk, 'item');
    await call('PUT', '/invitation', {
      body: { hosts: 'נועה ואיתי', title: 'חתונה', event_end: '2099-06-16T01:30' },
    });
    await call('PUT', '/rsvp', { body: { open: true, answer_until: '2099-06-01T12:00' } });
    await call('PUT', '/notices', { body: { digest: false } });
    await call('PUT', '/checklist/facts', { body: { alcohol: true } });
    await call('PUT', '/checklist/capacity', { body: { state: 'done', note: 'אצל אבא' } });
    await server.call('PUT', '/api/calendar/feed', { token, body: { language: 'arabic' } });

    const { checklist } = (await call('GET', '/checklist')).body;
    const items = checklist.items.map(({ item }: { item: string }) => item);
    assert.ok(items.includes('capacity') && items.length > 1);

    const history = async () => (await call('GET', '/history?limit=100')).body.history;
    const before = await history();
    const within = (path: string) => `/api/events/${event.id}${path}`;
    const places = [
      ...guestIds.map((id) => within(`/guests/${id}`)),
      ...[choiceId, numberId].map((id) => within(`/questions/${id}`)),
      within(`/bookings/${bookingId}`),
      within(`/rounds/${roundId}`),
      within(`/agenda/${itemId}`),
      ...['/invitation', '/retention', '/rsvp', '/notices'].map(within),
      ...['facts', ...items].map((item) => within(`/checklist/${item}`)),
      `/api/vendors/${added.body.vendor.id}`,
      '/api/calendar/feed',
    ];
    for (const place of places) {
      const read = await server.call('GET', place, { token });
      assert.equal(read.status, 200, `${place} ${read.text}`);
      const [key = ''] = Object.keys(read.body);
      const tag = read.headers.get('etag') ?? assert.fail(`${place} has no ETag`);
      const sent = { token, body: read.body[key], headers: { 'if-match': tag } };
      const answer = await server.call('PUT', place, sent);
      assert.equal(answer.status, 200, `${place} ${answer.text}`);
      assert.equal(answer.headers.get('etag'), tag, place);
      const again = await server.call('GET', place, { token });
      assert.deepEqual([again.body, again.headers.get('etag')], [read.body, tag], place);
      const strange = await server.call('PUT', place, { token, body: { ...read.body[key], a_name: 'x' } });
      assert.deepEqual([strange.status, strange.body.field], [400, 'a_name'], `${place} ${strange.text}`);
    }

    const { body: listed } = await call('GET', `/bookings/${bookingId}`);
    const [payment] = listed.booking.payments;
    const paid = await call('PUT', `/bookings/${bookingId}/payments/${payment.id}`, { body: payment });
    assert.deepEqual([paid.status, paid.body.payment], [200, payment], paid.text);

    const helper = await call('POST', '/co-organizers', { body: { email: `${event.id}@example.com` } });
    const { co_organizer } = helper.body;
    const shared = await call('PUT', `/co-organizers/${co_organizer.id}`, { body: co_organizer });
    assert.deepEqual(
      [shared.status, shared.body, shared.headers.get('etag')],
      [200, helper.body, helper.headers.get('etag')],
      shared.text,
    );

    for (const [path, body, field] of [
      [`/questions/${choiceId}`, { kind: 'text' }, 'kind'],
      [`/rounds/${roundId}`, { channel: 'phone' }, 'channel'],
      [`/co-organizers/${co_organizer.id}`, { ...co_organizer, email: 'else@example.com' }, 'email'],
    ] as const) {
      const other = await call('PUT', path, { body });
      assert.deepEqual([other.status, other.body.field], [400, field], other.text);
    }

    const [invited, ...rest] = await history();
    assert.equal(invited.subject, 'co_organizer');
    assert.deepEqual(rest, before);
  });
}
