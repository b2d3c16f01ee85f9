import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { createClient } from '../../support/client.ts';
import { freePort } from '../../support/postgres.ts';
import { spawnReadyServer } from '../../support/process.ts';
import { temporaryDatabase } from '../../support/server.ts';
import { newSession } from '../../support/sessions.ts';
import { visit } from '../../web/console.ts';
import { LOOKS, looksOf } from '../../web/looks.ts';
import { button } from '../../web/planned.ts';

const field = (page: Page, name: string) => page.locator(`[data-path=${name}]`);
const row = (page: Page, name: string) => page.locator('li, tr', { hasText: name });

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
  },
  desk: {
    nobody: 'Nobody has said yes so far',
    live: 'Live',
    again: 'Connecting again…',
    away: 'The server can’t be reached right now. What you see',
    kept: 'The server can’t be reached right now. What you typed is kept here',
    add: 'Add',
    save: 'Save',
    saved: 'Saved.',
    one: 'One person is coming',
  },
} as const;

for (const look of looksOf(import.meta.url, 'phone', 'desk')) {
  const words = DEATH[look];
  test(`the server is killed while people type: nothing is lost, or stored twice, and it goes on, as on a ${look}`, async () => {
    await using place = await temporaryDatabase('embedded');
    const env = { ...place.env, PORT: String(await freePort()) };
    let server = await spawnReadyServer(env);
    const { url } = server;
    try {
      const dataDir = place.env.DATA_DIR;
      const session = await newSession({ url, dataDir, call: createClient(url) });
      const about = { title: 'החתונה של נועה', event_date: '2099-06-15T19:30', venue_name: 'עדן' };
      const { event } = (await session.call('POST', '/api/events', { body: about })).body;
      const api = `/api/events/${event.id}`;
      const path = `/events/${event.id}`;
      await using adds = await visit(server, LOOKS[look], {
        session,
        path: `${path}/guests?add=true`,
        isKilled: true,
      });
      await using writes = await visit(server, LOOKS[look], {
        session,
        path: `${path}/invitation`,
        isKilled: true,
      });
      await using watches = await visit(server, LOOKS[look], { session, path, isKilled: true });
      await watches.page.getByText(words.nobody).waitFor();
      await watches.page.getByText(words.live, { exact: true }).waitFor();
      await field(adds.page, 'name').fill('דנה');
      await field(adds.page, 'phone').fill('050-123-4567');
      await field(writes.page, 'hosts_hebrew').fill('נועה ואיתי');

      // It takes the guest down, and dies before it can say so.
      let killed = 0;
      await adds.page.route(`**${api}/guests`, async (route) => {
        if (route.request().method() !== 'POST' || killed > 0) return route.continue();
        killed += 1;
        assert.equal((await route.fetch()).status(), 201);
        server.child.kill('SIGKILL');
        await server.ended;
        await route.abort('connectionreset');
      });
      await button(adds.page, words.add).click();
      await adds.page.getByRole('alert').getByText(words.kept).waitFor();
      assert.equal(killed, 1);
      await button(writes.page, words.save).click();
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
      await button(adds.page, words.add).click();
      await adds.page.locator('.mantine-Drawer-overlay').waitFor({ state: 'detached' });
      await row(adds.page, 'דנה').waitFor();
      await adds.page.getByText(words.away).waitFor({ state: 'detached' });
      const { guests } = (await session.call('GET', `${api}/guests`)).body;
      assert.deepEqual(
        guests.map(({ name, phone }: Record<string, string>) => [name, phone]),
        [['דנה', '+972501234567']],
      );
      await button(writes.page, words.save).click();
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
}
