import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { askGateway, startGateway, startRawSite, startSite } from '../../support/gateway.ts';
import { freePort } from '../../support/postgres.ts';
import { until } from '../../support/until.ts';

const HOST = 'demo.apps.test';
const APPLICATION = 'application';

/** A gateway with one site behind it. */
async function siteBehind(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  options: Parameters<typeof startGateway>[0] = {},
) {
  const gateway = await startGateway(options);
  const site = await startSite(answer);
  gateway.sites.set(APPLICATION, { routes: [{ host: HOST }], state: 'live', targets: [site.target] });
  return {
    ...gateway,
    site,
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await site[Symbol.asyncDispose]();
    },
  };
}

const echo = (incoming: IncomingMessage, response: ServerResponse) => {
  const { method, url, rawHeaders } = incoming;
  response.end(JSON.stringify({ method, url, rawHeaders, headers: incoming.headersDistinct }));
};

test('a request reaches the site as it was, and says where it came from', async () => {
  await using gateway = await siteBehind(echo);
  const answer = await askGateway(gateway.port, `${HOST}:8080`, '/a%20b/../c?x=1&y=%2F', {
    method: 'DELETE',
    headers: {
      'X-Custom': ['one', 'two'],
      cookie: 'a=1; simcha_session=secret',
      'x-forwarded-for': '6.6.6.6',
      'X-Forwarded-Host': 'console.test',
      x_forwarded_proto: 'https',
      content_length: '7',
      forwarded: 'for=6.6.6.6',
      'x-real-ip': '6.6.6.6',
      connection: 'keep-alive, X-Dropped',
      'x-dropped': 'yes',
      te: 'trailers',
      'proxy-authorization': 'Basic eA==',
    },
  });
  const { method, url, headers } = JSON.parse(answer.text);
  assert.deepEqual([method, url], ['DELETE', '/a%20b/../c?x=1&y=%2F']);
  assert.deepEqual(headers.host, [`${HOST}:8080`]);
  assert.deepEqual(headers['x-custom'], ['one', 'two']);
  assert.deepEqual(headers.cookie, ['a=1']);
  assert.deepEqual(headers['x-forwarded-for'], ['127.0.0.1']);
  assert.deepEqual(headers['x-forwarded-host'], [`${HOST}:8080`]);
  assert.deepEqual(headers['x-forwarded-proto'], ['http']);
  for (const name of [
    'x_forwarded_proto',
    'content_length',
    'forwarded',
    'x-real-ip',
    'x-dropped',
    'te',
    'proxy-authorization',
  ]) {
    assert.equal(headers[name], undefined, name);
  }
});

test('a proxy in front is believed when it is a trusted one', async () => {
  await using gateway = await siteBehind(echo, { trustedProxies: ['127.0.0.0/8'] });
  const { headers } = JSON.parse(
    (
      await askGateway(gateway.port, HOST, '/', {
        headers: {
          'x-forwarded-for': '203.0.113.9',
          'x-forwarded-proto': 'https',
          'x-forwarded-host': 'evil.test',
        },
      })
    ).text,
  );
  assert.deepEqual(headers['x-forwarded-for'], ['203.0.113.9, 127.0.0.1']);
  assert.deepEqual(headers['x-forwarded-proto'], ['https']);
  assert.deepEqual(headers['x-forwarded-host'], [HOST]);
});

test('that a request was passed on already is believed of a trusted address alone, and no site hears of it', async () => {
  const headers = { 'simcha-passed-on': '1' };
  for (const [trustedProxies, status] of [
    [[], 200],
    [['127.0.0.0/8'], 503],
  ] as const) {
    await using gateway = await siteBehind(echo, {
      trustedProxies: [...trustedProxies],
      limits: { returnMs: 50 },
    });
    const direct = JSON.parse((await askGateway(gateway.port, HOST, '/', { headers })).text);
    assert.equal(direct.headers['simcha-passed-on'], undefined);
    gateway.sites.lookUp = async () => {};
    const peer = { kind: 'peer', origin: gateway.site.origin, site: APPLICATION } as const;
    gateway.sites.set(APPLICATION, { routes: [{ host: HOST }], state: 'live', targets: [peer] });
    const answer = await askGateway(gateway.port, HOST, '/', { headers });
    assert.equal(answer.status, status);
    if (status === 200) assert.deepEqual(JSON.parse(answer.text).headers['simcha-passed-on'], ['1']);
  }
});

