import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { type DemoConsole, ROOT, untilSettled } from './demo-console.ts';

const FOLDER = join(ROOT, 'web/src/features/home/pictures');

/** Event of each language, with the names, party sizes, replies and tags of its guests. */
const EVENTS = {
  he: {
    locale: 'he-IL',
    title: 'החתונה של נועה ואיתי',
    venue: 'גן האירועים עדן',
    guests: [
      ['דנה כהן', 2, 'confirmed', 'חברים'],
      ['יוסי מזרחי', 1, 'pending', 'עבודה'],
      ['משפחת לוי', 4, 'confirmed', 'משפחה'],
      ['סבתא מרים', 1, 'confirmed', 'משפחה'],
      ['רון אזולאי', 2, 'declined', 'עבודה'],
      ['תמר ברק', 2, 'pending', 'חברים'],
    ],
  },
  ar: {
    locale: 'ar',
    title: 'زفاف ليلى وسامر',
    venue: 'قاعة الأندلس',
    guests: [
      ['الجدة مريم', 1, 'confirmed', 'عائلة'],
      ['دانا خوري', 2, 'confirmed', 'أصدقاء'],
      ['ريم عواد', 2, 'pending', 'أصدقاء'],
      ['سمير منصور', 1, 'pending', 'عمل'],
      ['عائلة حداد', 4, 'confirmed', 'عائلة'],
      ['نبيل خليل', 2, 'declined', 'عمل'],
    ],
  },
  en: {
    locale: 'en-GB',
    title: 'Noa and Itay’s wedding',
    venue: 'Eden Gardens',
    guests: [
      ['Cohen family', 4, 'confirmed', 'family'],
      ['Dana Levi', 2, 'confirmed', 'friends'],
      ['Grandma Miriam', 1, 'confirmed', 'family'],
      ['Michael Green', 1, 'pending', 'work'],
      ['Ron Azulay', 2, 'declined', 'work'],
      ['Tamar Barak', 2, 'pending', 'friends'],
    ],
  },
} as const;

/**
 * Part of the screen that is taken, and how many pixels a CSS pixel has: the list alone on a wide screen, all below the
 * console's header on a phone.
 */
const SIZES = {
  desk: { width: 1000, top: 270, height: 635, scale: 1 },
  phone: { width: 390, top: 60, height: 700, scale: 2 },
} as const;

/** Takes the pictures of the home page: the guest list in each language and color scheme, for wide and narrow screens. */
export async function takeHomePictures(demo: DemoConsole): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  for (const [language, { locale, title, venue, guests }] of Object.entries(EVENTS)) {
    const session = await demo.signIn(`home-${language}@example.com`);
    const { body } = await session.call('POST', '/api/events', {
      body: { title, event_date: '2027-06-15T19:30', venue_name: venue, max_guests: 320 },
    });
    const path = `/events/${body.event.id}/guests`;
    for (const [name, party_size, rsvp_status, tag] of guests)
      await session.call('POST', `/api${path}`, { body: { name, party_size, rsvp_status, tags: [tag] } });
    await session.call('PUT', `/api/events/${body.event.id}`, { body: { status: 'published' } });
    for (const colorScheme of ['light', 'dark'] as const)
      for (const [size, { width, top, height, scale }] of Object.entries(SIZES)) {
        const viewport = { width, height: top + height };
        const look = { locale, colorScheme, viewport, deviceScaleFactor: scale };
        const page = await demo.open({ ...look, timezoneId: 'Asia/Jerusalem' }, session);
        await page.goto(demo.url + path);
        await untilSettled(page);
        const png = await page.screenshot({ clip: { x: 0, y: top, width, height } });
        await writeFile(join(FOLDER, `${language}-${colorScheme}-${size}.webp`), await webpOf(page, png));
        await page.context().close();
      }
  }
}

/** Picture as WebP, which is a third of a PNG. The browser converts it. */
async function webpOf(page: Page, png: Buffer): Promise<Buffer> {
  await page.goto('about:blank');
  const address = await page.evaluate(
    `fetch('data:image/png;base64,${png.toString('base64')}')
      .then((answer) => answer.blob())
      .then(createImageBitmap)
      .then((picture) => {
        const canvas = Object.assign(document.createElement('canvas'), { width: picture.width, height: picture.height });
        canvas.getContext('2d').drawImage(picture, 0, 0);
        return canvas.toDataURL('image/webp', 0.65);
      })`,
  );
  return Buffer.from(String(address).split(',')[1] ?? '', 'base64');
}
