import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { InvalidMessage } from './head-reader.ts';
import { RequestBody } from './request-body.ts';
import type { Framing } from './request-head.ts';

/** Reads a body that arrives in these pieces: its content, and what of the last pieces does not belong to it. */
function read(framing: Framing, ...pieces: string[]) {
  const body = new RequestBody(framing);
  let content = '';
  let rest = '';
  for (const piece of pieces) {
    const bytes = Buffer.from(piece, 'latin1');
    const end = body.read(bytes, 0, (part) => {
      content += part.toString('latin1');
    });
    rest += bytes.toString('latin1', end);
  }
  return { content, rest, isComplete: body.isComplete };
}

test('a body is as long as it says', () => {
  assert.deepEqual(read(undefined, 'GET'), { content: '', rest: 'GET', isComplete: true });
  assert.deepEqual(read(0, 'GET'), { content: '', rest: 'GET', isComplete: true });
  assert.deepEqual(read(5, 'he', 'lloGET'), { content: 'hello', rest: 'GET', isComplete: true });
  assert.deepEqual(read(5, 'hell'), { content: 'hell', rest: '', isComplete: false });
});

test('chunks are put together, extensions and trailers left out', () => {
  for (const text of [
    '5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n',
    '5;a=b;c="d e"\r\nhello\r\n006\r\n world\r\n000;x\r\n\r\n',
    'B\r\nhello world\r\n0\r\nX-Sum: 1 2\r\nEmpty:\r\n\r\n',
  ])
    assert.deepEqual(read('chunked', `${text}GET`), {
      content: 'hello world',
      rest: 'GET',
      isComplete: true,
    });
});

// Cases after llhttp's tests (github.com/nodejs/llhttp) and the bugs that the HTTP Garden found
// (github.com/narfindustries/http-garden).
test('chunks with two readings are refused', () => {
  for (const text of [
    '\r\n',
    '\n',
    ';x\r\n',
    '0x5\r\nhello',
    '0_5\r\nhello',
    '+5\r\nhello',
    '-5\r\nhello',
    ' 5\r\nhello',
    '5 \r\nhello',
    '5\t\r\nhello',
    '5 ;x\r\nhello',
    '5,\r\nhello',
    '5 a\r\nhello',
    '5\nhello',
    '5\rhello',
    '5\r\rhello',
    '5;x\nhello',
    '5;x\r\r\nhello',
    '5;\0\r\nhello',
    'g\r\nhello',
    '5\xa0\r\nhello',
    '1000000000000\r\n',
    'fffffffffffffffff\r\n',
    '0000000000005\r\nhello',
    '5\r\nhello5\r\n',
    '5\r\nhello\n',
    '5\r\nhello\r0',
    '5\r\nhello \r\n',
    '5\r\nhello\r\n\r\n',
    '0\r\n \r\n',
    '0\n\r\n',
    '0\r\n\n',
    '0\r\n\rX',
    '0\r\nX\r\n',
    '0\r\n: a\r\n',
    '0\r\nX : a\r\n',
    '0\r\nX: a\n',
    '0\r\nX: a\rY',
    '0\r\nX: a\0\r\n',
    '0\r\nX: a\r\n b\r\n',
    '0\r\nContent-Length: 5\r\n',
    '0\r\ntransfer-encoding: chunked\r\n',
    '0\r\nHost: a\r\n',
    '5;\tx\r\nhello',
    '5; x\r\nhello',
    '5;a="b\r\nhello',
    '5;a="b\\"\r\nhello',
    '5;\xff\r\nhello',
  ])
    assert.throws(() => read('chunked', text), InvalidMessage, JSON.stringify(text));
});

test('extensions and trailers without end are refused', () => {
  assert.throws(() => read('chunked', `5;${'x'.repeat(20_000)}`), InvalidMessage);
  assert.throws(() => read('chunked', `5;${'x'.repeat(100)}\r\nhello\r\n`.repeat(200)), InvalidMessage);
  assert.throws(() => read('chunked', `0\r\nX: ${'x'.repeat(20_000)}`), InvalidMessage);
  assert.throws(() => read('chunked', `0\r\n${'X: y\r\n'.repeat(10_000)}`), InvalidMessage);
});

test('a body is the same, wherever it is cut', () => {
  const text = '5;x="y"\r\nhello\r\n11\r\n world, for long!\r\n0\r\nX-Sum: 1\r\n\r\nGET /';
  const whole = read('chunked', text);
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(text.length), { maxLength: 20 }), (cuts) => {
      const places = [0, ...cuts.sort((a, b) => a - b), text.length];
      const pieces = places.slice(1).map((end, i) => text.slice(places[i], end));
      assert.deepEqual(read('chunked', ...pieces), whole);
    }),
  );
});
