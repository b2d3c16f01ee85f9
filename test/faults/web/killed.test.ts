import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { createClient } from '../../support/client.ts';
import { freePort } from '../../support/postgres.ts';
import { spawnReadyServer } from '../../support/process.ts';
import { temporaryDatabase } from '../../support/server.ts';
import { newSession } from '../../support/sessions.ts';
import { visitConsole } from '../../web/console.ts';
import { buttonNamed } from '../../web/event-page.ts';
import { LOOKS, looksOf } from '../../web/looks.ts';

const field = (page: Page, name: string) => page.locator(`[data-path=${name}]`);
const row = (page: Page, name: string) => page.locator('li, tr', { hasText: name });

const picture = () =>
  sharp({ create: { width: 600, height: 900, channels: 3, background: 'red' } })
    .png()
    .toBuffer();

const DEATH = {
  phone: {
    nobody: 'אף אחד לא אישר עדיין',
    live: 'מתעדכן בזמן אמת',
    again: 'מתחבר מחדש…',
    away: 'אין כרגע חיבור לשרת. מה שמוצג',
    kept: 'אין כרגע חיבור לשרת. מה שהקלדתם נשמר כאן',
    add: 'הוספה',
    save: 'שמירה',
    saved: 'נשמר.',
    one: 'אדם אחד מגיע',
    restore: 'שחזור',
    restored: 'מוזמן אחד חזר לרשימה.',
  },
  desk: {
    nobody: 'Nobody has confirmed yet',
    live: 'Live',
    again: 'Reconnecting…',
    away: 'The server can’t be reached right now. What you see',
    kept: 'The server can’t be reached right now. What you typed is saved here',
    add: 'Add',
    save: 'Save',
    saved: 'Saved.',
    one: 'One person is coming',
    restore: 'Restore',
    restored: 'One guest restored.',
  },
} as const;

