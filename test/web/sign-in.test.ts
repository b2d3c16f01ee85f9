import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { codeTo, mailsTo } from '../support/outbox.ts';
import { ANY_DATABASE } from '../support/server.ts';
import { newSession } from '../support/sessions.ts';
import { sharedServer } from '../support/shared-server.ts';
import { testInLane } from '../support/test-in-lane.ts';
import { until } from '../support/until.ts';
import { visitConsole, visitSignedIn } from './console.ts';
import { LOOKS, looksOf } from './looks.ts';

const newAddress = () => `organizer-${randomUUID()}@example.com`;

for (const name of looksOf(import.meta.url, 'phone', 'desk', 'arabic')) {
  const options = LOOKS[name];
  test(`a new user signs in by a mailed code and out again, on a ${name}`, async () => {
    const server = await sharedServer(ANY_DATABASE);
    await using at = await visitConsole(server, options);
    const { page } = at;
    const email = newAddress();
    await page.locator('a[href="/sign-in?to=%2Ftoday"]').click();
    await page.locator('[name=email]').fill('no address');
    await page.keyboard.press('Enter');
    await page.locator('[name=email][aria-invalid=true]').waitFor();
    await page.locator('[name=email]').fill(email);
    await page.keyboard.press('Enter');
    const code = page.locator('[name=code]');
    await code.waitFor();
    // On a phone, who looks for the mail comes back to a page that was thrown away.
    await page.reload();
    await code.fill('AAAA-AAAA');
    await page.locator('[name=code][aria-invalid=true]').waitFor();
    await at.look();
    await code.fill(` ${(await codeTo(server.dataDir, email)).toLowerCase().replace('-', ' ')} `);
    await page.waitForURL('**/events');
    await page.locator('main a[href="/events/new"]').waitFor();
    await at.look();

    const cookies = async () =>
      (await at.context.cookies()).map(({ name, httpOnly, sameSite }) => [name, httpOnly, sameSite]).sort();
    const browser = ['simcha_browser', true, 'Lax'];
    assert.deepEqual(await cookies(), [browser, ['simcha_session', true, 'Lax']]);
    await page.locator('header [aria-haspopup=menu]').last().click();
    await page.getByRole('menuitem').last().click();
    await page.waitForURL(`${server.url}/`);
    // It opens nothing; by it the browser is known when its user asks for the next code.
    assert.deepEqual(await cookies(), [browser]);
    await page.goto(`${server.url}/events`);
    await page.waitForURL('**/sign-in?to=%2Fevents');
  });
}

testInLane('signing in leads to the page that was asked for, and never to another site', async () => {
  const server = await sharedServer(ANY_DATABASE);
  for (const [to, there] of [
    ['/settings', '/settings'],
    ['//example.com/', '/events'],
    ['/\\example.com', '/events'],
    ['https://example.com', '/events'],
    ['javascript:alert(1)', '/events'],
  ] as const) {
    await using at = await visitConsole(server, LOOKS.desk, {
      path: `/sign-in?to=${encodeURIComponent(to)}`,
    });
    const email = newAddress();
    await at.page.locator('[name=email]').fill(email);
    await at.page.keyboard.press('Enter');
    await at.page.locator('[name=code]').fill(await codeTo(server.dataDir, email));
    await at.page.waitForURL(server.url + there);
  }
});

testInLane('a draft is not there for the next user who signs in in the same tab', async () => {
  const server = await sharedServer(ANY_DATABASE);
  await using at = await visitSignedIn(server, LOOKS.desk, '/events/new');
  const { page, context } = at;
  const title = page.locator('[data-path=title]');
  const kept = () => page.evaluate(`sessionStorage.getItem('simcha.kept.new-event')`);
  await title.fill('Mine alone');
  await page.reload();
  assert.equal(await title.inputValue(), 'Mine alone');
  await page.locator('header [aria-haspopup=menu]').last().click();
  await page.getByRole('menuitem').last().click();
  await page.waitForURL(`${server.url}/`);
  assert.equal(await kept(), null);

  // Nor where the first one's session was ended otherwise.
  const signIn = async () => {
    const { token } = await newSession(server);
    await context.addCookies([{ name: 'simcha_session', value: token, url: server.url, httpOnly: true }]);
    await page.goto(`${server.url}/events/new`);
  };
  await signIn();
  await title.fill('Mine alone');
  await until(async () => (await kept()) !== null);
  await signIn();
  await title.waitFor();
  assert.deepEqual([await title.inputValue(), await kept()], ['', null]);

  // Values of another version of the page, or of whoever put them there, are as if they were not.
  const odd = JSON.stringify({ title: { a: 1 }, date: 5, venue_name: 'Eden', max_guests: {} });
  await page.evaluate(`sessionStorage.setItem('simcha.kept.new-event', ${JSON.stringify(odd)})`);
  await page.reload();
  await title.waitFor();
  const venue = page.locator('[data-path=venue_name]');
  assert.deepEqual([await title.inputValue(), await venue.inputValue()], ['', 'Eden']);
});

testInLane(
  'a session that is ended elsewhere leads to the sign-in page, and then back to the same page',
  async () => {
    const server = await sharedServer(ANY_DATABASE);
    await using at = await visitSignedIn(server, LOOKS.desk, '/settings');
    const { page, session } = at;
    await page.getByRole('heading', { level: 1 }).waitFor();
    await at.look();
    await session.call('DELETE', `/api/auth/sessions/${session.id}`);
    await page.evaluate(`history.pushState({}, '', '/events')`);
    await page.reload();
    await page.waitForURL('**/sign-in?to=%2Fevents');
  },
);

testInLane('a session that ended while its page was open leads to the sign-in page and back', async () => {
  const server = await sharedServer(ANY_DATABASE);
  for (const goOn of ['a[href="/events"]', 'a[href="/today"]']) {
    await using at = await visitSignedIn(server, LOOKS.desk, '/settings');
    const { page, session } = at;
    await page.getByRole('heading', { level: 1 }).waitFor();
    await session.call('DELETE', '/api/auth/session');
    // What was still being asked as it ended has told so itself, maybe.
    await page.locator(goOn).or(page.locator('[name=email]')).first().click();
    await page.locator('[name=email]').waitFor();
    const { pathname, searchParams } = new URL(page.url());
    const to = searchParams.get('to') ?? '';
    assert.equal(pathname, '/sign-in');
    assert.ok([`/settings`, goOn.slice(8, -2)].includes(to), to);
    const before = await mailsTo(server.dataDir, session.email);
    await page.locator('[name=email]').fill(session.email);
    await page.keyboard.press('Enter');
    await page.locator('[name=code]').fill(await codeTo(server.dataDir, session.email, before));
    await page.waitForURL(server.url + to);
    await page.getByRole('heading', { level: 1 }).waitFor();
    // Whoever is signed in has nothing to do there.
    await page.goto(`${server.url}/sign-in?to=${encodeURIComponent('/sign-in?to=/events')}`);
    await page.waitForURL((url) => url.pathname === '/events' || url.pathname === '/today');
  }
});
