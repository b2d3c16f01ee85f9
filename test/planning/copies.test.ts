import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { COPIED_TABLES } from '../../server/planning/copies/tables.ts';
import { RELATED_TABLES } from '../../server/planning/guests/deleted/store.ts';
import { ANY_DATABASE, DATABASES_OF_SLOW_TESTS, startServer } from '../support/server.ts';
import { newEvent, type TestEvent } from './event.ts';

/** What belongs to an event and is not in its copy, as docs/working-together.md says, or is kept by triggers. */
const NOT_COPIED = [
  'access_tokens',
  'answer_confirmations',
  'co_organizers',
  'deleted_guests',
  'event_digests',
  'event_retention',
  'event_tallies',
  'example_events',
  'guest_links',
  'guest_requests',
  'request_confirmations',
  'history',
  'rounds',
  'webhook_endpoints',
];
/** What is a guest's and does not come back as it was, and why. */
const NOT_KEPT: Readonly<Record<string, string>> = {
  answer_confirmations: 'a mail about an answer before the guest was deleted is no longer due',
  deleted_guests: 'it is where they are kept',
  guest_requests: 'it stays, and is joined to the guest again',
};

/** An event with something of everything that is copied. */
async function furnish(event: TestEvent): Promise<string> {
  const { call, server } = event;
  const token = await server.token('me');
  const vendor = { name: 'DJ אבי', kind: 'dj' };
  const { id: vendor_id } = (await server.call('POST', '/api/vendors', { token, body: vendor })).body.vendor;
  for (const body of [
    {
      status: 'confirmed',
      price: 100,
      starts_at: '2099-06-15T14:00',
      payments: [
        { amount: 40, due_date: '2099-01-01', paid_date: '2020-01-01' },
        { amount: 60, due_date: '2099-06-16' },
      ],
    },
    { price_per_plate: 250, minimum_plates: 10, note: 'שני' },
  ]) {
    assert.equal((await call('POST', '/bookings', { body: { vendor_id, ...body } })).status, 201);
  }
  const gone = await call('POST', '/bookings', { body: { vendor_id } });
  await call('DELETE', `/bookings/${gone.body.booking.id}`);
  await call('PUT', '/invitation', {
    body: {
      hosts: { hebrew: 'נועה ואיתי' },
      title: { english: 'The wedding' },
      words: { english: 'A chuppah' },
      event_end: '2099-06-16T01:30',
    },
  });
  await call('POST', '/agenda', { body: { title: 'חופה', starts_at: '2099-06-15T20:30' } });
  await sql`
    insert into pictures (event_id, size, key, width, height, created_at, content)
    select ${event.id}, size, ${event.id}::uuid, 4, 3, now(), 'x'::bytea
    from unnest(array['large', 'small', 'preview']) size`.execute(server.simcha.database.sql);
  await call('PUT', '/notices', { body: { digest: false } });
  await call('PUT', '/rsvp', { body: { open: true, answer_until: '2099-06-01T12:00' } });
  await call('PUT', '/checklist/facts', { body: { alcohol: true } });
  await call('PUT', '/checklist/insurance', { body: { state: 'done', note: 'אצל אבא' } });
  const asked = await call('POST', '/questions', { body: { kind: 'text', text: 'שיר?' } });
  await event.guest({
    name: 'משפחת כהן',
    phone: '050-1234567',
    party_size: 3,
    party_children: 1,
    vegan: 1,
    answers: { [asked.body.question.id]: 'הורה' },
    rsvp_status: 'confirmed',
    message: 'מזל טוב',
    tags: ['צד הכלה'],
  });
  await event.guest({ name: 'דנה', party_size: 2, rsvp_status: 'confirmed' });
  await call('POST', '/co-organizers', { body: { email: 'partner@example.com' } });
  return token;
}

