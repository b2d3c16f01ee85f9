import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import axe from 'axe-core';
import type { BrowserContext, Page } from 'playwright-core';
import sharp from 'sharp';
import { sharedBrowser } from '../../support/browser.ts';
import { campaign } from '../../support/campaign.ts';
import { ANY_DATABASE, startServer } from '../../support/server.ts';
import { testInLane } from '../../support/test-in-lane.ts';
import { newEvent, type TestEvent } from '../event.ts';
import { form, pathOf } from './links.ts';

// Every page and mail that guests and visitors see, and what an organizer prints for the caterer, as axe judges it: by
// turns in each language, in light and dark, on a small phone, on a usual one and on a desk. Beside it what axe can't
// know: that a mistake is heard first, and what the keyboard does.

const RULES = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  rules: { 'target-size': { enabled: true } },
  resultTypes: ['violations'],
  preload: false,
};
const LANGUAGES = ['hebrew', 'arabic', 'english'] as const;
/** Else the languages take turns. */
const EACH_LANGUAGE = campaign({}, { languages: LANGUAGES });
const LOOKS = [
  { colorScheme: 'light', viewport: { width: 320, height: 640 } },
  { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
  { colorScheme: 'light', viewport: { width: 1100, height: 800 } },
  { colorScheme: 'dark', viewport: { width: 1100, height: 800 } },
] as const;

const isWiderThanWindow = 'document.documentElement.scrollWidth > innerWidth';
const WEDDING = {
  max_guests: 40,
  description: 'חופה בשקיעה, ריקודים עד הלילה.\nקוד לבוש: שמח.',
};
const INVITATION = {
  hosts: 'נועה לוי ואיתי כהן',
  title: { english: 'The wedding of Noa and Itay', arabic: 'زفاف نوعا وإيتاي' },
  contact_name: 'דנה',
  contact_phone: '050-123-4567',
  contact_email: 'dana.levi@example.com',
  coordinates: '32.15, 34.89',
  online_url: 'https://meet.example.com/noa-and-itay',
};
const QUESTIONS = [
  {
    kind: 'choice',
    text: { hebrew: 'הסעה מחיפה?', english: 'Bus?' },
    options: [{ text: 'כן' }, { text: 'לא' }],
  },
  { kind: 'number', text: 'כמה מיטות?', most: 4 },
  { kind: 'text', text: 'איזה שיר?' },
];
const AGENDA = [
  { title: 'קבלת פנים', starts_at: '2099-06-15T19:30', ends_at: '2099-06-15T20:30', place: 'הגן' },
  { title: 'Brunch', starts_at: '2099-06-16T10:00', speaker: 'Dana', description: 'Coffee and cake' },
];

/** A page, and what is done on it before it is looked at. */
interface View {
  path: string;
  /** Otherwise the next one. */
  languages?: readonly string[];
  /** The name of the query that chooses its language. */
  query?: string;
  act?(page: Page): Promise<void>;
}

describe('what guests see is for everybody', () => {
  let wedding: TestEvent;
  let contexts: BrowserContext[];
  let pages: Page[];
  before(async () => {
    const browser = await sharedBrowser();
    contexts = await Promise.all(LOOKS.map((look) => browser.newContext(look)));
    pages = await Promise.all(contexts.map((context) => context.newPage()));
    wedding = await newEvent(ANY_DATABASE, WEDDING);
    await made(wedding.call('PUT', '/invitation', { body: INVITATION }));
    await putPicture(wedding);
    for (const body of QUESTIONS) await made(wedding.call('POST', '/questions', { body }));
    for (const body of AGENDA) await made(wedding.call('POST', '/agenda', { body }));
    const rsvp = { answer_until: '2099-06-01T23:59', open: true, slug: 'all-can-read' };
    await made(wedding.call('PUT', '/rsvp', { body: rsvp }));
  });
  after(async () => {
    for (const context of contexts) await context.close();
  });

  let turn = 0;
  const look = async (
    { path, languages = [LANGUAGES[turn % LANGUAGES.length] ?? ''], query = 'lang', act }: View,
    { server }: Pick<TestEvent, 'server'> = wedding,
  ) => {
    for (const language of languages) {
      const page = pages[turn++ % pages.length] as Page;
      await page.goto(`${server.url}${path}${path.includes('?') ? '&' : '?'}${query}=${language}`);
      await act?.(page);
      await judge(page, `${path} in ${language}`);
    }
  };
  const ofGuest = async (guest: object, event = wedding) => pathOf(event, guest);
  const answered = async (fields: Record<string, string>, event = wedding) => {
    const path = await ofGuest({ name: 'משפחת אוחיון', party_size: 3, max_plus_ones: 1 }, event);
    const sent = await form(event, path, fields);
    assert.equal(sent.status, 303, sent.text);
    return path;
  };

  test('an invitation that waits for an answer', async () => {
    const path = await ofGuest({ name: 'משפחת כהן', party_size: 4, party_children: 2 });
    await look({ path, ...EACH_LANGUAGE });
  });

  testInLane('an invitation that was answered', async () => {
    const food = { vegan: '1', mehadrin: '1', allergies: 'אגוזים', message: 'מזל טוב!' };
    await look({
      path: `${await answered({ rsvp_status: 'confirmed', coming: '3', coming_children: '1', ...food })}?saved=1`,
    });
    await look({ path: `${await answered({ rsvp_status: 'declined' })}?saved=1` });
    await look({ path: await answered({ rsvp_status: 'maybe' }) });
  });

  testInLane('an answer that can’t be taken', async () => {
    const path = await ofGuest({ name: 'משפחת לוי', party_size: 2 });
    const wrong = (field: string, value: string) => async (page: Page) => {
      await page.evaluate('document.forms[0].noValidate = true');
      await page.getByRole('radio').first().check();
      await page.fill(`[name="${field}"]`, value);
      await page.click('button[type=submit]');
      await page.locator('[role=alert]:focus').waitFor();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      assert.equal(await page.evaluate('document.activeElement.name'), field, 'it leads to the field');
      assert.equal(await page.getAttribute(':focus', 'aria-describedby'), `${field}-problem`);
    };
    await look({ path, ...EACH_LANGUAGE, act: wrong('coming', '500') });
    await look({ path, act: wrong('coming_children', '9') });
    await look({ path, act: wrong('vegan', '9') });
    await look({
      path,
      async act(page) {
        await page.evaluate('document.forms[0].noValidate = true');
        await page.click('button[type=submit]');
        await page.locator('[role=alert]:focus').waitFor();
        await page.keyboard.press('Tab');
        await page.keyboard.press('Enter');
        assert.equal(await page.evaluate('document.activeElement.name'), 'rsvp_status');
      },
    });
  });

  testInLane(
    'a full event, one that was cancelled, one that is over, and one that is not published yet',
    async () => {
      const full = await newEvent(ANY_DATABASE, { max_guests: 1 });
      await full.guest({ name: 'ממלאים', rsvp_status: 'confirmed' });
      await look({ path: await answered({ rsvp_status: 'confirmed', coming: '3' }, full) }, full);
      for (const status of ['cancelled', 'completed']) {
        const event = await newEvent(ANY_DATABASE);
        await made(event.call('PUT', '/invitation', { body: INVITATION }));
        const path = await ofGuest({ name: 'דנה' }, event);
        await made(event.call('PUT', '', { body: { status } }));
        await look({ path }, event);
      }
      const draft = await newEvent(ANY_DATABASE, {}, 'draft');
      await look({ path: await ofGuest({ name: 'דנה' }, draft) }, draft);
    },
  );

  test('the open link of a wedding and of a conference', async () => {
    const conference = await newEvent(ANY_DATABASE, { title: 'Privacy by design', language_pref: 'english' });
    for (const body of AGENDA) await made(conference.call('POST', '/agenda', { body }));
    const rsvp = { open: true, slug: 'privacy-by-design', registration: true, accept_by_itself: true };
    await made(conference.call('PUT', '/rsvp', { body: rsvp }));
    const asking = (fields: Record<string, string>, shown: string) => async (page: Page) => {
      await page.evaluate('document.forms[0].noValidate = true');
      for (const [field, text] of Object.entries({ '#name': 'Dana', ...fields }))
        await page.fill(field, text);
      await page.click('button[type=submit]');
      assert.ok(await page.locator(shown).isVisible());
    };
    for (const path of ['/e/all-can-read', '/e/privacy-by-design']) {
      await look({ path, ...EACH_LANGUAGE });
      await look({ path: `${path}?sent=1` });
      await look({ path, act: asking({ '#email': 'dana@example.com', '#vegan': '99' }, '#vegan-problem') });
      await look({ path, act: asking({ '#email': 'nowhere' }, '[role=alert]') });
    }
  });

  testInLane('what is kept, how to have it erased, and the statement of this', async () => {
    const path = await answered({
      rsvp_status: 'confirmed',
      coming: '2',
      allergies: 'nuts',
      message: 'مبروك',
    });
    await look({ path: `${path}/privacy`, ...EACH_LANGUAGE });
    await look({ path: `${path}/accessibility` });
    await look({ path: '/e/all-can-read/privacy' });
    await look({ path: '/e/all-can-read/accessibility' });
    await look({
      path: `${await ofGuest({ name: 'Ron' })}/privacy`,
      async act(page) {
        await page.getByRole('checkbox').check();
        await page.click('button[type=submit]');
        assert.equal(await page.getByRole('button').count(), 0);
      },
    });
  });

  test('a mail of each kind, in each language', async () => {
    for (const language of LANGUAGES) {
      for (const rsvp_status of ['pending', 'confirmed']) {
        const guest = { name: 'משפחת Montefiore-Sebag', language, rsvp_status };
        await made(
          wedding.call('POST', '/guests', {
            body: { ...guest, email: `${rsvp_status}-${language}@example.com` },
          }),
        );
      }
    }
    const message = `https://photos.example.com/${'a_very_long_address_'.repeat(8)}\nמחכים לכם!`;
    for (const kind of ['save_the_date', 'invitation', 'reminder', 'see_you', 'message']) {
      const round = { kind, message, filter: {} };
      const { body } = await wedding.call('POST', '/rounds?dry_run=true', { body: round });
      assert.equal(body.preview.letters.length, 3, kind);
      for (const { html, language } of body.preview.letters) {
        const page = pages[turn++ % pages.length] as Page;
        // The page before it would have a say in what a mail may do.
        await page.goto('about:blank');
        await page.setContent(html);
        await judge(page, `the ${kind} in ${language}`);
      }
    }
  });

  testInLane('no more mail', async () => {
    const path = `${await ofGuest({ name: 'Dana' })}/unsubscribe`;
    await look({ path, act: (page) => page.click('button[type=submit]') });
    await form(wedding, path, { wanted: 'yes' });
    await look({ path });
  });

  testInLane('what went wrong', async () => {
    await look({ path: '/r/nothing' });
    await look({ path: '/e/nothing' });
    await using busy = await startServer(ANY_DATABASE, { env: { RATE_LIMIT: '1' } });
    await busy.call('GET', '/r/nothing');
    const again = await busy.call('GET', '/r/nothing');
    assert.equal(again.status, 429);
    await look({ path: '/r/nothing' }, { server: busy });
  });

  testInLane('the caterer’s page', async () => {
    const token = await wedding.server.token('me');
    await Promise.all(
      contexts.map((context) => context.setExtraHTTPHeaders({ authorization: `Bearer ${token}` })),
    );
    await look({ path: `/api/events/${wedding.id}/guests/caterer`, query: 'language', ...EACH_LANGUAGE });
    await Promise.all(contexts.map((context) => context.setExtraHTTPHeaders({})));
  });
});

async function judge(page: Page, what: string): Promise<void> {
  assert.deepEqual(await faultsOf(page), [], what);
  assert.equal(await page.evaluate(isWiderThanWindow), false, `${what} is too wide`);
  await page.evaluate('document.documentElement.style.fontSize = "200%"');
  assert.equal(await page.evaluate(isWiderThanWindow), false, `${what} is too wide in large letters`);
}

/** What axe finds wrong, one line each. */
async function faultsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(`axe.run(${JSON.stringify(RULES)}).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => id + ': ' + html + ' ' + failureSummary)))`);
}

async function made(asked: ReturnType<TestEvent['call']>): Promise<void> {
  const { status, text } = await asked;
  assert.ok(status < 300, text);
}

async function putPicture(event: TestEvent): Promise<void> {
  const card = sharp({ create: { width: 900, height: 1300, channels: 3, background: '#9c2f5b' } });
  const put = await fetch(`${event.server.url}/api/events/${event.id}/invitation/picture`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${await event.server.token('me')}`, 'content-type': 'image/jpeg' },
    body: new Uint8Array(await card.jpeg().toBuffer()),
  });
  assert.equal(put.status, 200);
}
