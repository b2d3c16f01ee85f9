import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sharedBrowser } from '../support/browser.ts';
import { ANY_DATABASE, DATABASES, DATABASES_OF_SLOW_TESTS } from '../support/server.ts';
import { testInLane } from '../support/test-in-lane.ts';
import { startClocked } from './clocked.ts';
import { newEvent, type TestEvent } from './event.ts';

/** For looking at the pages oneself: SIMCHA_SCREENSHOTS=folder npm test -- test/planning/numbers.test.ts */
const SCREENSHOTS = process.env.SIMCHA_SCREENSHOTS;

const NO_MEALS = { vegetarian: 0, vegan: 0, kosher: 0, mehadrin: 0, chalav_yisrael: 0, childrens_meals: 0 };

async function fill(event: TestEvent) {
  const ask = async (body: object) => (await event.call('POST', '/questions', { body })).body.question;
  const bus = await ask({ kind: 'choice', text: 'הסעה?', options: [{ text: 'כן' }, { text: 'לא' }] });
  const beds = await ask({ kind: 'number', text: 'מיטות?' });
  const song = await ask({ kind: 'text', text: 'שיר?' });
  const [yes] = bus.options;
  const family = { party_size: 5, party_children: 3, tags: ['צד הכלה', 'שולחן 1'], rsvp_status: 'confirmed' };
  const meals = { vegan: 1, mehadrin: 1, childrens_meals: 3 };
  const answers = { [bus.id]: yes.id, [beds.id]: 2, [song.id]: 'הורה' };
  await event.guest({ name: 'כהן', ...family, ...meals, answers });
  await event.guest({
    name: 'לוי <b>',
    party_size: 2,
    tags: ['צד הכלה'],
    rsvp_status: 'confirmed',
    allergies: 'אגוזים',
    answers: { [bus.id]: yes.id, [beds.id]: 3 },
  });
  await event.guest({ name: 'אולי', party_size: 2, vegan: 2, rsvp_status: 'maybe', tags: ['צד החתן'] });
  await event.guest({ name: 'לא', rsvp_status: 'declined', answers: { [song.id]: 'אחר' } });
  await event.guest({ name: 'מחכה', party_size: 4, rsvp_status: 'confirmed', vegan: 4 });
  return { bus, beds, song };
}

