import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DATABASES } from '../../support/server.ts';
import { newEvent, type TestEvent } from '../event.ts';

const yes = (event: TestEvent, id: string, coming = 1) =>
  event.call('PUT', `/guests/${id}`, { body: { rsvp_status: 'confirmed', coming } });

async function waitingNames(event: TestEvent): Promise<string[]> {
  const { body } = await event.call('GET', '/guests?status=waiting&order=waiting&limit=1000');
  return body.guests.map((guest: { name: string }) => guest.name);
}

for (const kind of DATABASES) {
  test(`a yes beyond the places waits, in order, and moves up when somebody declines, on ${kind}`, async () => {
    await using event = await newEvent(kind, { max_guests: 3, venue_capacity: 5 });
    const guests = [];
    for (const name of ['א', 'ב', 'ג', 'ד', 'ה']) guests.push(await event.guest({ name, party_size: 2 }));
    const [first, second, third, fourth, fifth] = guests.map(({ id }) => id) as [
      string,
      string,
      string,
      string,
      string,
    ];

    assert.equal((await yes(event, first, 2)).body.guest.rsvp_status, 'confirmed');
    const waits = (await yes(event, second, 2)).body.guest;
    assert.equal(waits.rsvp_status, 'pending');
    assert.ok(waits.waiting_since);
    assert.equal(waits.coming, 2);
    await yes(event, third, 2);
    await yes(event, fourth, 2);
    assert.equal((await yes(event, fifth, 1)).body.guest.rsvp_status, 'confirmed');
    assert.deepEqual(await waitingNames(event), ['ב', 'ג', 'ד']);
    assert.deepEqual(await event.counts(), {
      rsvp_confirmed: 2,
      rsvp_pending: 3,
      rsvp_declined: 0,
      rsvp_total: 5,
      maybe: 0,
      waiting: 3,
      invited: 10,
      people: 3,
      children: 0,
      plus_ones: 0,
      held: 0,
      places_left: 0,
      plus_ones_left: 30,
    });

    // Asking again keeps the turn; giving up the place gives it to the first in line.
    await yes(event, second, 2);
    await event.call('PUT', `/guests/${first}`, { body: { rsvp_status: 'declined' } });
    assert.equal((await event.read(second)).rsvp_status, 'confirmed');
    assert.deepEqual(await waitingNames(event), ['ג', 'ד']);
    const history = await event.call('GET', `/history?subject_id=${second}`);
    assert.equal(history.body.history[0].action, 'moved_up');

    // A place is freed by a removed guest and by a raised limit alike.
    await event.call('DELETE', `/guests/${second}`);
    assert.deepEqual(await waitingNames(event), ['ד']);
    const raised = await event.call('PUT', '', { body: { max_guests: 5 } });
    assert.equal(raised.body.event.rsvp_confirmed, 3, raised.text);
    assert.deepEqual(await waitingNames(event), []);
  });

  test(`plus-ones are limited apart from people, and whoever has places keeps them, on ${kind}`, async () => {
    await using event = await newEvent(kind, { max_plus_ones_buffer: 2 });
    const [a, b] = [await event.guest({ name: 'א' }), await event.guest({ name: 'ב', party_size: 2 })];
    assert.equal((await yes(event, a.id, 3)).body.guest.rsvp_status, 'confirmed');
    assert.equal((await yes(event, b.id, 2)).body.guest.rsvp_status, 'confirmed');
    const more = await yes(event, b.id, 3);
    assert.equal(more.status, 409, more.text);
    assert.equal((await event.read(b.id)).coming, 2);
    assert.equal((await event.counts()).plus_ones_left, 0);
    // Who is invited with more people has fewer plus-ones.
    await event.call('PUT', `/guests/${a.id}`, { body: { party_size: 3 } });
    assert.equal((await event.counts()).plus_ones, 0);
    assert.equal((await yes(event, b.id, 3)).status, 200);
    const smaller = await event.call('PUT', `/guests/${a.id}`, { body: { party_size: 1 } });
    assert.equal(smaller.status, 409, smaller.text);
  });

  test(`an organizer is told that a yes waits or is for fewer, and seats them all the same, on ${kind}`, async () => {
    await using event = await newEvent(kind, { max_guests: 3, max_plus_ones_buffer: 0 });
    const add = (body: object) =>
      event.call('POST', '/guests', { body, headers: { 'accept-language': 'en' } });
    const couple = await add({ name: 'א', party_size: 2, rsvp_status: 'confirmed', coming: 3 });
    assert.deepEqual(couple.body.warnings, [
      {
        code: 'fewer',
        message:
          'There are places for 2 people, not for 3: up to 2 can come. To give places anyway: over_limit.',
      },
    ]);
    assert.equal((await add({ name: 'ב', rsvp_status: 'confirmed' })).body.warnings.length, 0);
    const grandfather = await add({ name: 'סבא', rsvp_status: 'confirmed' });
    assert.deepEqual(
      [grandfather.body.guest.rsvp_status, grandfather.body.warnings[0].code],
      ['pending', 'waits'],
    );
    const { id } = grandfather.body.guest;
    const seated = await event.call('PUT', `/guests/${id}`, { body: { over_limit: true } });
    assert.deepEqual([seated.body.guest.rsvp_status, seated.body.warnings], ['confirmed', []], seated.text);
    assert.equal((await event.counts()).places_left, -1);
    const lines = async (guestId: string) =>
      (await event.call('GET', `/history?subject_id=${guestId}`)).body.history;
    assert.deepEqual((await lines(id))[0].changes.over_limit, { from: false, to: true });
    const uncle = await add({ name: 'דוד', rsvp_status: 'confirmed', coming: 2, over_limit: true });
    assert.deepEqual([uncle.body.guest.rsvp_status, uncle.body.guest.coming], ['confirmed', 2]);
    assert.deepEqual((await lines(uncle.body.guest.id))[0].changes, {
      over_limit: { from: false, to: true },
    });
    // Where there is room for them nothing is over it.
    await event.call('PUT', '', { body: { max_guests: 50, max_plus_ones_buffer: 5 } });
    const aunt = await add({ name: 'דודה', rsvp_status: 'confirmed', over_limit: true });
    assert.equal((await lines(aunt.body.guest.id))[0].changes, null);
  });

  test(`who waits with more people than may come moves up without them, on ${kind}`, async () => {
    await using event = await newEvent(kind, { max_guests: 4, max_plus_ones_buffer: 0 });
    const first = await event.guest({ name: 'ראשונים', party_size: 4, rsvp_status: 'confirmed' });
    const family = await event.guest({ name: 'משפחה', party_size: 3, email: 'family@example.com' });
    const waits = await yes(event, family.id, 5);
    assert.deepEqual([waits.body.guest.coming, waits.body.warnings[0].code], [5, 'waits']);
    await event.call('PUT', `/guests/${first.id}`, { body: { rsvp_status: 'declined' } });
    const { rsvp_status, coming } = await event.read(family.id);
    assert.deepEqual([rsvp_status, coming], ['confirmed', 3]);
    const [line] = (await event.call('GET', `/history?subject_id=${family.id}`)).body.history;
    assert.deepEqual([line.action, line.changes.coming], ['moved_up', { from: 5, to: 3 }]);
    const body = { kind: 'see_you', guest_ids: [family.id] };
    const [letter] = (await event.call('POST', '/rounds?dry_run=true', { body })).body.preview.letters;
    assert.match(letter.text, /רשמנו שמגיעים 3 אנשים\./);
  });

  test(`of simultaneous answers for the last places each is counted once and the rest wait in order, on ${kind}`, async () => {
    await using event = await newEvent(kind, { max_guests: 7 });
    const guests = await Promise.all(
      Array.from({ length: 30 }, (_, number) => event.guest({ name: `אורח ${number}` })),
    );
    const answers = await Promise.all(guests.map(({ id }) => yes(event, id)));
    assert.ok(answers.every(({ status }) => status === 200));
    const seated = answers.filter(({ body }) => body.guest.rsvp_status === 'confirmed');
    assert.equal(seated.length, 7);
    const counts = await event.counts();
    assert.deepEqual([counts.rsvp_confirmed, counts.waiting, counts.people], [7, 23, 7]);

    // Everybody with a place declines at once: the first seven in line get them.
    const line = await waitingNames(event);
    assert.equal(line.length, 23);
    const declined = await Promise.all(
      seated.map(({ body }) =>
        event.call('PUT', `/guests/${body.guest.id}`, { body: { rsvp_status: 'declined' } }),
      ),
    );
    assert.ok(declined.every(({ status }) => status === 200));
    assert.deepEqual(await waitingNames(event), line.slice(7));
    const { body } = await event.call('GET', '/guests?status=confirmed&limit=50');
    assert.deepEqual(
      body.guests.map((guest: { name: string }) => guest.name).sort(),
      line.slice(0, 7).sort(),
    );
  });
}
