import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { ANY_DATABASE } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { testInLane } from '../support/test-in-lane.ts';
import { until } from '../support/until.ts';
import { visitSignedIn } from './console.ts';
import { LOOKS, looksOf } from './looks.ts';

const WORDS = {
  phone: {
    title: 'החתונה של נועה ואיתי',
    venue: 'גן האירועים עדן',
    publish: 'פרסום',
    published: 'פורסם',
    yes: 'מגיעים',
  },
  desk: {
    title: 'Noa and Itay’s wedding',
    venue: 'Eden Gardens',
    publish: 'Publish',
    published: 'Published',
    yes: 'Coming',
  },
  arabic: {
    title: 'زفاف ليلى وسامر',
    venue: 'قاعة الأفراح',
    publish: 'نشر',
    published: 'منشورة',
    yes: 'قادمون',
  },
} as const;

/** A day in some months, by the calendar that opens. */
async function pickDay(page: Page): Promise<void> {
  await page.locator('[data-dates-input]').click();
  for (let month = 0; month < 4; month += 1) await page.locator('[data-direction=next]').first().click();
  await page.locator('table button:not([data-outside])').nth(15).click();
}

for (const name of looksOf(import.meta.url, 'phone', 'desk', 'arabic')) {
  const options = LOOKS[name];
  const words = WORDS[name];
  test(`an event is created, published and followed in a browser, on a ${name}`, async () => {
    const server = await sharedServer(ANY_DATABASE);
    await using at = await visitSignedIn(server, options);
    const { page, session } = at;
    await page.locator('a[href="/events/new"]').click();
    const title = page.locator('[data-path=title]');
    const submit = page.locator('main button[type=submit]').first();
    await submit.click();
    await page.locator('[data-path=title][aria-invalid=true]').waitFor();
    assert.equal(await page.evaluate('document.activeElement.dataset.path'), 'title');
    await title.fill(words.title);
    await pickDay(page);
    await page.locator('[data-path=venue_name]').fill(words.venue);
    await page.locator('[data-path=max_guests]').fill('320');
    // What was typed outlives a reload; the calendar's advice comes back with it.
    await page.reload();
    assert.equal(await title.inputValue(), words.title);
    await page.locator('[aria-live=polite]').first().waitFor();
    await at.look();
    await submit.click();
    await page.waitForURL(/\/events\/[0-9a-f-]{36}$/);
    const { events } = (await session.call('GET', '/api/events')).body;
    assert.deepEqual(
      events.map((event: Record<string, unknown>) => [
        event.title,
        event.venue_name,
        event.max_guests,
        event.status,
      ]),
      [[words.title, words.venue, 320, 'draft']],
    );

    // It is for good: said first, beside the page that guests will see, and left by a key as well.
    const publish = page.getByRole('button', { name: words.publish, exact: true });
    await publish.click();
    const asked = page.getByRole('dialog');
    await asked.frameLocator('iframe').getByText(words.title).first().waitFor();
    await at.look();
    await page.keyboard.press('Escape');
    await asked.waitFor({ state: 'hidden' });
    const before = (await session.call('GET', `/api/events/${events[0].id}`)).body.event;
    assert.equal(before.status, 'draft');
    await publish.click();
    await asked.getByRole('button', { name: words.publish, exact: true }).click();
    await page.getByText(words.published, { exact: true }).first().waitFor();
    await at.look();
    // An answer elsewhere is on this screen by itself.
    const path = `/api/events/${events[0].id}/guests`;
    const guest = { name: 'דוד כהן', party_size: 3, rsvp_status: 'confirmed' };
    assert.equal((await session.call('POST', path, { body: guest })).status, 201);
    await page.getByText('317').waitFor();

    await page.locator('nav a[href$="/details"]').click();
    await page.locator('[data-path=venue_address]').fill('דרך השרון 12');
    await submit.click();
    const kept = `sessionStorage.getItem('simcha.kept.event-${events[0].id}')`;
    await until(async () => (await page.evaluate(kept)) === null);
    await at.look();
    const { event } = (await session.call('GET', `/api/events/${events[0].id}`)).body;
    assert.equal(event.venue_address, 'דרך השרון 12');
  });
}