for (const kind of DATABASES_OF_SLOW_TESTS) {
  test(`guests are counted by tag, meal and question, on ${kind}`, async () => {
    await using event = await newEvent(kind, { max_guests: 8 });
    const { bus, beds, song } = await fill(event);
    const read = async (query = '') => {
      const { status, body, text } = await event.call('GET', `/guests/numbers${query}`);
      assert.equal(status, 200, text);
      return body.numbers;
    };
    const { tags, questions, ...all } = await read();
    assert.deepEqual(all, {
      guests: 5,
      invited: 14,
      confirmed: 2,
      pending: 0,
      maybe: 1,
      waiting: 1,
      declined: 1,
      invited_by_answer: { confirmed: 7, maybe: 2, waiting: 4, declined: 1, pending: 0 },
      people: 7,
      adults: 4,
      children: 3,
      allergies: 1,
      meals: { regular: 2, ...NO_MEALS, vegan: 1, mehadrin: 1, childrens_meals: 3 },
    });
    const inShort = tags.map((one: typeof all & { tag: string }) => [
      one.tag,
      one.guests,
      one.invited,
      one.people,
    ]);
    assert.deepEqual(
      inShort,
      [
        ['צד הכלה', 2, 7, 7],
        [null, 2, 5, 0],
        ['צד החתן', 1, 2, 0],
        ['שולחן 1', 1, 5, 5],
      ].sort((a, b) => Number(b[1]) - Number(a[1]) || order(a[0] as never, b[0] as never)),
    );
    const listed = (await event.call('GET', '/guests/tags')).body.tags;
    const shown = tags.map(({ tag, guests, invited, people }: Tagged) => ({ tag, guests, invited, people }));
    assert.deepEqual(
      listed,
      shown.filter(({ tag }: Tagged) => tag !== null),
      'the list of tags says the same',
    );
    const [yes, no] = bus.options;
    assert.deepEqual(questions, [
      {
        id: bus.id,
        kind: 'choice',
        text: 'הסעה?',
        answered: 2,
        options: [
          { id: yes.id, text: 'כן', guests: 2, people: 7 },
          { id: no.id, text: 'לא', guests: 0, people: 0 },
        ],
      },
      { id: beds.id, kind: 'number', text: 'מיטות?', answered: 2, sum: 5 },
      { id: song.id, kind: 'text', text: 'שיר?', answered: 1 },
    ]);
    const some = await read(`?tag=${encodeURIComponent('שולחן 1')}`);
    assert.deepEqual([some.guests, some.meals.regular, some.questions[1].sum], [1, 0, 2]);
    assert.equal((await event.call('GET', '/guests/numbers?tags=x')).status, 400);
    const token = await event.server.token('stranger');
    assert.equal((await event.call('GET', '/guests/numbers', { token })).status, 403);
    assert.equal((await event.call('GET', '/guests/caterer', { token })).status, 403);

    await using empty = await newEvent(kind);
    const nothing = (await empty.call('GET', '/guests/numbers')).body.numbers;
    assert.deepEqual([nothing.guests, nothing.meals.regular, nothing.tags], [0, 0, []]);
  });

  test(`the caterer’s report is a page in the event’s language, and a sheet, on ${kind}`, async () => {
    await using event = await newEvent(kind, { max_guests: 8, kashrut_level: 'regular' });
    await fill(event);
    const page = await event.call('GET', '/guests/caterer');
    assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
    assert.match(
      page.headers.get('content-security-policy') ?? '',
      /^default-src 'none'; style-src 'sha256-.*frame-ancestors 'self'$/,
    );
    const plain = page.text
      .replace(/<style>.*?<\/style>/s, '')
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ');
    assert.match(page.text, /<html lang="he" dir="rtl">/);
    for (const said of [
      'איפה: גן האירועים עדן, דרך השרון 12, הוד השרון',
      'מבוגרים 4 ילדים 3 סה״כ 7',
      'רגילות 2 טבעוניות 1 כשרות למהדרין (גלאט) 1 מנות ילדים 3',
      'כהן 5 טבעוניות: 1, כשרות למהדרין (גלאט): 1, מנות ילדים: 3 צד הכלה, שולחן 1',
      'לוי &lt;b&gt; 2 אגוזים צד הכלה',
    ]) {
      assert.ok(plain.includes(said), `${said}: ${plain}`);
    }
    assert.ok(!plain.includes('אולי') && !plain.includes('מחכה'));
    const english = await event.call('GET', '/guests/caterer?language=english');
    assert.ok(english.text.includes('Mehadrin (glatt)'));
    const csv = await event.call('GET', '/guests/caterer/csv');
    assert.deepEqual(csv.text.trim().split('\r\n'), [
      'שם,אנשים,ילדים,רגילות,צמחוניות,טבעוניות,כשרות,כשרות למהדרין (גלאט),חלב ישראל,מנות ילדים,אלרגיות,תגיות',
      'סה״כ,7,3,2,0,1,0,1,0,3,,',
      'כהן,5,3,0,0,1,0,1,0,3,,"צד הכלה, שולחן 1"',
      'לוי <b>,2,0,2,0,0,0,0,0,0,אגוזים,צד הכלה',
    ]);
    assert.equal((await event.call('GET', '/guests/caterer?format=pdf')).status, 400);
  });
}

test('the caterer’s report of an event without a kashrut says that none was set', async () => {
  await using event = await newEvent(ANY_DATABASE);
  for (const [language, words] of [
    ['hebrew', 'כשרות האירוע: לא נקבעה<'],
    ['arabic', 'مستوى الكوشير: لم يُحدَّد<'],
    ['english', 'Kashrut of the event: Not set<'],
  ] as const) {
    const { text } = await event.call('GET', `/guests/caterer?language=${language}`);
    assert.ok(text.includes(words), words);
  }
});

testInLane(
  'the caterer’s report names the people who eat a meal or have allergies, as far as they are known',
  async () => {
    await using event = await newEvent(ANY_DATABASE, { language_pref: 'english' });
    await event.guest({
      name: 'Cohen',
      party_size: 4,
      rsvp_status: 'confirmed',
      vegan: 2,
      allergies: 'milk',
      members: [
        { name: 'Noam', meal: 'vegan', allergies: 'nuts' },
        { allergies: 'gluten' },
        { name: 'Away', allergies: 'fish', coming: false },
      ],
    });
    await event.guest({
      name: 'Levy',
      rsvp_status: 'confirmed',
      members: [{ name: 'Dana', allergies: 'eggs' }],
    });
    const page = await event.call('GET', '/guests/caterer');
    const plain = page.text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
    assert.ok(plain.includes('Cohen 3 Vegan: 2 (Noam) Noam: nuts; guest of Cohen: gluten; milk'), plain);
    const csv = (await event.call('GET', '/guests/caterer/csv')).text;
    assert.ok(csv.includes('Cohen,3,0,1,0,2,0,0,0,0,"Noam: nuts; guest of Cohen: gluten; milk"'), csv);
    assert.ok(csv.includes('Dana: eggs'));
    const { numbers } = (await event.call('GET', '/guests/numbers')).body;
    assert.deepEqual([numbers.allergies, numbers.meals.vegan, numbers.people], [2, 2, 4]);
    const listed = await event.call('GET', '/guests?diet=allergies');
    assert.equal(listed.body.total, 2);
  },
);

