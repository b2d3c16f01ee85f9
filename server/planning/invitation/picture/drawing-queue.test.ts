import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CommonRefusal } from '../../../kernel/refusal.ts';
import { createDrawingQueue } from './drawing-queue.ts';

const HERE = new AbortController().signal;

/** Pictures that are being drawn until the test ends them. */
function drawing() {
  const turns = createDrawingQueue();
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const send = (organizer: string, gone: AbortSignal = HERE) =>
    turns(organizer, gone, () => {
      begun.push(organizer);
      return new Promise<void>((end) => ends.push(end));
    });
  const endNext = async (count: number) => {
    while (begun.length < count) await new Promise(setImmediate);
    ends[count - 1]?.();
  };
  return { send, begun, endNext };
}

test('pictures are drawn one at a time, and an organizer’s many let another’s one in between', async () => {
  const { send, begun, endNext } = drawing();
  const all = [...['a', 'a', 'a', 'a'].map((one) => send(one)), send('b'), send('c')];
  for (let count = 1; count <= all.length; count += 1) {
    await endNext(count);
    assert.equal(begun.length, count);
  }
  await Promise.all(all);
  assert.deepEqual(begun.join(' '), 'a b c a a a');
});

test('an organizer with too many waiting is refused, and so is who went away; others are not', async () => {
  const { send, endNext } = drawing();
  const first = Array.from({ length: 6 }, () => send('a'));
  await assert.rejects(send('a'), CommonRefusal);
  const gone = new AbortController();
  const left = assert.rejects(send('b', gone.signal), CommonRefusal);
  gone.abort();
  await left;
  for (let count = 1; count <= 6; count += 1) await endNext(count);
  await Promise.all(first);
});
