import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signToken } from '../../server/identity/tokens.ts';
import { makeExample } from '../../server/planning/examples/example.ts';
import { exampleWords } from '../../server/planning/examples/words.ts';
import { DATABASES_OF_SLOW_TESTS, SECRET } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';

const PATH = '/api/example-event';

for (const kind of DATABASES_OF_SLOW_TESTS) {
  test(`an organizer gets an event to play with, and is rid of it at once, on ${kind}`, async () => {
    const server = await sharedServer(kind);
    const token = await signToken(
      SECRET,
      { id: `player ${kind}`, role: 'organizer', email: 'player@example.com' },
      '1h',
    );
    const call = (method: string, path: string, options: object = {}) =>
      server.call(method, path, { token, ...options });
    const own = async (path: string, key: string) => (await call('GET', path)).body[key];

    assert.deepEqual((await call('GET', PATH)).body, { event_id: null });
    const made = await call('POST', PATH, { headers: { 'accept-language': 'en' } });
    assert.equal(made.status, 201, made.text);
    const { event } = made.body;
    const path = `/api/events/${event.id}`;
    assert.deepEqual(
      [event.status, event.title, event.language_pref],
      ['published', exampleWords.en.title, 'english'],
    );
    assert.equal(event.rsvp_total, exampleWords.en.guests.length + 1);
    assert.ok(event.rsvp_confirmed > 10 && event.rsvp_declined > 0 && event.rsvp_pending > 5);
    assert.deepEqual((await call('GET', PATH)).body, { event_id: event.id });
    const { numbers } = (await call('GET', `${path}/guests/numbers`)).body;
    assert.ok(numbers.meals.childrens_meals > 0 && numbers.meals.vegan > 0);
    assert.equal((await own(`${path}/bookings`, 'bookings')).length, 4);
    assert.equal((await own('/api/vendors', 'vendors')).length, 4);
    assert.equal((await own(`${path}/agenda`, 'items')).length, 3);
    assert.equal((await own(`${path}/questions`, 'questions')).length, 1);
    assert.equal((await own(`${path}/rsvp`, 'settings')).plus_ones_each, 1);
    const guests = await own(`${path}/guests?limit=100`, 'guests');
    const addresses = guests.flatMap(({ email, phone }: Record<string, string>) => [email, phone]);
    assert.deepEqual(addresses.filter(Boolean), ['player@example.com']);

    const again = await call('POST', PATH);
    assert.deepEqual([again.status, again.body.code], [409, 'duplicate']);
    // Nothing of what was refused is there.
    assert.equal(await own('/api/events', 'total'), 1);
    const [dj] = (await own('/api/vendors', 'vendors')).filter(({ kind }: { kind: string }) => kind === 'dj');
    const other = await call('POST', '/api/events', {
      body: { title: 'כנס', event_date: '2099-06-15T19:30', venue_name: 'עדן' },
    });
    const booked = `/api/events/${other.body.event.id}/bookings`;
    assert.equal((await call('POST', booked, { body: { vendor_id: dj.id } })).status, 201);

    const stale = await call('DELETE', PATH, { headers: { 'if-match': '"999"' } });
    assert.equal(stale.status, 412);
    assert.equal((await call('DELETE', PATH)).status, 204);
    assert.equal((await call('GET', path)).status, 404);
    assert.equal((await call('DELETE', PATH)).status, 404);
    // A vendor who is booked for something else by now stays.
    assert.deepEqual(
      (await own('/api/vendors', 'vendors')).map(({ id }: { id: string }) => id),
      [dj.id],
    );

    // By undo it all comes back; one that was hidden by itself stays hidden.
    assert.equal((await call('POST', `/api/deleted-events/${event.id}/restore`)).status, 200);
    assert.equal((await own('/api/vendors', 'vendors')).length, 4);
    const band = (await own(`${path}/bookings`, 'bookings')).find(
      ({ vendor_id: id }: { vendor_id: string }) => id !== dj.id,
    );
    assert.equal((await call('DELETE', `${path}/bookings/${band.id}`)).status, 204);
    assert.equal((await call('DELETE', `/api/vendors/${band.vendor_id}`)).status, 204);
    assert.equal((await call('DELETE', path)).status, 204);
    assert.equal((await call('POST', `/api/deleted-events/${event.id}/restore`)).status, 200);
    assert.equal((await own('/api/vendors', 'vendors')).length, 3);
    assert.equal((await call('DELETE', path)).status, 204);

    // One that was deleted like any other event makes room for a new one, and so do its vendors.
    const next = await call('POST', PATH, { headers: { 'accept-language': 'ar' } });
    assert.equal(next.status, 201, next.text);
    assert.equal((await call('DELETE', `/api/events/${next.body.event.id}`)).status, 204);
    assert.deepEqual((await call('GET', PATH)).body, { event_id: null });
    const atOnce = await Promise.all([1, 2, 3].map(() => call('POST', PATH)));
    assert.deepEqual(atOnce.map(({ status }) => status).sort(), [201, 409, 409]);
    assert.equal((await own('/api/vendors', 'vendors')).length, 3 + 4);
    // Brought back, it is an event like any other, with the vendors that were hidden with it.
    assert.equal((await call('POST', `/api/deleted-events/${next.body.event.id}/restore`)).status, 200);
    assert.equal((await own('/api/vendors', 'vendors')).length, 3 + 4 + 4);
    assert.equal((await call('DELETE', PATH)).status, 204);
    assert.deepEqual((await call('GET', PATH)).body, { event_id: null });
  });
}

test('an example is on a day in the middle of the week, whatever the day it is made on', () => {
  const first = Temporal.Instant.from('2026-11-25T10:00Z');
  for (let days = 0; days < 400; days += 1) {
    const now = first.add({ hours: days * 24 });
    const { event } = makeExample('he', now, undefined) as { event: { event_date: string } };
    const day = Temporal.Instant.from(event.event_date).toZonedDateTimeISO('Asia/Jerusalem');
    assert.equal(day.dayOfWeek, 2, day.toString());
    const weeks = now.toZonedDateTimeISO('Asia/Jerusalem').until(day, { largestUnit: 'weeks' }).weeks;
    assert.ok(weeks >= 10 && weeks < 20, day.toString());
  }
});

test('each language has as many of everything', () => {
  const [first, ...others] = Object.values(exampleWords).map(({ guests, agenda, sides, options }) => [
    guests.length,
    new Set(guests).size,
    agenda.length,
    sides.length,
    options.length,
  ]);
  for (const other of others) assert.deepEqual(other, first);
});
