import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { testInLane } from '../support/test-in-lane.ts';
import { until } from '../support/until.ts';
import { visitConsole } from './console.ts';
import { buttonNamed } from './event-page.ts';
import { LOOKS } from './looks.ts';
import { newUserSite, serverWithSites, type UserSite } from './user-site.ts';

const TIME = '2026-11-29T08:00:00.000Z';
const LINES = 50_000;
const ERROR_AT = 30_000;

const event = (id: number, text: string) => `id: ${id}\ndata: ${TIME} ${text}\n\n`;
const END = 'event: end\nid: end\ndata: {"status":"failed"}\n\n';

const lineText = (at: number) => {
  if (at === 1) return '[build] …';
  if (at === ERROR_AT) return '[build] \u001b[31mError: no \u001b[1mdess\u001b[0mert';
  return at === LINES ? '[build] failed after 12.34 s' : `[build] module ${at} transformed`;
};
const linesFrom = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => event(from + index, lineText(from + index))).join('');

/** Opens a failed deployment whose log is answered by `answer`, by the id of the last line that the browser has. */
async function visitLog(site: UserSite, answer: (after: number) => string, look: 'phone' | 'desk' = 'desk') {
  const { deployment_uuid: id } = await site.deploy();
  const at = await visitConsole(site.server, LOOKS[look], { session: site.session, path: '/today' });
  await at.page.route('**/logs/stream?*', (route) => {
    const after = Number(route.request().headers()['last-event-id'] ?? 0);
    return route.fulfill({ contentType: 'text/event-stream', body: answer(after) });
  });
  await at.page.goto(`${site.server.url}/sites/${site.name}/deployments/${id}`);
  return at;
}

const shownLines = (page: Page) => page.locator('[data-level]');

testInLane(
  '50,000 lines are drawn as far as they are seen, searched, and opened at the first error',
  async () => {
    await using site = await newUserSite();
    await using at = await visitLog(site, (after) => linesFrom(after + 1, LINES) + END);
    const { page } = at;
    await page.locator('[data-level=error]').getByText('Error: no dessert').waitFor();
    assert.ok((await shownLines(page).count()) < 150);
    assert.equal(await page.getByText('\u001b').count(), 0);
    await at.look();

    const search = page.getByRole('searchbox', { name: 'Search the log' });
    await search.fill(`module ${LINES - 7} `);
    await page
      .locator('mark')
      .getByText(`module ${LINES - 7}`)
      .waitFor();
    await page.getByText('1 of 1').waitFor();
    await at.look();
    await search.fill('NO DESSERT');
    await page.locator('mark').getByText('no dessert').waitFor();
    assert.equal(await page.locator('mark').count(), 1);
    await at.look();
    await search.fill('');
    await buttonNamed(page, 'First error').click();
    await page.locator('[data-level=error]').waitFor();

    const header = page.getByRole('button', { name: /Build/ });
    await page.locator('section[tabindex="0"]').evaluate((log) => log.scrollTo(0, 0));
    await header.getByText('12.34').waitFor();
    await header.click();
    await until(async () => (await shownLines(page).count()) === 0);
    await page.getByText(`+${LINES - 2}`).waitFor();
  },
);

testInLane('a log goes on after its last line when the connection was lost', async () => {
  await using site = await newUserSite();
  const asked: number[] = [];
  await using at = await visitLog(
    site,
    (after) => {
      asked.push(after);
      return after === 0 ? linesFrom(1, 40) : linesFrom(after + 1, 60) + END;
    },
    'phone',
  );
  const { page } = at;
  await page.getByText('module 60 transformed').waitFor();
  assert.deepEqual(asked, [0, 40]);
  await at.look();
});

testInLane('the log of a running site is live, and can be held', async () => {
  await using site = await newUserSite({
    'server.js': `let n = 0;
setInterval(() => console.log('tick ' + ++n), 100);
require('node:http').createServer((request, response) => response.end('on')).listen(process.env.PORT);`,
  });
  assert.equal((await site.deploy()).status, 'live');
  const path = `/sites/${site.name}/logs`;
  await using at = await visitConsole(await serverWithSites(), LOOKS.desk, { session: site.session, path });
  const { page } = at;
  await page.getByText('tick 60', { exact: true }).waitFor();
  // The browser reports that the log was scrolled to its end only after the click.
  await buttonNamed(page, 'Hold').evaluate(async (button) => {
    button.click();
    await new Promise((resolve) => setTimeout(resolve));
    button.ownerDocument.querySelector('section[tabindex="0"]')?.dispatchEvent(new Event('scroll'));
  });
  await page.getByRole('button', { name: /new lines/ }).waitFor();
  await at.look();
  await page.getByRole('button', { name: /new lines/ }).click();
  await buttonNamed(page, 'Hold').waitFor();
});
