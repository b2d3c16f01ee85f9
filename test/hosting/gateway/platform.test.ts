import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  type ClientRequest,
  type IncomingMessage,
  type RequestListener,
  request,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { askGateway, exchangeBytes, startGateway, startSite } from '../../support/gateway.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';

const HOST = 'demo.localhost';
const portOf = (server: TestServer) => (server.simcha.app.server.address() as AddressInfo).port;

test('sites and the platform share a port, and neither sees the other’s requests', async () => {
  await using server = await startServer('postgres');
  await using site = await startSite((incoming, response) => response.end(`site ${incoming.url}`));
  server.simcha.sites.set('a', { routes: [{ host: HOST }], state: 'live', targets: [site.target] });
  const port = portOf(server);
  for (const path of ['/healthz', '/api/events', '/openapi.json', '/docs', '/metrics']) {
    assert.equal((await askGateway(port, HOST, path)).text, `site ${path}`);
  }
  assert.deepEqual(JSON.parse((await askGateway(port, 'localhost', '/healthz')).text), { status: 'ok' });
  assert.equal((await askGateway(port, '127.0.0.1', '/api/events')).status, 401);
  assert.equal((await askGateway(port, 'nobody.localhost', '/healthz')).status, 404);
  assert.equal((await askGateway(port, 'evil.example', '/healthz')).status, 404);
  // What node's parser refuses still gets the platform's own words.
  const broken = await exchangeBytes(port, 'GET / HTTP/1.1\r\nHost: a\r\nHost : b\r\n\r\n');
  assert.match(broken, /^HTTP\/1\.1 400 .*"code":"bad_request"/s);
});

test('a shutdown finishes what is under way to a site, and takes nothing new', {
  timeout: 60_000,
}, async () => {
  const server = await startServer('postgres');
  const held: ServerResponse[] = [];
  await using site = await startSite((_incoming, response) => {
    response.writeHead(200, { 'content-length': 8 });
    response.write('half');
    held.push(response);
  });
  server.simcha.sites.set('a', { routes: [{ host: HOST }], state: 'live', targets: [site.target] });
  const port = portOf(server);
  const kept = request({ port, host: '127.0.0.1', headers: { host: HOST, connection: 'keep-alive' } }).end();
  const [response] = (await once(kept, 'response')) as [IncomingMessage];
  await until(() => held.length === 1);
  const closed = server.close();
  await until(() => refuses(port));
  held[0]?.end('half');
  assert.equal(Buffer.concat(await response.toArray()).toString(), 'halfhalf');
  await closed;
});

test('a body the platform waits for must come in time', async () => {
  await using gateway = await startGateway({ limits: { platformPaceMs: 100 } });
  const refused = once(gateway.server, 'clientError');
  const socket = connect(gateway.port, '127.0.0.1');
  socket.write('POST /api/events HTTP/1.1\r\nHost: console.test\r\nContent-Length: 10\r\n\r\nhalf');
  const [error] = await refused;
  assert.equal(error.code, 'ERR_HTTP_REQUEST_TIMEOUT');
  socket.destroy();
});

test('a body may take as long as it comes on, and as the platform takes to read it', async () => {
  const platform: RequestListener = async (incoming, response) => {
    if (incoming.url === '/late') await sleep(500);
    let bytes = 0;
    for await (const piece of incoming) bytes += piece.length;
    response.end(String(bytes));
  };
  await using gateway = await startGateway({ platform, limits: { platformPaceMs: 100 } });
  gateway.server.on('clientError', (_error, socket) => socket.destroy());
  const send = (path: string) => {
    const { port } = gateway;
    return request({ port, path, host: '127.0.0.1', method: 'PUT', headers: { host: 'console.test' } });
  };
  const answerOf = async (outgoing: ClientRequest) => {
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    return (await response.toArray()).join('');
  };
  const long = send('/');
  const answered = answerOf(long);
  for (let piece = 0; piece < 40; piece += 1) {
    long.write(Buffer.alloc(8_192));
    await sleep(20);
  }
  long.end();
  assert.equal(await answered, String(40 * 8_192));
  assert.equal(await answerOf(send('/late').end('short')), '5');
});

test('a body is no longer waited for once its connection is gone', async () => {
  await using gateway = await startGateway({ limits: { platformPaceMs: 2_000 } });
  const half = 'POST /api/events HTTP/1.1\r\nHost: console.test\r\nContent-Length: 10\r\n\r\nhalf';
  const late: unknown[] = [];
  gateway.server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') late.push(socket);
    socket.destroy();
  });
  const answered = connect(gateway.port, '127.0.0.1');
  const [ours] = await once(gateway.server, 'connection');
  answered.write(half);
  await once(answered, 'data');
  answered.destroy();
  await once(ours, 'close');
  const waiting = connect(gateway.port, '127.0.0.1');
  const [other] = await once(gateway.server, 'connection');
  waiting.write(half);
  await until(() => late.includes(other));
  assert.ok(!late.includes(ours));
  waiting.destroy();
});

function refuses(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.on('error', () => resolve(true));
  });
}
