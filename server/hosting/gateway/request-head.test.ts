import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { InvalidMessage } from './head-reader.ts';
import { parseRequestHead, type RequestHead } from './request-head.ts';

/** Parses a request with these header lines behind `Host`. */
const withLines = (...lines: string[]) =>
  parseRequestHead(['POST /a HTTP/1.1', 'Host: a.test', ...lines].join('\r\n'));

const refuses = (head: string, code = 'HPE_INVALID') =>
  assert.throws(
    () => parseRequestHead(head),
    (error) => error instanceof InvalidMessage && error.code === code,
    JSON.stringify(head.slice(0, 200)),
  );

test('a head is read as it is', () => {
  const head = parseRequestHead(
    'GET /a%20b/../c?x=1&y=%2F|"^ HTTP/1.1\r\nHost: A.test:80\r\nX-A:b\r\nx-a: \t c d \t\r\nEmpty:\r\nX-Latin: \xe9',
  );
  assert.deepEqual(head, {
    method: 'GET',
    target: '/a%20b/../c?x=1&y=%2F|"^',
    minor: 1,
    headers: ['Host', 'A.test:80', 'X-A', 'b', 'x-a', 'c d', 'Empty', '', 'X-Latin', '\xe9'],
    host: 'A.test:80',
    framing: undefined,
    keepsAlive: true,
    expectsContinue: false,
    wantsWebSocket: false,
    isPassedOn: false,
  } satisfies RequestHead);
});

test('the headers that matter for the message are recognised in any case', () => {
  for (const [line, expected] of [
    ['Content-Length: 0', { framing: 0 }],
    ['CONTENT-LENGTH:  007', { framing: 7 }],
    ['Transfer-Encoding: chunked', { framing: 'chunked' }],
    ['transfer-encoding: CHUNKED', { framing: 'chunked' }],
    ['Connection: close', { keepsAlive: false }],
    ['Connection: Keep-Alive', { keepsAlive: true }],
    ['connection: x-a, Close', { keepsAlive: false }],
    ['Connection: x\r\nConnection:\tclose', { keepsAlive: false }],
    ['Connection: closed, not-close', { keepsAlive: true }],
    ['Expect: 100-Continue', { expectsContinue: true }],
    ['Simcha-Passed-On: 1', { isPassedOn: true }],
  ] as const)
    assert.partialDeepStrictEqual(withLines(...line.split('\r\n')), expected, line);
});

test('a WebSocket is asked for by a GET without a body whose Connection says so', () => {
  for (const [method, lines, expected] of [
    ['GET', 'Connection: Upgrade\r\nUpgrade: websocket', true],
    ['GET', 'Upgrade: WebSocket\r\nconnection: keep-alive, upgrade', true],
    ['GET', 'Connection: x\r\nUpgrade: websocket\r\nConnection: upgrade', true],
    ['GET', 'Upgrade: websocket', false],
    ['GET', 'Connection: keep-alive\r\nUpgrade: websocket', false],
    ['GET', 'Connection: upgraded\r\nUpgrade: websocket', false],
    ['GET', 'Connection: Upgrade\r\nUpgrade: h2c', false],
    ['GET', 'Connection: Upgrade\r\nUpgrade: h2c, websocket', false],
    ['GET', 'Connection: Upgrade', false],
    ['GET', 'Connection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: 0', false],
    ['GET', 'Connection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: 5', false],
    ['GET', 'Connection: Upgrade\r\nUpgrade: websocket\r\nTransfer-Encoding: chunked', false],
    ['POST', 'Connection: Upgrade\r\nUpgrade: websocket', false],
  ] as const) {
    const { wantsWebSocket } = parseRequestHead(`${method} / HTTP/1.1\r\nHost: a\r\n${lines}`);
    assert.equal(wantsWebSocket, expected, `${method} ${lines}`);
  }
});

