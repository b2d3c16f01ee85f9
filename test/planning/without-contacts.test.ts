import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { signToken } from '../../server/identity/tokens.ts';
import { operationsOf } from '../support/reference.ts';
import { ANY_DATABASE, DATABASES, SECRET } from '../support/server.ts';
import { until } from '../support/until.ts';
import { newEvent } from './event.ts';

// Co-organizers who see no contact details of guests, on every route of the API reference: a new route is among them
// without a change here.

/** Contact details of the seeded guests. Each is a text that appears nowhere else. */
const GUEST = {
  phone: '+972501239876',
  email: 'hidden-dana@example.com',
  note: 'hidden-note',
  other_phones: ['+972531239876'],
  other_emails: ['hidden-second@example.com'],
};
/** Contact details of a deleted guest, which no route shows to anybody. */
const DELETED = { phone: '+972521239876', email: 'hidden-deleted@example.com', note: 'hidden-deleted-note' };
const REQUEST = { phone: '+972541239876', email: 'hidden-asking@example.com', message: 'hidden-greeting' };
const CALL_NOTE = 'hidden-call-note';
const MONEY = { budget: 76543210, price: 65432109, payment: 54321098, vendor: 'hidden-vendor' };
const OTHER = 'hidden-other@example.com';

/** An event with a guest who was invited, called, written to, changed; with a deleted guest and an open request. */
async function seed(event: Awaited<ReturnType<typeof newEvent>>) {
  const { server, call } = event;
  const ok = async (method: string, path: string, body?: object) => {
    const answer = await call(method, path, body && { body });
    assert.ok(answer.status < 300, answer.text);
    return answer.body;
  };
  const dana = await event.guest({ name: 'Dana', party_size: 2, ...GUEST, allergies: 'peanuts' });
  const gone = await event.guest({ name: 'Gone', ...DELETED });
  await ok('DELETE', `/guests/${gone.id}`);
  await ok('PUT', `/guests/${dana.id}`, { note: `${GUEST.note} changed` });
  const { link } = await ok('GET', `/guests/${dana.id}/link`);
  const { question } = await ok('POST', '/questions', { kind: 'text', text: 'Song?' });
  const { settings } = await ok('PUT', '/rsvp', { open: true });
  const slug = settings.slug as string;
  const form = new URLSearchParams({ name: 'Asking', coming: '1', ...REQUEST });
  const asked = await fetch(`${server.url}/e/${slug}`, { method: 'POST', body: form, redirect: 'manual' });
  assert.equal(asked.status, 303);
  const { requests } = (await call('GET', '/guest-requests')).body;
  const { round: byHand } = await ok('POST', '/rounds', { filter: {}, channel: 'by_hand' });
  const { round: calls } = await ok('POST', '/rounds', { kind: 'reminder', filter: {}, channel: 'phone' });
  await ok('POST', `/rounds/${calls.id}/guests/${dana.id}/calls`, { outcome: 'reached', note: CALL_NOTE });
  const { item } = await ok('POST', '/agenda', { title: 'Dinner', starts_at: '2099-06-15T20:30' });
  const { vendor } = (
    await server.call('POST', '/api/vendors', {
      token: await server.token('me'),
      body: { name: MONEY.vendor, kind: 'dj' },
    })
  ).body;
  await ok('PUT', '', { budget: MONEY.budget });
  const payments = [
    { amount: MONEY.payment, due_date: `${Temporal.Now.plainDateISO('Asia/Jerusalem').add({ days: 3 })}` },
  ];
  const { booking } = await ok('POST', '/bookings', { vendor_id: vendor.id, price: MONEY.price, payments });
  await ok('POST', '/co-organizers', { email: 'hall@example.com', access: 'view_without_contacts' });
  const { co_organizer } = await ok('POST', '/co-organizers', { email: OTHER });
  return {
    dana,
    calls,
    secrets: [
      ...Object.values(GUEST).flat(),
      ...Object.values(DELETED),
      ...Object.values(REQUEST),
      CALL_NOTE,
      ...Object.values(MONEY).map(String),
      OTHER,
      link.url.split('/r/')[1] as string,
    ],
    ids: {
      guestId: dana.id,
      requestId: requests[0]?.id,
      roundId: byHand.id,
      questionId: question.id,
      itemId: item?.id,
      bookingId: booking.id,
      coOrganizerId: co_organizer.id,
    } as Readonly<Record<string, string | undefined>>,
  };
}

