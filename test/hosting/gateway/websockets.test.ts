import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { WebSocket, WebSocketServer } from 'ws';
import { askGateway, exchangeBytes, startGateway, startRawSite, startSite } from '../../support/gateway.ts';
import { until } from '../../support/until.ts';

const HOST = 'demo.apps.test';

async function chatBehind() {
  const gateway = await startGateway();
  const site = await startSite((_request, response) => response.end('plain'));
  const chat = new WebSocketServer({ noServer: true, handleProtocols: () => 'chat' });
  site.server.on('upgrade', (request, socket, head) => {
    if (request.url === '/private') {
      socket.end('HTTP/1.1 401 Unauthorized\r\nContent-Length: 3\r\nX-Why: x\r\n\r\nno!');
      return;
    }
    chat.handleUpgrade(request, socket, head, (client) => {
      client.send(JSON.stringify({ headers: request.headers }));
      client.on('message', (message, binary) => client.send(message, { binary }));
    });
  });
  gateway.sites.set('a', { routes: [{ host: HOST }], state: 'live', targets: [site.target] });
  return {
    ...gateway,
    site,
    chat,
    async [Symbol.asyncDispose]() {
      for (const client of chat.clients) client.terminate();
      await gateway[Symbol.asyncDispose]();
      await site[Symbol.asyncDispose]();
    },
  };
}

const dial = (port: number, host = HOST, path = '/') =>
  new WebSocket(`ws://127.0.0.1:${port}${path}`, 'chat', {
    headers: { host, cookie: 'simcha_session=x; a=1' },
  });

test('a WebSocket is joined through to the site, text and large messages alike', async () => {
  await using gateway = await chatBehind();
  const socket = dial(gateway.port);
  const [hello] = await once(socket, 'message');
  const { headers } = JSON.parse(String(hello));
  assert.equal(socket.protocol, 'chat');
  assert.equal(headers.host, HOST);
  assert.equal(headers.cookie, 'a=1');
  assert.equal(headers['x-forwarded-for'], '127.0.0.1');
  for (const message of ['שלום', 'x'.repeat(5 * 2 ** 20)]) {
    socket.send(message);
    assert.equal(String((await once(socket, 'message'))[0]), message);
  }
  socket.close(1000);
  assert.equal((await once(socket, 'close'))[0], 1000);
});

test('when one side goes, so does the other', async () => {
  await using gateway = await chatBehind();
  const first = dial(gateway.port);
  await once(first, 'message');
  first.terminate();
  await until(() => gateway.chat.clients.size === 0);
  const second = dial(gateway.port);
  await once(second, 'message');
  for (const client of gateway.chat.clients) client.terminate();
  await once(second, 'close');
});

test('a site may refuse, in its own words', async () => {
  await using gateway = await chatBehind();
  const socket = dial(gateway.port, HOST, '/private');
  const [, response] = await once(socket, 'unexpected-response');
  assert.deepEqual([response.statusCode, response.headers['x-why']], [401, 'x']);
  assert.equal(String((await response.toArray())[0]), 'no!');
});

