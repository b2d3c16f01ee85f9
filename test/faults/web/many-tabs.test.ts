import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { newUserEvent, visitAt } from '../../web/event-page.ts';

// A browser has six connections for a server, all of its tabs together.
const TABS = 8;

const row = (page: Page, name: string) => page.locator('li, tr', { hasText: name });

/** Chromium without a window takes each of its pages for one that is seen. */
const see = (page: Page, isSeen: boolean) =>
  page.evaluate(`(() => {
    Object.defineProperty(document, 'visibilityState', { value: '${isSeen ? 'visible' : 'hidden'}', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  })()`);

test('however many tabs are at an event, the next one works, and who comes back to one sees what was missed', async () => {
  const plan = await newUserEvent();
  await using at = await visitAt(plan, 'desk', 'guests');
  const pages = [at.page];
  const newGuest = (name: string) =>
    plan.session.call('POST', `/api/events/${plan.id}/guests`, { body: { name } });
  await newGuest('First');
  for (const page of pages) {
    await row(page, 'First').waitFor();
    await see(page, false);
    if (pages.length === TABS) break;
    const next = await at.context.newPage();
    await next.goto(`${plan.server.url}/events/${plan.id}/guests`);
    pages.push(next);
  }
  await newGuest('Second');
  await see(at.page, true);
  await row(at.page, 'Second').waitFor();
});
