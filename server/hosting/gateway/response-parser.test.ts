import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { InvalidMessage } from './head-reader.ts';
import type { ResponseHead } from './response-head.ts';
import { ResponseParser } from './response-parser.ts';

interface Read {
  heads: ResponseHead[];
  body: string;
  ends: boolean[];
  upgraded: string | undefined;
}

/** Parses these pieces as answers to requests with `method`. */
function read(pieces: readonly (string | Buffer)[], { method = 'GET', closes = false } = {}): Read {
  const result: Read = { heads: [], body: '', ends: [], upgraded: undefined };
  const parser = new ResponseParser({
    onHead: (head) => result.heads.push(head),
    onBody: (chunk) => {
      result.body += chunk.toString('latin1');
    },
    onEnd: (reusable) => result.ends.push(reusable),
    onUpgrade: (_head, rest) => {
      result.upgraded = rest.toString('latin1');
    },
  });
  parser.begin(method);
  for (const piece of pieces) parser.feed(Buffer.from(piece as string, 'latin1'));
  if (closes) parser.end();
  return result;
}

const refuses = (text: string, options = {}) =>
  assert.throws(() => read([text], { closes: true, ...options }), InvalidMessage, JSON.stringify(text));

test('a body is as long as it says', () => {
  const { heads, body, ends } = read(['HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-A: b \r\n\r\nhello']);
  assert.deepEqual(heads, [{ status: 200, reason: 'OK', headers: ['Content-Length', '5', 'X-A', 'b'] }]);
  assert.equal(body, 'hello');
  assert.deepEqual(ends, [true]);
});

test('chunks are put together, extensions and trailers left out', () => {
  const { body, ends } = read([
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;x=y\r\nhello\r\n6\r\n world\r\n0\r\nX-Sum: 1\r\n\r\n',
  ]);
  assert.equal(body, 'hello world');
  assert.deepEqual(ends, [true]);
});

test('a body without a length ends with its connection, which is not used again', () => {
  const { body, ends } = read(['HTTP/1.0 200 OK\r\n\r\nall of it'], { closes: true });
  assert.equal(body, 'all of it');
  assert.deepEqual(ends, [false]);
});

test('some answers have no body, whatever their headers say', () => {
  assert.deepEqual(read(['HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n'], { method: 'HEAD' }).ends, [true]);
  assert.deepEqual(read(['HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n']).ends, [true]);
  assert.deepEqual(read(['HTTP/1.1 204 No Content\r\n\r\n']).ends, [true]);
});

test('hints before the answer are passed over', () => {
  const { heads, ends } = read([
    'HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
  ]);
  assert.deepEqual([heads.length, heads[0]?.status, ends], [1, 200, [true]]);
});

test('an upgrade hands over what came behind it', () => {
  assert.equal(
    read(['HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n\x81\x00']).upgraded,
    '\x81\x00',
  );
});

test('what is no HTTP is known by its first bytes', () => {
  assert.throws(() => read(['SSH-2.0-x\r\n']), InvalidMessage);
  assert.throws(() => read(['HT', 'TX']), InvalidMessage);
  assert.deepEqual(read(['HT', 'TP/1.1 205 Reset\r\nContent-Length: 0\r\n\r\n']).ends, [true]);
});

test('the site decides whether its connection is kept', () => {
  const ends = (head: string) => read([`${head}\r\nContent-Length: 0\r\n\r\n`]).ends;
  assert.deepEqual(ends('HTTP/1.1 200 OK\r\nConnection: close'), [false]);
  assert.deepEqual(ends('HTTP/1.0 200 OK'), [false]);
  assert.deepEqual(ends('HTTP/1.0 200 OK\r\nConnection: Keep-Alive'), [true]);
});

