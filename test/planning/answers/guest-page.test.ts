import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { sharedBrowser } from '../../support/browser.ts';
import { ANY_DATABASE, startServer } from '../../support/server.ts';
import { sharedServer } from '../../support/shared-server.ts';
import { newEvent, startEvent, type TestEvent } from '../event.ts';
import { form } from './links.ts';

// A guest's page as a guest sees it: Chromium at the size of a phone, and for the answer without JavaScript.

/** For looking at the pages oneself: SIMCHA_SCREENSHOTS=folder npm test -- test/planning/answers/guest-page.test.ts */
const SCREENSHOTS = process.env.SIMCHA_SCREENSHOTS;

const LANGUAGES = [
  {
    language: 'hebrew',
    code: 'he',
    direction: 'rtl',
    name: 'משפחת כהן',
    question: 'מגיעים?',
    yes: 'כן, בשמחה',
    saved: 'התשובה נשמרה',
  },
  {
    language: 'arabic',
    code: 'ar',
    direction: 'rtl',
    name: 'عائلة حداد',
    question: 'هل ستحضرون؟',
    yes: 'نعم، بكل سرور',
    saved: 'تم حفظ الرد',
  },
  {
    language: 'english',
    code: 'en',
    direction: 'ltr',
    name: 'The Hopper family',
    question: 'Will you come?',
    yes: 'Yes, gladly',
    saved: 'Your answer is saved',
  },
] as const;

