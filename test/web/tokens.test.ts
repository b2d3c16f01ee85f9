import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newDeveloper } from '../support/developers.ts';
import { ANY_DATABASE } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { testInLane } from '../support/test-in-lane.ts';
import { until } from '../support/until.ts';
import { visitConsole, visitSignedIn } from './console.ts';
import { buttonNamed } from './event-page.ts';
import { LOOKS, looksOf } from './looks.ts';

const DEVICE = '/api/auth/device';
const WORDS = {
  phone: {
    tokens: 'למפתחות ולאסימונים',
    create: 'אסימון חדש',
    name: 'שם',
    scope: 'מוזמנים',
    where: 'איפה',
    send: 'יצירה',
    token: 'האסימון',
    once: 'הוא לא יוצג שוב',
    done: 'סיימתי',
    revoke: 'ביטול האסימון',
    code: 'קוד',
    goOn: 'המשך',
    asks: 'מבקש להיכנס בשמכם',
    allow: 'אישור',
    refuse: 'דחייה',
    allowed: 'המכשיר אושר',
    refused: 'המכשיר נדחה',
  },
  desk: {
    tokens: 'Show keys and tokens',
    create: 'New token',
    name: 'Name',
    scope: 'Guests',
    where: 'Restricted to',
    send: 'Create',
    token: 'Token',
    once: 'it is not shown again',
    done: 'Done',
    revoke: 'Revoke',
    code: 'Code',
    goOn: 'Continue',
    asks: 'asks to sign in as you',
    allow: 'Confirm',
    refuse: 'Refuse',
    allowed: 'Device confirmed',
    refused: 'Device refused',
  },
} as const;

for (const look of looksOf(import.meta.url, 'phone', 'desk')) {
  const words = WORDS[look];

  test(`a token is created for one event, shown once and revoked, on a ${look}`, async () => {
    const server = await sharedServer(ANY_DATABASE);
    await using at = await visitSignedIn(server, LOOKS[look], '/settings');
    const { page, session } = at;
    const body = { title: 'Gala', event_date: '2099-06-15T19:30', venue_name: 'Here' };
    const { event } = (await session.call('POST', '/api/events', { body })).body;
    await page.getByRole('link', { name: words.tokens }).click();
    await buttonNamed(page, words.create).click();
    await page.getByRole('textbox', { name: words.name }).fill('door phone');
    await buttonNamed(page, words.send).click();
    await at.look();
    await page.getByRole('checkbox', { name: words.scope }).check({ force: true });
    await page.getByRole('combobox', { name: words.where }).selectOption(event.id);
    await buttonNamed(page, words.send).click();
    await page.getByText(words.once).waitFor();
    const token = await page.getByRole('textbox', { name: words.token }).inputValue();
    await at.look();
    assert.equal((await server.call('GET', `/api/events/${event.id}/guests`, { token })).status, 200);
    assert.equal((await server.call('GET', '/api/events', { token })).status, 403);
    const [listed] = (await session.call('GET', '/api/v1/users/me/tokens')).body.tokens;
    assert.deepEqual([listed.name, listed.scopes, listed.event_id], ['door phone', ['guests'], event.id]);

    await buttonNamed(page, words.done).click();
    await page.getByText('door phone').waitFor();
    assert.equal(await page.getByText(token).count(), 0);
    await buttonNamed(page, words.revoke).click();
    await buttonNamed(page, words.revoke).click();
    await until(
      async () => (await server.call('GET', `/api/events/${event.id}/guests`, { token })).status === 401,
    );
    await page.getByText('door phone').waitFor({ state: 'detached' });
    await at.look();
  });

  test(`a device is confirmed by the code that it shows, or refused, on a ${look}`, async () => {
    const server = await sharedServer(ANY_DATABASE);
    const start = async () =>
      (await server.call('POST', DEVICE, { body: { client: 'simcha on laptop' } })).body;
    const poll = ({ device_code }: { device_code: string }) =>
      server.call('POST', `${DEVICE}/token`, { body: { device_code } });
    const [typed, linked] = [await start(), await start()];
    await using at = await visitSignedIn(server, LOOKS[look], '/device');
    const { page, session } = at;
    await page.getByRole('textbox', { name: words.code }).fill(typed.user_code.toLowerCase());
    await at.look();
    await buttonNamed(page, words.goOn).click();
    await page.getByText(words.asks).waitFor();
    await at.look();
    await buttonNamed(page, words.allow).click();
    await page.getByText(words.allowed).waitFor();
    await at.look();
    const { token, user } = (await poll(typed)).body;
    assert.equal(user.email, session.email);
    assert.equal((await server.call('GET', '/api/events', { token })).status, 200);

    await page.goto(
      `${server.url}${new URL(linked.verification_uri_complete).pathname}?code=${linked.user_code}`,
    );
    await buttonNamed(page, words.refuse).click();
    await page.getByText(words.refused).waitFor();
    assert.equal((await poll(linked)).body.code, 'access_denied');
    await page.reload();
    await page.getByRole('alert').waitFor();
    await at.look();
  });
}

testInLane('a code in the address survives signing in', async () => {
  const server = await sharedServer(ANY_DATABASE);
  await using at = await visitConsole(server, LOOKS.desk, { path: '/device?code=ABCD-EFGH' });
  await at.page.waitForURL((url) => url.searchParams.get('to') === '/device?code=ABCD-EFGH');
});

testInLane('the reference sends calls with a key, and writes its header into the command', async () => {
  const server = await sharedServer(ANY_DATABASE);
  const developer = await newDeveloper(server);
  await using at = await visitConsole(server, LOOKS.desk, { path: '/docs#readMe' });
  const { page } = at;
  await page.getByRole('link', { name: 'Sign in' }).waitFor();
  await page.getByLabel('API key or token').fill(developer.apiKey);
  const call = page.locator('details#readMe');
  assert.match((await call.locator('pre').first().textContent()) ?? '', /X-API-Key: \$KEY/);
  await call.getByRole('button', { name: 'Send' }).click();
  await call.getByText('The server responded with 200').first().waitFor();
  await call.getByText(developer.email).waitFor();
  await at.look();
  await page.goto('about:blank');
  await page.goto(`${server.url}/docs#readEvent`);
  const other = page.locator('details#readEvent');
  await other.getByRole('textbox', { name: 'id' }).fill('x');
  await other.getByRole('button', { name: 'Send' }).click();
  await other.getByText('The server responded with 404').first().waitFor();
  assert.match(
    (await other.locator('pre').first().textContent()) ?? '',
    /api\/events\/x'[\s\S]*Bearer \$TOKEN/,
  );
});