for (const kind of DATABASES) {
  test(`no route tells contact details of guests to who is to see none, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const { secrets, ids, calls, dana } = await seed(event);
    const hall = await signToken(SECRET, { id: 'hall', role: 'organizer', email: 'hall@example.com' }, '1h');
    const owner = await event.server.token('me');
    const { body: document } = await event.server.call('GET', '/openapi.json');
    const operations = operationsOf(document).filter(({ path }) => path.startsWith('/api/'));
    const within = operations.filter(({ path }) => path.startsWith('/api/events/{id}'));
    assert.ok(within.length > 90, `${within.length} routes`);
    const placeOf = (path: string) =>
      path.replace('{id}', event.id).replaceAll(/\{(\w+)\}/g, (_, name) => ids[name] ?? randomUUID());
    const others = operations.filter(
      ({ path, method, operation }) => method === 'get' && !path.includes('{') && operation.security?.length,
    );
    const reads = [...within.filter(({ method }) => method === 'get'), ...others].map(({ path }) =>
      placeOf(path),
    );
    const places = [
      ...reads,
      `/api/events/${event.id}/rounds/${calls.id}/guests`,
      `/api/events/${event.id}/rounds/${calls.id}/guests/${dana.id}/calls`,
    ];
    const read = async (token: string) =>
      (await Promise.all(places.map((place) => event.server.call('GET', place, { token })))).map(
        ({ text }) => text,
      );

    // The seeded details are there to be found: their owner reads each of them somewhere.
    const owned = (await read(owner)).join('\n');
    assert.deepEqual(
      secrets.filter((secret) => !owned.includes(secret) && !Object.values(DELETED).includes(secret)),
      [],
    );
    const opened = await event.server.call('PUT', '/api/calendar/feed', {
      token: hall,
      body: { payments: true },
    });
    places.push(new URL(opened.body.feed.url).pathname);
    const seen = await read(hall);
    const told = seen.flatMap((text, at) =>
      secrets.filter((secret) => text.includes(secret)).map((secret) => `${places[at]}: ${secret}`),
    );
    assert.deepEqual(told, []);
    assert.ok(
      seen.some((text) => text.includes('peanuts')),
      'a caterer reads allergies',
    );

    for (const { method, path, operation } of within.filter((one) => one.method !== 'get')) {
      const [type] = Object.keys(operation.requestBody?.content ?? {});
      const headers = { 'content-type': `${type?.replace('*', 'png')}; boundary=x` };
      const sent = { token: hall, ...(type && { headers, body: '{}' }) };
      const { status, text } = await event.server.call(method.toUpperCase(), placeOf(path), sent);
      assert.equal(status, 403, `${method} ${path}: ${text}`);
      assert.deepEqual(
        secrets.filter((secret) => text.includes(secret)),
        [],
      );
    }
  });

  test(`who sees no contact details finds no guest by them, nor follows them live, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const { server, id } = event;
    const members = [{ name: 'Dana 7' }, { name: 'Yonatan' }];
    const dana = await event.guest({ name: 'Dana 7', party_size: 2, members, ...GUEST });
    await event.call('POST', '/co-organizers', {
      body: { email: 'aunt@example.com', access: 'view_without_contacts' },
    });
    const aunt = await signToken(SECRET, { id: 'aunt', role: 'organizer', email: 'aunt@example.com' }, '1h');
    const found = async (search: string, token?: string) => {
      const query = `search=${encodeURIComponent(search)}`;
      const list = await event.call('GET', `/guests?${query}`, token ? { token } : {});
      const { numbers } = (await event.call('GET', `/guests/numbers?${query}`, token ? { token } : {})).body;
      assert.equal(numbers.guests, list.body.total);
      return list.body.total;
    };
    for (const search of [
      '9876',
      '050-1239876',
      'dana 9876',
      '+972501239876',
      '٩٨٧٦',
      '501239876',
      '0531239876',
    ])
      assert.deepEqual([await found(search), await found(search, aunt)], [1, 0], search);
    for (const search of ['dana', '7', 'dana 7', 'DÁNA', 'yonatan'])
      assert.deepEqual([await found(search), await found(search, aunt)], [1, 1], search);

    const stop = new AbortController();
    const response = await fetch(`${server.url}/api/events/${id}/stream`, {
      signal: stop.signal,
      headers: { authorization: `Bearer ${aunt}` },
    });
    let text = '';
    const ended = (async () => {
      for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) text += piece;
    })().catch(() => {});
    await until(() => text.includes('event: counts'));
    const change = { rsvp_status: 'confirmed', note: 'hidden-note again' };
    await event.call('PUT', `/guests/${dana.id}`, { body: change });
    await until(() => text.includes('event: answer'));
    assert.ok(text.includes(dana.id));
    for (const secret of Object.values(GUEST).flat()) assert.ok(!text.includes(secret), text);
    stop.abort();
    await ended;
  });
}

test('guests of one name are listed by their id, so that their order tells nothing about their phone numbers', async () => {
  await using event = await newEvent(ANY_DATABASE);
  const phones = ['+972509999999', '+972500000000', '+972505555555'];
  const ids: string[] = [];
  for (const phone of phones) ids.push((await event.guest({ name: 'Dana', phone })).id);
  const { guests } = (await event.call('GET', '/guests')).body;
  assert.deepEqual(
    guests.map(({ id }: { id: string }) => id),
    ids.toSorted(),
  );
});
