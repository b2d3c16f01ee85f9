import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../support/until.ts';
import { visit } from './console.ts';
import { LOOKS } from './looks.ts';
import { button, planned } from './planned.ts';

/** The rows that are seen below the page's head, and what is told stands before. */
const COVERED = `(() => {
  const head = document.querySelector('header').getBoundingClientRect().bottom;
  const told = document.querySelector('.mantine-Notification-root').getBoundingClientRect();
  const rows = [...document.querySelectorAll('main li, main tr')].map((row) => [row, row.getBoundingClientRect()]);
  const seen = rows.filter(([, { bottom, top }]) => bottom > head && top < innerHeight);
  if (seen.length < 4) throw new Error('there is no list');
  return seen
    .filter(([, { bottom, top }]) => Math.max(top, head) < told.bottom && bottom > told.top)
    .map(([row]) => row.textContent);
})()`;

for (const look of [{ ...LOOKS.phone, locale: 'en-GB' }, LOOKS.desk]) {
  const { width } = look.viewport;
  test(`what is told in passing covers no row of a list, in a window ${width} wide`, async () => {
    const { server, session, id } = await planned();
    const names = Array.from({ length: 30 }, (_, at) => `Guest ${at + 10}`);
    for (const name of names)
      assert.equal((await session.call('POST', `/api/events/${id}/guests`, { body: { name } })).status, 201);
    await using at = await visit(server, look, { session, path: `/events/${id}/guests` });
    const { page } = at;
    await page.getByRole('link', { name: 'Guest 10' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Delete/ })
      .click();
    await button(page, 'Undo').waitFor();
    await page.locator('.mantine-Drawer-overlay').waitFor({ state: 'detached' });
    await page.evaluate('scrollTo(0, 400)');
    await until(async () => Number(await page.evaluate('scrollY')) > 100);
    assert.deepEqual(await page.evaluate(COVERED), []);
    await button(page, 'Undo').waitFor();
    await at.look();
  });
}