test('an answer comes back as it was, without what was meant for us', async () => {
  await using gateway = await siteBehind((_request, response) => {
    response.writeHead(418, 'Teapot', [
      'Set-Cookie',
      'a=1',
      'Set-Cookie',
      'b=2; Domain=apps.test',
      'Set-Cookie',
      'simcha_x=1',
      'X-Mixed-Case',
      'yes',
      'Connection',
      'X-Hop',
      'X-Hop',
      '1',
      'Clear-Site-Data',
      '"cookies"',
      'X-Accel-Redirect',
      '/internal/a',
      'X-Sendfile',
      '/etc/passwd',
      'X-Accel-Buffering',
      'no',
    ]);
    response.end('tea');
  });
  const { status, headers, rawHeaders, text } = await askGateway(gateway.port, HOST);
  assert.deepEqual([status, text], [418, 'tea']);
  assert.deepEqual(headers['set-cookie'], ['a=1', 'b=2']);
  assert.ok(rawHeaders.includes('X-Mixed-Case'));
  assert.equal(headers['x-hop'], undefined);
  assert.equal(headers['clear-site-data'], undefined);
  assert.equal(headers['x-accel-redirect'], undefined);
  assert.equal(headers['x-sendfile'], undefined);
  assert.equal(headers['x-accel-buffering'], 'no');
});

test('HEAD, 204 and 304 have no body and leave the connection in order', async () => {
  await using gateway = await siteBehind((incoming, response) => {
    if (incoming.url === '/204') response.writeHead(204).end();
    else if (incoming.url === '/304') response.writeHead(304, { etag: '"x"' }).end();
    else response.end('a body');
  });
  const head = await askGateway(gateway.port, HOST, '/', { method: 'HEAD' });
  assert.deepEqual([head.status, head.text], [200, '']);
  assert.equal((await askGateway(gateway.port, HOST, '/204')).status, 204);
  assert.equal((await askGateway(gateway.port, HOST, '/304')).headers.etag, '"x"');
  assert.equal((await askGateway(gateway.port, HOST)).text, 'a body');
});

test('an answer comes back as it was, whatever comes before it and however its head is cut', async () => {
  const made = 'HTTP/1.1 201 Made\r\nSet-Cookie: a=1\r\nContent-Length: 4\r\n\r\nmade';
  const hint = 'HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n';
  for (const pieces of [
    [made.slice(0, 9), made.slice(9, 30), made.slice(30, 60), made.slice(60)],
    [hint, made],
    [
      'HTTP/1.1 102 Processing\r\n\r\n',
      hint.slice(0, 20),
      hint.slice(20) + made.slice(0, 20),
      made.slice(20),
    ],
  ]) {
    await using site = await startRawSite((socket) => {
      socket.setNoDelay(true);
      socket.once('data', async () => {
        for (const piece of pieces) {
          socket.write(piece);
          // Each piece is to be read before the next one comes.
          await sleep(50);
        }
      });
    });
    await using gateway = await startGateway();
    gateway.sites.set(APPLICATION, { routes: [{ host: HOST }], state: 'live', targets: [site.target] });
    const { status, headers, text } = await askGateway(gateway.port, HOST);
    assert.deepEqual([status, headers['set-cookie'], text], [201, ['a=1'], 'made']);
  }
});

test('both directions stream: each piece is there before the next is sent', async () => {
  await using gateway = await siteBehind((incoming, response) => {
    incoming.on('data', (chunk) => response.write(`got ${chunk}`));
    incoming.on('end', () => response.end('done'));
    response.flushHeaders();
  });
  const outgoing = request({
    port: gateway.port,
    host: '127.0.0.1',
    method: 'POST',
    headers: { host: HOST },
  });
  outgoing.flushHeaders();
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  const ended = once(response, 'end');
  for (const piece of ['one', 'two', 'three']) {
    outgoing.write(piece);
    assert.equal(String((await once(response, 'data'))[0]), `got ${piece}`);
  }
  outgoing.end();
  assert.equal(String((await once(response, 'data'))[0]), 'done');
  await ended;
});

