import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BrowserContextOptions } from 'playwright-core';
import { launchChromium } from '../support/chromium.ts';
import { createClient } from '../support/client.ts';
import { newSession } from '../support/sessions.ts';
import { until } from '../support/until.ts';

// npm run screenshots [folder]: every screen of the console with the demo's events, in each language, by day and by night,
// on a phone and at a desk, as one page to leaf through.

const ROOT = new URL('../..', import.meta.url).pathname;
const [folder = join(ROOT, 'screenshots')] = process.argv.slice(2);

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
type Counts = { channel: string; waiting: number; bounced: number };
const OWN = ['/today', '/events', '/events/deleted', '/events/new', '/vendors', '/settings', '/docs'];

const dataDir = await mkdtemp(join(tmpdir(), 'simcha-screenshots-'));
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const env = { ...process.env, DATA_DIR: dataDir, PORT: String(port), PUBLIC_URL: url, LOG_LEVEL: 'warn' };
await promisify(execFile)(process.execPath, ['commands/demo.ts'], { cwd: ROOT, env });
const server = spawn(process.execPath, ['server/main.ts'], { cwd: ROOT, env, stdio: 'inherit' });
const browser = await launchChromium();
try {
  await until(async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.ok === true, 60_000);
  await mkdir(folder, { recursive: true });
  const session = await newSession({ url, dataDir, call: createClient(url) }, 'demo@example.com');
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
  const screens = ['/', '/sign-in', ...OWN, ...ofEvent];
  const rows: string[] = [];
  for (const [look, options] of Object.entries(LOOKS)) {
    const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
    const page = await context.newPage();
    for (const [at, path] of screens.entries()) {
      if (at === 2)
        await context.addCookies([{ name: 'simcha_session', value: session.token, url, httpOnly: true }]);
      await page.goto(url + path);
      // An event's stream never ends; what is read is there when nothing is waited for.
      await page.getByRole('heading', { level: 1 }).waitFor();
      await until(async () => (await page.locator('.mantine-Skeleton-root').count()) === 0);
      await page.waitForTimeout(300);
      const name = `${look}-${String(at).padStart(2, '0')}.png`;
      await page.screenshot({ path: join(folder, name) });
      rows.push(
        `<figure><img src="${name}" loading="lazy" alt=""><figcaption>${look} ${path}</figcaption></figure>`,
      );
    }
    await context.close();
    console.log(`${look}: ${screens.length} screens`);
  }
  await writeFile(join(folder, 'index.html'), pageOf(rows));
  console.log(join(folder, 'index.html'));
} finally {
  await browser.close();
  server.kill();
  await once(server, 'exit');
  await rm(dataDir, { recursive: true, force: true });
}

function pageOf(rows: string[]): string {
  const style =
    'body{display:flex;flex-wrap:wrap;gap:16px;font:14px system-ui;background:#888}figure{margin:0}img{max-height:600px;display:block}';
  return `<!doctype html><meta charset="utf-8"><title>Screens</title><style>${style}</style>${rows.join('\n')}\n`;
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port: free } = probe.address() as { port: number };
  probe.close();
  await once(probe, 'close');
  return free;
}
