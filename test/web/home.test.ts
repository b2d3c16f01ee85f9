import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ANY_DATABASE } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { visitConsole } from './console.ts';
import { LOOKS, looksOf } from './looks.ts';

/** Of all scripts that the first page loads, as they are sent. */
const MOST_BYTES = 200_000;

for (const name of looksOf(import.meta.url, 'phone', 'desk', 'arabic')) {
  const options = LOOKS[name];
  test(`the home page is in the visitor's language, on a ${name}`, async () => {
    const server = await sharedServer(ANY_DATABASE);
    await using at = await visitConsole(server, options);
    const { page } = at;
    await page.getByRole('heading', { level: 1 }).waitFor();
    const language = options.locale.slice(0, 2);
    const root = await page.evaluate('[document.documentElement.lang, document.documentElement.dir]');
    assert.deepEqual(root, [language, language === 'en' ? 'ltr' : 'rtl']);
    await at.look();
  });
}

test('the home page is small, and its policy allows nothing from other origins', async () => {
  const server = await sharedServer(ANY_DATABASE);
  await using at = await visitConsole(server, LOOKS.phone, { path: '/sign-in' });
  const { page } = at;
  await page.goto('about:blank');
  const scripts = new Map<string, number>();
  page.on('response', (response) => {
    if (
      !response
        .request()
        .resourceType()
        .match(/script/)
    )
      return;
    scripts.set(response.url(), Number(response.headers()['content-length']));
  });
  const answer = await page.goto(server.url);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
  const bytes = [...scripts.values()].reduce((sum, one) => sum + one, 0);
  assert.ok(
    scripts.size > 2 && bytes > 50_000 && bytes < MOST_BYTES,
    `${bytes} bytes in ${scripts.size} scripts`,
  );

  const policy = answer?.headers()['content-security-policy'] ?? '';
  assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-[\w+/=]{24}';/);
  assert.ok(!/unsafe|https?:|\*/.test(policy), policy);
  const again = await server.call('GET', '/');
  assert.notEqual(again.headers.get('content-security-policy'), policy);
});

test('files of the console are cached forever if their names have a hash, and revalidated if not', async () => {
  const server = await sharedServer(ANY_DATABASE);
  const { text } = await server.call('GET', '/events/anything/at/all');
  const scripts = [...text.matchAll(/src="([^"]+)"/g)].map(([, path = '']) => path);
  assert.equal(scripts.length, 2, text);
  for (const path of scripts) {
    const { status, headers } = await server.call('GET', path);
    assert.equal(status, 200);
    assert.match(headers.get('cache-control') ?? '', /max-age=31536000, immutable/);
  }
  const manifest = await server.call('GET', '/console/manifest.webmanifest');
  assert.equal(manifest.status, 200);
  assert.equal(manifest.headers.get('cache-control'), 'public, no-cache');
  for (const path of ['/console/index.html', '/console/assets/none.js'])
    assert.equal((await server.call('GET', path)).status, 404);
  assert.equal((await server.call('GET', '/')).headers.get('cache-control'), 'no-store');
});