const LARGE = 100 * 2 ** 20;
/** What sockets on the way may hold between them; far less than the whole. */
const HELD = 24 * 2 ** 20;
const piece = randomBytes(2 ** 20);
const wholeHash = () => {
  const hash = createHash('sha256');
  for (let i = 0; i < LARGE / piece.length; i += 1) hash.update(piece);
  return hash.digest('hex');
};

for (const framing of ['content-length', 'chunked'] as const) {
  test(`an upload of 100 MB (${framing}) goes at the pace of the site`, { timeout: 60_000 }, async () => {
    const accepted = Promise.withResolvers<IncomingMessage>();
    await using gateway = await siteBehind(async (incoming, response) => {
      incoming.pause();
      accepted.resolve(incoming);
      const hash = createHash('sha256');
      incoming.on('data', (chunk) => hash.update(chunk));
      await once(incoming, 'end');
      response.end(hash.digest('hex'));
      // The site looks at nothing until it is told to.
    });
    const outgoing = request({
      port: gateway.port,
      host: '127.0.0.1',
      method: 'POST',
      headers: { host: HOST, ...(framing === 'content-length' && { 'content-length': LARGE }) },
    });
    const answered = once(outgoing, 'response');
    let sent = 0;
    const sending = (async () => {
      for (; sent < LARGE; sent += piece.length) {
        if (!outgoing.write(piece)) await once(outgoing, 'drain');
      }
      outgoing.end();
    })();
    const incoming = await accepted.promise;
    incoming.pause();
    await untilStill(() => sent);
    assert.ok(sent < HELD, `${sent} bytes were taken while the site took none`);
    incoming.resume();
    await sending;
    const [response] = (await answered) as [IncomingMessage];
    assert.equal(String((await response.toArray())[0]), wholeHash());
  });
}

test('a download of 100 MB goes at the pace of the client', { timeout: 60_000 }, async () => {
  let sent = 0;
  await using gateway = await siteBehind(async (_incoming, response) => {
    response.writeHead(200, { 'content-length': LARGE });
    for (; sent < LARGE; sent += piece.length) {
      if (!response.write(piece)) await once(response, 'drain');
    }
    response.end();
  });
  const outgoing = request({ port: gateway.port, host: '127.0.0.1', headers: { host: HOST } }).end();
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  await untilStill(() => sent);
  assert.ok(sent < HELD, `${sent} bytes were taken while the client took none`);
  const hash = createHash('sha256');
  for await (const chunk of response) hash.update(chunk);
  assert.equal(hash.digest('hex'), wholeHash());
});

/** Waits until a number has stopped growing. */
async function untilStill(read: () => number): Promise<void> {
  for (let last = -1; last !== read() || last === 0; await sleep(300)) last = read();
}

test('a client that goes away ends its request at the site', async () => {
  const gone = Promise.withResolvers<void>();
  await using gateway = await siteBehind((_incoming, response) => {
    response.write('first');
    response.on('close', () => gone.resolve());
  });
  const outgoing = request({ port: gateway.port, host: '127.0.0.1', headers: { host: HOST } }).end();
  outgoing.on('error', () => {});
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  await once(response, 'data');
  outgoing.destroy();
  await gone.promise;
});

test('half an answer is never taken for a whole one', async () => {
  for (const half of ['Content-Length: 10\r\n\r\nhalf', 'Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n']) {
    await using site = await startRawSite((socket) => {
      socket.on('data', () => socket.end(`HTTP/1.1 200 OK\r\n${half}`));
    });
    await using gateway = await startGateway();
    gateway.sites.set(APPLICATION, { routes: [{ host: HOST }], state: 'live', targets: [site.target] });
    await assert.rejects(askGateway(gateway.port, HOST), /aborted|hang up|ECONNRESET/);
  }
});

