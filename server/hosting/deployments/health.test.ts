import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { waitUntilHealthy } from './health.ts';

async function site(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    check: {
      origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      path: '/up?x=1',
      host: 'demo.localhost',
      withinMs: 2_000,
      ended: new Promise<string>(() => {}),
      signal: new AbortController().signal,
    },
    [Symbol.dispose]: () => server.close(),
  };
}

test('a site is healthy once it answers under 500, asked at its path and by its name', async () => {
  const asked: string[] = [];
  using at = await site(({ url, headers }, response) => {
    asked.push(`${headers.host}${url}`);
    response.writeHead(asked.length < 3 ? 503 : 404).end();
  });
  await waitUntilHealthy(at.check);
  assert.deepEqual(asked, Array(3).fill('demo.localhost/up?x=1'));
});

test('a site that answers nothing but errors, or nothing at all, is not', async () => {
  using bad = await site((_, response) => response.writeHead(502).end());
  await assert.rejects(waitUntilHealthy({ ...bad.check, withinMs: 300 }), /the last answer was 502/);
  await assert.rejects(
    waitUntilHealthy({ ...bad.check, origin: 'http://127.0.0.1:1', withinMs: 300 }),
    /no answer: ECONNREFUSED/,
  );
});

test('nobody waits for a site that has ended, and a cancelled wait ends at once', async () => {
  using at = await site((_, response) => response.writeHead(500).end());
  const ended = Promise.resolve('ended with exit code 1');
  await assert.rejects(waitUntilHealthy({ ...at.check, ended }), /ended with exit code 1 before it answered/);
  const signal = AbortSignal.abort(new Error('cancelled'));
  await assert.rejects(waitUntilHealthy({ ...at.check, signal }), /abort|cancelled/i);
});
