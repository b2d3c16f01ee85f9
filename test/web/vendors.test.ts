import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { testInLane } from '../support/test-in-lane.ts';
import { until } from '../support/until.ts';
import { visitConsole } from './console.ts';
import { buttonNamed, newUserEvent, visitAt } from './event-page.ts';
import { LOOKS, looksOf } from './looks.ts';

// An organizer’s vendors, what they cost and when it is paid, as people do it: on a phone in Hebrew, at a desk in
// English.

const WORDS = {
  phone: {
    add: 'הוספת ספק',
    catering: 'קייטרינג',
    plate: 'לפי מנה',
    addIt: 'הוספה לאירוע',
    addPayment: 'הוספת תשלום',
    paid: 'שולם:',
    remove: 'הסרה מהאירוע',
    undo: 'ביטול',
    confirmed: 'סגור',
    save: 'שמירה',
    choose: 'שמירת הבחירה',
    stored: 'הגרסה השמורה',
    keepVendor: 'שמירת הספק',
    newVendor: 'ספק חדש',
    removeVendor: 'מחיקת הספק',
  },
  desk: {
    add: 'Add vendor',
    catering: 'Catering',
    plate: 'Per plate',
    addIt: 'Add to event',
    addPayment: 'Add payment',
    paid: 'Paid:',
    remove: 'Remove from event',
    undo: 'Undo',
    confirmed: 'Confirmed',
    save: 'Save',
    choose: 'Save choices',
    stored: 'Saved version',
    keepVendor: 'Save vendor',
    newVendor: 'New vendor',
    removeVendor: 'Delete vendor',
  },
} as const;

const NAME = 'קייטרינג הגפן & Sons';
const field = (page: Page, path: string) => page.locator(`[role=dialog] [data-path=${path}]`);

