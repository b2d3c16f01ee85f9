import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ANY_DATABASE } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { testInLane } from '../support/test-in-lane.ts';
import { visitSignedIn } from './console.ts';
import { buttonNamed } from './event-page.ts';
import { LOOKS, looksOf } from './looks.ts';

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);
/** YYYY-MM-DD where the event is: for two or three hours of each night it is not UTC's. */
const dayInIsrael = (moment: Date) => moment.toLocaleDateString('sv-SE', { timeZone: 'Asia/Jerusalem' });

const WORDS = {
  phone: { pay: 'לשלם ל', late: 'באיחור של 3 ימים', answered: 'מוזמן אחד ענה', since: 'אין תשובות חדשות' },
  desk: { pay: 'Pay ', late: '3 days overdue', answered: 'One guest replied', since: 'No new replies' },
  arabic: { pay: 'دفع ', late: 'متأخّر 3 أيام', answered: 'ردّ ضيف واحد', since: 'لا ردود جديدة' },
} as const;

for (const name of looksOf(import.meta.url, 'phone', 'desk', 'arabic')) {
  const options = LOOKS[name];
  const words = WORDS[name];
  test(`the page Today shows tasks and news, and leads to them, on a ${name}`, async () => {
    const server = await sharedServer(ANY_DATABASE);
    await using at = await visitSignedIn(server, options);
    const { page, session } = at;
    const call = async (method: string, path: string, body?: object) =>
      (await session.call(method, path, body && { body })).body;
    const dated = { event_date: inDays(40), venue_name: 'עדן' };
    const { event } = await call('POST', '/api/events', { title: 'החתונה של נועה', ...dated });
    const path = `/api/events/${event.id}`;
    await call('PUT', path, { status: 'published' });
    await page.goto(`${server.url}/`);
    await page.waitForURL('**/today');
    await page.getByText(words.since).waitFor();
    await at.look();

    const { vendor } = await call('POST', '/api/vendors', { name: 'DJ אבי', kind: 'dj' });
    const payments = [{ amount: 1500, due_date: dayInIsrael(inDays(-3)) }];
    await call('POST', `${path}/bookings`, { vendor_id: vendor.id, payments });
    const { guest } = await call('POST', `${path}/guests`, { name: 'דנה', party_size: 2 });
    const { link } = await call('GET', `${path}/guests/${guest.id}/link`);
    const token = link.url.split('/r/')[1];
    await call('POST', `/api/rsvp/${token}`, { rsvp_status: 'confirmed', coming: 2 });
    await page.reload();
    await page.getByRole('link', { name: words.pay }).waitFor();
    await page.getByText(words.late).waitFor();
    await at.look();
    await page.getByRole('link', { name: words.answered }).click();
    await page.waitForURL('**/guests?order=answered');
    await page.goBack();
    // What was looked at just now is new until one comes again.
    await page.getByRole('link', { name: words.answered }).waitFor();
    await page.getByRole('link', { name: words.pay }).click();
    await page.waitForURL('**/vendors?booking=*');
    await page.getByRole('dialog').waitFor();
  });
}

testInLane('an example event is created, tried and removed, each with one press', async () => {
  const server = await sharedServer(ANY_DATABASE);
  await using at = await visitSignedIn(server, LOOKS.phone);
  const { page, session } = at;
  await buttonNamed(page, 'לנסות אירוע לדוגמה').waitFor();
  await at.look();
  await buttonNamed(page, 'לנסות אירוע לדוגמה').click();
  await page.waitForURL(/\/events\/[0-9a-f-]{36}$/);
  await page.getByText('זה אירוע לדוגמה').waitFor();
  await page.getByText('מקומות').first().waitFor();
  await at.look();
  await buttonNamed(page, 'להסיר אותו').click();
  await page.waitForURL('**/events');
  await buttonNamed(page, 'לנסות אירוע לדוגמה').waitFor();
  assert.equal((await session.call('GET', '/api/events')).body.total, 0);
  assert.deepEqual((await session.call('GET', '/api/vendors')).body.vendors, []);
});

testInLane(
  'an organizer with events creates the example from the list of events or the palette',
  async () => {
    const server = await sharedServer(ANY_DATABASE);
    await using at = await visitSignedIn(server, LOOKS.desk);
    const { page, session } = at;
    const body = { title: 'Gala', event_date: '2099-06-15T19:30', venue_name: 'Here' };
    await session.call('POST', '/api/events', { body });
    await page.reload();
    await buttonNamed(page, 'Try an example event').waitFor();
    await at.look();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('example');
    await page.getByRole('option', { name: 'Try an example event' }).click();
    await page.waitForURL(/\/events\/[0-9a-f-]{36}$/);
    await page.getByText('This is an example').waitFor();
    await page.locator('a[href="/events"]').first().click();
    await page.getByRole('heading', { name: 'My events' }).waitFor();
    await page.locator('main li').nth(1).waitFor();
    assert.equal(await buttonNamed(page, 'Try an example event').count(), 0);
    await buttonNamed(page, 'Go anywhere (Ctrl+K)').click();
    await page.getByRole('combobox').fill('try an example');
    await page.getByText('Nothing found.').waitFor();
  },
);

testInLane(
  'a deleted event is restored from the notification or from the list of deleted events',
  async () => {
    const server = await sharedServer(ANY_DATABASE);
    await using at = await visitSignedIn(server, LOOKS.desk);
    const { page, session } = at;
    const body = { title: 'Gala', event_date: '2099-06-15T19:30', venue_name: 'Here' };
    const { event } = (await session.call('POST', '/api/events', { body })).body;
    const isThere = async () => (await session.call('GET', `/api/events/${event.id}`)).status === 200;
    await page.goto(`${server.url}/events/${event.id}/details`);
    await buttonNamed(page, 'Delete event').click();
    await page.waitForURL('**/events');
    assert.equal(await isThere(), false);
    await buttonNamed(page, 'Undo').click();
    await page.waitForURL(`**/events/${event.id}`);
    assert.equal(await isThere(), true);

    await page.locator('nav a[href$="/details"]').click();
    await buttonNamed(page, 'Delete event').click();
    await page.waitForURL('**/events');
    await page.getByRole('link', { name: 'Deleted events' }).click();
    await page.getByText('Gala').waitFor();
    await at.look();
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.waitForURL(`**/events/${event.id}`);
    assert.equal(await isThere(), true);
  },
);