test('the caterer’s report is no wider than a phone and a sheet of paper, whatever long word somebody wrote', async () => {
  await using event = await newEvent(ANY_DATABASE, {
    title: 'ח'.repeat(300),
    venue_name: 'V'.repeat(200),
    venue_address: 'א'.repeat(200),
  });
  const word = 'אגוזיםpeanuts'.repeat(20);
  await event.guest({
    name: word.slice(0, 200),
    tags: [word.slice(0, 40)],
    allergies: word.repeat(2).slice(0, 500),
    note: word,
    rsvp_status: 'confirmed',
    party_size: 20,
    coming: 12,
    vegan: 4,
    mehadrin: 3,
    childrens_meals: 5,
  });
  await event.guest({ name: 'Dana', rsvp_status: 'confirmed', vegetarian: 1, tags: ['צד הכלה'] });
  const browser = await sharedBrowser();
  const authorization = `Bearer ${await event.server.token('me')}`;
  for (const width of [390, 794]) {
    const context = await browser.newContext({
      viewport: { width, height: 1123 },
      extraHTTPHeaders: { authorization },
    });
    const page = await context.newPage();
    for (const language of ['hebrew', 'arabic', 'english']) {
      for (const media of ['screen', 'print'] as const) {
        await page.emulateMedia({ media });
        await page.goto(`${event.server.url}/api/events/${event.id}/guests/caterer?language=${language}`);
        const widest = await page.evaluate('document.documentElement.scrollWidth');
        assert.equal(widest, width, `${language} on ${media}`);
        const wide: string[] = await page.evaluate(
          `[...document.querySelectorAll('th, td')].filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent)`,
        );
        assert.deepEqual(width === 794 ? wide : [], [], 'what runs into the next column');
        if (SCREENSHOTS) {
          await page.screenshot({ path: `${SCREENSHOTS}/${language}-${media}-${width}.png`, fullPage: true });
        }
      }
    }
    await context.close();
  }
});

interface Tagged {
  tag: string | null;
  guests: number;
  invited: number;
  people: number;
}

/** As the database orders: null last. */
function order(one: string | null, other: string | null): number {
  if (one === null || other === null) return one === null ? 1 : -1;
  return one < other ? -1 : 1;
}

for (const kind of DATABASES) {
  test(`answers are counted by the day on which they were given, on ${kind}`, async () => {
    await using clocked = await startClocked(kind, { max_guests: 5 });
    const { event, moveTo } = clocked;
    const days = async () => (await event.call('GET', '/guests/days')).body.days;
    assert.deepEqual(await days(), []);
    const yes = await event.guest({ name: 'כן', party_size: 3, rsvp_status: 'confirmed' });
    await event.guest({ name: 'אולי', rsvp_status: 'maybe' });
    await event.guest({ name: 'שותק' });
    // By the clocks of Israel it is the next day.
    moveTo('2027-06-02T00:30');
    await event.guest({ name: 'לא', rsvp_status: 'declined' });
    await event.guest({ name: 'מחכה', party_size: 4, rsvp_status: 'confirmed' });
    const none = { confirmed: 0, people: 0, maybe: 0, waiting: 0, declined: 0 };
    assert.deepEqual(await days(), [
      { ...none, day: '2027-06-01', confirmed: 1, people: 3, maybe: 1 },
      { ...none, day: '2027-06-02', waiting: 1, declined: 1 },
    ]);
    await event.call('PUT', `/guests/${yes.id}`, { body: { rsvp_status: 'declined' } });
    assert.deepEqual(
      (await days()).map(({ day, declined, people }: Record<string, unknown>) => [day, declined, people]),
      [
        ['2027-06-01', 0, 0],
        ['2027-06-02', 2, 4],
      ],
    );
  });
}
