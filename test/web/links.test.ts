import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ANY_DATABASE } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { testInLane } from '../support/test-in-lane.ts';
import { until } from '../support/until.ts';
import { visitSignedIn } from './console.ts';
import { buttonNamed, newUserEvent, visitAt } from './event-page.ts';
import { LOOKS, looksOf } from './looks.ts';

// Addresses that open to whoever has them, and how they are ended: a guest's own, and that of one's calendar.

const WORDS = {
  phone: {
    replace: 'החלפת הקישור',
    keep: 'ביטול',
    means: 'הקישור שנמסר יפסיק לעבוד מיד',
    replaced: 'הקישור הקודם לא עובד יותר.',
    link: 'הקישור האישי',
    open: 'יצירת קישור ליומן',
    calendar: 'הקישור ליומן',
    payments: 'תשלומים',
    qr: 'קוד QR',
    another: 'קישור חדש',
    close: 'ביטול הקישור',
  },
  desk: {
    replace: 'Replace link',
    keep: 'Cancel',
    means: 'The current link stops working immediately',
    replaced: 'The old link no longer works.',
    link: 'Personal link',
    open: 'Create calendar link',
    calendar: 'Calendar link',
    payments: 'Payments',
    qr: 'QR code',
    another: 'New link',
    close: 'Disable link',
  },
} as const;

/** Of what stands at an address, whatever the server is called from outside. */
const statusOf = async (server: { url: string }, url: string) =>
  (await fetch(server.url + new URL(url).pathname)).status;

for (const look of looksOf(import.meta.url, 'phone', 'desk')) {
  const words = WORDS[look];

  testInLane(`the link of a guest is replaced in the guest’s drawer, on a ${look}`, async () => {
    const plan = await newUserEvent();
    const { session, id, server } = plan;
    const guests = `/api/events/${id}/guests`;
    const { guest } = (await session.call('POST', guests, { body: { name: 'דנה' } })).body;
    await using at = await visitAt(plan, look, `guests?guest=${guest.id}`);
    const { page } = at;
    const field = page.getByRole('textbox', { name: words.link });
    const former = await field.inputValue();
    assert.equal(await statusOf(server, former), 200);
    await buttonNamed(page, words.replace).click();
    await page.getByText(words.means).waitFor();
    await at.look();
    await buttonNamed(page, words.keep).click();
    assert.equal(await statusOf(server, former), 200);
    await buttonNamed(page, words.replace).click();
    await buttonNamed(page, words.replace).click();
    await page.getByText(words.replaced).waitFor();
    await until(async () => (await field.inputValue()) !== former);
    assert.equal(await statusOf(server, former), 404);
    assert.equal(await statusOf(server, await field.inputValue()), 200);
    await at.look();
  });

  test(`the user’s calendar link is created, changed, replaced and disabled, on a ${look}`, async () => {
    const server = await sharedServer(ANY_DATABASE);
    await using at = await visitSignedIn(server, LOOKS[look], '/settings');
    const { page, session } = at;
    const stored = async () => (await session.call('GET', '/api/calendar/feed')).body.feed;
    const field = page.getByRole('textbox', { name: words.calendar });
    await buttonNamed(page, words.open).click();
    await field.waitFor();
    const { url, language } = await stored();
    assert.deepEqual([await field.inputValue(), language], [url, look === 'phone' ? 'hebrew' : 'english']);
    assert.equal(
      await page.locator('a[href^="webcal:"]').getAttribute('href'),
      url.replace(/^http/, 'webcal'),
    );
    await buttonNamed(page, words.qr).click();
    await page.getByRole('img', { name: words.qr }).waitFor();
    await at.look();
    await page.getByRole('switch', { name: words.payments }).check({ force: true });
    await until(async () => (await stored()).payments === true);
    await buttonNamed(page, words.another).click();
    await at.look();
    await buttonNamed(page, words.another).click();
    await until(async () => (await stored()).url !== url);
    await until(async () => (await field.inputValue()) === (await stored()).url);
    assert.deepEqual([await statusOf(server, url), await statusOf(server, (await stored()).url)], [404, 200]);
    await buttonNamed(page, words.close).click();
    await buttonNamed(page, words.close).click();
    await buttonNamed(page, words.open).waitFor();
    assert.equal((await stored()).url, null);
    await at.look();
  });
}