for (const look of looksOf(import.meta.url, 'phone', 'desk')) {
  const words = DEATH[look];
  test(`the server is killed while people type: nothing is lost, or stored twice, and it goes on, as on a ${look}`, async () => {
    await using place = await temporaryDatabase('embedded');
    const env = { ...place.env, PORT: String(await freePort()) };
    let server = await spawnReadyServer(env);
    try {
      const { session, api, path } = await planned(server.url, place.env.DATA_DIR);
      await using adds = await visitConsole(server, LOOKS[look], {
        session,
        path: `${path}/guests?add=true`,
        isKilled: true,
      });
      await using writes = await visitConsole(server, LOOKS[look], {
        session,
        path: `${path}/invitation`,
        isKilled: true,
      });
      await using watches = await visitConsole(server, LOOKS[look], { session, path, isKilled: true });
      await watches.page.getByText(words.nobody).waitFor();
      await watches.page.getByText(words.live, { exact: true }).waitFor();
      await field(adds.page, 'name').fill('דנה');
      await field(adds.page, 'phone').fill('050-123-4567');
      await field(writes.page, 'hosts_hebrew').fill('נועה ואיתי');

      const isKilled = await killOnce(adds.page, `**${api}/guests`, 'POST', server);
      await buttonNamed(adds.page, words.add).click();
      await adds.page.getByRole('alert').getByText(words.kept).waitFor();
      assert.ok(isKilled());
      await buttonNamed(writes.page, words.save).click();
      await writes.page.getByRole('alert').getByText(words.kept).waitFor();
      await adds.page.getByRole('dialog').getByText(words.away).waitFor();
      for (const { page } of [writes, watches]) await page.getByText(words.away).waitFor();
      for (const { look: seen } of [adds, writes, watches]) await seen();
      await watches.page.getByText(words.again).waitFor();
      assert.equal(await field(adds.page, 'phone').inputValue(), '050-123-4567');
      assert.equal(await field(writes.page, 'hosts_hebrew').inputValue(), 'נועה ואיתי');

      server = await spawnReadyServer(env);
      await adds.page.reload();
      assert.equal(await field(adds.page, 'phone').inputValue(), '050-123-4567');
      await buttonNamed(adds.page, words.add).click();
      await adds.page.locator('.mantine-Drawer-overlay').waitFor({ state: 'detached' });
      await row(adds.page, 'דנה').waitFor();
      await adds.page.getByText(words.away).waitFor({ state: 'detached' });
      const { guests } = (await session.call('GET', `${api}/guests`)).body;
      assert.deepEqual(
        guests.map(({ name, phone }: Record<string, string>) => [name, phone]),
        [['דנה', '+972501234567']],
      );
      await buttonNamed(writes.page, words.save).click();
      await writes.page.getByText(words.saved, { exact: true }).waitFor();
      const { invitation } = (await session.call('GET', `${api}/invitation`)).body;
      assert.deepEqual(invitation.hosts, { hebrew: 'נועה ואיתי' });
      // Who only looks on has done nothing.
      await watches.page.getByText(words.live, { exact: true }).waitFor();
      await watches.page.getByText(words.away).waitFor({ state: 'detached' });
      await session.call('PUT', `${api}/guests/${guests[0].id}`, { body: { rsvp_status: 'confirmed' } });
      await watches.page.getByText(words.one).waitFor();
      await watches.look();
    } finally {
      server.child.kill('SIGTERM');
      await server.ended;
    }
  });

  test(`the server is killed as a picture comes and as a guest is brought back: both are there after it, once, as on a ${look}`, async () => {
    await using place = await temporaryDatabase('embedded');
    const env = { ...place.env, PORT: String(await freePort()) };
    let server = await spawnReadyServer(env);
    try {
      const { session, api, path } = await planned(server.url, place.env.DATA_DIR);
      const { guest } = (await session.call('POST', `${api}/guests`, { body: { name: 'דנה' } })).body;
      await session.call('DELETE', `${api}/guests/${guest.id}`);
      await using shows = await visitConsole(server, LOOKS[look], {
        session,
        path: `${path}/invitation`,
        isKilled: true,
      });
      await using brings = await visitConsole(server, LOOKS[look], {
        session,
        path: `${path}/guests/deleted`,
        isKilled: true,
      });
      const choose = shows.page.locator('input[type=file]');
      const image = { name: 'red.png', mimeType: 'image/png', buffer: await picture() };
      const stored = async () => (await session.call('GET', `${api}/invitation/picture`)).body.picture;

      const isShown = await killOnce(shows.page, `**${api}/invitation/picture`, 'PUT', server);
      await choose.setInputFiles(image);
      await shows.page.getByRole('alert').getByText(words.kept).waitFor();
      assert.ok(isShown());
      await shows.look();
      server = await spawnReadyServer(env);
      assert.deepEqual([(await stored()).width, (await stored()).height], [600, 900]);
      await choose.setInputFiles(image);
      await shows.page.locator('main img').waitFor();

      const restore = brings.page.getByRole('button', { name: words.restore });
      const isBrought = await killOnce(brings.page, `**${api}/guests/*/restore`, 'POST', server);
      await restore.click();
      await brings.page.getByText(words.kept).waitFor();
      assert.ok(isBrought());
      await brings.look();
      server = await spawnReadyServer(env);
      await restore.click();
      await brings.page.getByText(words.restored).waitFor();
      await restore.waitFor({ state: 'detached' });
      const { guests } = (await session.call('GET', `${api}/guests`)).body;
      assert.deepEqual(
        guests.map(({ id, name }: Record<string, string>) => [id, name]),
        [[guest.id, 'דנה']],
      );
    } finally {
      server.child.kill('SIGTERM');
      await server.ended;
    }
  });
}

/** Somebody's event, by its path in the API and in the console. */
async function planned(url: string, dataDir: string) {
  const session = await newSession({ url, dataDir, call: createClient(url) });
  const about = { title: 'החתונה של נועה', event_date: '2099-06-15T19:30', venue_name: 'עדן' };
  const { event } = (await session.call('POST', '/api/events', { body: about })).body;
  return { session, api: `/api/events/${event.id}`, path: `/events/${event.id}` };
}

/** The server does what the page asks for, and dies before it can say so. Tells whether it has. */
async function killOnce(
  page: Page,
  address: string,
  method: string,
  server: Awaited<ReturnType<typeof spawnReadyServer>>,
): Promise<() => boolean> {
  let isKilled = false;
  await page.route(address, async (route) => {
    if (route.request().method() !== method || isKilled) return route.continue();
    isKilled = true;
    assert.ok((await route.fetch()).ok());
    server.child.kill('SIGKILL');
    await server.ended;
    await route.abort('connectionreset');
  });
  return () => isKilled;
}
