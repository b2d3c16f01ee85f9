import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { exchangeBytes, startGateway, startRawSite, startSite } from '../../support/gateway.ts';
import { until } from '../../support/until.ts';

const HOST = 'demo.apps.test';
const CLOSE = 'Connection: close\r\n';

/** Answers with the request's method, address and body. */
const repeat: RequestListener = (incoming, response) => {
  let body = '';
  incoming.on('data', (content: Buffer) => {
    body += content.toString('latin1');
  });
  incoming.on('end', () => response.end(`<${incoming.method} ${incoming.url} ${body}>`));
  incoming.on('error', () => {});
};

/** A gateway whose site and platform both repeat what they get. */
async function repeatingGateway(options: Parameters<typeof startGateway>[0] = {}, answer = repeat) {
  const gateway = await startGateway({ platform: repeat, ...options });
  const site = await startSite(answer);
  gateway.sites.set('a', { routes: [{ host: HOST }], state: 'live', targets: [site.target] });
  return {
    ...gateway,
    site,
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await site[Symbol.asyncDispose]();
    },
  };
}

/** A connection to the gateway, and the text that has come back on it so far. */
function converse(port: number) {
  const socket = connect(port, '127.0.0.1').setNoDelay(true).setEncoding('latin1');
  const heard = { text: '', isClosed: false };
  socket.on('data', (text) => {
    heard.text += text;
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    heard.isClosed = true;
  });
  return { socket, heard };
}

const bodiesIn = (answer: string) => answer.match(/<[^>]*>/g) ?? [];

test('bodies of any framing end where they say, and the next request begins there', async () => {
  await using gateway = await repeatingGateway();
  const post = (host: string, path: string, rest: string) =>
    `POST ${path} HTTP/1.1\r\nHost: ${host}\r\n${rest}`;
  const chunked = 'Transfer-Encoding: chunked\r\n\r\n3;x=y\r\none\r\n4\r\n two\r\n0\r\nX-Sum: 1\r\n\r\n';
  for (const hosts of [
    [HOST, HOST, HOST, HOST],
    ['console.test', 'console.test', 'console.test', HOST],
    [HOST, 'console.test', HOST, 'console.test'],
    ['console.test', HOST, 'console.test', HOST],
  ] as const) {
    const text =
      post(hosts[0], '/1', 'Content-Length: 3\r\n\r\none') +
      post(hosts[1], '/2', chunked) +
      post(hosts[2], '/3', 'Content-Length: 0\r\n\r\n') +
      `\r\nGET /4 HTTP/1.1\r\nHost: ${hosts[3]}\r\n${CLOSE}\r\n`;
    const expected = ['<POST /1 one>', '<POST /2 one two>', '<POST /3 >', '<GET /4 >'];
    assert.deepEqual(bodiesIn(await exchangeBytes(gateway.port, text)), expected, hosts.join());
    // The same, each byte on its own.
    const { socket, heard } = converse(gateway.port);
    for (const byte of text) {
      socket.write(byte);
      await new Promise(setImmediate);
    }
    await until(() => heard.isClosed);
    assert.deepEqual(bodiesIn(heard.text), expected, hosts.join());
  }
});

test('chunks with two readings are refused, and nothing behind them is a request', async () => {
  const seen: string[] = [];
  await using gateway = await repeatingGateway({}, (incoming, response) => {
    seen.push(String(incoming.url));
    repeat(incoming, response);
  });
  for (const host of [HOST, 'console.test'])
    for (const chunks of [
      '0x5\r\nhello\r\n0\r\n\r\n',
      '0_2e\r\n\r\n',
      '5\nhello\r\n0\r\n\r\n',
      '5 \r\nhello\r\n0\r\n\r\n',
      '5;\n\r\nhello\r\n0\r\n\r\n',
      '5\r\nhello\n0\r\n\r\n',
      '5\r\nhello!\r\n0\r\n\r\n',
      'ffffffffffffffff5\r\nhello\r\n0\r\n\r\n',
      '\r\n\r\n',
      '0\r\n\n',
      '0\r\nX : y\r\n\r\n',
    ]) {
      const answer = await exchangeBytes(
        gateway.port,
        `POST / HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}` +
          `GET /hidden HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`,
      );
      assert.match(answer, /^HTTP\/1\.1 400 .*connection: close/is, JSON.stringify(chunks));
      assert.equal(answer.split('HTTP/1.1 ').length, 2, JSON.stringify(answer));
    }
  assert.ok(!seen.includes('/hidden'));
});