for (const kind of DATABASES_OF_SLOW_TESTS) {
  test(`an event is duplicated for another day, and all of it begins anew on ${kind}`, async () => {
    await using event = await newEvent(kind, { max_guests: 120, venue_capacity: 4, budget: 5000.5 });
    const token = await furnish(event);
    const body = { event_date: '2099-12-15T18:00', title: 'שוב' };
    const done = await event.call('POST', '/duplicate', { body });
    assert.equal(done.status, 201, done.text);
    const { event: copy, copied, left_out } = done.body;
    assert.deepEqual(left_out, ['title']);
    const { event: original } = (await event.call('GET', '')).body;
    for (const field of ['venue_name', 'venue_address', 'budget', 'max_guests', 'noise_curfew_time']) {
      assert.deepEqual(copy[field], original[field], field);
    }
    assert.deepEqual(
      [copy.title, copy.event_date, copy.status, copy.rsvp_total, copy.vendors_confirmed],
      ['שוב', '2099-12-15T16:00:00.000Z', 'draft', 0, 0],
    );
    assert.deepEqual([copied.bookings, copied.booking_payments, copied.guests], [2, 2, undefined]);
    assert.equal(copied.pictures, 1, 'one, in three sizes');
    const at = `/api/events/${copy.id}`;
    assert.equal(done.headers.get('location'), at);
    const get = async (path: string) => (await event.server.call('GET', `${at}${path}`, { token })).body;

    const { bookings } = await get('/bookings');
    assert.deepEqual(
      bookings.map((one: Record<string, unknown>) => [one.status, one.price, one.note, one.starts_at]),
      [
        ['pending', 100, null, '2099-12-15T10:30:00.000Z'],
        ['pending', null, 'שני', null],
      ],
      'an hour and a half earlier, by the clock on the wall',
    );
    assert.deepEqual(
      bookings[0].payments.map(({ id: _, ...payment }: { id: string }) => payment),
      [
        { amount: 40, due_date: '2099-07-03', paid_date: null, note: null },
        { amount: 60, due_date: '2099-12-16', paid_date: null, note: null },
      ],
    );
    assert.deepEqual((await get('/invitation')).invitation.hosts, { hebrew: 'נועה ואיתי' });
    const { title, words } = (await get('/invitation')).invitation;
    assert.deepEqual([title, words], [null, { english: 'A chuppah' }], 'translated words of the other title');
    assert.equal((await get('/invitation')).invitation.event_end, '2099-12-15T22:00:00.000Z');
    assert.deepEqual(
      (await get('/agenda')).items.map((one: Record<string, unknown>) => [one.title, one.starts_at]),
      [['חופה', '2099-12-15T17:00:00.000Z']],
    );
    const { picture } = await get('/invitation/picture');
    assert.notEqual(picture.url, (await event.call('GET', '/invitation/picture')).body.picture.url);
    assert.equal((await event.server.call('GET', new URL(picture.preview_url).pathname)).text, 'x');
    assert.equal((await get('/notices')).notices.digest, false);
    const { settings } = await get('/rsvp');
    assert.deepEqual([settings.open, settings.slug], [false, null]);
    assert.equal(settings.answer_until, '2099-12-01T08:30:00.000Z');
    assert.equal((await get('/checklist/facts')).facts.alcohol, true);
    const { item } = await get('/checklist/insurance');
    assert.deepEqual([item.state, item.note], ['open', 'אצל אבא']);
    assert.deepEqual((await get('/co-organizers')).co_organizers, []);
    const { history } = await get('/history');
    assert.deepEqual(
      history.map(({ action }: { action: string }) => action),
      ['duplicated', 'created'],
    );
    assert.deepEqual(history[0].changes, { copied_from: { from: null, to: event.id } });

    // What would be over by now is left open, but where all stays as it was.
    const soon = { event_date: new Date(Date.now() + 30 * 86_400_000).toISOString() };
    const early = (await event.call('POST', '/duplicate', { body: soon })).body.event.id;
    const duesOf = async (id: string) =>
      (await event.server.call('GET', `/api/events/${id}/bookings`, { token })).body.bookings[0].payments.map(
        ({ due_date }: { due_date: string | null }) => due_date !== null,
      );
    assert.deepEqual(await duesOf(early), [false, true]);

    // They are apart from each other.
    const paid = { body: { paid_date: '2020-02-02' }, token };
    const payment = `${at}/bookings/${bookings[0].id}/payments/${bookings[0].payments[0].id}`;
    assert.equal((await event.server.call('PUT', payment, paid)).status, 200);
    const there = (await event.call('GET', '/bookings')).body.bookings;
    assert.equal(there[0].payments[0].paid_date, '2020-01-01');
  });

  test(`an event that was cancelled by mistake goes on as a copy, guests and answers with it on ${kind}`, async () => {
    await using event = await newEvent(kind, { max_guests: 120, venue_capacity: 4 });
    const token = await furnish(event);
    const before = (await event.call('GET', '')).body.event;
    const bookings = (await event.call('GET', '/bookings')).body.bookings;
    const counts = await event.counts();
    const { guests } = (await event.call('GET', '/guests')).body;
    await event.call('PUT', '', { body: { status: 'cancelled' } });
    const body = { guests: true, progress: true };
    const done = await event.call('POST', '/duplicate', { body, headers: { 'idempotency-key': 'again' } });
    assert.equal(done.status, 201, done.text);
    const again = await event.call('POST', '/duplicate', { body, headers: { 'idempotency-key': 'again' } });
    assert.equal(again.body.event.id, done.body.event.id);
    const at = `/api/events/${done.body.event.id}`;
    const get = async (path: string) => (await event.server.call('GET', `${at}${path}`, { token })).body;
    const changing = ['id', 'event_id', 'created_at', 'updated_at', 'status', 'payments', 'answers'];
    const same = (one: object) =>
      Object.fromEntries(Object.entries(one).filter(([field]) => !changing.includes(field)));
    assert.deepEqual(same(done.body.event), same(before));
    assert.deepEqual(done.body.left_out, []);
    assert.deepEqual((await get('/invitation')).invitation.title, { english: 'The wedding' });
    assert.equal(done.body.copied.guests, 2);
    const copies = (await get('/guests')).guests;
    assert.deepEqual(copies.map(same), guests.map(same), 'who waits is in line as before');
    assert.notEqual(copies[0].id, guests[0].id);
    const [question] = (await get('/questions')).questions;
    const answers = copies.flatMap((guest: { answers: object }) => Object.entries(guest.answers));
    assert.deepEqual(answers, [[question.id, 'הורה']]);
    assert.deepEqual((await get('/guests/counts')).counts, counts);
    const booked = (await get('/bookings')).bookings;
    assert.deepEqual(booked.map(same), bookings.map(same));
    assert.deepEqual([booked[0].status, booked[0].payments[0].paid_date], ['confirmed', '2020-01-01']);
    assert.equal((await get('/checklist/insurance')).item.state, 'done');
    const publish = { token, body: { status: 'published' } };
    assert.equal((await event.server.call('PUT', at, publish)).status, 200);
    const { url } = (await get(`/guests/${copies[0].id}/link`)).link;
    assert.equal((await event.server.call('GET', new URL(url).pathname)).status, 200);
  });

  test(`guests of a copy that begins anew have not answered, and a copy is its owner’s to make on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const token = await furnish(event);
    const duplicate = (body: object, as = token) =>
      event.server.call('POST', `/api/events/${event.id}/duplicate`, { token: as, body });
    const { event: copy } = (await duplicate({ guests: true })).body;
    assert.deepEqual([copy.rsvp_pending, copy.rsvp_confirmed, copy.title], [2, 0, 'החתונה של נועה ואיתי']);
    const { guests } = (await event.server.call('GET', `/api/events/${copy.id}/guests`, { token })).body;
    const [, family] = guests;
    assert.deepEqual(
      [family.name, family.phone, family.tags, family.coming, family.message, family.answered_at],
      ['משפחת כהן', '+972501234567', ['צד הכלה'], 0, null, null],
    );
    for (const [body, field] of [
      [{ event_date: '2020-01-01T10:00' }, 'event_date'],
      [{ gests: true }, 'gests'],
      [{ guests: 'yes' }, 'guests'],
      [{ title: ' ' }, 'title'],
    ] as const) {
      const refused = await duplicate(body);
      assert.deepEqual([refused.status, refused.body.field], [400, field], refused.text);
    }
    assert.equal((await duplicate({}, await event.server.token('stranger'))).status, 404);
    await event.call('DELETE', '');
    assert.equal((await duplicate({})).status, 404);
  });
}

test('of every table of an event it is said whether it is copied, and of every one of a guest whether it comes back', async () => {
  await using server = await startServer(ANY_DATABASE);
  const tablesWith = async (column: string) => {
    const { rows } = await sql<{ name: string }>`
      select table_name as name from information_schema.columns
      where table_schema = 'public' and column_name = ${column}
        and table_name in (select tablename from pg_tables where schemaname = 'public')
      order by table_name`.execute(server.simcha.database.sql);
    return rows.map(({ name }) => name);
  };
  const ofOthers = ['booking_payments'];
  const copied = COPIED_TABLES.map(({ table }) => table).filter((table) => !ofOthers.includes(table));
  assert.deepEqual(await tablesWith('event_id'), [...copied, ...NOT_COPIED].toSorted());
  assert.deepEqual(await tablesWith('guest_id'), [...RELATED_TABLES, ...Object.keys(NOT_KEPT)].toSorted());
});