test('what a site says in place of a WebSocket is read as strictly as any answer', async () => {
  for (const line of ['X-A: a\nSet-Cookie: simcha_x=1', 'X-A: a\rb', 'Set-Cookie : simcha_x=1']) {
    for (const status of ['101 Switching Protocols', '200 OK']) {
      await using site = await startRawSite((socket) => {
        socket.once('data', () => socket.end(`HTTP/1.1 ${status}\r\n${line}\r\nContent-Length: 0\r\n\r\n`));
      });
      await using gateway = await startGateway();
      gateway.sites.set('a', { routes: [{ host: HOST }], state: 'live', targets: [site.target] });
      const asked = `GET / HTTP/1.1\r\nHost: ${HOST}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;
      const answer = await exchangeBytes(gateway.port, asked);
      assert.match(answer, /^HTTP\/1\.1 502 /);
      assert.doesNotMatch(answer, /simcha_x/);
    }
  }
});

test('no site, no server, no WebSocket', async () => {
  await using gateway = await chatBehind();
  const status = async (host: string) => {
    const socket = dial(gateway.port, host);
    const [, response] = await once(socket, 'unexpected-response');
    return response.statusCode;
  };
  assert.equal(await status('nobody.apps.test'), 404);
  gateway.sites.set('s', { routes: [{ host: 'starting.apps.test' }], state: 'starting' });
  assert.equal(await status('starting.apps.test'), 503);
  gateway.sites.set('s', {
    routes: [{ host: 'gone.apps.test' }],
    state: 'live',
    targets: [{ kind: 'server', origin: 'http://127.0.0.1:1' }],
  });
  assert.equal(await status('gone.apps.test'), 502);
  gateway.sites.set('s', {
    routes: [{ host: 'static.apps.test' }],
    state: 'live',
    targets: [{ kind: 'static', folder: '/tmp' }],
  });
  assert.equal(await status('static.apps.test'), 404);
});

test('a client that is gone before it hears no ends nothing but itself', async () => {
  await using gateway = await chatBehind();
  const asked = 'connection: upgrade\r\nupgrade: websocket\r\n\r\n';
  for (let i = 0; i < 50; i += 1) {
    const client = connect(gateway.port, '127.0.0.1');
    client.write(`GET / HTTP/1.1\r\nhost: nobody.apps.test\r\n${asked}`, () => client.resetAndDestroy());
    await once(client, 'close');
  }
  assert.match(
    await exchangeBytes(gateway.port, `GET / HTTP/1.1\r\nhost: nobody.apps.test\r\n${asked}`),
    / 404 /,
  );
});

test('a connection that can’t be taken ends nothing', async () => {
  await using gateway = await chatBehind();
  gateway.server.emit('error', Object.assign(new Error('accept EMFILE'), { code: 'EMFILE' }));
  assert.equal((await askGateway(gateway.port, HOST)).text, 'plain');
});

test('any other upgrade is answered as if nobody had asked', async () => {
  await using gateway = await chatBehind();
  const h2c = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQAAP__' };
  assert.equal((await askGateway(gateway.port, HOST, '/', { headers: h2c })).text, 'plain');
  const platform = await exchangeBytes(
    gateway.port,
    'GET /x HTTP/1.1\r\nHost: console.test\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n',
  );
  assert.match(platform, /platform console\.test \/x/);
});

test('a version that gets no more requests keeps its WebSockets, and may close them in its own words', async () => {
  await using gateway = await chatBehind();
  const socket = dial(gateway.port);
  await once(socket, 'message');
  gateway.sites.remove('a');
  assert.equal(await gateway.sites.drain(gateway.site.target, 30_000), true, 'it has some');
  socket.send('still here');
  assert.equal(String((await once(socket, 'message'))[0]), 'still here');
  const closed = once(socket, 'close');
  for (const client of gateway.chat.clients) client.close(1001);
  assert.equal((await closed)[0], 1001);
});

test('a client whose version ended without a word is told that the service restarts', async () => {
  await using gateway = await chatBehind();
  const before = dial(gateway.port);
  await once(before, 'message');
  const lost = once(before, 'close');
  for (const client of gateway.chat.clients) client.terminate();
  assert.equal((await lost)[0], 1006, 'a crash is no restart');

  const sockets = Array.from({ length: 20 }, () => dial(gateway.port));
  await Promise.all(sockets.map((socket) => once(socket, 'message')));
  const last = dial(gateway.port);
  await once(last, 'message');
  gateway.sites.remove('a');
  await gateway.sites.drain(gateway.site.target, 30_000);
  const ends = sockets.map(async (socket) => (await once(socket, 'close'))[0]);
  const cut = once(last, 'close');
  // Half of a frame, behind which nothing of ours may stand.
  const [unfinished] = [...gateway.chat.clients].slice(-1);
  const raw = (unfinished as unknown as { _socket: Socket })._socket;
  await new Promise<void>((resolve) => raw.write(Buffer.from([0x81, 5, 0x61]), () => resolve()));
  for (const client of gateway.chat.clients) client.terminate();
  assert.deepEqual(new Set(await Promise.all(ends)), new Set([1012]));
  assert.equal((await cut)[0], 1006);
});

test('WebSockets end in time with their former version, and with their gateway, by a word of it', async () => {
  await using gateway = await chatBehind();
  const socket = dial(gateway.port);
  await once(socket, 'message');
  const closed = once(socket, 'close');
  gateway.sites.remove('a');
  assert.equal(await gateway.sites.drain(gateway.site.target, 2_000), true);
  assert.equal((await closed)[0], 1012);
  await until(() => gateway.chat.clients.size === 0);

  gateway.sites.set('a', { routes: [{ host: HOST }], state: 'live', targets: [gateway.site.target] });
  const second = dial(gateway.port);
  await once(second, 'message');
  const ended = once(second, 'close');
  gateway.gateway.retire();
  assert.equal((await ended)[0], 1012);
});