test('surplus bytes behind a site’s answer are no answer to a request sent at the same time', async () => {
  const surplus = 'HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n<evil>';
  await using site = await startRawSite((socket) =>
    socket.on('data', (bytes) => {
      const [, path = ''] = /^GET (\S+)/.exec(bytes.toString('latin1')) ?? [];
      const answer = `HTTP/1.1 200 OK\r\nContent-Length: ${path.length + 2}\r\n\r\n<${path}>`;
      if (path === '/surplus') socket.write(answer + surplus);
      else setTimeout(() => socket.write(answer), path === '/slow' ? 200 : 0);
    }),
  );
  await using gateway = await startGateway();
  gateway.sites.set('a', { routes: [{ host: HOST }], state: 'live', targets: [site.target] });
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`;
  const { socket, heard } = converse(gateway.port);
  socket.write(get('/surplus') + get('/slow'));
  await until(() => heard.text !== '');
  const other = await exchangeBytes(gateway.port, get('/other').replace('\r\n\r\n', `\r\n${CLOSE}\r\n`));
  assert.deepEqual(bodiesIn(other), ['</other>']);
  await until(() => bodiesIn(heard.text).length > 1);
  assert.deepEqual(bodiesIn(heard.text), ['</surplus>', '</slow>']);
  socket.destroy();
});

test('a body with two readings cuts off an answer that has begun', async () => {
  await using gateway = await repeatingGateway({}, (_incoming, response) => void response.write('begun'));
  const { socket, heard } = converse(gateway.port);
  socket.write(`POST / HTTP/1.1\r\nHost: ${HOST}\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n`);
  await until(() => heard.text.includes('begun'));
  socket.write('nonsense\r\n');
  await until(() => heard.isClosed);
  assert.ok(!heard.text.includes('400'));
});

test('what can’t be a request is refused at once, and too large a head', async () => {
  await using gateway = await repeatingGateway();
  for (const [bytes, status] of [
    ['\x16\x03\x01\x02\0\x01', 400],
    ['nonsense', 400],
    ['GET / HTTP/1.1\nHost: a', 400],
    [`GET /${'x'.repeat(17_000)}`, 431],
    [`GET / HTTP/1.1\r\nHost: ${HOST}\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`, 431],
    [`GET / HTTP/1.1\r\nHost: ${HOST}\r\nExpect: wonders\r\n\r\n`, 400],
  ] as const)
    assert.match(
      await exchangeBytes(gateway.port, bytes),
      new RegExp(`^HTTP/1\\.1 ${status} `),
      bytes.slice(0, 30),
    );
});

test('a head must come in time, and connections do not stay idle without end', async () => {
  await using gateway = await repeatingGateway({ limits: { headMs: 300, idleMs: 300 } });
  const silent = converse(gateway.port);
  const dripping = converse(gateway.port);
  dripping.socket.write('GET / HTTP/1.1\r\n');
  const drops = setInterval(() => dripping.socket.write('X: y\r\n'), 20);
  const idle = converse(gateway.port);
  idle.socket.write(`GET / HTTP/1.1\r\nHost: ${HOST}\r\n\r\nGET / HTTP/1.1\r\nHost: console.test\r\n\r\n`);
  await until(() => silent.heard.isClosed && dripping.heard.isClosed && idle.heard.isClosed);
  clearInterval(drops);
  assert.equal(silent.heard.text, '');
  assert.match(dripping.heard.text, /^HTTP\/1\.1 408 /);
  assert.deepEqual(bodiesIn(idle.heard.text), ['<GET / >', '<GET / >']);
});

test('a client that waits for a 100 gets it once the body is wanted', async () => {
  await using gateway = await repeatingGateway();
  const ask = (host: string, length: number) =>
    `POST / HTTP/1.1\r\nHost: ${host}\r\nExpect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`;
  for (const host of [HOST, 'console.test']) {
    const { socket, heard } = converse(gateway.port);
    socket.write(ask(host, 5));
    await until(() => heard.text === 'HTTP/1.1 100 Continue\r\n\r\n');
    socket.write('hello');
    await until(() => heard.text.includes('<POST / hello>'));
    socket.destroy();
  }
  gateway.sites.setLimits('a', { response_seconds: null, max_body_mb: 1 });
  const { socket, heard } = converse(gateway.port);
  socket.write(ask(HOST, 2 ** 21));
  await until(() => heard.text !== '');
  assert.match(heard.text, /^HTTP\/1\.1 413 /);
  socket.destroy();
});

test('after an answer that came early, the connection takes further requests once the body has come', async () => {
  await using gateway = await repeatingGateway({}, (incoming, response) => {
    if (incoming.method !== 'POST') return repeat(incoming, response);
    response.end('<early>');
    incoming.resume();
  });
  const { socket, heard } = converse(gateway.port);
  socket.write(`POST / HTTP/1.1\r\nHost: ${HOST}\r\nContent-Length: 10\r\n\r\nhello`);
  await until(() => heard.text.includes('<early>'));
  socket.write(`helloGET /next HTTP/1.1\r\nHost: ${HOST}\r\n${CLOSE}\r\n`);
  await until(() => heard.isClosed);
  assert.deepEqual(bodiesIn(heard.text), ['<early>', '<GET /next >']);
});

test('a client of HTTP/1.0 gets an answer without chunks', async () => {
  await using gateway = await repeatingGateway({}, (_incoming, response) => {
    response.write('<one');
    response.end(' two>');
  });
  for (const line of ['', 'Connection: keep-alive\r\n']) {
    const answer = await exchangeBytes(gateway.port, `GET / HTTP/1.0\r\nHost: ${HOST}\r\n${line}\r\n`);
    assert.match(answer, /^HTTP\/1\.1 200 .*connection: close.*\r\n\r\n<one two>$/is);
    assert.doesNotMatch(answer, /transfer-encoding/i);
  }
});

test('requests wait until the client reads the answers before them', async () => {
  let asked = 0;
  await using gateway = await repeatingGateway({}, (_incoming, response) => {
    asked += 1;
    response.end(Buffer.alloc(2 ** 20));
  });
  const socket = connect(gateway.port, '127.0.0.1');
  await once(socket, 'connect');
  socket.pause();
  const count = 64;
  socket.write(`GET / HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`.repeat(count));
  let before = -1;
  while (before !== asked || asked === 0) {
    before = asked;
    await sleep(300);
  }
  assert.ok(asked < count / 2, `${asked} of ${count} requests were passed on to a client that reads nothing`);
  let received = 0;
  socket.on('data', (bytes) => {
    received += bytes.length;
  });
  socket.resume();
  await until(() => received > count * 2 ** 20);
  assert.equal(asked, count);
  socket.destroy();
});

test('bytes behind a request wait for its end, and no more of them than a little', async () => {
  const held: ServerResponse[] = [];
  await using gateway = await repeatingGateway({}, (_incoming, response) => void held.push(response));
  const { socket, heard } = converse(gateway.port);
  const [accepted] = (await once(gateway.server, 'connection')) as [Socket];
  socket.write(`GET / HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`);
  await until(() => held.length === 1);
  socket.write(`POST / HTTP/1.1\r\nHost: ${HOST}\r\nContent-Length: ${2 ** 26}\r\n\r\n`);
  socket.write(Buffer.alloc(2 ** 26));
  await until(() => accepted.isPaused());
  assert.ok(accepted.bytesRead < 2 ** 20, `${accepted.bytesRead} bytes were read`);
  held[0]?.end('<first>');
  await until(() => held.length === 2);
  assert.deepEqual(bodiesIn(heard.text), ['<first>']);
  socket.destroy();
});

test('a client that goes away while its request waits for the site is no longer waited for', async () => {
  const gone = Promise.withResolvers<void>();
  await using site = await startRawSite((socket) => {
    socket.on('data', () => {});
    socket.on('close', () => gone.resolve());
  });
  await using gateway = await startGateway();
  gateway.sites.set('a', { routes: [{ host: HOST }], state: 'live', targets: [site.target] });
  const { socket } = converse(gateway.port);
  socket.write(`GET / HTTP/1.1\r\nHost: ${HOST}\r\n\r\nGET /behind HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`);
  await until(() => site.connections() === 1);
  socket.end();
  await gone.promise;
  await until(() => gateway.sites.find(HOST)?.backends[0]?.requests === 0);
});

test('an answer of the platform that it ends itself ends the connection', async () => {
  const platform = (incoming: IncomingMessage, response: ServerResponse) => {
    response.setHeader('connection', 'close');
    repeat(incoming, response);
  };
  await using gateway = await repeatingGateway({ platform });
  const get = (host: string) => `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  const answer = await exchangeBytes(gateway.port, get(HOST) + get('console.test') + get(HOST));
  assert.equal(bodiesIn(answer).length, 2);
});