test('an answer without content has no length', async () => {
  await using site = await startRawSite((socket) => {
    socket.on('data', () => socket.write('HTTP/1.1 204 Gone Well\r\nContent-Length: 5\r\nX-A: b\r\n\r\n'));
  });
  await using gateway = await startGateway();
  gateway.sites.set(APPLICATION, { routes: [{ host: HOST }], state: 'live', targets: [site.target] });
  for (let i = 0; i < 2; i += 1) {
    const { status, headers } = await askGateway(gateway.port, HOST);
    assert.deepEqual([status, headers['x-a'], headers['content-length']], [204, 'b', undefined]);
  }
});

test('a request that met a connection just closed is sent again, if that does no harm', async () => {
  // Each connection answers once, and closes without a word when it is used again.
  await using site = await startRawSite((socket) => {
    let requests = 0;
    socket.on('data', () => {
      requests += 1;
      if (requests === 1) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
      else socket.destroy();
    });
  });
  await using gateway = await startGateway();
  gateway.sites.set(APPLICATION, { routes: [{ host: HOST }], state: 'live', targets: [site.target] });
  for (let i = 0; i < 3; i += 1) assert.equal((await askGateway(gateway.port, HOST)).text, 'ok');
  assert.equal(site.connections(), 3);
  // A POST may have been carried out: it is not repeated.
  assert.equal((await askGateway(gateway.port, HOST, '/', { method: 'POST', body: 'x' })).status, 502);
});

test('an answer before the end of the upload comes through', async () => {
  await using gateway = await siteBehind((_incoming, response) => {
    response.writeHead(413, { connection: 'close' });
    response.end('too large');
  });
  const outgoing = request({
    port: gateway.port,
    host: '127.0.0.1',
    method: 'POST',
    headers: { host: HOST, 'content-length': LARGE },
  });
  outgoing.on('error', () => {});
  (async () => {
    while (!outgoing.destroyed) if (!outgoing.write(piece)) await once(outgoing, 'drain').catch(() => {});
  })();
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  assert.equal(response.statusCode, 413);
  assert.equal(String((await response.toArray())[0]), 'too large');
  outgoing.destroy();
});

test('a site that does not answer in time is a 504, one that is not there a 502', async () => {
  await using gateway = await siteBehind(() => {}, { limits: { answerMs: 100 } });
  const late = await askGateway(gateway.port, HOST, '/', { headers: { accept: 'application/json' } });
  assert.deepEqual([late.status, JSON.parse(late.text).code], [504, 'site_late']);
  gateway.sites.set(APPLICATION, {
    routes: [{ host: HOST }],
    state: 'live',
    targets: [{ kind: 'server', origin: 'http://127.0.0.1:1' }],
  });
  const absent = await askGateway(gateway.port, HOST, '/', { headers: { accept: 'application/json' } });
  assert.deepEqual([absent.status, JSON.parse(absent.text).code], [502, 'site_broken']);
});

test('an application’s own time for an answer replaces the default, as far as the operator allows', async () => {
  const slow = (_request: IncomingMessage, response: ServerResponse) =>
    void setTimeout(() => response.end('late'), 400);
  for (const [limits, seconds, status] of [
    [{ answerMs: 100 }, null, 504],
    [{ answerMs: 100 }, 2, 200],
    [{ answerMs: 2_000, mostAnswerMs: 100 }, 2, 504],
  ] as const) {
    await using gateway = await siteBehind(slow, { limits });
    gateway.sites.setLimits(APPLICATION, { response_seconds: seconds, max_body_mb: null });
    assert.equal((await askGateway(gateway.port, HOST)).status, status);
  }
});

