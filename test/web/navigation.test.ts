import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { GROUPS, SECTIONS } from '../../web/src/features/events/api/sections.ts';
import { testInLane } from '../support/test-in-lane.ts';
import { isOnTop, visitConsole } from './console.ts';
import { newUserEvent, openSection, visitAt } from './event-page.ts';
import { LOOKS } from './looks.ts';

testInLane('on a phone, five groups below the thumb lead to every section of an event', async () => {
  const plan = await newUserEvent();
  await using at = await visitAt(plan, 'phone', 'guests');
  const { page } = at;
  const bar = page.getByRole('navigation', { name: 'מדורי האירוע' });
  await bar.waitFor();
  assert.equal(await bar.getByRole('link').count(), GROUPS.length);
  for (const section of SECTIONS) {
    await openSection(page, plan.id, section);
    await page.waitForURL(`**${section.to.replace('$eventId', plan.id)}`);
    await page.locator('#content h2').first().waitFor();
    const { y = 0, height = 0 } = (await bar.boundingBox()) ?? {};
    assert.equal(y + height, LOOKS.phone.viewport.height);
    assert.equal(await bar.locator('[aria-current]').count(), 1);
  }
  await at.look();
});

testInLane('a form’s save button stays above the bar at the bottom of a phone', async () => {
  const plan = await newUserEvent();
  await using at = await visitAt(plan, 'phone', 'invitation');
  const { page } = at;
  await page.locator('[data-path=hosts_hebrew]').fill('נועה ואיתי');
  assert.equal(await isOnTop(page.locator('main button[type=submit]')), true);
  await at.look();
});

testInLane('on a phone, the pages outside of an event have a bar at the bottom too', async () => {
  const { server, session } = await newUserEvent();
  await using at = await visitConsole(server, LOOKS.phone, { session, path: '/today' });
  const { page } = at;
  const bar = page.getByRole('navigation', { name: 'דפים' });
  for (const [name, path] of [
    ['האירועים שלי', '/events'],
    ['הספקים שלי', '/vendors'],
    ['הגדרות', '/settings'],
    ['היום', '/today'],
  ] as const) {
    await bar.getByRole('link', { name }).click();
    await page.waitForURL(`**${path}`);
    await bar.locator('[aria-current]').getByText(name).waitFor();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await at.look();
  }
});

testInLane('the first link of an event’s page leads behind its navigation', async () => {
  const plan = await newUserEvent();
  await plan.session.call('POST', `/api/events/${plan.id}/guests`, { body: { name: 'Dana' } });
  await using at = await visitAt(plan, 'desk', 'guests');
  const { page } = at;
  await page.locator('[data-guest]').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  assert.equal(await focused(page, `.closest('#content') !== null`), true);
});

testInLane('at 320 px, the page’s header has one line', async () => {
  const { server, session } = await newUserEvent();
  const look = { ...LOOKS.phone, locale: 'en-GB', viewport: { width: 320, height: 640 } };
  await using at = await visitConsole(server, look, { session, path: '/today' });
  const name = at.page.locator('header').getByText('Simcha', { exact: true });
  assert.ok(((await name.boundingBox())?.height ?? 0) < 30);
  await at.look();
});

const focused = (page: Page, what: string) => page.evaluate(`document.activeElement${what}`);