test('a client of HTTP/1.0 gets one response, and needs no host', () => {
  const old = 'GET / HTTP/1.0\r\nConnection: keep-alive\r\nExpect: 100-continue';
  assert.partialDeepStrictEqual(parseRequestHead(old), {
    minor: 0,
    host: undefined,
    keepsAlive: false,
    expectsContinue: false,
  });
  refuses('POST / HTTP/1.0\r\nTransfer-Encoding: chunked');
});

test('every method that node knows is accepted but CONNECT', () => {
  for (const method of ['GET', 'QUERY', 'M-SEARCH', 'PROPFIND', 'TRACE'])
    assert.equal(parseRequestHead(`${method} / HTTP/1.1\r\nHost: a`).method, method);
  assert.equal(parseRequestHead('OPTIONS * HTTP/1.1\r\nHost: a').target, '*');
  for (const method of ['CONNECT', 'PRI', 'get', 'GETX', 'GE', 'G"T', ''])
    refuses(`${method} / HTTP/1.1\r\nHost: a`);
});

// Cases after llhttp's tests (github.com/nodejs/llhttp) and the bugs that the HTTP Garden found
// (github.com/narfindustries/http-garden).
test('a request line with two readings is refused', () => {
  for (const line of [
    '',
    'GET',
    'GET /',
    'GET / ',
    'GET  HTTP/1.1',
    'GET HTTP/1.1',
    'GET  / HTTP/1.1',
    'GET /  HTTP/1.1',
    'GET / HTTP/1.1 ',
    ' GET / HTTP/1.1',
    '\tGET / HTTP/1.1',
    'GET\t/ HTTP/1.1',
    'GET /\tHTTP/1.1',
    'GET\x0b/ HTTP/1.1',
    'GET / http/1.1',
    'GET / HTTP/1',
    'GET / HTTP/1.',
    'GET / HTTP/1.2',
    'GET / HTTP/1.10',
    'GET / HTTP/01.1',
    'GET / HTTP/1.32',
    'GET / HTTP/2.0',
    'GET / HTTP/0.9',
    'GET / HTTP/+1.1',
    'GET / HTTP/1.1x',
    'GET / ICE/1.1',
    'GET / RTSP/1.0',
    'GET / HTTP/\r\r1.1',
    'GET /\rHTTP/1.1',
    'GET /\nHTTP/1.1',
    'GET / HTTP/1.1\n',
    'GET / HTTP/1.1\r',
    'GET /\0 HTTP/1.1',
    '\0GET / HTTP/1.1',
    '\xef\xbb\xbfGET / HTTP/1.1',
    'GET /\x7f HTTP/1.1',
    'POST * HTTP/1.1',
  ])
    assert.throws(() => parseRequestHead(`${line}\r\nHost: a`), InvalidMessage, JSON.stringify(line));
});

test('a target with characters that must be encoded is refused', () => {
  for (const target of ['/a#b', '/\xe9', '/\xd7\x93', '/a b'])
    refuses(`GET ${target} HTTP/1.1\r\nHost: a`, 'HPE_INVALID_URL');
});

test('a header line with two readings is refused', () => {
  for (const line of [
    'Content-Length : 5',
    'Content-Length\t: 5',
    ' Content-Length: 5',
    '\tContent-Length: 5',
    'X: a\r\n b',
    'X: a\r\n\tb',
    'X: a\r\n ',
    'X: a\nY: b',
    'X: a\rY: b',
    'X: a\r\r\nY: b',
    'X: a\n',
    'X: a\r',
    'X:\rY: b',
    'X\rY: b',
    'X\nY: b',
    'X: a\0b',
    'X\0: a',
    'X: \x01',
    'X: \x0b',
    'X: \x1f',
    'X: \x7f',
    ': a',
    ':',
    'X',
    'X a',
    'X Y: a',
    'X(: a',
    'X": a',
    'X[]: a',
    'X\xe9: a',
    '\xa0X: a',
    '{X}: a',
  ]) {
    refuses(`GET / HTTP/1.1\r\nHost: a\r\n${line}`);
    refuses(`GET / HTTP/1.1\r\n${line}\r\nHost: a`);
  }
});

