import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerBrokenRequest } from './broken-request.ts';

test('who is told that a request came too slowly is not heard any more', { timeout: 20_000 }, async () => {
  const heard: unknown[] = [];
  const times = { headersTimeout: 200, requestTimeout: 200, connectionsCheckingInterval: 50 };
  const server = createServer(times, ({ url }, response) => {
    heard.push(url);
    response.end();
  });
  server.on('clientError', (error: Error & { code: string }, socket) =>
    answerBrokenRequest(error as never, socket as Socket, (_status, code) => ({ error: '', code }) as never),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => {});
  client.write('GET /slow HTTP/1.1\r\nHost: a\r\n');
  const [told] = await once(client, 'data');
  assert.match(String(told), /^HTTP\/1\.1 408 /);
  const closed = once(client, 'close');
  // The client goes on sending as if it had received nothing.
  client.write('\r\nGET /next HTTP/1.1\r\nHost: a\r\n\r\n');
  await closed;
  await sleep(100);
  assert.deepEqual(heard, []);
  server.close();
});
