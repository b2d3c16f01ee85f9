import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { pageTexts } from '../../../server/hosting/gateway/messages.ts';
import { LANGUAGES } from '../../../server/kernel/languages.ts';
import { launchChromium } from '../../support/chromium.ts';
import { askGateway, startGateway, startSite, type TestGateway } from '../../support/gateway.ts';
import { until } from '../../support/until.ts';

// SIMCHA_SCREENSHOTS=<folder> keeps a picture of each page, to be looked at.

let browser: Browser;
let gateway: TestGateway;

before(async () => {
  gateway = await startGateway();
  browser = await launchChromium({
    args: ['--host-resolver-rules=MAP *.apps.test 127.0.0.1'],
  });
});
after(async () => {
  await browser.close();
  await gateway[Symbol.asyncDispose]();
});

async function visit(host: string, options: BrowserContextOptions, look: (page: Page) => Promise<void>) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const complaints: string[] = [];
  const outside: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('request', (request) => request.resourceType() !== 'document' && outside.push(request.url()));
  await page.goto(`http://${host}:${gateway.port}/some/page`);
  await look(page);
  assert.deepEqual(
    outside.filter((url) => !url.endsWith('/favicon.ico')),
    [],
  );
  assert.deepEqual(
    complaints.filter((text) => !/the server responded with a status/.test(text)),
    [],
  );
  await context.close();
}

const SCREENS = {
  phone: { viewport: { width: 360, height: 640 }, colorScheme: 'light' },
  desk: { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
} as const;

for (const language of LANGUAGES) {
  for (const [screen, options] of Object.entries(SCREENS)) {
    test(`a page in ${language} fits a ${screen}, and can be read`, async () => {
      gateway.sites.set('s', { routes: [{ host: 'starting.apps.test' }], state: 'starting' });
      gateway.sites.set('d', { routes: [{ host: 'down.apps.test' }], state: 'down' });
      for (const [host, problem] of [
        ['nobody.apps.test', 'no_such_site'],
        ['starting.apps.test', 'site_starting'],
        ['down.apps.test', 'site_down'],
      ] as const) {
        await visit(host, { ...options, locale: language }, async (page) => {
          const facts = await page.evaluate(FACTS);
          assert.equal(facts.language, language);
          assert.equal(facts.direction, language === 'en' ? 'ltr' : 'rtl');
          assert.equal(facts.title, pageTexts[language][problem].title);
          assert.equal(facts.heading, pageTexts[language][problem].title);
          assert.ok(facts.overflow <= 0, `${facts.overflow} px too wide`);
          assert.ok(facts.contrast >= 4.5, `contrast of ${facts.contrast}`);
          const folder = process.env.SIMCHA_SCREENSHOTS;
          if (folder) await page.screenshot({ path: `${folder}/${problem}-${language}-${screen}.png` });
        });
      }
    });
  }
}

/** Run in the page. The contrast is that of the paler text on the ground (WCAG 2.2, 1.4.3). */
const FACTS = `(() => {
  const luminance = (color) => {
    const [r, g, b] = color.match(/[0-9.]+/g).map(Number).map((v) => v / 255)
      .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [light, dark] = [getComputedStyle(document.body).backgroundColor,
    getComputedStyle(document.querySelector('p')).color].map(luminance).sort((a, b) => b - a);
  return {
    language: document.documentElement.lang,
    direction: getComputedStyle(document.body).direction,
    title: document.title,
    heading: document.querySelector('h1').textContent,
    overflow: document.documentElement.scrollWidth - innerWidth,
    contrast: (light + 0.05) / (dark + 0.05),
  };
})()` as unknown as () => {
  language: string;
  direction: string;
  title: string;
  heading: string;
  overflow: number;
  contrast: number;
};

test('who waits for a site that starts gets it without doing anything', async () => {
  gateway.sites.set('w', { routes: [{ host: 'wait.apps.test' }], state: 'starting' });
  await using site = await startSite((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<title>here I am</title>');
  });
  await visit('wait.apps.test', {}, async (page) => {
    gateway.sites.set('w', { routes: [{ host: 'wait.apps.test' }], state: 'live', targets: [site.target] });
    await until(async () => (await page.title().catch(() => '')) === 'here I am');
  });
});

test('programs get JSON or a line of text', async () => {
  const answer = (headers: Record<string, string>) =>
    askGateway(gateway.port, 'nobody.apps.test', '/', { headers });
  const json = await answer({ accept: 'application/json', 'accept-language': 'he' });
  assert.equal(json.headers['content-type'], 'application/json; charset=utf-8');
  assert.deepEqual(JSON.parse(json.text), {
    error: `${pageTexts.he.no_such_site.title}. ${pageTexts.he.no_such_site.text}`,
    code: 'no_such_site',
  });
  const text = await answer({});
  assert.equal(text.headers['content-type'], 'text/plain; charset=utf-8');
  assert.equal(text.headers['content-language'], 'en');
  const head = await askGateway(gateway.port, 'nobody.apps.test', '/', { method: 'HEAD' });
  assert.deepEqual([head.status, head.text], [404, '']);
});