test('the platform knows the address of a client that has gone', async () => {
  const address = Promise.withResolvers<string | undefined>();
  const platform: RequestListener = (incoming) =>
    void incoming.on('error', () => {}).on('close', () => address.resolve(incoming.socket.remoteAddress));
  await using gateway = await repeatingGateway({ platform });
  const { socket } = converse(gateway.port);
  const [accepted] = (await once(gateway.server, 'connection')) as [Socket];
  socket.write('POST / HTTP/1.1\r\nHost: console.test\r\nContent-Length: 9\r\n\r\nhalf');
  await until(() => accepted.bytesRead > 0);
  socket.resetAndDestroy();
  assert.equal(await address.promise, '127.0.0.1');
});

test('a connection of HTTP/1.0 gets one answer of the platform', async () => {
  const platform: RequestListener = (incoming, response) => {
    response.setHeader('content-length', '<GET /1 >'.length);
    repeat(incoming, response);
  };
  await using gateway = await repeatingGateway({ platform });
  const answer = await exchangeBytes(
    gateway.port,
    'GET /1 HTTP/1.0\r\nHost: console.test\r\nConnection: keep-alive\r\n\r\n' +
      `GET /2 HTTP/1.1\r\nHost: ${HOST}\r\n${CLOSE}\r\n`,
  );
  assert.deepEqual(bodiesIn(answer), ['<GET /1 >']);
});

