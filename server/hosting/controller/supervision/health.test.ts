import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { createQuote } from '../../model/reasons/error-lines.ts';
import { type Reason, reason } from '../../model/reasons/reason.ts';
import { ListensElsewhere, waitUntilHealthy } from './health.ts';

async function site(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    check: {
      origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      path: '/up?x=1',
      host: 'demo.localhost',
      withinMs: 2_000,
      ended: new Promise<Reason>(() => {}),
      signal: new AbortController().signal,
    },
    [Symbol.dispose]: () => server.close(),
  };
}

/** A site that answers each request with bytes of its own. */
async function rawSite(speak: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', () => speak(socket));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    check: {
      origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      path: '/',
      host: 'demo.localhost',
      withinMs: 1_000,
      ended: new Promise<Reason>(() => {}),
      signal: new AbortController().signal,
    },
    [Symbol.dispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** Writes a text again and again until the connection closes. */
function drip(socket: Socket, text: string): void {
  const dripping = setInterval(() => socket.write(text), 200);
  socket.on('close', () => clearInterval(dripping));
}

for (const [what, speak] of [
  ['says “wait” for ever', (socket) => drip(socket, 'HTTP/1.1 102 Processing\r\n\r\n')],
  [
    'says “hints” for ever',
    (socket) => drip(socket, 'HTTP/1.1 103 Early Hints\r\nlink: </a.css>; rel=preload\r\n\r\n'),
  ],
  [
    'gives a byte of its head now and then',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nx: ');
      drip(socket, 'x');
    },
  ],
  ['takes the connection and says nothing', () => {}],
] satisfies [string, (socket: Socket) => void][]) {
  test(`a site that ${what} is late like any other`, { timeout: 20_000 }, async () => {
    using at = await rawSite(speak);
    await assert.rejects(
      waitUntilHealthy(at.check),
      /did not answer at \/ .* within 1 s \(no answer: timeout\)/,
    );
  });
}

test('a site that switches protocols has not answered', { timeout: 20_000 }, async () => {
  using at = await rawSite((socket) =>
    socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: tea\r\n\r\n'),
  );
  await assert.rejects(waitUntilHealthy(at.check), /no answer: the connection was closed/);
});

test('a site is healthy by its first word, however long it goes on', { timeout: 20_000 }, async () => {
  using at = await rawSite((socket) => {
    socket.write('HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 200 OK\r\n\r\n');
    drip(socket, 'and on and on ');
  });
  await waitUntilHealthy(at.check);
});

test('a path leads to no other host', async () => {
  const asked: string[] = [];
  using at = await site(({ url }, response) => {
    asked.push(url ?? '');
    response.end();
  });
  using other = await site((_, response) => response.end('never asked'));
  const elsewhere = `/\\${new URL(other.check.origin).host}/x#y`;
  for (const path of [elsewhere, elsewhere.replace('\\', '/')]) await waitUntilHealthy({ ...at.check, path });
  assert.deepEqual(asked, [elsewhere, elsewhere.replace('\\', '/')]);
});

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

test('a site that never answers well is quoted by its last error, or by its last line without an error', async () => {
  const quoteOf = (...lines: string[]) => {
    const quote = createQuote({ hide: (line) => line.replace('hush', '••••••'), output() {} });
    quote.add(lines);
    return quote;
  };
  using bad = await site((_, response) => response.writeHead(500).end());
  const quote = quoteOf('listening', 'error: relation "users" does not exist', 'GET / 500');
  await assert.rejects(waitUntilHealthy({ ...bad.check, withinMs: 300, quote }), {
    message: /the last answer was 500\)\. Output: “error: relation "users" does not exist”\.$/,
  });
  const check = { ...bad.check, origin: 'http://127.0.0.1:1', withinMs: 300, port: 8080 };
  const silent = { ...check, listening: async () => [], quote: quoteOf('hello', 'connecting with hush…') };
  await assert.rejects(waitUntilHealthy(silent), {
    message: /^The site did not listen on port 8080 .* Output: “connecting with ••••••…”\.$/,
  });
});

test('a check ends as soon as the site has ended, or when it is cancelled', async () => {
  using at = await site((_, response) => response.writeHead(500).end());
  const ended = Promise.resolve(reason('exited', { code: 1 }));
  await assert.rejects(waitUntilHealthy({ ...at.check, ended }), /did not start: it exited with code 1/);
  const signal = AbortSignal.abort(new Error('cancelled'));
  await assert.rejects(waitUntilHealthy({ ...at.check, signal }), /abort|cancelled/i);
});

test('a site that listens on other ports for a while is reported by the lowest of them, if requested', async () => {
  using broken = await rawSite((socket) => socket.destroy());
  const check = { ...broken.check, withinMs: 5_000, port: 8080 };
  const elsewhere = async () => [9229, 4000, 3000];
  await assert.rejects(
    waitUntilHealthy({ ...check, findsOtherPort: true, listening: elsewhere }),
    (error) => error instanceof ListensElsewhere && error.port === 3000,
  );
  await assert.rejects(
    waitUntilHealthy({ ...check, withinMs: 2_000, listening: elsewhere }),
    /but on port 9229, 4000, 3000/,
  );
  // A debugger's port alone does not count, nor do other ports of a site that listens where it should.
  for (const ports of [[9229], [3000, 8080]]) {
    const failed = waitUntilHealthy({
      ...check,
      withinMs: 2_000,
      findsOtherPort: true,
      listening: async () => ports,
    });
    await assert.rejects(failed, (error) => !(error instanceof ListensElsewhere));
  }
});

test('a site that can’t be reached because the server is out of files is not blamed for it', async () => {
  using silent = await rawSite(() => {});
  const codeWith = (filesLimit: number) =>
    waitUntilHealthy({ ...silent.check, filesLimit: () => filesLimit }).then(
      () => assert.fail('nothing answers'),
      (error) => error.reason.code,
    );
  assert.deepEqual(await Promise.all([128, 1_024].map(codeWith)), ['no_files', 'not_healthy_at_last']);
});