for (const look of looksOf(import.meta.url, 'phone', 'desk')) {
  const words = WORDS[look];

  test(`a vendor is created and booked in one step, paid, removed and restored, on a ${look}`, async () => {
    const plan = await newUserEvent({ kashrut_level: 'mehadrin', budget: 50_000 });
    const { session, id } = plan;
    const stored = async () => (await session.call('GET', `/api/events/${id}/bookings`)).body.bookings;
    await using at = await visitAt(plan, look, 'vendors');
    const { page } = at;
    const sheet = page.getByRole('dialog');
    await buttonNamed(page, words.add).click();
    await buttonNamed(page, words.addIt).click();
    await page.locator('[data-path=name][aria-invalid=true]:focus').waitFor();
    await field(page, 'name').fill(NAME);
    await field(page, 'kind').click();
    await page.getByRole('option', { name: words.catering }).click();
    await field(page, 'phone').fill('03-1234567');
    await sheet.getByText(words.plate, { exact: true }).click();
    await field(page, 'price_per_plate').fill('250');
    await field(page, 'plates').fill('100');
    await field(page, 'minimum_plates').fill('120');
    await field(page, 'deposit').fill('90000');
    await field(page, 'from').fill('18:00');
    await field(page, 'until').fill('02:00');
    // What was typed outlives a reload, and what the server has against it stands at its field.
    await page.reload();
    assert.equal(await field(page, 'name').inputValue(), NAME);
    await at.look();
    await buttonNamed(page, words.addIt).click();
    await page.locator('[data-path=deposit][aria-invalid=true]:focus').waitFor();
    await field(page, 'deposit').fill('5000');
    await buttonNamed(page, words.addIt).click();
    await buttonNamed(page, words.addPayment).waitFor();
    const [booking] = await stored();
    assert.equal(booking.vendor_name, NAME);
    assert.equal(booking.total, 30_000);
    assert.deepEqual(
      [booking.starts_at, booking.ends_at],
      ['2099-06-15T15:00:00.000Z', '2099-06-15T23:00:00.000Z'],
    );
    assert.equal((await session.call('GET', '/api/vendors')).body.total, 1, 'it was made once');

    // A payment, and that it was made.
    await buttonNamed(page, words.addPayment).click();
    await page.locator('[role=dialog] [data-path=amount]:focus').fill('5000');
    await at.look();
    await sheet.getByRole('button', { name: words.addPayment }).click();
    await sheet.getByRole('button', { name: words.paid }).click();
    await until(async () => (await stored())[0].payments[0]?.paid_date !== null);
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'hidden' });
    // A warning stands at what it is about.
    await page.getByRole('main').getByRole('listitem').filter({ hasText: NAME }).first().waitFor();
    await page.locator('main ul[aria-label] li svg').first().waitFor();
    await at.look();

    // Removed and brought back.
    await page.getByRole('main').getByRole('link', { name: NAME }).first().click();
    await buttonNamed(page, words.remove).click();
    await until(async () => (await stored()).length === 0);
    await buttonNamed(page, words.undo).click();
    await until(async () => (await stored()).length === 1);
    await page.getByRole('main').getByRole('link', { name: NAME }).first().waitFor();
  });

  testInLane(
    `an agreement that was changed elsewhere too offers a choice of versions, on a ${look}`,
    async () => {
      const plan = await newUserEvent();
      const { session, id } = plan;
      const vendor = (await session.call('POST', '/api/vendors', { body: { name: NAME, kind: 'dj' } })).body
        .vendor;
      const body = {
        vendor_id: vendor.id,
        price: 6000,
        payments: [{ amount: 1000, due_date: '2099-01-03' }],
      };
      const path = `/api/events/${id}/bookings`;
      const { booking } = (await session.call('POST', path, { body })).body;
      await using at = await visitAt(plan, look, `vendors?booking=${booking.id}`);
      const { page } = at;
      await field(page, 'price').fill('7000');
      await page.getByRole('dialog').getByText(words.confirmed, { exact: true }).click();
      // A payment makes a new version of which nothing stands in the form; another price does not.
      await session.call('PUT', `${path}/${booking.id}`, { body: { price: 6500, note: 'עד חצות' } });
      await buttonNamed(page, words.save).click();
      await buttonNamed(page, words.choose).waitFor();
      await at.look();
      await page.getByRole('radio', { name: words.stored }).click();
      await buttonNamed(page, words.choose).click();
      const now = async () => (await session.call('GET', `${path}/${booking.id}`)).body.booking;
      await until(async () => (await now()).status === 'confirmed');
      const { price, note } = await now();
      assert.deepEqual([price, note], [6500, 'עד חצות']);
    },
  );

  testInLane(`vendors are saved, found, edited and deleted, on a ${look}`, async () => {
    const { server, session } = await newUserEvent();
    for (let n = 1; n <= 6; n += 1)
      await session.call('POST', '/api/vendors', {
        body: { name: `צלם ${n}`, kind: 'photographer', phone: `050-000000${n}` },
      });
    await using at = await visitConsole(server, LOOKS[look], { session, path: '/vendors' });
    const { page } = at;
    await buttonNamed(page, words.newVendor).click();
    await field(page, 'name').fill(NAME);
    await field(page, 'kind').click();
    await page.getByRole('option', { name: words.catering }).click();
    await field(page, 'email').fill('nowhere');
    await buttonNamed(page, words.keepVendor).click();
    await page.locator('[data-path=email][aria-invalid=true]:focus').waitFor();
    await at.look();
    await field(page, 'email').fill('gefen@example.com');
    await buttonNamed(page, words.keepVendor).click();
    await page.getByRole('link', { name: NAME }).waitFor();
    await page.getByRole('searchbox').fill('0500000004');
    await until(async () => (await page.locator('main li').count()) === 1);
    assert.match(page.url(), /q=/);
    await page.getByRole('link', { name: 'צלם 4' }).click();
    await field(page, 'contact_name').fill('רות');
    await buttonNamed(page, words.save).click();
    const listed = async () => (await session.call('GET', '/api/vendors')).body.vendors;
    await until(async () =>
      (await listed()).some((one: { contact_name: string }) => one.contact_name === 'רות'),
    );
    // Also by its address alone; what was told at the edge is gone with the page.
    await page.reload();
    await buttonNamed(page, words.removeVendor).click();
    await at.look();
    await buttonNamed(page, words.removeVendor).click();
    await until(async () => (await listed()).length === 6);
  });
}

test('unknown parameters in an address of the vendors are ignored', async () => {
  const { server, session } = await newUserEvent();
  for (const search of ['q=[1,2]', 'q={"a":1}', 'q=[null]', 'kind=__proto__', 'vendor={"a":1}']) {
    await using at = await visitConsole(server, LOOKS.desk, { session, path: `/vendors?${search}` });
    await buttonNamed(at.page, WORDS.desk.newVendor).waitFor();
    assert.equal(await at.page.getByRole('alert').count(), 0, search);
  }
});

testInLane('the server’s error about a chosen version is shown below the choice', async () => {
  const plan = await newUserEvent();
  const { session, id } = plan;
  const { vendor } = (await session.call('POST', '/api/vendors', { body: { name: NAME, kind: 'dj' } })).body;
  const path = `/api/events/${id}/bookings`;
  const { booking } = (await session.call('POST', path, { body: { vendor_id: vendor.id, price: 6000 } }))
    .body;
  await using at = await visitAt(plan, 'desk', `vendors?booking=${booking.id}`);
  const { page } = at;
  await field(page, 'price').fill('7000');
  await session.call('PUT', `${path}/${booking.id}`, { body: { price: 6500 } });
  await buttonNamed(page, WORDS.desk.save).click();
  await buttonNamed(page, WORDS.desk.choose).waitFor();
  await session.call('DELETE', `${path}/${booking.id}`);
  await buttonNamed(page, WORDS.desk.choose).click();
  await page.getByRole('dialog').getByText('The event has no such booking.').waitFor();
  await at.look();
});
