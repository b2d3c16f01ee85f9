import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DATABASES_OF_SLOW_TESTS } from '../../support/server.ts';
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
    /<(?:input|select) [^>]*name="(coming|coming_children|meal|\w+_?meals|vegetarian|vegan|mehadrin|allergies)"/g;
  return [...page.matchAll(fields)].map(([, name]) => name ?? '');
}

const FOOD = ['vegetarian', 'vegan', 'mehadrin'];

for (const kind of DATABASES_OF_SLOW_TESTS) {
  test(`a meal that the event does not ask for is taken from no guest but who has it, on ${kind}`, async () => {
    await using event = await newEvent(kind, { kashrut_level: 'mehadrin' });
    const family = await invited(event, { name: 'משפחת כהן', party_size: 4 });
    const refused = await family.answer({ mehadrin: 1 });
    assert.deepEqual([refused.status, refused.body.field], [400, 'mehadrin'], refused.text);
    assert.equal((await family.answer({ mehadrin: 0, vegan: 1 })).status, 200);
    const strict = await invited(event, { name: 'משפחת לוי', party_size: 4, mehadrin: 1 });
    assert.equal((await strict.answer({ mehadrin: 2 })).status, 200);
  });

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
    assert.match(await privacy(), /Especially sensitive information/);
    await decide(event, { meals: false });
    assert.deepEqual(await dana.asked(), ['coming', 'coming_children']);
    assert.deepEqual((await dana.read()).event.meals_asked, []);
    const page = (await event.server.call('GET', dana.page)).text;
    assert.ok(!page.includes('Food') && !page.includes('allergies'));
    assert.doesNotMatch(await privacy(), /Especially sensitive information|allergies|regular meal/);
    for (const given of [{ vegan: 1 }, { allergies: 'nuts' }]) {
      const refused = await dana.answer(given);
      assert.deepEqual([refused.status, refused.body.field], [400, Object.keys(given)[0]], refused.text);
    }
    // What hosts know all the same is kept through an answer, and said where their guests read what is kept.
    await event.call('PUT', `/guests/${dana.id}`, { body: { allergies: 'nuts', vegan: 1 } });
    assert.equal((await form(event, dana.page, { rsvp_status: 'confirmed', coming: '2' })).status, 303);
    const { allergies, vegan } = await event.read(dana.id);
    assert.deepEqual([allergies, vegan], ['nuts', 1]);
    assert.match(await privacy(), /Especially sensitive information/);
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

  test(`the open link asks what a guest’s own page asks, and who is accepted eats it, on ${kind}`, async () => {
    await using event = await newEvent(kind, { language_pref: 'english', kashrut_level: 'regular' });
    const path = `/e/hungry-${kind}`;
    await decide(event, { open: true, slug: `hungry-${kind}`, most_each: 5 });
    const own = await invited(event, {
      name: 'Dana',
      phone: '0501234567',
      party_size: 4,
      vegan: 1,
      mehadrin: 2,
    });
    const asks = async () => inputsOf((await event.server.call('GET', path)).text);
    assert.deepEqual(await asks(), await own.asked());

    const family = {
      name: 'Cohen',
      phone: '0527654321',
      coming: '4',
      coming_children: '2',
      vegan: '1',
      childrens_meals: '2',
      vegetarian: '',
      allergies: 'nuts',
    };
    for (const [wrong, field, said] of [
      [{ coming: '6' }, 'coming', 'Please enter a smaller'],
      [{ coming: '0x2' }, 'coming', 'The number of people|Please enter a smaller'],
      [{ coming_children: '5' }, 'coming_children', 'There can’t be more children'],
      [{ vegan: '5' }, 'vegan', 'There can’t be more meals'],
      [{ mehadrin: 'two' }, 'mehadrin', 'The number of meals'],
      [{ allergies: 'x'.repeat(501) }, 'allergies', 'One of the texts'],
    ] as const) {
      const { status, text } = await form(event, path, { ...family, ...wrong });
      assert.equal(status, 400);
      assert.match(text, new RegExp(`role="alert"[^>]*><a href="#${field}">(${said})`));
      assert.match(text, new RegExp(`id="${field}"[^>]* aria-describedby="${field}-problem"`));
      assert.match(text, new RegExp(`id="${field}-problem">(${said})`));
      assert.ok(text.includes(`value="${Object.values(wrong)[0]}"`) && text.includes('value="Cohen"'));
    }
    assert.equal((await form(event, path, family)).status, 303);
    const waiting = async () => (await event.call('GET', '/guest-requests?status=waiting')).body.requests;
    const eaten = ({ vegan, mehadrin, childrens_meals, allergies, coming, coming_children }: Eaten) => [
      vegan,
      mehadrin,
      childrens_meals,
      allergies,
      coming,
      coming_children,
    ];
    const [request] = await waiting();
    assert.deepEqual(eaten(request), [1, 0, 2, 'nuts', 4, 2]);
    const accepted = await event.call('POST', `/guest-requests/${request.id}/accept`);
    assert.deepEqual(eaten(accepted.body.request), [1, 0, 2, 'nuts', 4, 2], accepted.text);
    assert.deepEqual(eaten(accepted.body.guest), [1, 0, 2, 'nuts', 4, 2]);
    assert.equal(accepted.body.guest.party_children, 2);
    const { meals, children } = (await event.call('GET', '/guests/numbers')).body.numbers;
    assert.deepEqual([meals.vegan, meals.childrens_meals, meals.regular, children], [1, 2, 1, 2]);

    // What is known of a guest is not taken back by what a request does not say.
    await form(event, path, { name: 'Dana L', phone: '0501234567', coming: '3', vegan: '2' });
    const [dana] = await waiting();
    const merged = await event.call('POST', `/guest-requests/${dana.id}/accept`);
    assert.equal(merged.body.guest.id, own.id);
    assert.deepEqual(eaten(merged.body.guest), [2, 2, 0, null, 3, 0]);
  });

  test(`the open link asks a conference of no children, who comes alone of one meal, and an evening of none, on ${kind}`, async () => {
    await using event = await newEvent(kind, { language_pref: 'english', kashrut_level: 'regular' });
    const path = `/e/alone-${kind}`;
    const asks = async (settings: object) => {
      await decide(event, settings);
      return inputsOf((await event.server.call('GET', path)).text);
    };
    const open = { open: true, slug: `alone-${kind}` };
    assert.deepEqual(await asks({ ...open, registration: true }), ['coming', ...FOOD, 'allergies']);
    assert.deepEqual(
      await asks({ children: true, most_each: 1, accept_by_itself: true, confirm_email: false }),
      ['meal', 'allergies'],
    );
    const dana = { name: 'Dana', email: 'dana.alone@example.com', vegan: '1', coming_children: '1' };
    assert.match((await form(event, path, { ...dana, vegan: '2' })).text, /id="vegan-problem"/);
    const { vegan: _, ...undecided } = dana;
    const odd = await form(event, path, { ...undecided, meal: 'childrens' });
    assert.match(odd.text, /<a href="#meal">Please choose one of the meals/);
    assert.match(odd.text, /<select id="meal"[^>]* aria-describedby="meal-problem"/);
    assert.equal((await form(event, path, dana)).status, 303);
    const [{ vegan, coming, coming_children }] = (await event.call('GET', '/guests')).body.guests;
    assert.deepEqual([vegan, coming, coming_children], [1, 1, 0]);
    assert.deepEqual(await asks({ meals: false }), []);
    const ron = { name: 'Ron', email: 'ron.alone@example.com', vegan: '1', allergies: 'nuts' };
    assert.equal((await form(event, path, ron)).status, 303);
    const { guests } = (await event.call('GET', '/guests?search=Ron')).body;
    assert.deepEqual([guests[0].vegan, guests[0].allergies], [0, null]);
    assert.doesNotMatch((await event.server.call('GET', `${path}/privacy`)).text, /allergies/);
  });

  test(`who is invited alone is asked for one meal, and not how many they are, on ${kind}`, async () => {
    await using event = await newEvent(kind, { language_pref: 'english', kashrut_level: 'regular' });
    const alone = await invited(event, { name: 'Dana', max_plus_ones: 0, vegan: 1 });
    assert.deepEqual(await alone.asked(), ['meal', 'allergies']);
    const { text } = await event.server.call('GET', alone.page);
    assert.match(text, /<option value="vegan" selected>Vegan<\/option>/);
    assert.doesNotMatch(text, /Children/);
    const eats = async (meal: string) => {
      assert.equal((await form(event, alone.page, { rsvp_status: 'confirmed', meal })).status, 303);
      const { coming, vegan, mehadrin } = (await alone.read()).guest;
      return [coming, vegan, mehadrin];
    };
    assert.deepEqual(await eats('mehadrin'), [1, 0, 1]);
    assert.deepEqual(await eats(''), [1, 0, 0]);
    const odd = await form(event, alone.page, { rsvp_status: 'confirmed', meal: 'kosher' });
    assert.equal(odd.status, 400);
    assert.match(odd.text, /<a href="#meal">/);

    const several = [...FOOD, 'childrens_meals', 'allergies'];
    const child = await invited(event, {
      name: 'Gil',
      max_plus_ones: 0,
      party_children: 1,
      childrens_meals: 1,
    });
    assert.match(
      (await event.server.call('GET', child.page)).text,
      /<option value="childrens_meals" selected>/,
    );
    const both = await invited(event, { name: 'Ron', max_plus_ones: 0, vegan: 1, mehadrin: 1 });
    assert.deepEqual(await both.asked(), several);
    const family = await invited(event, { name: 'Levi', max_plus_ones: 0, party_size: 2 });
    assert.deepEqual(await family.asked(), ['coming', 'coming_children', ...several]);
    const seated = await invited(event, {
      name: 'Noa',
      max_plus_ones: 0,
      rsvp_status: 'confirmed',
      coming: 2,
      over_limit: true,
    });
    assert.deepEqual(await seated.asked(), ['coming', 'coming_children', ...several]);
  });
}

type Eaten = Record<
  'vegan' | 'mehadrin' | 'childrens_meals' | 'allergies' | 'coming' | 'coming_children',
  unknown
>;
