import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient } from '../../support/client.ts';
import { serverOnOwnPostgres } from '../../support/own-postgres.ts';
import { newSession } from '../../support/sessions.ts';
import { isOnTop, visitConsole } from '../../web/console.ts';
import { buttonNamed } from '../../web/event-page.ts';
import { LOOKS } from '../../web/looks.ts';

const AWAY = 'The server can’t be reached right now. What you see may be out of date.';

test('while the database is away the console says so where one looks, keeps what was typed, and comes back by itself', async () => {
  await using own = await serverOnOwnPostgres({ STRICT_RATE_LIMIT: '1000000' });
  const { postgres, dataDir } = own;
  const { url } = own.server;
  const server = { url, dataDir, call: createClient(url) };
  const session = await newSession(server);
  const made = await session.call('POST', '/api/events', {
    body: { title: 'Wedding', event_date: '2099-06-15T19:30', venue_name: 'Here' },
  });
  const path = `/events/${made.body.event.id}/guests?add=true`;
  await using at = await visitConsole(server, LOOKS.desk, { session, path, isKilled: true });
  const { page } = at;
  const name = page.locator('[data-path=name]');
  await name.fill('Ruth');

  await postgres.stop('immediate');
  await buttonNamed(page, 'Add').click();
  // The live stream was cut, and can't be opened again.
  await page.getByRole('dialog').getByText(AWAY).waitFor();
  const said = page.getByRole('dialog').getByRole('alert');
  await said.waitFor({ timeout: 60_000 });
  assert.ok(await isOnTop(said), 'what came of it is out of sight');
  assert.equal(await name.inputValue(), 'Ruth');

  // Who comes now is told as much as can be: not even who they are is known.
  await using comes = await visitConsole(server, LOOKS.desk, { session, path: '/today', isKilled: true });
  await comes.page.getByText(AWAY).waitFor();
  await comes.look();

  await postgres.start();
  await comes.page.getByText('Wedding').waitFor({ timeout: 60_000 });
  assert.equal(await comes.page.getByText(AWAY).count(), 0);
  await page.getByText(AWAY).first().waitFor({ state: 'detached', timeout: 60_000 });
  await buttonNamed(page, 'Add').click();
  await page.locator('li, tr', { hasText: 'Ruth' }).waitFor();
});
