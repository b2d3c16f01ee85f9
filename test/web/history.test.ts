import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../support/until.ts';
import { newUserEvent, sectionLink, visitAt } from './event-page.ts';
import { looksOf } from './looks.ts';

// Who did what with an event.

const WORDS = {
  phone: {
    booked: 'ספק חדש',
    imported: /מוזמנים הגיעו מקובץ.*נוספו\W+2/s,
    vendors: 'ספקים',
    byYou: 'על ידיכם',
  },
  desk: {
    booked: 'New vendor',
    imported: /Guests were imported from a file.*Added\W+2/s,
    vendors: 'Vendors',
    byYou: 'by you',
  },
} as const;

const NAME = 'קייטרינג הגפן & Sons';

for (const look of looksOf(import.meta.url, 'phone', 'desk')) {
  const words = WORDS[look];

  test(`the history loads further entries on scrolling, on a ${look}`, async () => {
    const plan = await newUserEvent();
    const { session, id } = plan;
    const call = (method: string, path: string, body: object) =>
      session.call(method, `/api/events/${id}${path}`, { body });
    const vendor = (await session.call('POST', '/api/vendors', { body: { name: NAME, kind: 'dj' } })).body
      .vendor;
    await call('POST', '/bookings', { vendor_id: vendor.id });
    const { guest } = (await call('POST', '/guests', { name: 'דוד כהן' })).body;
    for (let size = 2; size < 50; size += 1) await call('PUT', `/guests/${guest.id}`, { party_size: size });
    const gone = (await call('POST', '/guests', { name: 'Dana Levi' })).body.guest;
    await session.call('DELETE', `/api/events/${id}/guests/${gone.id}`);
    await session.call('POST', `/api/events/${id}/guests/import`, {
      body: 'שם\nNoa\nSami',
      headers: { 'content-type': 'text/csv' },
    });
    await using at = await visitAt(plan, look, 'history');
    const { page } = at;
    // Each line says itself whom it is about.
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.reload();
    const lines = page.locator('main ol li');
    await lines.filter({ hasText: 'Dana Levi' }).first().waitFor();
    await lines.filter({ hasText: 'דוד כהן' }).filter({ hasText: '49' }).first().waitFor();
    await lines.filter({ hasText: words.byYou }).first().waitFor();
    const imported = lines.filter({ hasText: words.imported });
    await imported.waitFor();
    await at.look();
    await page.mouse.wheel(0, 100_000);
    await until(async () => {
      await page.keyboard.press('End');
      return (await lines.filter({ hasText: NAME }).filter({ hasText: words.booked }).count()) === 1;
    });
    assert.deepEqual(
      asked.filter((url) => /\/guests\/[0-9a-f-]{36}/.test(url)),
      [],
    );
    const vendors = sectionLink(page, words.vendors);
    await vendors.click();
    await page.locator('main nav a[aria-current=true]').getByText(words.vendors).waitFor();
    await until(async () => (await lines.count()) === 1);
    assert.match(page.url(), /about=booking/);
  });
}
