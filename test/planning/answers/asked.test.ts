import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DATABASES } from '../../support/server.ts';
import { newEvent, type TestEvent } from '../event.ts';
import { form, linkOf, tokenOf } from './links.ts';

// What guests are asked of who comes and what they eat is for their hosts to decide: a conference asks for no children.

const decide = async (event: TestEvent, body: object) => {
  const put = await event.call('PUT', '/rsvp', { body });
  assert.equal(put.status, 200, put.text);
  return put.body.settings;
};

async function invited(event: TestEvent, fields: object) {
  const { id } = await event.guest(fields);
  const token = tokenOf((await linkOf(event, id)).url);
  const page = `/r/${token}`;
  return {
    id,
    page,
    asked: async () => inputsOf((await event.server.call('GET', page)).text),
    read: async () => (await event.server.call('GET', `/api/rsvp/${token}`)).body,
    answer: (body: object) =>
      event.server.call('POST', `/api/rsvp/${token}`, { body: { rsvp_status: 'confirmed', ...body } }),
  };
}

/** The fields of a page's form about a party. */
function inputsOf(page: string): string[] {
  const fields =
    /<input [^>]*name="(coming|coming_children|\w+_?meals|vegetarian|vegan|mehadrin|allergies)"/g;
  return [...page.matchAll(fields)].map(([, name]) => name ?? '');
}

const FOOD = ['vegetarian', 'vegan', 'mehadrin'];

for (const kind of DATABASES) {
  test(`children are asked for unless people register, or as the organizer decides, on ${kind}`, async () => {
    await using event = await newEvent(kind, { kashrut_level: 'regular' });
    const family = await invited(event, { name: 'משפחת כהן', party_size: 4, party_children: 2 });
    const withChildren = ['coming', 'coming_children', ...FOOD, 'childrens_meals', 'allergies'];
    const without = ['coming', ...FOOD, 'allergies'];
    assert.deepEqual(await family.asked(), withChildren);
    for (const [settings, asked] of [
      [{ registration: true }, without],
      [{ children: true }, withChildren],
      [{ registration: false, children: false }, without],
      [{ children: null }, withChildren],
      [{ children: false }, without],
    ] as const) {
      await decide(event, settings);
      assert.deepEqual(await family.asked(), asked, JSON.stringify(settings));
      const { event: shown } = await family.read();
      assert.equal(shown.children_asked, asked === withChildren);
      assert.equal(shown.meals_asked.includes('childrens_meals'), asked === withChildren);
    }
    const { settings } = (await event.call('GET', '/rsvp')).body;
    assert.deepEqual([settings.children, settings.meals], [false, true]);
    const { history } = (await event.call('GET', '/history')).body;
    const changes = history.find((line: { subject: string }) => line.subject === 'rsvp_settings')?.changes;
    assert.deepEqual(changes, { children: { from: null, to: false } });
    assert.equal((await event.call('PUT', '/rsvp', { body: { children: 'no' } })).status, 400);
    assert.equal((await event.call('PUT', '/rsvp', { body: { meals: null } })).status, 400);
  });

  test(`a guest says nothing of children that nobody asked for, and an organizer may, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    await decide(event, { children: false });
    const family = await invited(event, { name: 'משפחת כהן', party_size: 4, party_children: 2 });
    for (const field of ['coming_children', 'childrens_meals']) {
      const refused = await family.answer({ coming: 4, [field]: 1 });
      assert.deepEqual([refused.status, refused.body.field], [400, field], refused.text);
      assert.match(refused.body.error, /באירוע הזה לא שואלים על כך/);
    }
    assert.equal((await family.answer({ coming: 4, coming_children: 0, childrens_meals: 0 })).status, 200);
    // What hosts noted stays, and may be sent back as it was read.
    await event.call('PUT', `/guests/${family.id}`, { body: { coming_children: 2, childrens_meals: 2 } });
    const { guest } = await family.read();
    assert.deepEqual([guest.coming_children, guest.childrens_meals], [2, 2]);
    assert.equal((await family.answer(guest)).status, 200);
    assert.equal((await family.answer({ ...guest, coming_children: 3 })).status, 400);
    // A page that was open before the organizer decided loses nothing else of what it sends.
    const late = {
      rsvp_status: 'confirmed',
      coming: '4',
      coming_children: '1',
      childrens_meals: '1',
      vegan: '1',
    };
    assert.equal((await form(event, family.page, late)).status, 303);
    const { coming_children, childrens_meals, vegan } = await event.read(family.id);
    assert.deepEqual([coming_children, childrens_meals, vegan], [2, 2, 1]);
  });

  test(`an event without a meal asks for none, and promises nothing about food, on ${kind}`, async () => {
    await using event = await newEvent(kind, { language_pref: 'english' });
    const dana = await invited(event, { name: 'Dana', party_size: 2 });
    const privacy = async () => (await event.server.call('GET', `${dana.page}/privacy`)).text;
    assert.match(await privacy(), /Specially sensitive/);
    await decide(event, { meals: false });
    assert.deepEqual(await dana.asked(), ['coming', 'coming_children']);
    assert.deepEqual((await dana.read()).event.meals_asked, []);
    const page = (await event.server.call('GET', dana.page)).text;
    assert.ok(!page.includes('Food') && !page.includes('allergies'));
    assert.doesNotMatch(await privacy(), /Specially sensitive|allergies|usual dish/);
    for (const given of [{ vegan: 1 }, { allergies: 'nuts' }]) {
      const refused = await dana.answer(given);
      assert.deepEqual([refused.status, refused.body.field], [400, Object.keys(given)[0]], refused.text);
    }
    // What hosts know all the same is kept through an answer, and said where their guests read what is kept.
    await event.call('PUT', `/guests/${dana.id}`, { body: { allergies: 'nuts', vegan: 1 } });
    assert.equal((await form(event, dana.page, { rsvp_status: 'confirmed', coming: '2' })).status, 303);
    const { allergies, vegan } = await event.read(dana.id);
    assert.deepEqual([allergies, vegan], ['nuts', 1]);
    assert.match(await privacy(), /Specially sensitive/);
  });

  test(`the caterer of an event without children reads nothing of them, on ${kind}`, async () => {
    await using event = await newEvent(kind, { language_pref: 'english' });
    const reports = async () => ({
      page: (await event.call('GET', '/guests/caterer')).text,
      head: (await event.call('GET', '/guests/caterer/csv')).text.split('\r\n')[0] ?? '',
    });
    await event.guest({ name: 'Dana', rsvp_status: 'confirmed', vegan: 1 });
    const wedding = await reports();
    assert.ok(wedding.page.includes('Children') && wedding.head.includes('Children,'));
    await decide(event, { registration: true });
    const conference = await reports();
    assert.ok(!conference.page.includes('Children') && !conference.page.includes('Adults'));
    assert.equal(
      conference.head.replace(/^\uFEFF/, ''),
      'Name,People,Regular,Vegetarian,Vegan,Kosher,Mehadrin (glatt),Chalav Yisrael,Allergies,Tags',
    );
    const family = { name: 'Cohen', party_size: 2, party_children: 1, rsvp_status: 'confirmed' };
    await event.guest(family);
    const withOne = await reports();
    assert.match(withOne.page, /Children<\/th><td class="number">1</);
    assert.ok(withOne.head.includes('Children,'));
  });
}