test('half a request that was answered gets no second answer', async () => {
  const early: RequestListener = (_incoming, response) => void response.writeHead(401).end('<early>');
  await using gateway = await repeatingGateway({ platform: early });
  const { socket, heard } = converse(gateway.port);
  socket.write('POST / HTTP/1.1\r\nHost: console.test\r\nContent-Length: 50\r\n\r\nabc');
  await until(() => heard.text.includes('<early>'));
  socket.end();
  await until(() => heard.isClosed);
  assert.equal(heard.text.split('HTTP/1.1 ').length, 2, heard.text);
});

test('node’s server reads the requests to the platform as the gateway does', async () => {
  let arrived: string[] = [];
  const note: RequestListener = (incoming, response) => {
    incoming.on('end', () => arrived.push(`${incoming.method} ${incoming.url}`));
    repeat(incoming, response);
  };
  await using gateway = await repeatingGateway({ platform: note }, note);
  /** Requests that arrived whole, and the statuses of the answers. The site's are those that the gateway has read. */
  const outcome = async (text: string, host: string) => {
    const seen: string[] = [];
    arrived = seen;
    const answer = await exchangeBytes(gateway.port, text.replaceAll('HOST', host));
    const statuses = [...answer.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status);
    return { seen, statuses: statuses.filter((status) => status !== '100') };
  };
  const line = fc.constantFrom(
    'Content-Length: 5',
    'Content-Length: 0',
    'Content-Length:5',
    'Content-Length: 05',
    'Content-Length: 5 ',
    'Content-Length: 5,5',
    'Transfer-Encoding: chunked',
    'transfer-encoding:\tChunked',
    'Transfer-Encoding: chunked, identity',
    'Connection: upgrade',
    'Connection: close',
    'Connection: keep-alive, content-length, transfer-encoding',
    'Upgrade: h2c',
    'Expect: 100-continue',
    'X: \x80\xff',
    'X : y',
    ' folded',
    'X: a\rContent-Length: 5',
  );
  const body = fc.constantFrom(
    '',
    'hello',
    '5\r\nhello\r\n0\r\n\r\n',
    '5;a="b c"\r\nhello\r\n000;d\r\nX: y\r\n\r\n',
    '5\nhello\r\n0\r\n\r\n',
    '05\r\nhello\r\n0\r\n\r\n',
    '0\r\n\r\n',
    'GET /hidden HTTP/1.1\r\nHost: HOST\r\n\r\n',
  );
  const method = fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'QUERY');
  const property = fc.asyncProperty(
    method,
    fc.array(line, { maxLength: 3 }),
    body,
    async (first, lines, text) => {
      const head = [`${first} /first HTTP/1.1`, 'Host: HOST', ...lines, '', ''].join('\r\n');
      const requests = `${head}${text}GET /last HTTP/1.1\r\nHost: HOST\r\n${CLOSE}\r\n`;
      const platform = await outcome(requests, 'console.test');
      const site = await outcome(requests, HOST);
      assert.deepEqual(platform.seen, site.seen);
      for (const { seen, statuses } of [platform, site]) {
        const refused = statuses.indexOf('400');
        assert.ok(refused === -1 || refused === statuses.length - 1);
        assert.equal(seen.length, statuses.filter((status) => status !== '400').length);
      }
    },
  );
  await fc.assert(property, { numRuns: 300 });
});
