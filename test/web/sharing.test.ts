import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ANY_DATABASE } from '../support/server.ts';
import { newSession } from '../support/sessions.ts';
import { sharedServer } from '../support/shared-server.ts';
import { testInLane } from '../support/test-in-lane.ts';
import { until } from '../support/until.ts';
import { visitConsole, visitSignedIn } from './console.ts';
import { newUserEvent } from './event-page.ts';
import { LOOKS, looksOf } from './looks.ts';

const WORDS = {
  phone: { invite: 'הזמנה', look: 'צפייה', change: 'צפייה ועריכה', leave: 'לצאת מהאירוע' },
  desk: { invite: 'Invite', look: 'View', change: 'View and edit', leave: 'Leave event' },
} as const;

for (const name of looksOf(import.meta.url, 'phone', 'desk')) {
  const words = WORDS[name];
  test(`an event is shared in a browser, first for viewing and then for editing, on a ${name}`, async () => {
    const server = await sharedServer(ANY_DATABASE);
    await using at = await visitSignedIn(server, LOOKS[name]);
    const { page, session } = at;
    const other = await newSession(server);
    const body = { title: 'Gala', event_date: '2099-06-15T19:30', venue_name: 'Here' };
    const { event } = (await session.call('POST', '/api/events', { body })).body;
    await page.goto(`${server.url}/events/${event.id}/sharing`);
    const email = page.locator('[data-path=email]');
    await email.fill('nobody');
    await page.getByRole('button', { name: words.invite, exact: true }).click();
    await page.locator('[data-path=email][aria-invalid=true]').waitFor();
    await email.fill(other.email);
    await page.locator('[data-path=access]').click();
    await page.getByRole('option', { name: words.look, exact: true }).click();
    await page.getByRole('button', { name: words.invite, exact: true }).click();
    const listed = page.getByRole('listitem').filter({ hasText: other.email });
    await listed.waitFor();
    await at.look();

    await using there = await visitConsole(server, LOOKS[name], { session: other });
    await there.page.getByRole('link', { name: 'Gala' }).click();
    await there.page.getByRole('heading', { level: 1 }).waitFor();
    await there.page.locator('nav a[href$="/details"]').click();
    await there.page.waitForURL('**/details');
    assert.equal(await there.page.locator('form').count(), 0);

    await listed.getByRole('combobox').click();
    await page.getByRole('option', { name: words.change, exact: true }).click();
    // The event's stream is open as long as the page: what is stored says that it was changed.
    const access = async () =>
      (await session.call('GET', `/api/events/${event.id}/co-organizers`)).body.co_organizers[0].access;
    await until(async () => (await access()) === 'edit');
    await there.page.reload();
    await there.page.locator('[data-path=venue_name]').fill('There');
    await there.page.locator('main button[type=submit]').click();
    await there.page.locator('nav a[href$="/sharing"]').click();
    await there.look();
    await there.page.getByRole('button', { name: words.leave }).click();
    await there.page.getByRole('button', { name: words.leave }).click();
    await there.page.waitForURL('**/events');
    const { event: now } = (await session.call('GET', `/api/events/${event.id}`)).body;
    assert.equal(now.venue_name, 'There');
    assert.equal((await other.call('GET', `/api/events/${event.id}`)).status, 403);
  });
}

testInLane('a caterer looks at guests without contact details, on a Hebrew phone in the dark', async () => {
  const plan = await newUserEvent();
  const { server, session, id } = plan;
  const caterer = await newSession(server);
  const dana = {
    name: 'דנה לוי',
    phone: '050-1234567',
    note: 'חברה של אמא',
    allergies: 'בוטנים',
    rsvp_status: 'confirmed',
  };
  const { guest } = (await session.call('POST', `/api/events/${id}/guests`, { body: dana })).body;
  const invitation = { email: caterer.email, access: 'view_without_contacts' };
  await session.call('POST', `/api/events/${id}/co-organizers`, { body: invitation });
  const look = { ...LOOKS.phone, colorScheme: 'dark' } as const;
  await using at = await visitConsole(server, look, { session: caterer, path: `/events/${id}` });
  const { page } = at;
  await page.getByRole('heading', { level: 1 }).waitFor();
  const links = page.locator('nav a');
  await links.filter({ hasText: 'הזמנה' }).first().waitFor();
  assert.equal(
    await page
      .locator(`nav a[href$="/messages"], nav a[href$="/history"], nav a[href$="${id}/vendors"]`)
      .count(),
    0,
  );
  await page
    .getByText('דנה')
    .or(page.getByRole('heading', { level: 2 }))
    .first()
    .waitFor();
  assert.equal(await page.getByText('תקציב').count(), 0);
  assert.equal(await page.getByRole('alert').count(), 0);
  await at.look();
  await page.goto(`${server.url}/events/${id}/guests`);
  await page.getByText('דנה לוי').waitFor();
  await at.look();
  assert.equal(await page.getByText('050').count(), 0);
  await page.goto(`${server.url}/events/${id}/guests?guest=${guest.id}`);
  const sheet = page.getByRole('dialog');
  await sheet.getByText('בוטנים').or(sheet.locator('[data-path=allergies]')).first().waitFor();
  assert.equal(await sheet.locator('[data-path=phone], [data-path=email], [data-path=note]').count(), 0);
  await at.look();
  await page.goto(`${server.url}/events/${id}/waiting`);
  await page.getByRole('heading', { level: 2 }).first().waitFor();
  await at.look();
  // An address that somebody sent them says why there is nothing.
  await page.goto(`${server.url}/events/${id}/history`);
  await page.getByText('בלי פרטי הקשר של האורחים').waitFor();
  await at.look();
  await page.goto(`${server.url}/events/${id}/questions?view=caterer`);
  await page.frameLocator('iframe').getByText('בוטנים').waitFor();
});
