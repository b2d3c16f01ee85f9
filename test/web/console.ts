import assert from 'node:assert/strict';
import axe from 'axe-core';
import type { BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { sharedBrowser } from '../support/browser.ts';
import { newSession, type TestSession } from '../support/sessions.ts';
import type { SharedServer } from '../support/shared-server.ts';
import { until } from '../support/until.ts';
import { ILLEGIBLE } from './legible.ts';

export interface Visit extends AsyncDisposable {
  context: BrowserContext;
  page: Page;
  /** Fails if the page is wider than its window, if text is cut or over another text, or if axe reports a violation. */
  look(): Promise<void>;
}

interface Visiting {
  session?: TestSession;
  path?: string;
  /**
   * True if the server or its database is killed during the test: the browser then complains of lost connections and
   * refused requests.
   */
  isKilled?: boolean;
  /** True if the console's service worker is wanted. It hides requests from a test that intercepts them. */
  hasServiceWorker?: boolean;
}

/** Browser at the console. At the end there may be no complaint in its console, and no request to another server. */
export async function visitConsole(
  server: Pick<SharedServer, 'url'>,
  options: BrowserContextOptions,
  { session, path = '/', isKilled = false, hasServiceWorker = false }: Visiting = {},
): Promise<Visit> {
  const context = await (await sharedBrowser()).newContext({
    reducedMotion: 'reduce',
    serviceWorkers: hasServiceWorker ? 'allow' : 'block',
    ...options,
  });
  if (session)
    await context.addCookies([
      { name: 'simcha_session', value: session.token, url: server.url, httpOnly: true },
    ]);
  // Timeout beyond what anything takes, even on a slow machine.
  context.setDefaultTimeout(90_000);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    // The browser itself logs refused requests, and connections that the test has cut.
    const isRefusal =
      /the server responded with a status of 4\d\d|net::ERR_(CONNECTION_RESET|INTERNET_DISCONNECTED)/.test(
        message.text(),
      );
    const isLost =
      isKilled &&
      /net::ERR_|with a status of 503|code of a page could not be loaded|Failed to fetch/.test(
        message.text(),
      );
    const isBlocked = message.text() === 'Service Worker registration blocked by Playwright';
    if (['error', 'warning'].includes(message.type()) && !isRefusal && !isLost && !isBlocked)
      complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    const isOwn = request.url().startsWith(`${server.url}/`) || /^(data|blob):/.test(request.url());
    if (!isOwn) complaints.push(`asked ${request.url()}`);
  });
  await page.goto(server.url + path);
  return {
    context,
    page,
    look: () => look(page),
    async [Symbol.asyncDispose]() {
      await context.close();
      assert.deepEqual(complaints, []);
    },
  };
}

/** Session of a new user. */
export async function visitSignedIn(server: SharedServer, options: BrowserContextOptions, path = '/events') {
  const session = await newSession(server);
  return Object.assign(await visitConsole(server, options, { session, path }), { session });
}

/** True if an element is visible and can be clicked in its place, with nothing before it. */
export async function isOnTop(thing: Locator): Promise<boolean> {
  const box = await thing.boundingBox();
  if (!box) return false;
  const point = `${box.x + box.width / 2}, ${box.y + box.height / 2}`;
  const there = await thing.page().evaluateHandle(`document.elementFromPoint(${point})`);
  return thing.evaluate((node, other) => node.contains(other as typeof node | null), there);
}

const RULES = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  resultTypes: ['violations'],
  preload: false,
};

/**
 * Runs a script in the page in a frame without any motion: colours of an element that fades in are not final, and an
 * element that slides in is not in its place. Animations count even though reduced motion is requested. The check waits
 * two frames, since a new element begins to move in the next one.
 */
async function whenStill<T>(page: Page, script: string): Promise<T> {
  let found: T[] = [];
  await until(async () => {
    found =
      await page.evaluate(`new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
      const moving = document.getAnimations().some((one) => one.effect.getComputedTiming().iterations !== Infinity);
      done(moving ? [] : (async () => [await (${script})])());
    })))`);
    return found.length > 0;
  });
  return found[0] as T;
}

async function look(page: Page): Promise<void> {
  await page.waitForLoadState('load');
  // The address of a page changes before the page is there.
  await page.locator('h1').first().waitFor();
  assert.equal(await whenStill(page, 'document.documentElement.scrollWidth > innerWidth'), false, 'too wide');
  assert.deepEqual(await whenStill(page, ILLEGIBLE), []);
  // Once per document: reading axe takes half a second.
  await page.evaluate(`if (!window.axe) { ${axe.source} }`);
  // Scrolled to the top: a control half below the page's header would count as too small a target.
  const scrolled = await page.evaluate('scrollY');
  await page.evaluate('scrollTo(0, 0)');
  const { violations } = await whenStill<axe.AxeResults>(page, `axe.run(document, ${JSON.stringify(RULES)})`);
  await page.evaluate(`scrollTo(0, ${scrolled})`);
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n  ')}`);
  assert.deepEqual(found, []);
}
