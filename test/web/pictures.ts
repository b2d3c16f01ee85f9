import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { demoConsole, ROOT, untilSettled } from './demo-console.ts';
import { takeHomePictures } from './home-pictures.ts';

// Command `npm run pictures`: takes the pictures of the console in README.md and docs/organizing.md, and
// those of the home page.

const PHONE = { viewport: { width: 390, height: 844 }, timezoneId: 'Asia/Jerusalem' };
const DESK: BrowserContextOptions = {
  locale: 'en-GB',
  viewport: { width: 1000, height: 640 },
  timezoneId: 'Asia/Jerusalem',
};
const ROWS = [
  'Name,Phone,Email,Tag',
  'Cohen family,050-111-2233,cohen@example.com,bride',
  'Dana Levi,052-111-2244,,work',
  'Ron Azulay,05x-123,,groom',
  'Liat Sela,050-111-2255,liat at example.com,bride',
  'Michael Green,054-111-2266,,work',
].join('\n');

const keep = (page: Page, name: string) =>
  page.screenshot({ path: join(ROOT, 'docs/images', `${name}.png`) });

await using demo = await demoConsole();
const { url, session } = demo;
const { events } = (await session.call('GET', '/api/events?limit=100')).body;
const wedding = events.find(({ title }: { title: string }) => title === 'החתונה של נועה ואיתי');
for (const [name, look, part] of [
  ['console-overview', { ...PHONE, locale: 'he-IL' }, ''],
  ['console-guests', { ...PHONE, locale: 'he-IL' }, '/guests'],
  ['console-messages-dark', { ...PHONE, locale: 'ar', colorScheme: 'dark' }, '/messages'],
] as const) {
  const page = await demo.open(look, session);
  await page.goto(`${url}/events/${wedding.id}${part}`);
  await untilSettled(page);
  await keep(page, name);
  await page.context().close();
}

const organizer = await demo.signIn('noa@example.com');
const page = await demo.open(DESK, organizer);
const write = async (path: string, body: object) => {
  const { status, text, body: made } = await organizer.call('POST', path, { body });
  if (status !== 201) throw new Error(`${path}: ${text}`);
  return made;
};

await page.goto(`${url}/events/new`);
await page.locator('[data-path=title]').fill('Noa and Itay’s wedding');
await page.locator('[data-dates-input]').click();
const june = page.getByText(/^June 2027/);
while (!(await june.isVisible())) await page.locator('[data-direction=next]').first().click();
await page.locator('table button:not([data-outside])').nth(10).click();
// The calendar opens below its field only if there is enough space.
await page.evaluate('scrollTo(0, 190)');
await page.locator('[data-dates-input]').click();
await june.waitFor();
await page.locator('[data-advice]').first().waitFor();
await keep(page, 'organizing-date');

const { event } = await write('/api/events', {
  title: 'Noa and Itay’s wedding',
  event_date: '2027-06-15T19:30',
  venue_name: 'Eden Gardens',
  venue_address: '12 HaYarkon St, Tel Aviv',
  max_guests: 320,
  budget: 120_000,
  language_pref: 'english',
  noise_curfew_time: '23:00',
});
const api = `/api/events/${event.id}`;
const at = `${url}/events/${event.id}`;
await page.goto(`${at}/guests/import`);
await page.locator('input[type=file]').setInputFiles({
  name: 'guests.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(ROWS),
});
await page.getByRole('button', { name: 'Continue to rows' }).click();
await page.locator('[data-row]').first().waitFor();
await page.evaluate('scrollTo(0, 300)');
await page.waitForTimeout(300);
await keep(page, 'organizing-rows');

for (const name of ['Cohen family', 'Dana Levi', 'Michael Green', 'Ron Azulay', 'Liat Sela'])
  await write(`${api}/guests`, {
    name,
    party_size: 2,
    email: `${name.split(' ')[0]?.toLowerCase()}@example.com`,
  });
for (const name of ['Grandma Miriam', 'Yossi Bar', 'Tamar Katz']) await write(`${api}/guests`, { name });
await organizer.call('PUT', api, { body: { status: 'published' } });
await page.setViewportSize({ width: 1000, height: 680 });
await page.goto(`${at}/messages/new?kind=invitation`);
await untilSettled(page);
await page.evaluate('scrollTo(0, 155)');
await page.waitForTimeout(1_000);
await keep(page, 'organizing-message');

const today = Temporal.Now.plainDateISO('Asia/Jerusalem');
const saturday = today.add({ days: 7 + ((6 - today.dayOfWeek + 7) % 7) });
for (const [name, kind, status, price, payments] of [
  [
    'Gefen Catering',
    'catering',
    'confirmed',
    19_200,
    [
      { amount: 6_000, due_date: today.subtract({ days: 20 }), paid_date: today.subtract({ days: 18 }) },
      { amount: 12_000, due_date: saturday },
    ],
  ],
  ['Studio Or', 'photographer', 'pending', 9_000, [{ amount: 2_000, due_date: today.add({ days: 21 }) }]],
  [
    'DJ Avi',
    'dj',
    'confirmed',
    6_500,
    [
      { amount: 2_000, due_date: today.subtract({ days: 9 }), paid_date: today.subtract({ days: 9 }) },
      { amount: 1_500, due_date: today.subtract({ days: 3 }) },
    ],
  ],
  ['Sharon Flowers', 'flowers', 'pending', 4_500, []],
] as const) {
  const { vendor } = await write('/api/vendors', { name, kind });
  await write(`${api}/bookings`, { vendor_id: vendor.id, status, price, payments });
}
await page.setViewportSize({ width: 1000, height: 640 });
await page.goto(`${at}/vendors`);
await untilSettled(page);
await page.evaluate('scrollTo(0, 155)');
await page.waitForTimeout(300);
await keep(page, 'organizing-vendors');

await takeHomePictures(demo);
