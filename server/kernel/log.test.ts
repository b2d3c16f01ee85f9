import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { createLogger } from './log.ts';

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
