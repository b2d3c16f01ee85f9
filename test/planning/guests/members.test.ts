import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import type { Guest } from '../../../server/planning/guests/contract.ts';
import { DATABASES, DATABASES_OF_SLOW_TESTS } from '../../support/server.ts';
import { testInLane } from '../../support/test-in-lane.ts';
import { newEvent } from '../event.ts';

const namesOf = ({ members }: Guest) => members.map(({ name }) => name);
const comingOf = ({ members }: Guest) => members.map(({ coming }) => coming);

for (const kind of DATABASES) {
  test(`the people of a party have names, meals and allergies, and its counts follow them, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const cohens = await event.guest({
      name: 'משפחת כהן',
      party_size: 3,
      party_children: 1,
      members: [{ name: ' רות כהן ' }, { name: 'נועם', child: true, meal: 'vegan', allergies: 'אגוזים' }],
    });
    const [ruth, noam] = cohens.members;
    assert.match(ruth?.id ?? '', /^[a-z2-9]{6}$/);
    assert.deepEqual(cohens.members, [
      { id: ruth?.id, name: 'רות כהן', child: false, meal: null, allergies: null, coming: true },
      { id: noam?.id, name: 'נועם', child: true, meal: 'vegan', allergies: 'אגוזים', coming: true },
    ]);
    assert.deepEqual([cohens.vegan, cohens.coming, cohens.party_size], [1, 0, 3]);

    const change = async (body: object) => {
      const { status, body: told, text } = await event.call('PUT', `/guests/${cohens.id}`, { body });
      assert.equal(status, 200, text);
      return told.guest as Guest;
    };
    const yes = await change({ rsvp_status: 'confirmed' });
    assert.deepEqual([yes.coming, yes.coming_children, comingOf(yes)], [3, 1, [true, true]]);
    const without = await change({ members: [ruth, { ...noam, coming: false }] });
    assert.deepEqual([without.coming, without.coming_children, without.vegan], [2, 0, 0]);
    const again = await change({ members: [ruth, noam, { name: null, meal: 'kosher' }] });
    assert.deepEqual([again.coming, again.coming_children, again.vegan, again.kosher], [3, 1, 1, 1]);
    assert.equal(again.members[1]?.id, noam?.id);
    // Who gives numbers alone, as the contract's clients do, leaves out the last ones.
    const fewer = await change({ coming: 2, kosher: 0 });
    assert.deepEqual(comingOf(fewer), [true, true, false]);
    assert.deepEqual([fewer.coming_children, fewer.vegan, fewer.members[2]?.meal], [1, 1, null]);
    assert.deepEqual(comingOf(await change({ coming: 3 })), [true, true, true]);
    assert.deepEqual(namesOf(await change({ rsvp_status: 'declined' })), ['רות כהן', 'נועם', null]);
    assert.equal((await change({ members: null })).members.length, 0);

    const { history } = (await event.call('GET', `/history?subject_id=${cohens.id}`)).body;
    assert.deepEqual(history[0].changes.members.to, []);
  });

  test(`a search finds a party by the names of its people, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    await event.guest({
      name: 'משפחת כהן',
      party_size: 4,
      members: [{ name: 'Ruthie Ben-David' }, { name: 'נועם' }, { name: null }],
    });
    await event.guest({ name: 'דנה לוי', party_size: 2, members: [{ name: 'Omar' }] });
    await event.guest({ name: 'רון', phone: '050-123-4567' });
    const found = async (search: string) => {
      const { guests, total } = (await event.call('GET', `/guests?search=${encodeURIComponent(search)}`))
        .body;
      assert.equal(guests.length, total);
      return guests.map(({ name }: Guest) => name);
    };
    for (const [search, names] of [
      ['נועם', ['משפחת כהן']],
      ['נועם כהן', ['משפחת כהן']],
      ['bendavid', ['משפחת כהן']],
      ['david ruth', ['משפחת כהן']],
      ['דנה omar', ['דנה לוי']],
      ['נועם לוי', []],
      ['050123', ['רון']],
    ] as const)
      assert.deepEqual(await found(search), names, search);
  });
}

