import assert from 'node:assert/strict';
import { ANY_DATABASE } from '../support/server.ts';
import { newSession } from '../support/sessions.ts';
import { sharedServer } from '../support/shared-server.ts';
import { testInLane } from '../support/test-in-lane.ts';
import { until } from '../support/until.ts';
import { visitConsole } from './console.ts';
import { LOOKS } from './looks.ts';

testInLane('the people of a party get names, meals and allergies, on a phone in Hebrew', async () => {
  const server = await sharedServer(ANY_DATABASE);
  const session = await newSession(server);
  const { body } = await session.call('POST', '/api/events', {
    body: { title: 'חתונה', event_date: '2099-06-15T19:30', venue_name: 'עדן' },
  });
  const path = `/api/events/${body.event.id}`;
  const added = await session.call('POST', `${path}/guests`, {
    body: { name: 'משפחת כהן', party_size: 2, members: [{ name: 'רות כהן' }], rsvp_status: 'confirmed' },
  });
  const { id } = added.body.guest;
  const guest = async () => (await session.call('GET', `${path}/guests/${id}`)).body.guest;
  const members = async () =>
    (await guest()).members.map(({ name, meal, coming }: Record<string, unknown>) => [name, meal, coming]);

  await using at = await visitConsole(server, LOOKS.phone, {
    session,
    path: `${path.replace('/api', '')}/guests`,
  });
  const { page } = at;
  await page.getByText('רות כהן').waitFor();
  await page.locator(`[data-guest="${id}"]`).click();
  const add = page.getByRole('button', { name: 'הוספת שם' });
  await add.click();
  await page.locator('input:focus').fill('נועם');
  await page.getByRole('combobox', { name: 'מנה' }).click();
  await page.getByRole('option', { name: 'טבעוני', exact: true }).click();
  await page.getByRole('switch', { name: 'ילד/ה' }).click();
  await at.look();
  await add.click();
  await page.getByRole('button', { name: /^נועם/ }).waitFor();
  await at.look();
  await page.locator('form button[type=submit]').first().click();
  await until(async () => (await members()).length === 3);
  assert.deepEqual(await members(), [
    ['רות כהן', null, true],
    ['נועם', 'vegan', true],
    [null, null, true],
  ]);
  const { party_size, coming, coming_children, vegan } = await guest();
  assert.deepEqual([party_size, coming, coming_children, vegan], [3, 3, 1, 1]);
  await page.getByText('רות כהן, נועם').first().waitFor();
  await at.look();
});
