import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContextOptions } from 'playwright-core';
import { SECTIONS } from '../../web/src/features/sites/api/sections.ts';
import { addSessionCookie, demoConsole, ROOT, untilSettled } from './demo-console.ts';
import { demoSites } from './demo-sites.ts';

// Command `npm run screenshots [folder [look …]]`: every screen of the console with the demo's events and sites, in each
// language, light and dark, on a phone and on a desktop, as one page to leaf through.

const [folder = join(ROOT, 'screenshots'), ...looks] = process.argv.slice(2);

const LOOKS: Record<string, BrowserContextOptions> = {
  'phone-he-light': { locale: 'he-IL', colorScheme: 'light', viewport: { width: 390, height: 844 } },
  'phone-ar-dark': { locale: 'ar', colorScheme: 'dark', viewport: { width: 390, height: 844 } },
  'desk-he-dark': { locale: 'he-IL', colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
  'desk-en-light': { locale: 'en-GB', colorScheme: 'light', viewport: { width: 1280, height: 900 } },
};
const OF_EVENT = [
  '',
  '/invitation',
  '/invitation?part=answers',
  '/invitation?part=agenda',
  '/invitation?part=look',
  '/guests',
  '/guests/deleted',
  '/guests/import',
  '/guests/print',
  '/waiting',
  '/questions',
  '/questions?question=new',
  '/questions?view=numbers',
  '/questions?view=caterer',
  '/messages',
  '/messages/new',
  '/messages/new?channel=by_hand',
  '/vendors',
  '/checklist',
  '/history',
  '/details',
  '/details?duplicate=true',
  '/sharing',
];
const OF_SITE = SECTIONS.map(({ to }) => to.replace('/sites/$name', ''));
type Counts = { channel: string; waiting: number; bounced: number };
const OWN = [
  '/today',
  '/events',
  '/events/deleted',
  '/events/new',
  '/vendors',
  '/settings',
  '/settings/tokens',
  '/settings/variable-groups',
  '/settings/webhooks',
  '/device',
  '/docs',
  '/sites',
  '/sites/new',
  '/operator',
];

await using demo = await demoConsole();
const { url, session } = demo;
await mkdir(folder, { recursive: true });
const { events } = (await session.call('GET', '/api/events?limit=100')).body;
const wedding = events.find(({ title }: { title: string }) => title === 'החתונה של נועה ואיתי');
const { rounds } = (await session.call('GET', `/api/events/${wedding.id}/rounds?limit=100`)).body;
const ofRounds = ['mail', 'by_hand', 'phone'].flatMap((way) => {
  const { id } = rounds.find(
    ({ channel, waiting, bounced }: Counts) => channel === way && waiting + bounced > 0,
  );
  return way === 'mail' ? [`/messages/${id}`] : [`/messages/${id}`, `/messages/${id}/walk`];
});
const ofEvent = [...OF_EVENT, ...ofRounds].map((part) => `/events/${wedding.id}${part}`);
await using sites = await demoSites(session);
const ofSite = OF_SITE.map((part) => sites.path + part);
const screens = ['/', '/sign-in', ...OWN, ...ofEvent, ...ofSite, sites.failed];
const rows: string[] = [];
for (const [look, options] of Object.entries(LOOKS)) {
  if (looks.length > 0 && !looks.includes(look)) continue;
  const page = await demo.open(options);
  for (const [at, path] of screens.entries()) {
    if (at === 2) await addSessionCookie(page, url, session);
    await page.goto(url + path);
    await untilSettled(page);
    const name = `${look}-${String(at).padStart(2, '0')}.png`;
    await page.screenshot({ path: join(folder, name) });
    rows.push(
      `<figure><img src="${name}" loading="lazy" alt=""><figcaption>${look} ${path}</figcaption></figure>`,
    );
  }
  await page.context().close();
  console.log(`${look}: ${screens.length} screens`);
}
await writeFile(join(folder, 'index.html'), pageOf(rows));
console.log(join(folder, 'index.html'));

function pageOf(rows: string[]): string {
  const style =
    'body{display:flex;flex-wrap:wrap;gap:16px;font:14px system-ui;background:#888}figure{margin:0}img{max-height:600px;display:block}';
  return `<!doctype html><meta charset="utf-8"><title>Screens</title><style>${style}</style>${rows.join('\n')}\n`;
}