for (const kind of DATABASES_OF_SLOW_TESTS) {
  testInLane(`members who don't fit the counts are refused with both numbers, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const guest = await event.guest({ name: 'Levy', party_size: 2, members: [{ name: 'Dana' }] });
    const [dana] = guest.members;
    const refused = async (body: object, field: string, said: RegExp, language = 'en') => {
      const headers = { 'accept-language': language };
      const answer = await event.call('PUT', `/guests/${guest.id}`, { body, headers });
      assert.deepEqual([answer.status, answer.body.field], [400, field], answer.text);
      assert.match(answer.body.message ?? answer.body.error, said);
    };
    const two = { members: [dana, { name: 'Ron', child: true, meal: 'vegan' }] };
    await refused({ ...two, rsvp_status: 'confirmed', coming: 1 }, 'coming', /By name: 2, number: 1\./);
    await refused(
      { ...two, rsvp_status: 'confirmed', coming: 1 },
      'coming',
      /לפי השמות: 2, לפי המספר: 1\./,
      'he',
    );
    await refused(
      { ...two, rsvp_status: 'confirmed', coming: 1 },
      'coming',
      /حسب الأسماء: 2، حسب العدد: 1\./,
      'ar',
    );
    await refused({ ...two, rsvp_status: 'confirmed', coming_children: 0 }, 'coming_children', /By name: 1/);
    await refused({ ...two, vegan: 0 }, 'vegan', /By name: 1, number: 0\./);
    await refused({ members: [dana, {}, {}] }, 'members', /By name: 3, people: 2\./);
    await refused({ members: [{ ...dana, id: 'xxxxxx' }] }, 'members[0].id', /no member with this id/);
    await refused({ members: [dana, dana] }, 'members[1].id', /twice/);
    await refused({ members: [{ nmae: 'Ron' }] }, 'members[0].nmae', /not a known name/);
    await refused({ members: [{ meal: 'fish' }] }, 'members[0].meal', /vegan/);
    const bulk = await event.call('POST', '/guests/bulk', {
      body: { guest_ids: [guest.id], members: [] },
    });
    assert.equal(bulk.status, 400, bulk.text);
    const more = await event.call('PUT', `/guests/${guest.id}`, {
      body: { rsvp_status: 'confirmed', coming: 3, members: [dana, {}, {}] },
    });
    assert.equal(more.status, 200, 'plus-ones are people too');
  });

  testInLane(
    `members are copied, deleted and restored, and erased with their guest, on ${kind}`,
    async () => {
      await using event = await newEvent(kind, { max_guests: 2, max_plus_ones_buffer: 0 });
      const members = [{ name: 'Dana' }, { name: 'Ron', meal: 'vegan', allergies: 'nuts' }];
      const guest = await event.guest({ name: 'Levy', party_size: 2, members, rsvp_status: 'confirmed' });
      await event.call('PUT', `/guests/${guest.id}`, {
        body: { members: [guest.members[0], { ...guest.members[1], coming: false }] },
      });
      const before = await event.read(guest.id);
      assert.deepEqual([before.coming, comingOf(before)], [1, [true, false]]);
      await event.call('DELETE', `/guests/${guest.id}`);
      await event.call('POST', `/guests/${guest.id}/restore`);
      assert.deepEqual((await event.read(guest.id)).members, before.members);

      const copied = await event.call('POST', '/duplicate', { body: { title: 'Again', guests: true } });
      assert.equal(copied.status, 201, copied.text);
      const token = await event.server.token('me');
      const copy = `/api/events/${copied.body.event.id}`;
      const [same] = (await event.server.call('GET', `${copy}/guests`, { token })).body.guests;
      assert.deepEqual(same.members, guest.members, 'nobody has answered there');

      // A party that moves up from the waiting list without its plus-ones leaves out the last ones.
      const three = [{ name: 'A' }, { name: 'B' }, { name: 'C' }];
      const late = await event.guest({
        name: 'Late',
        party_size: 2,
        rsvp_status: 'confirmed',
        coming: 3,
        members: three,
      });
      assert.ok(late.waiting_since);
      await event.call('PUT', `/guests/${guest.id}`, { body: { rsvp_status: 'declined' } });
      const moved = await event.read(late.id);
      assert.deepEqual([moved.coming, comingOf(moved)], [2, [true, true, false]]);

      await event.call('POST', '/guests/erase');
      const { rows } = await sql<{ members: unknown }>`
      select members from guests where event_id = ${event.id}`.execute(event.server.simcha.database.sql);
      assert.deepEqual(
        rows.map(({ members }) => members),
        [[], []],
      );
    },
  );
}

for (const kind of DATABASES_OF_SLOW_TESTS) {
  test(`an export of people is imported into the same guests, and a row a person makes one guest, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const members = [
      { name: 'רות כהן', allergies: 'אגוזים' },
      { name: 'נועם', child: true, meal: 'vegan' },
      { name: null, coming: false },
    ];
    const cohens = {
      name: 'משפחת כהן',
      party_size: 4,
      members,
      rsvp_status: 'confirmed',
      vegan: 2,
      phone: '0501111111',
    };
    await event.guest(cohens);
    await event.guest({ name: 'דנה לוי', party_size: 2, allergies: 'חלב' });
    const send = async (file: string, query = '') => {
      const answer = await event.call('POST', `/guests/import/csv${query}`, {
        body: file,
        headers: { 'content-type': 'text/csv' },
      });
      assert.equal(answer.status, 200, answer.text);
      return answer.body.import;
    };
    for (const language of ['hebrew', 'arabic', 'english']) {
      const file = (await event.call('GET', `/guests/export?rows=people&language=${language}`)).text;
      assert.equal(file.trim().split('\r\n').length, 1 + 3 + 2, file);
      const { unchanged, updated, created, rows } = await send(file, '?dry_run=true');
      assert.deepEqual([unchanged, updated, created], [2, 0, 0], JSON.stringify(rows));
    }

    const list = 'שם,משק בית,מנה,ילד\nדוד פרץ,משפחת פרץ,,\nגל פרץ,משפחת פרץ,טבעוני,כן\n';
    assert.equal((await send(list)).created, 1);
    assert.equal((await send(list)).unchanged, 1);
    const found = await event.call('GET', `/guests?search=${encodeURIComponent('גל פרץ')}`);
    const [family] = found.body.guests as Guest[];
    assert.deepEqual(
      [family?.name, family?.party_size, family?.party_children, family?.vegan],
      ['משפחת פרץ', 2, 1, 1],
    );
    assert.deepEqual(
      family?.members.map(({ name, child, meal }) => [name, child, meal]),
      [
        ['דוד פרץ', false, null],
        ['גל פרץ', true, 'vegan'],
      ],
    );
  });
}
