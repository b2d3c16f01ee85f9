import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { launchChromium } from '../support/chromium.ts';
import { createClient } from '../support/client.ts';
import { freePort } from '../support/postgres.ts';
import { newSession, type TestSession } from '../support/sessions.ts';
import { until } from '../support/until.ts';

export const ROOT = new URL('../..', import.meta.url).pathname;

const ORGANIZER = 'demo@example.com';

export interface DemoConsole extends AsyncDisposable {
  url: string;
  browser: Browser;
  /** Session of the demo's organizer. */
  session: TestSession;
  /** Session of a new user. */
  signIn(email: string): Promise<TestSession>;
  /** Opens a page with a look, signed in if a session is given. */
  open(look: BrowserContextOptions, session?: TestSession): Promise<Page>;
}

/** Server with the demo's events, and a browser, to take pictures of. */
export async function demoConsole(): Promise<DemoConsole> {
  const dataDir = await mkdtemp(join(tmpdir(), 'simcha-screenshots-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    ...process.env,
    DATA_DIR: dataDir,
    PORT: String(port),
    PUBLIC_URL: url,
    LOG_LEVEL: 'warn',
    APPS_GIT_PROTOCOLS: 'file',
    OPERATORS: ORGANIZER,
  };
  await promisify(execFile)(process.execPath, ['commands/demo.ts'], { cwd: ROOT, env });
  const server = spawn(process.execPath, ['server/main.js'], { cwd: ROOT, env, stdio: 'inherit' });
  const browser = await launchChromium();
  const stop = async () => {
    await browser.close();
    server.kill();
    await once(server, 'exit');
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    await until(async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.ok === true, 180_000);
    const signIn = (email: string) => newSession({ url, dataDir, call: createClient(url) }, email);
    return {
      url,
      browser,
      session: await signIn(ORGANIZER),
      signIn,
      async open(look, session) {
        const context = await browser.newContext({ reducedMotion: 'reduce', ...look });
        const page = await context.newPage();
        if (session) await addSessionCookie(page, url, session);
        return page;
      },
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

export async function addSessionCookie(page: Page, url: string, { token }: TestSession): Promise<void> {
  await page.context().addCookies([{ name: 'simcha_session', value: token, url, httpOnly: true }]);
}

/** Waits until the page is loaded. Event streams never end, so the network is never idle. */
export async function untilSettled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await until(async () => (await page.locator('.mantine-Skeleton-root').count()) === 0);
  await page.waitForTimeout(300);
}
