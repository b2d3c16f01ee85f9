import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createReplayBuffer } from './replay-buffer.ts';

const forever = new AbortController().signal;

test('each reader is told all that is kept, then what comes, to the end', async () => {
  const tape = createReplayBuffer<number>(10);
  tape.put(1);
  const early = Array.fromAsync(tape.fromStart(forever));
  const now = Array.fromAsync(tape.fromNow(forever));
  await null;
  tape.put(2);
  await new Promise(setImmediate);
  tape.put(3);
  tape.put(4);
  tape.end();
  assert.deepEqual(await early, [1, 2, 3, 4]);
  assert.deepEqual(await now, [2, 3, 4]);
  assert.deepEqual(await Array.fromAsync(tape.fromStart(forever)), [1, 2, 3, 4]);
});

test('what is too much for the tape is forgotten, the oldest first, and a reader goes on behind it', async () => {
  const tape = createReplayBuffer<string>(6, (item) => item.length);
  const reader = tape.fromStart(forever)[Symbol.asyncIterator]();
  tape.put('one');
  assert.equal((await reader.next()).value, 'one');
  for (const item of ['two', 'three', 'four', 'much too long']) tape.put(item);
  tape.end();
  assert.deepEqual(await reader.next(), { value: 'much too long', done: false });
  assert.equal((await reader.next()).done, true);
});

test('a reader that is told to stop stops, whether something comes or not', async () => {
  const tape = createReplayBuffer<number>(10);
  const stopping = new AbortController();
  const reading = Array.fromAsync(tape.fromNow(stopping.signal));
  tape.put(1);
  await new Promise(setImmediate);
  stopping.abort();
  assert.deepEqual(await reading, [1]);
  assert.deepEqual(await Array.fromAsync(tape.fromStart(stopping.signal)), []);
});
