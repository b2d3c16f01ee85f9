import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { createLineTime, createLogger } from './log.ts';

test('a failure is told by its message, code and stack, whatever its class, and never with its row', () => {
  const lines: string[] = [];
  const stream = new Writable({
    write(line, _encoding, done) {
      lines.push(String(line));
      done();
    },
  });
  const log = createLogger({ logLevel: 'info', logFormat: 'json' }, stream);
  const error = Object.assign(new Error('duplicate key'), { code: '23505', detail: 'Key (email)=(a@b.c)' });
  log.warn({ err: error }, 'thrown');
  log.warn({ err: { ...error, message: error.message, stack: error.stack } }, 'told of');
  log.warn({ err: 'no more' }, 'a word');
  const [thrown, toldOf, word] = lines.map((line) => JSON.parse(line).err);
  assert.deepEqual([thrown.type, thrown.message, thrown.code], ['Error', 'duplicate key', '23505']);
  assert.deepEqual([toldOf.message, toldOf.code, toldOf.stack], ['duplicate key', '23505', error.stack]);
  assert.deepEqual(word, { message: 'no more' });
  assert.ok(!lines.join('').includes('a@b.c'));
});

test('the time of a line is exact to the millisecond, forwards and backwards', () => {
  const begin = Date.parse('2026-12-31T23:59:58.000Z');
  let now = begin;
  const lineTime = createLineTime(() => now);
  for (const ms of [0, 7, 7, 45, 999, 1_000, 1_999, 2_000, 61_001, 500, -1]) {
    now = begin + ms;
    assert.equal(lineTime(), `,"time":"${new Date(now).toISOString()}"`);
  }
});