test('a length with two readings is refused', () => {
  for (const lines of [
    ['Content-Length:'],
    ['Content-Length: '],
    ['Content-Length: +1'],
    ['Content-Length: -1'],
    ['Content-Length: 1_0'],
    ['Content-Length: 0x5'],
    ['Content-Length: 5.0'],
    ['Content-Length: 5e1'],
    ['Content-Length: 5, 5'],
    ['Content-Length: 5,'],
    ['Content-Length: 5 5'],
    ['Content-Length: "5"'],
    ['Content-Length: \xa05'],
    ['Content-Length: \xd9\xa5'],
    ['Content-Length: 1234567890123456'],
    ['Content-Length: 5', 'Content-Length: 5'],
    ['Content-Length: 5', 'content-length: 6'],
    ['Content-Length: 5', 'Transfer-Encoding: chunked'],
    ['Transfer-Encoding: chunked', 'Content-Length: 5'],
    ['Transfer-Encoding: identity', 'Content-Length: 5'],
    ['Transfer-Encoding:', 'Content-Length: 5'],
  ])
    assert.throws(() => withLines(...lines), InvalidMessage, JSON.stringify(lines));
});

test('a transfer coding other than chunked, once, is refused', () => {
  for (const lines of [
    ['Transfer-Encoding:'],
    ['Transfer-Encoding: identity'],
    ['Transfer-Encoding: gzip'],
    ['Transfer-Encoding: gzip, chunked'],
    ['Transfer-Encoding: chunked, gzip'],
    ['Transfer-Encoding: chunked, chunked'],
    ['Transfer-Encoding: ,chunked'],
    ['Transfer-Encoding: chunked,'],
    ['Transfer-Encoding: chunked;q=1'],
    ['Transfer-Encoding: "chunked"'],
    ['Transfer-Encoding: xchunked'],
    ['Transfer-Encoding: chunkedchunked'],
    ['Transfer-Encoding: pigeons'],
    ['Transfer-Encoding: \xa0chunked'],
    ['Transfer-Encoding: chunked\x85'],
    ['Transfer-Encoding: \x0cchunked'],
    ['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'],
    ['Transfer-Encoding: gzip', 'Transfer-Encoding: chunked'],
    ['Transfer-Encoding: chunked', 'transfer-encoding: identity'],
  ])
    assert.throws(() => withLines(...lines), InvalidMessage, JSON.stringify(lines));
});

test('a missing or second host, a second or unknown expectation is refused', () => {
  refuses('GET / HTTP/1.1');
  refuses('GET / HTTP/1.1\r\nX: a');
  for (const line of ['Host: a.test', 'hOST: b', 'Host:', 'Expect: 200-ok', 'Expect:'])
    assert.throws(() => withLines(line), InvalidMessage, line);
  assert.throws(() => withLines('Expect: 100-continue', 'Expect: 100-continue'), InvalidMessage);
});

test('too many headers are refused', () => {
  const lines = (count: number) => Array.from({ length: count }, (_, n) => `X-${n}: a`);
  assert.equal(withLines(...lines(199)).headers.length, 400);
  refuses(['GET / HTTP/1.1', 'Host: a', ...lines(200)].join('\r\n'), 'HPE_HEADER_OVERFLOW');
});

test('any bytes are either refused or read as what they say', () => {
  const bytes = fc.array(fc.integer({ min: 0, max: 255 }), { maxLength: 12 });
  fc.assert(
    fc.property(bytes, bytes, (name, value) => {
      const line = `${String.fromCharCode(...name)}:${String.fromCharCode(...value)}`;
      const isValid = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\t\x20-\x7e\x80-\xff]*$/.test(line);
      try {
        const { headers } = withLines(line);
        assert.ok(isValid);
        const colon = line.indexOf(':');
        assert.deepEqual(headers.slice(2), [
          line.slice(0, colon),
          line.slice(colon + 1).replace(/^[\t ]+|[\t ]+$/g, ''),
        ]);
      } catch (error) {
        assert.ok(error instanceof InvalidMessage && !isValid);
      }
    }),
  );
});
