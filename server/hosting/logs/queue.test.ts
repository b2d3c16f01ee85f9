import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LogQueue } from './queue.ts';

const LOG = { logId: 'a', generation: null };

/** Writes everything that waits; returns the text of each log. */
function drain(queue: LogQueue): Map<string, string> {
  const texts = new Map<string, string>();
  while (queue.size > 0) {
    for (const chunk of queue.batch(undefined)) {
      texts.set(chunk.log_id, (texts.get(chunk.log_id) ?? '') + chunk.text);
      queue.settle(chunk);
    }
  }
  return texts;
}

test('lines of each log are written in their order, whatever else is written', () => {
  const logIds = fc.constantFrom('a', 'b', 'c');
  const lines = fc.array(fc.tuple(logIds, fc.string({ maxLength: 50_000 }).map(withoutBreaks)), {
    maxLength: 40,
  });
  fc.assert(
    fc.property(lines, (puts) => {
      const queue = new LogQueue();
      for (const [logId, text] of puts) queue.put({ logId, generation: null }, '>', [text]);
      const expected = Map.groupBy(puts, ([logId]) => logId);
      const written = drain(queue);
      assert.deepEqual([...written.keys()].sort(), [...expected.keys()].sort());
      for (const [logId, own] of expected) {
        assert.equal(written.get(logId), own.map(([, text]) => `> ${text}\n`).join(''));
      }
    }),
    { numRuns: 30 },
  );
});

test('lines beyond the limit are counted, and the count is written before the next line', () => {
  const queue = new LogQueue();
  const long = 'x'.repeat(2 ** 19);
  queue.put(LOG, '>', [long, long, long]);
  queue.mustPut(LOG, '>', 'the end');
  const lines = (drain(queue).get('a') ?? '').trimEnd().split('\n');
  assert.equal(lines[0], `> ${long}`);
  assert.match(lines.at(-2) ?? '', /\b2\b/);
  assert.equal(lines.at(-1), '> the end');
});

test('a log ends with its last chunk', () => {
  const queue = new LogQueue();
  queue.put(LOG, '>', ['a'.repeat(60_000), 'b'.repeat(60_000)]);
  queue.end(LOG);
  const [first] = queue.batch(undefined);
  assert.ok(first && !first.ended);
  queue.settle(first);
  const [last] = queue.batch(undefined);
  assert.ok(last?.ended);
  queue.settle(last);
  assert.equal(queue.size, 0);
});

test('lines of an earlier lease generation are dropped', () => {
  const queue = new LogQueue();
  queue.put({ logId: 'a', generation: 1 }, '>', ['old']);
  queue.put({ logId: 'a', generation: 2 }, '>', ['new']);
  assert.equal(drain(queue).get('a'), '> new\n');
});

test('a chunk that can’t be written counts as left out', () => {
  const queue = new LogQueue();
  queue.put(LOG, '>', ['one', 'two']);
  for (const chunk of queue.batch(undefined)) queue.leaveOut(chunk);
  assert.match(drain(queue).get('a') ?? '', /\b2\b/);
});

function withoutBreaks(text: string): string {
  return text.replaceAll('\n', ' ');
}
