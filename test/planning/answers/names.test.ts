import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Member } from '../../../server/planning/guests/fields.ts';
import { DATABASES_OF_SLOW_TESTS } from '../../support/server.ts';
import { newEvent, type TestEvent } from '../event.ts';
import { form, linkOf, tokenOf } from './links.ts';

// Guests are asked for the names of the people who come, if the organizer wants it.

async function tokenFor(event: TestEvent, fields: object) {
  const guest = await event.guest(fields);
  return { guest, token: tokenOf((await linkOf(event, guest.id)).url) };
}

const names = (members: readonly Member[]) =>
  members.map(({ name, meal, coming }) =>
    [name, ...(meal ? [meal] : []), ...(coming ? [] : ['-'])].join(' '),
  );

for (const kind of DATABASES_OF_SLOW_TESTS) {
  test(`a guest names the people who come, on a page without scripts, on ${kind}`, async () => {
    await using event = await newEvent(kind, { language_pref: 'english' });
    const { guest, token } = await tokenFor(event, {
      name: 'Levy',
      party_size: 3,
      party_children: 1,
      vegan: 1,
    });
    const path = `/r/${token}`;
    const page = async () => (await event.server.call('GET', path)).text;
    assert.ok(!(await page()).includes('members['), 'nobody asks for names');
    await event.call('PUT', '/rsvp', { body: { ask_names: true, plus_ones_each: 1 } });
    const asked = await page();
    assert.ok(asked.includes('Who is coming?'));
    assert.equal(
      asked.split('class="person"').length - 1,
      4,
      'a row for each, and for the one they may bring',
    );
    const [expected = '', folded = ''] = asked.split('<details>');
    assert.deepEqual(
      [expected, folded].map((part) => part.split('class="person"').length - 1),
      [3, 1],
      'those who are invited come first',
    );
    assert.ok(!asked.includes('name="vegan"') && !asked.includes('name="coming_children"'));

    const fields = {
      rsvp_status: 'confirmed',
      each_row: 'yes',
      coming: '3',
      'members[0].name': 'Dana',
      'members[0].meal': '',
      'members[0].allergies': 'nuts',
      'members[1].name': '',
      'members[1].meal': 'vegan',
      'members[2].name': 'Noa',
      'members[2].child': 'yes',
      'members[2].meal': '',
      'members[3].name': '',
      'members[3].meal': '',
    };
    const few = await form(event, path, { ...fields, coming: '1' });
    assert.equal(few.status, 400);
    assert.ok(few.text.includes('By name: 2, number: 1.') && few.text.includes('value="Noa"'));
    const answered = await form(event, path, fields);
    assert.equal(answered.status, 303, answered.text);
    const stored = await event.read(guest.id);
    assert.deepEqual(names(stored.members), ['Dana', ' vegan', 'Noa']);
    assert.deepEqual([stored.coming, stored.coming_children, stored.vegan], [3, 1, 1]);
    assert.equal(stored.members[0]?.allergies, 'nuts');

    const ids = stored.members.map(({ id }) => id);
    const again = await form(event, path, {
      ...fields,
      coming: '2',
      'members[0].id': ids[0] ?? '',
      'members[0].coming': 'yes',
      'members[1].id': ids[1] ?? '',
      'members[2].id': ids[2] ?? '',
      'members[2].coming': 'yes',
      'members[2].name': 'Noa Levy',
    });
    assert.equal(again.status, 303, again.text);
    const after = await event.read(guest.id);
    assert.deepEqual(names(after.members), ['Dana', ' vegan -', 'Noa Levy']);
    assert.deepEqual([after.coming, after.coming_children, after.vegan], [2, 1, 0]);
    await form(event, path, { rsvp_status: 'declined' });
    assert.equal((await event.read(guest.id)).members.length, 3);
  });

  test(`names by the link’s API are taken only if they are asked for, on ${kind}`, async () => {
    await using event = await newEvent(kind, { kashrut_level: 'mehadrin' });
    const { guest, token } = await tokenFor(event, {
      name: 'Levy',
      party_size: 2,
      members: [{ name: 'Dana', meal: 'kosher' }],
    });
    const path = `/api/rsvp/${token}`;
    const answer = async (body: object) => {
      const { status, body: told } = await event.server.call('POST', path, {
        body: { rsvp_status: 'confirmed', ...body },
      });
      return status === 200 ? names(told.guest.members) : told.field;
    };
    const read = await event.server.call('GET', path);
    assert.equal(read.body.event.names_asked, false);
    assert.equal(await answer({ members: [{ name: 'Ron' }] }), 'members');
    assert.deepEqual(await answer(read.body.guest.members && { members: read.body.guest.members }), [
      'Dana kosher',
    ]);
    await event.call('PUT', '/rsvp', { body: { ask_names: true, children: false } });
    const [dana] = guest.members;
    assert.deepEqual(await answer({ members: [dana, { name: 'Ron', meal: 'vegan' }] }), [
      'Dana kosher',
      'Ron vegan',
    ]);
    assert.equal((await event.read(guest.id)).vegan, 1);
    assert.equal(await answer({ members: [dana, { name: 'Ron', child: true }] }), 'members[1].child');
    assert.equal(await answer({ members: [dana, { meal: 'mehadrin' }] }), 'members[1].meal');
    assert.equal(await answer({ members: [dana, { name: 'Ron' }], coming: 1 }), 'coming');
  });

  test(`the open link asks for the names of all who come, and the guest is made with them, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    await event.call('PUT', '/rsvp', { body: { open: true, slug: 'names', most_each: 4, ask_names: true } });
    const page = (await event.server.call('GET', '/e/names?lang=english')).text;
    assert.equal(page.split('.name" autocomplete').length - 1, 3, 'the three whom somebody may bring');
    assert.ok(page.includes('Is anybody else coming with you?'));
    const ask = (fields: Record<string, string>) =>
      form(event, '/e/names?lang=english', {
        name: 'Dana',
        phone: '0501234567',
        each_row: 'yes',
        coming: '3',
        'members[0].name': '',
        'members[0].meal': 'vegan',
        'members[1].name': 'Noa',
        'members[1].child': 'yes',
        'members[1].allergies': 'nuts',
        'members[2].name': '',
        'members[2].meal': 'kosher',
        ...fields,
      });
    const few = await ask({ coming: '1' });
    assert.equal(few.status, 400);
    assert.ok(few.text.includes('By name: 2, number: 1.') && few.text.includes('value="Noa"'), few.text);
    assert.match(few.text, /<details open>/);
    const asked = await ask({});
    assert.equal(asked.status, 303, asked.text);
    const { requests } = (await event.call('GET', '/guest-requests')).body;
    const [request] = requests;
    assert.deepEqual(names(request.members), ['Dana vegan', 'Noa', ' kosher']);
    assert.deepEqual([request.coming_children, request.vegan, request.kosher], [1, 1, 1]);
    const accepted = await event.call('POST', `/guest-requests/${request.id}/accept`);
    assert.equal(accepted.status, 200, accepted.text);
    const guest = await event.read(accepted.body.guest.id);
    assert.deepEqual(guest.members, request.members);
    assert.deepEqual([guest.coming, guest.coming_children, guest.vegan], [3, 1, 1]);

    // A guest on the list gets the names, unless some are known.
    const listed = await event.guest({ name: 'Ron', phone: '0521234567', party_size: 3 });
    await ask({ name: 'Ron', phone: '0521234567' });
    const again = (await event.call('GET', '/guest-requests?status=waiting')).body.requests[0];
    await event.call('POST', `/guest-requests/${again.id}/accept`);
    assert.deepEqual(names((await event.read(listed.id)).members), ['Ron vegan', 'Noa', ' kosher']);
    await ask({ name: 'Ron', phone: '0521234567', 'members[1].name': 'Somebody' });
    const third = (await event.call('GET', '/guest-requests?status=waiting')).body.requests[0];
    assert.equal((await event.call('POST', `/guest-requests/${third.id}/accept`)).status, 200);
    assert.deepEqual(names((await event.read(listed.id)).members), ['Ron vegan', 'Noa', ' kosher']);

    await event.call('PUT', '/rsvp', { body: { most_each: 1 } });
    assert.ok(!(await event.server.call('GET', '/e/names')).text.includes('members['));
  });
}
