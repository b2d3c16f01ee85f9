import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visitConsole } from './console.ts';
import { buttonNamed, newUserEvent } from './event-page.ts';
import { LOOKS, looksOf } from './looks.ts';

const WORDS = {
  phone: {
    title: 'מעבר אל',
    open: 'מעבר לכל מקום (Ctrl+K)',
    section: 'ספקים',
    page: 'הגדרות',
    nothing: 'לא נמצא דבר.',
  },
  desk: {
    title: 'Go to',
    open: 'Go anywhere (Ctrl+K)',
    section: 'Vendors',
    page: 'Settings',
    nothing: 'Nothing found.',
  },
  arabic: {
    title: 'الانتقال إلى',
    open: 'الانتقال إلى أي مكان (Ctrl+K)',
    section: 'المورّدون',
    page: 'الإعدادات',
    nothing: 'لا توجد نتائج.',
  },
} as const;

for (const name of looksOf(import.meta.url, 'phone', 'desk', 'arabic')) {
  const options = LOOKS[name];
  const words = WORDS[name];
  test(`the palette goes anywhere by a few letters, on a ${name}`, async () => {
    const plan = await newUserEvent({ title: 'Gala' });
    const { session, server, id } = plan;
    await session.call('POST', `/api/events/${id}/guests`, {
      body: { name: 'דנה כהן', phone: '050-123-4567' },
    });
    await using at = await visitConsole(server, options, { session, path: '/today' });
    const { page } = at;
    const field = page.getByRole('combobox', { name: words.title });
    const option = (label: string) => page.getByRole('option', { name: label, exact: true });

    await buttonNamed(page, words.open).click();
    await field.waitFor();
    await option(words.page).waitFor();
    await at.look();
    await field.fill('gal');
    await option('Gala').waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/events/${id}`);

    // A section of the event that is open, and a guest of it by a part of their number.
    await page.keyboard.press('Control+k');
    await field.fill(words.section);
    // What is pressed while the list still grows shorter is another row when it is let go.
    await option(words.page).waitFor({ state: 'detached' });
    await option(words.section).first().click();
    await page.waitForURL(`**/events/${id}/vendors`);
    await page.keyboard.press('Control+k');
    await field.fill('050-123');
    await option('דנה כהן').waitFor();
    await at.look();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/events/${id}/guests?guest=*`);
    await page.locator('[data-path=name]').waitFor();
    assert.equal(await page.locator('[data-path=name]').inputValue(), 'דנה כהן');

    await page.keyboard.press('Control+k');
    await field.fill('xyzzy');
    await page.getByText(words.nothing).waitFor();
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
  });
}
