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
}