test('a body above the site’s limit is a 413, announced or not, and the site does not get the rest', async () => {
  let received = 0;
  const count = (incoming: IncomingMessage, response: ServerResponse) => {
    incoming.on('data', (chunk: Buffer) => {
      received += chunk.length;
    });
    incoming.on('end', () => response.end(String(received)));
    incoming.on('error', () => {});
  };
  await using gateway = await siteBehind(count);
  gateway.sites.setLimits(APPLICATION, { response_seconds: null, max_body_mb: 1 });
  const send = async (bytes: number, headers: Record<string, string | number>) => {
    received = 0;
    const outgoing = request({
      port: gateway.port,
      host: '127.0.0.1',
      method: 'POST',
      headers: { host: HOST, accept: 'application/json', ...headers },
    });
    outgoing.on('error', () => {});
    outgoing.end(Buffer.alloc(bytes));
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    return { status: response.statusCode, text: Buffer.concat(await response.toArray()).toString() };
  };
  const most = 2 ** 20;
  assert.deepEqual(await send(most, {}), { status: 200, text: String(most) });
  const announced = await send(2 * most, { 'content-length': 2 * most });
  assert.deepEqual([announced.status, JSON.parse(announced.text).code], [413, 'upload_too_large']);
  assert.equal(received, 0, 'the site is not asked');
  const streamed = await send(4 * most, { 'transfer-encoding': 'chunked' });
  assert.equal(streamed.status, 413);
  assert.ok(received < 2 * most, `${received} bytes reached the site`);
});

test('a head that trickles in, or hints without end, are no answer in time', async () => {
  for (const crumb of ['x', 'HTTP/1.1 102 Processing\r\n\r\n']) {
    await using site = await startRawSite((socket) => {
      socket.once('data', () => {
        if (crumb === 'x') socket.write('HTTP/1.1 200 OK\r\nX-Slow: ');
        const dripping = setInterval(() => socket.write(crumb), 20);
        socket.on('close', () => clearInterval(dripping));
      });
    });
    await using gateway = await startGateway({ limits: { answerMs: 200 } });
    gateway.sites.set(APPLICATION, { routes: [{ host: HOST }], state: 'live', targets: [site.target] });
    assert.equal((await askGateway(gateway.port, HOST)).status, 504, crumb);
  }
});

test('an upload that stands still is a 408, however patient the site', async () => {
  await using gateway = await siteBehind(() => {}, { limits: { answerMs: 100 } });
  const outgoing = request({
    port: gateway.port,
    host: '127.0.0.1',
    method: 'POST',
    headers: { host: HOST, 'content-length': 10 },
  });
  outgoing.on('error', () => {});
  outgoing.write('half');
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  assert.deepEqual([response.statusCode, response.headers.connection], [408, 'close']);
  outgoing.destroy();
});

test('an upload that drips in is a 408, unless the site answers it meanwhile', {
  timeout: 20_000,
}, async () => {
  await using dripped = await siteBehind(() => {}, { limits: { answerMs: 200 } });
  const send = (port: number) => {
    const outgoing = request({ port, host: '127.0.0.1', method: 'POST', headers: { host: HOST } });
    outgoing.on('error', () => {});
    const dripping = setInterval(() => outgoing.write('x'), 20);
    outgoing.on('close', () => clearInterval(dripping));
    return outgoing;
  };
  const outgoing = send(dripped.port);
  const [refused] = (await once(outgoing, 'response')) as [IncomingMessage];
  assert.deepEqual([refused.statusCode, refused.headers.connection], [408, 'close']);
  outgoing.destroy();

  await using echo = await siteBehind((incoming, response) => void incoming.pipe(response), {
    limits: { answerMs: 200 },
  });
  const talking = send(echo.port);
  const [response] = (await once(talking, 'response')) as [IncomingMessage];
  let heard = 0;
  for await (const piece of response) {
    heard += piece.length;
    if (heard > 30) break;
  }
  talking.destroy();
});

test('what is no HTTP, or no header, is a 502', async () => {
  for (const nonsense of [
    'SSH-2.0-OpenSSH\r\n\r\n',
    'HTTP/1.1 200 OK\r\nBad\0Header: x\r\nContent-Length: 0\r\n\r\n',
    'HTTP/1.1 200 \x01\r\nContent-Length: 0\r\n\r\n',
    `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(70_000)}\r\n\r\n`,
  ]) {
    await using site = await startRawSite((socket) => {
      socket.on('data', () => socket.end(nonsense));
    });
    await using gateway = await startGateway();
    gateway.sites.set(APPLICATION, { routes: [{ host: HOST }], state: 'live', targets: [site.target] });
    const { status, statusMessage } = await askGateway(gateway.port, HOST);
    assert.deepEqual([status, statusMessage], [502, 'Bad Gateway'], nonsense.slice(0, 80));
  }
});

