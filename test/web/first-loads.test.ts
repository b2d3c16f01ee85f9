import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { FirstLoads } from '../../server/console/first-loads.ts';
import { testInLane } from '../support/test-in-lane.ts';
import { until } from '../support/until.ts';
import { visitConsole } from './console.ts';
import { newUserEvent } from './event-page.ts';
import { LOOKS } from './looks.ts';

const BUILT = new URL('../../web/dist/.vite/first-loads.json', import.meta.url);

testInLane('what the document names for early loading is what its page reads, once', async () => {
  const { fonts, pages }: FirstLoads = JSON.parse(await readFile(BUILT, 'utf8'));
  const { server, session, id } = await newUserEvent();
  const guest = await session.call('POST', `/api/events/${id}/guests`, { body: { name: 'Dana' } });
  assert.equal(guest.status, 201);
  await using at = await visitConsole(server, LOOKS.phone, { session, path: '/settings' });
  const { page } = at;
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url().slice(server.url.length)));
  for (const { path, data, files } of pages) {
    asked.length = 0;
    await page.goto(server.url + path.replace(':id', id));
    await page.locator('h1').waitFor();
    await until(async () => (await page.locator('.mantine-Skeleton-root').count()) === 0);
    const addresses = [
      ...data.map((one) => one.replace(':id', id)),
      ...[...files, ...fonts.he].map((one) => `/console/${one}`),
    ];
    const times = addresses.map((address) => [address, asked.filter((one) => one === address).length]);
    assert.deepEqual(
      times,
      addresses.map((address) => [address, 1]),
      path,
    );
    const scripts = asked.filter((one) => /\/console\/assets\/.*\.js$/.test(one));
    assert.ok(scripts.length <= 13, `${path} needs ${scripts.length} scripts`);
  }
});
