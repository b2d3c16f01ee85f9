import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newDeveloper } from '../support/developers.ts';
import { ANY_DATABASE } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { testInLane } from '../support/test-in-lane.ts';
import { visitConsole, visitSignedIn } from './console.ts';
import { LOOKS, looksOf } from './looks.ts';

for (const name of looksOf(import.meta.url, 'phone', 'desk', 'arabic')) {
  const options = LOOKS[name];
  test(`the reference is read, searched and linked to, on a ${name}`, async () => {
    const server = await sharedServer(ANY_DATABASE);
    await using at = await visitConsole(server, options, { path: '/docs' });
    const { page } = at;
    await page.locator('details#createEvent').waitFor();
    const description = (await server.call('GET', '/openapi.json')).body;
    const calls = Object.values(description.paths as Record<string, object>).flatMap((path) =>
      Object.keys(path),
    );
    assert.equal(await page.locator('details[id]').count(), calls.length);
    await page.getByRole('searchbox').fill('post guests import');
    await page.locator('details#createEvent').waitFor({ state: 'detached' });
    await page.locator('details#importGuests > summary').click();
    await page.waitForURL('**/docs#importGuests');
    await page.locator('details#importGuests pre').first().waitFor();
    await at.look();
    await page.goto('about:blank');
    await page.goto(`${server.url}/docs#updateGuest`);
    await page.locator('details#updateGuest[open] pre').first().waitFor();
  });
}

testInLane(
  'an API call is tried out as the signed-in user, and the response is shown, refusals too',
  async () => {
    const server = await sharedServer(ANY_DATABASE);
    await using at = await visitSignedIn(server, LOOKS.desk, '/docs#createEvent');
    const { page, session } = at;
    const call = page.locator('details#createEvent');
    const body = call.getByRole('textbox', { name: 'Body' });
    await body.fill('{"title": ');
    await call.getByRole('button', { name: 'Send' }).click();
    await call.getByText('not valid JSON').waitFor();
    await body.fill('{"title": "Gala"}');
    await call.getByRole('button', { name: 'Send' }).click();
    await call.getByText('The server responded with 400').first().waitFor();
    await body.fill('{"title": "Gala", "event_date": "2099-06-15T19:30", "venue_name": "Here"}');
    await call.getByRole('button', { name: 'Send' }).click();
    await call.getByText('The server responded with 201').first().waitFor();
    assert.equal((await session.call('GET', '/api/events')).body.total, 1);

    const { apiKey } = await newDeveloper(server);
    const list = page.locator('details#listApplications');
    const send = async (credential: string) => {
      await page.getByLabel('API key or token').first().fill(credential);
      await page.goto(`${server.url}/docs#listApplications`);
      const answered = page.waitForResponse('**/api/v1/applications');
      await list.getByRole('button', { name: 'Send' }).click();
      return (await answered).status();
    };
    for (const credential of [apiKey, ` ${apiKey} `, `Bearer ${apiKey}`, `X-API-Key: ${apiKey}`])
      assert.equal(await send(credential), 200, credential);
    assert.equal(await send('sk_wrong12345678'), 401);
    await list.getByText('The server responded with 401').first().waitFor();
    await at.look();
  },
);
