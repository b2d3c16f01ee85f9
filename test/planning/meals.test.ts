import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DATABASES_OF_SLOW_TESTS } from '../support/server.ts';
import { form, linkOf, tokenOf } from './answers/links.ts';
import { newEvent, type TestEvent } from './event.ts';

// Nobody eats two meals: guests can't ask for more than people come, and what organizers note is counted once.

const numbersOf = async (event: TestEvent) => (await event.call('GET', '/guests/numbers')).body.numbers;

async function tokenFor(event: TestEvent, fields: object) {
  const { id } = await event.guest(fields);
  return { id, token: tokenOf((await linkOf(event, id)).url) };
}

for (const kind of DATABASES_OF_SLOW_TESTS) {
  test(`guests ask for no more meals than people come, on ${kind}`, async () => {
    await using event = await newEvent(kind, { language_pref: 'english', kashrut_level: 'regular' });
    const { id, token } = await tokenFor(event, { name: 'Cohen', party_size: 2 });
    const answer = (body: object) =>
      event.server.call('POST', `/api/rsvp/${token}`, {
        body: { rsvp_status: 'confirmed', ...body },
        headers: { 'accept-language': 'en' },
      });
    const refused = async (body: object, field: string, said: RegExp) => {
      const { status, body: told, text } = await answer(body);
      assert.deepEqual([status, told.field], [400, field], text);
      assert.match(told.message, said);
    };
    const six = { coming: 2, vegetarian: 2, vegan: 2, childrens_meals: 2 };
    await refused(six, 'childrens_meals', /Children’s meals: 2, children: 0\./);
    await refused({ ...six, coming_children: 2 }, 'vegan', /Meals: 6, people: 2\./);
    await refused({ coming: 2, coming_children: 1, childrens_meals: 2 }, 'childrens_meals', /children: 1\./);
    assert.equal((await event.read(id)).vegetarian, 0, 'nothing of it was kept');
    // With the one they bring.
    assert.equal((await answer({ coming: 3, vegetarian: 2, vegan: 1 })).status, 200);
    // What they said before counts beside what they say now.
    await refused({ mehadrin: 1 }, 'mehadrin', /Meals: 4, people: 3\./);
    await refused({ coming: 1 }, 'vegetarian', /Meals: 3, people: 1\./);
    assert.equal((await answer({ message: 'See you' })).status, 200);
    assert.equal((await answer({ rsvp_status: 'declined' })).status, 200);

    const fields = { rsvp_status: 'confirmed', coming: '2', vegetarian: '2', vegan: '2' };
    for (const [lang, said] of [
      ['english', 'There can’t be more meals than people. Meals: 4, people: 2.'],
      ['hebrew', 'מספר המנות לא יכול להיות גדול ממספר המגיעים. מנות: 4, מגיעים: 2.'],
      ['arabic', 'عدد الوجبات لا يمكن أن يزيد عن عدد الحاضرين. الوجبات: 4، الحاضرون: 2.'],
    ]) {
      const page = await form(event, `/r/${token}?lang=${lang}`, fields);
      assert.equal(page.status, 400);
      assert.ok(page.text.includes(`id="vegan-problem">${said}</p>`), page.text);
      assert.ok(page.text.includes(`<a href="#vegan">${said}</a>`));
    }
    await event.call('PUT', '/rsvp', { body: { open: true, slug: `meals-${kind}`, most_each: 5 } });
    const asker = { name: 'Levi', phone: '0501234567', coming: '2', coming_children: '1' };
    for (const [meals, field] of [
      [{ vegetarian: '2', vegan: '1' }, 'vegan'],
      [{ childrens_meals: '2' }, 'childrens_meals'],
    ] as const) {
      const page = await form(event, `/e/meals-${kind}`, { ...asker, ...meals });
      assert.equal(page.status, 400);
      assert.match(page.text, new RegExp(`id="${field}-problem">There can’t be more`));
    }
    const { requests } = (await event.call('GET', '/guest-requests')).body;
    assert.deepEqual(requests, []);
  });

  test(`an organizer is told of more meals than people, by whatever way they are noted, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const codes = (body: { warnings: { code: string }[] }) => body.warnings.map(({ code }) => code);
    const noted = { party_size: 2, vegetarian: 2, vegan: 2 };
    const added = await event.call('POST', '/guests', { body: { name: 'Cohen', ...noted } });
    assert.deepEqual(codes(added.body), [], 'nobody knows yet how many come');
    const { id } = added.body.guest;
    const yes = { rsvp_status: 'confirmed' };
    const put = await event.call('PUT', `/guests/${id}`, {
      body: yes,
      headers: { 'accept-language': 'en' },
    });
    assert.equal(put.status, 200);
    assert.deepEqual(codes(put.body), ['meals']);
    assert.match(put.body.warnings[0].message, /Special meals: 4; coming: 2\./);
    const children = { name: 'Levi', ...yes, party_size: 2, childrens_meals: 1 };
    assert.deepEqual(codes((await event.call('POST', '/guests', { body: children })).body), []);
    const right = { name: 'Mizrahi', ...yes, party_size: 2, party_children: 1, childrens_meals: 1, vegan: 1 };
    assert.deepEqual(codes((await event.call('POST', '/guests', { body: right })).body), []);
    const many = await event.call('POST', '/guests/bulk', { body: { guest_ids: [id], add_tags: ['x'] } });
    assert.deepEqual([many.body.warnings[0].guest_id, ...codes(many.body)], [id, 'meals']);
    const csv = 'שם,תשובה,כמות,צמחוני,טבעוני\nדנה,מגיע,2,2,1\nרון,,2,2,1\n';
    const imported = await event.call('POST', '/guests/import/csv', {
      body: csv,
      headers: { 'content-type': 'text/csv' },
    });
    const { rows } = imported.body.import;
    assert.deepEqual([rows[0].warning?.code, rows[1].warning], ['meals', undefined], imported.text);
  });

  test(`the meals of who comes are as many as the people, whatever is noted, on ${kind}`, async () => {
    await using event = await newEvent(kind, { language_pref: 'english' });
    const yes = { rsvp_status: 'confirmed', party_size: 6, party_children: 2 };
    const meals = { vegetarian: 2, vegan: 1, mehadrin: 1, childrens_meals: 2 };
    const { id } = await event.guest({ name: 'Cohen', ...yes, ...meals });
    const counted = async () => {
      const { people, meals: all } = await numbersOf(event);
      const sum = Object.values(all as Record<string, number>).reduce((one, other) => one + other, 0);
      assert.equal(sum, people);
      const { text } = await event.call('GET', '/guests/caterer/csv');
      const [total, ...each] = text.trim().split('\r\n').slice(1);
      assert.equal(total?.split(',')[1], String(people));
      for (const line of [total, ...each]) {
        const [, guests, , ...rest] = (line ?? '').split(',');
        const eaten = rest.slice(0, 7).reduce((one, other) => one + Number(other), 0);
        assert.equal(eaten, Number(guests), line);
      }
      return ['regular', 'vegetarian', 'vegan', 'mehadrin', 'childrens_meals'].map((one) => all[one]);
    };
    assert.deepEqual(await counted(), [0, 2, 1, 1, 2]);
    for (const [coming, coming_children, eaten] of [
      [5, 1, [0, 2, 1, 0, 2]],
      [4, 2, [0, 2, 0, 0, 2]],
      [3, 0, [0, 1, 0, 0, 2]],
      [1, 0, [0, 0, 0, 0, 1]],
    ] as const) {
      const put = await event.call('PUT', `/guests/${id}`, { body: { coming, coming_children } });
      assert.equal(put.body.warnings[0]?.code, 'meals', put.text);
      assert.deepEqual(await counted(), eaten, `${coming} come, ${coming_children} of them children`);
    }
    const { vegetarian, childrens_meals } = await event.read(id);
    assert.deepEqual([vegetarian, childrens_meals], [2, 2], 'what was noted stays');
  });
}