test('bytes behind an answer are never the next answer, and end the connection', () => {
  const surplus = 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nEVIL';
  for (const [method, answer] of [
    ['GET', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi'],
    ['GET', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n'],
    ['GET', 'HTTP/1.1 304 Not Modified\r\n\r\n'],
    ['GET', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'],
    ['HEAD', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n'],
  ] as const) {
    const ends: boolean[] = [];
    let heads = 0;
    const parser = new ResponseParser({
      onHead: () => {
        heads += 1;
      },
      onBody() {},
      onEnd: (reusable) => {
        ends.push(reusable);
        // A client that has sent several requests at once gets its next answer over the same connection.
        if (reusable) parser.begin('GET');
      },
      onUpgrade() {},
    });
    parser.begin(method);
    assert.throws(() => parser.feed(Buffer.from(answer + surplus)), InvalidMessage, answer);
    assert.deepEqual([heads, ends], [1, [false]], answer);
  }
});

test('what could be read in two ways is not read at all', () => {
  const ok = 'HTTP/1.1 200 OK\r\n';
  for (const text of [
    'HTTP/1.1 200 OK\nContent-Length: 0\n\n',
    'HTTP/2 200 OK\r\n\r\n',
    'HTTP/1.1 999 OK\r\n\r\n',
    'hello',
    `${ok}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello`,
    `${ok}Content-Length: -5\r\n\r\n`,
    `${ok}Content-Length: 0x5\r\n\r\nhello`,
    `${ok}Content-Length: 5, 5\r\n\r\nhello`,
    `${ok}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    `${ok}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
    `${ok}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    `${ok}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
    `${ok}Transfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n0\r\n\r\n`,
    `${ok}no colon here\r\n\r\n`,
    `${ok}: no name\r\n\r\n`,
    `${ok}Content-Length : 0\r\n\r\n`,
    `${ok}X-A: a\r\n folded\r\nContent-Length: 0\r\n\r\n`,
    `${ok}X-A: a\nSet-Cookie: simcha_x=1\r\nContent-Length: 0\r\n\r\n`,
    `${ok}X-A: a\rb\r\nContent-Length: 0\r\n\r\n`,
    `${ok}X-A: a\0b\r\nContent-Length: 0\r\n\r\n`,
    'HTTP/1.1 200 \x01\r\nContent-Length: 0\r\n\r\n',
    'HTTP/1.1 200 O\nK\r\nContent-Length: 0\r\n\r\n',
    `${ok}Content-Length: 5\r\n\r\nhel`,
    'HTTP/1.1 205 Reset Content\r\nContent-Length: 5\r\n\r\nEVIL!',
    'HTTP/1.1 205 Reset Content\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nEVIL!\r\n0\r\n\r\n',
    'HTTP/1.1 205 Reset Content\r\n\r\nEVIL!',
    `${ok}Content-Length: 0\r\n\r\nHTTP/1.1 200 OK\r\n\r\n`,
    `${ok}X: ${'x'.repeat(70_000)}\r\n\r\n`,
  ]) {
    refuses(text);
  }
});

test('an answer is the same however its bytes are cut into pieces', () => {
  const body = fc.string({ unit: 'binary-ascii', minLength: 0, maxLength: 60 });
  const answer = fc.oneof(
    body.map((text) => ({
      text: `HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
      body: text,
    })),
    fc.array(body.filter((text) => text !== '')).map((chunks) => ({
      text: `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunks
        .map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`)
        .join('')}0\r\n\r\n`,
      body: chunks.join(''),
    })),
  );
  fc.assert(
    fc.property(answer, fc.array(fc.nat({ max: 400 })), ({ text, body: expected }, cuts) => {
      const at = [0, ...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length];
      const pieces = at.slice(1).map((end, i) => text.slice(at[i], end));
      const whole = read(pieces);
      assert.equal(whole.body, expected);
      assert.deepEqual(whole.ends, [true]);
    }),
    { numRuns: 500 },
  );
});

test('bytes of any kind are read or refused, never anything else', () => {
  const line = fc.constantFrom(
    'HTTP/1.1 200 OK',
    'Content-Length: 3',
    'Transfer-Encoding: chunked',
    '3',
    'abc',
    '0',
    '',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(line, fc.string({ maxLength: 8 }))), (lines) => {
      try {
        read([lines.join('\r\n')], { closes: true });
      } catch (error) {
        assert.ok(error instanceof InvalidMessage, String(error));
      }
    }),
    { numRuns: 1_000 },
  );
});