testInLane(
  'a conflicting change is shown beside the typed values, and one version of each field is chosen',
  async () => {
    const server = await sharedServer(ANY_DATABASE);
    await using at = await visitSignedIn(server, LOOKS.desk);
    const { page, session } = at;
    const body = { title: 'Gala', event_date: '2099-06-15T19:30', venue_name: 'Here', description: 'Once' };
    const { event } = (await session.call('POST', '/api/events', { body })).body;
    await page.goto(`${server.url}/events/${event.id}/details`);
    await page.locator('[data-path=title]').fill('Gala of the year');
    await page.locator('[data-path=venue_name]').fill('There');
    const elsewhere = { venue_name: 'Elsewhere', budget: 5000 };
    await session.call('PUT', `/api/events/${event.id}`, { body: elsewhere });
    await page.locator('main button[type=submit]').first().click();
    const stored = page.getByRole('radio', { name: 'Elsewhere' });
    await stored.waitFor();
    await at.look();
    await stored.click();
    await page.getByRole('button', { name: 'Save choices' }).click();
    await page.getByText('Saved.', { exact: true }).waitFor();
    const { event: now } = (await session.call('GET', `/api/events/${event.id}`)).body;
    assert.deepEqual([now.title, now.venue_name, now.budget], ['Gala of the year', 'Elsewhere', 5000]);
  },
);

testInLane(
  'without a network the form keeps the typed values, says so, and creates one event after a retry',
  async () => {
    const server = await sharedServer(ANY_DATABASE);
    await using at = await visitSignedIn(server, LOOKS.desk, '/events/new');
    const { page, session, context } = at;
    await page.locator('[data-path=title]').fill('Gala');
    await pickDay(page);
    await page.locator('[data-path=venue_name]').fill('Here');
    // The answer to the first one is lost on its way back.
    let lost = 0;
    await context.route('**/api/events', async (route) => {
      if (route.request().method() !== 'POST' || lost > 4) return route.continue();
      lost += 1;
      await route.fetch();
      await route.abort('connectionreset');
    });
    await page.locator('main button[type=submit]').first().click();
    await page.getByRole('alert').waitFor({ timeout: 20_000 });
    assert.equal(await page.locator('[data-path=title]').inputValue(), 'Gala');
    await page.locator('main button[type=submit]').first().click();
    await page.waitForURL(/\/events\/[0-9a-f-]{36}$/);
    assert.equal((await session.call('GET', '/api/events')).body.total, 1);
  },
);

testInLane('an event whose settings could not be saved is opened, and leads to them', async () => {
  const server = await sharedServer(ANY_DATABASE);
  await using at = await visitSignedIn(server, LOOKS.desk, '/events/new');
  const { page, session, context } = at;
  await page.locator('[data-path=title]').fill('Gala');
  await pickDay(page);
  await page.locator('[data-path=venue_name]').fill('Here');
  await context.route('**/rsvp', (route) =>
    route.request().method() === 'PUT' ? route.abort('connectionreset') : route.continue(),
  );
  await page.locator('main button[type=submit]').first().click();
  await page.waitForURL(/\/events\/[0-9a-f-]{36}$/, { timeout: 20_000 });
  await page.getByText('the number of plus-ones for each guest was not saved').waitFor();
  await at.look();
  await page.getByRole('button', { name: 'Settings', exact: true }).last().click();
  await page.waitForURL('**/invitation?part=answers');
  assert.equal((await session.call('GET', '/api/events')).body.total, 1);
});

testInLane('an event is cancelled after its consequences are shown, and deleted', async () => {
  const server = await sharedServer(ANY_DATABASE);
  await using at = await visitSignedIn(server, LOOKS.desk);
  const { page, session } = at;
  const body = { title: 'Gala', event_date: '2099-06-15T19:30', venue_name: 'Here' };
  const { event } = (await session.call('POST', '/api/events', { body })).body;
  await page.goto(`${server.url}/events/${event.id}`);
  await page.getByRole('button', { name: 'Cancel event' }).click();
  const group = page.getByRole('group', { name: 'Cancel event' });
  await group.getByRole('listitem').first().waitFor();
  await at.look();
  await group.getByRole('button', { name: 'Cancel event' }).click();
  await page.getByText('Cancelled', { exact: true }).first().waitFor();
  assert.equal((await session.call('GET', `/api/events/${event.id}`)).body.event.status, 'cancelled');
  await page.locator('nav a[href$="/details"]').click();
  await page.getByRole('button', { name: 'Delete event' }).click();
  await page.waitForURL('**/events');
  assert.equal((await session.call('GET', `/api/events/${event.id}`)).status, 404);
});
