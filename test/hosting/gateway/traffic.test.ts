import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { WebSocket, WebSocketServer } from 'ws';
import { Traffic } from '../../../server/hosting/figures/traffic.ts';
import { exchangeBytes, startGateway, startSite } from '../../support/gateway.ts';
import { until } from '../../support/until.ts';

const HOST = 'demo.apps.test';

/** Gateway with a site, and all counts of its requests so far. */
async function countedGateway(answer: Parameters<typeof startSite>[0]) {
  const traffic = new Traffic();
  const gateway = await startGateway({ traffic, trustedProxies: ['127.0.0.1'] });
  const site = await startSite(answer);
  gateway.sites.set('a', { routes: [{ host: HOST }], state: 'live', targets: [site.target] });
  return {
    ...gateway,
    site,
    counts() {
      const taken = traffic.take();
      traffic.putBack(taken);
      return taken.get('a') ?? { responses: [0, 0, 0, 0, 0], bytesIn: 0, bytesOut: 0, durations: [] };
    },
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await site[Symbol.asyncDispose]();
    },
  };
}

test('bytes of a connection with several requests are counted to the last one', async () => {
  await using at = await countedGateway((_request, response) => response.end('x'.repeat(5_000)));
  const ask = (end: string) => `GET / HTTP/1.1\r\nHost: ${HOST}\r\n${end}\r\n`;
  const sent = `${ask('')}${ask('')}${ask('Connection: close\r\n')}`;
  const received = await exchangeBytes(at.port, sent);
  await until(() => at.counts().responses[1] === 3);
  assert.equal(at.counts().bytesIn, sent.length);
  assert.equal(at.counts().bytesOut, received.length);
  assert.equal(
    at.counts().durations.reduce((sum, count) => sum + count, 0),
    3,
  );
});

test('a client that goes away before the answer counts as 4xx, a site that breaks as 5xx', async () => {
  await using at = await countedGateway((request, response) => {
    if (request.url === '/broken') response.socket?.destroy();
  });
  const socket = connect(at.port, '127.0.0.1');
  const asked = once(at.site.server, 'request');
  socket.write(`GET / HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`);
  await asked;
  socket.destroy();
  await until(() => at.counts().responses[3] === 1);
  await exchangeBytes(at.port, `GET /broken HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n\r\n`);
  await until(() => at.counts().responses[4] === 1);
});

test('a WebSocket counts once, as 1xx, with its bytes and without a duration', async () => {
  await using at = await countedGateway((_request, response) => response.end());
  const chat = new WebSocketServer({ server: at.site.server });
  chat.on('connection', (client) => client.on('message', (message) => client.send(message)));
  const socket = new WebSocket(`ws://127.0.0.1:${at.port}`, { headers: { host: HOST } });
  await once(socket, 'open');
  socket.send('x'.repeat(10_000));
  await once(socket, 'message');
  socket.close();
  await until(() => at.counts().responses[0] === 1);
  const { responses, bytesIn, bytesOut, durations } = at.counts();
  assert.deepEqual(responses, [1, 0, 0, 0, 0]);
  assert.ok(bytesIn > 10_000 && bytesIn < 11_000, String(bytesIn));
  assert.ok(bytesOut > 10_000 && bytesOut < 11_000, String(bytesOut));
  assert.equal(
    durations.reduce((sum, count) => sum + count, 0),
    0,
  );
  chat.close();
});

test('a request that another gateway has passed on is counted there, not here', async () => {
  await using at = await countedGateway((_request, response) => response.end());
  const ask = (more: string) =>
    exchangeBytes(at.port, `GET / HTTP/1.1\r\nHost: ${HOST}\r\n${more}Connection: close\r\n\r\n`);
  await ask('Simcha-Passed-On: 1\r\n');
  await ask('');
  await until(() => at.counts().responses[1] === 1);
  assert.deepEqual(at.counts().responses, [0, 1, 0, 0, 0]);
});