test('a site with all hands full asks to come again', async () => {
  const held: ServerResponse[] = [];
  await using gateway = await siteBehind((_incoming, response) => void held.push(response), {
    limits: { requestsAtOnce: 2 },
  });
  const first = [askGateway(gateway.port, HOST), askGateway(gateway.port, HOST)];
  await until(() => held.length === 2);
  const third = await askGateway(gateway.port, HOST);
  assert.deepEqual([third.status, third.headers['retry-after']], [503, '2']);
  for (const response of held) response.end('ok');
  assert.deepEqual(
    (await Promise.all(first)).map(({ text }) => text),
    ['ok', 'ok'],
  );
});

test('the states of a site', async () => {
  await using gateway = await startGateway();
  const code = async () => {
    const { status, text } = await askGateway(gateway.port, HOST, '/', {
      headers: { accept: 'application/json' },
    });
    return [status, JSON.parse(text).code];
  };
  assert.deepEqual(await code(), [404, 'no_such_site']);
  for (const [state, expected] of [
    ['starting', [503, 'site_starting']],
    ['elsewhere', [503, 'site_elsewhere']],
    ['unhosted', [503, 'site_elsewhere']],
    ['stopped', [503, 'site_stopped']],
    ['down', [502, 'site_down']],
  ] as const) {
    gateway.sites.set(APPLICATION, { routes: [{ host: HOST }], state });
    assert.deepEqual(await code(), expected);
  }
  // A site that can't be reached is in trouble itself; that another server can't be is no fault of the site's.
  const origin = `http://127.0.0.1:${await freePort()}`;
  for (const [target, expected] of [
    [{ kind: 'server', origin }, [502, 'site_broken']],
    [{ kind: 'peer', origin, site: APPLICATION }, [503, 'site_elsewhere']],
  ] as const) {
    gateway.sites.set(APPLICATION, { routes: [{ host: HOST }], state: 'live', targets: [target] });
    assert.deepEqual(await code(), expected);
  }
  gateway.sites.remove(APPLICATION);
  assert.deepEqual(await code(), [404, 'no_such_site']);
});

test('switching a site under load loses no request, and a drain waits for the last one', async () => {
  const slow = (name: string) => (_incoming: IncomingMessage, response: ServerResponse) => {
    setTimeout(() => response.end(name), 20);
  };
  await using old = await startSite(slow('old'));
  await using fresh = await startSite(slow('new'));
  await using gateway = await startGateway();
  gateway.sites.set(APPLICATION, { routes: [{ host: HOST }], state: 'live', targets: [old.target] });
  const answers: string[] = [];
  let going = true;
  const visitors = Array.from({ length: 16 }, async () => {
    while (going) {
      const { status, text } = await askGateway(gateway.port, HOST);
      assert.equal(status, 200);
      answers.push(text);
    }
  });
  await until(() => answers.length > 50);
  gateway.sites.set(APPLICATION, { routes: [{ host: HOST }], state: 'live', targets: [fresh.target] });
  await gateway.sites.drain(old.target, 5_000);
  // Nobody is left: the old server can go at once.
  old.server.closeAllConnections();
  old.server.close();
  const drained = answers.length;
  await until(() => answers.length > drained + 50);
  going = false;
  await Promise.all(visitors);
  assert.ok(answers.slice(drained + 16).every((name) => name === 'new'));
});

test('a drain has its patience', async () => {
  await using gateway = await siteBehind((_incoming, response) => void response.write('never ends'));
  const outgoing = request({ port: gateway.port, host: '127.0.0.1', headers: { host: HOST } }).end();
  outgoing.on('error', () => {});
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  response.on('error', () => {});
  gateway.sites.remove(APPLICATION);
  const before = performance.now();
  await gateway.sites.drain(gateway.site.target, 200);
  assert.ok(performance.now() - before >= 190);
  outgoing.destroy();
});