describe('the page of a guest', () => {
  let browser: Browser;
  let event: TestEvent;
  before(async () => {
    browser = await sharedBrowser();
    event = await newEvent(ANY_DATABASE, {
      description: 'חופה בשקיעה, ריקודים עד הלילה.\nקוד לבוש: שמח.',
      max_guests: 7,
    });
    await event.call('PUT', '/rsvp', {
      body: { answer_until: '2099-06-01T23:59', open: true, slug: 'fits-a-phone' },
    });
  });

  const open = async (path: string, options: { dark?: boolean; javaScriptEnabled?: boolean } = {}) => {
    const context = await browser.newContext({
      viewport: { width: 360, height: 740 },
      javaScriptEnabled: options.javaScriptEnabled ?? true,
      colorScheme: options.dark ? 'dark' : 'light',
    });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(event.server.url)) complaints.push(`asks for ${request.url()}`);
    });
    const answer = await page.goto(event.server.url + path);
    return { page, complaints, status: answer?.status(), close: () => context.close() };
  };

  const shoot = async (page: Page, name: string) => {
    if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/${name}.png`, fullPage: true });
  };

  const linkTo = async (fields: object): Promise<string> => {
    const guest = await event.guest(fields);
    const { url } = (await event.call('GET', `/guests/${guest.id}/link`)).body.link;
    return new URL(url).pathname;
  };

  for (const { language, code, direction, name, question, yes, saved } of LANGUAGES) {
    test(`is in ${language}, fits a phone, and asks nothing of anybody else`, async () => {
      const path = await linkTo({ name, language, party_size: 2 });
      const { page, complaints, close } = await open(path);
      assert.equal(await page.getAttribute('html', 'lang'), code);
      assert.equal(await page.evaluate('getComputedStyle(document.body).direction'), direction);
      assert.ok(await page.getByText(question).isVisible());
      assert.equal(
        await page.evaluate('document.documentElement.scrollWidth <= innerWidth'),
        true,
        'it is wider than the phone',
      );
      const sizes: number[] = await page.evaluate(
        `[...document.querySelectorAll('button, .choice, input[type=number]')].map((one) => one.getBoundingClientRect().height)`,
      );
      assert.ok(Math.min(...sizes) >= 44, `something is too small to touch: ${sizes}`);
      // A no needs no food: the fields go away by style alone.
      assert.ok(await page.locator('#coming').isVisible());
      await page.getByRole('radio').nth(1).check();
      assert.ok(!(await page.locator('#coming').isVisible()));
      await shoot(page, `${code}-light`);
      const dark = await open(path, { dark: true });
      await shoot(dark.page, `${code}-dark`);
      await dark.close();
      assert.deepEqual(complaints, []);
      await close();
    });

    test(`takes an answer in ${language} without JavaScript, and takes it back`, async () => {
      const path = await linkTo({ name: `${name} 2`, language });
      const { page, close } = await open(path, { javaScriptEnabled: false });
      await page.getByLabel(yes).check();
      await page.fill('#coming', '2');
      await page.fill('#vegan', '1');
      await page.fill('#message', '<b>"שלום"</b>');
      await page.click('button[type=submit]');
      assert.ok(await page.getByText(saved).isVisible());
      assert.equal(await page.inputValue('#message'), '<b>"שלום"</b>');
      assert.equal(await page.inputValue('#vegan'), '1');
      assert.ok(await page.getByLabel(yes).isChecked());
      await shoot(page, `${code}-answered`);
      await page.getByRole('radio').nth(1).check();
      await page.click('button[type=submit]');
      assert.ok(await page.getByText(saved).isVisible());
      assert.ok(await page.getByRole('radio').nth(1).isChecked());
      await close();
    });
  }

  test('says so when there is no place, when the link is none, and on the open link', async () => {
    await event.guest({ name: 'ממלאים', party_size: 7, rsvp_status: 'confirmed' });
    const { page, close } = await open(await linkTo({ name: 'מחכה' }), { javaScriptEnabled: false });
    await page.getByLabel('כן, בשמחה').check();
    await page.click('button[type=submit]');
    assert.ok(await page.getByText('ברשימת ההמתנה').isVisible());
    await shoot(page, 'he-waiting');
    await page.getByRole('link', { name: 'English' }).click();
    assert.ok(await page.getByText('waiting list').isVisible());
    await close();

    const none = await open('/r/nothing');
    assert.equal(none.status, 404);
    assert.equal(await none.page.locator('section').count(), 3);
    await shoot(none.page, 'none');
    await none.close();

    const ask = await open('/e/fits-a-phone', { javaScriptEnabled: false });
    await ask.page.fill('#name', 'שכן');
    await ask.page.fill('#phone', '052-111-2233');
    assert.equal(await ask.page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true);
    await shoot(ask.page, 'open');
    await ask.page.click('button[type=submit]');
    assert.ok(await ask.page.getByText('הבקשה נשלחה').isVisible());
    await ask.close();
  });
});

test('who opens pages too often is told to come back, on a page', async () => {
  await using server = await startServer('postgres', { env: { RATE_LIMIT: '2' } });
  const open = () => server.call('GET', '/r/nobody');
  const statuses = [(await open()).status, (await open()).status];
  const { status, headers, text } = await open();
  assert.deepEqual([...statuses, status], [404, 404, 429]);
  assert.match(headers.get('content-type') ?? '', /^text\/html/);
  assert.ok(Number(headers.get('retry-after')) > 0);
  assert.match(text, /try again in (about a minute|a moment)\./);
});

test('who asks too often through the open link is told how long to wait', async () => {
  await using event = await startEvent('postgres', {}, { env: { STRICT_RATE_LIMIT: '1' } });
  await event.call('PUT', '/rsvp', { body: { open: true, slug: 'too-often' } });
  const ask = () => form(event, '/e/too-often', { name: 'Dana', phone: '0501234567' });
  assert.equal((await ask()).status, 303);
  const { status, headers, text } = await ask();
  assert.equal(status, 429);
  const minutes = Math.round(Number(headers.get('retry-after')) / 60);
  assert.ok(minutes > 10 && text.includes(`in about ${minutes} minutes`), text);
});

test('addresses of one network are one client of the open link', async () => {
  const env = { STRICT_RATE_LIMIT: '1', TRUSTED_PROXIES: '127.0.0.0/8' };
  await using event = await startEvent(ANY_DATABASE, {}, { env });
  await event.call('PUT', '/rsvp', { body: { open: true, slug: 'networks' } });
  const askFrom = async (address: string) => {
    const answer = await event.server.call('POST', '/e/networks', {
      body: new URLSearchParams({ name: `From ${address}`, phone: '0501234567' }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': address },
    });
    return answer.status;
  };
  assert.equal(await askFrom('2001:db8:1:2::1'), 303);
  assert.equal(await askFrom('2001:db8:1:2:ffff::9'), 429);
  assert.equal(await askFrom('2001:db8:1:3::1'), 303);
  assert.equal(await askFrom('192.0.2.7'), 303);
  assert.equal(await askFrom('::ffff:192.0.2.7'), 429);
  assert.equal(await askFrom('192.0.2.8'), 303);
});

test('an address that can’t be decoded is answered as any that is of nothing', async () => {
  await using server = await sharedServer(ANY_DATABASE);
  for (const path of ['/r/%ff', '/r/%ff/privacy?lang=english', '/e/%zz', '/r/%e2%82?a=%ff']) {
    const { status, headers, text } = await server.call('GET', path);
    assert.deepEqual([status, headers.get('content-type')], [404, 'text/html; charset=utf-8'], path);
    assert.ok(text.includes('This link doesn’t work'), path);
  }
  const { status, body } = await server.call('GET', '/api/rsvp/%ff');
  assert.deepEqual([status, body.code], [404, 'not_found']);
});
