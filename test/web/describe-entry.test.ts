import assert from 'node:assert/strict';
import { testInLane } from '../support/test-in-lane.ts';
import { until } from '../support/until.ts';
import { isOnTop, visitConsole } from './console.ts';
import { buttonNamed, newUserEvent } from './event-page.ts';
import { LOOKS } from './looks.ts';

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
  testInLane(`a notification covers no row of a list, in a window ${width} wide`, async () => {
    const { server, session, id } = await newUserEvent();
    const names = Array.from({ length: 30 }, (_, at) => `Guest ${at + 10}`);
    for (const name of names)
      assert.equal((await session.call('POST', `/api/events/${id}/guests`, { body: { name } })).status, 201);
    await using at = await visitConsole(server, look, { session, path: `/events/${id}/guests` });
    const { page } = at;
    await page.getByRole('link', { name: 'Guest 10' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Delete/ })
      .click();
    await buttonNamed(page, 'Undo').waitFor();
    await page.locator('.mantine-Drawer-overlay').waitFor({ state: 'detached' });
    await page.evaluate('scrollTo(0, 400)');
    await until(async () => Number(await page.evaluate('scrollY')) > 100);
    assert.deepEqual(await page.evaluate(COVERED), []);
    await buttonNamed(page, 'Undo').waitFor();
    await at.look();
  });
}

for (const look of [
  LOOKS.phone,
  { ...LOOKS.phone, locale: 'ar', colorScheme: 'dark' as const },
  LOOKS.desk,
]) {
  testInLane(
    `a notification stays below the page’s header, and a sheet can be closed beside it (${look.locale})`,
    async () => {
      const { server, session, id } = await newUserEvent({ max_guests: 1 });
      const body = { name: 'Alexandra Konstantinopolsky', party_size: 3 };
      const { guest } = (await session.call('POST', `/api/events/${id}/guests`, { body })).body;
      const path = `/events/${id}/guests?guest=${guest.id}`;
      await using at = await visitConsole(server, look, { session, path });
      const { page } = at;
      const sheet = page.locator('.mantine-Drawer-content');
      await sheet.locator('.mantine-SegmentedControl-label').first().click();
      await sheet.locator('button[type=submit]').click();
      const note = page.locator('.mantine-Notification-root');
      await note.getByText(body.name).waitFor();
      // More than a line of it, beside the button that seats them all the same.
      const said = await note.locator('.mantine-Notification-description p').boundingBox();
      assert.ok((said?.height ?? 0) > 30);
      const { y = 0, height = 0 } = (await note.boundingBox()) ?? {};
      const head = await page.locator('header').first().boundingBox();
      assert.ok(y + height <= (head?.height ?? 0), `it ends at ${y + height}`);
      const close = sheet.locator('.mantine-Drawer-close');
      assert.ok(await isOnTop(close), 'the sheet’s button is covered');
      await at.look();
      await close.click();
      await sheet.waitFor({ state: 'detached' });
    },
  );
}
