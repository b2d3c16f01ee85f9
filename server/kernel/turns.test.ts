import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPlaces, createTurns } from './turns.ts';

test('work of one key is done one at a time and in order, also after a failure; other keys do not wait', async () => {
  const inTurn = createTurns();
  const done: string[] = [];
  let running = 0;
  const work =
    (name: string, fails = false) =>
    async () => {
      running += 1;
      assert.equal(running, 1);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      done.push(name);
      if (fails) throw new Error(name);
    };
  const never = new Promise<void>(() => {});
  void inTurn('other', () => never);
  const all = await Promise.allSettled([
    inTurn('event', work('a')),
    inTurn('event', work('b', true)),
    inTurn('event', work('c')),
  ]);
  assert.deepEqual(done, ['a', 'b', 'c']);
  assert.deepEqual(
    all.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
});

test('so much work runs at a time, the rest in its order, also after a failure', async () => {
  const inPlace = createPlaces(2);
  const begun: number[] = [];
  let running = 0;
  let most = 0;
  const all = await Promise.allSettled(
    [1, 2, 3, 4, 5].map((n) =>
      inPlace(async () => {
        begun.push(n);
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        if (n === 1) throw new Error('no');
        return n;
      }),
    ),
  );
  assert.deepEqual([begun, most], [[1, 2, 3, 4, 5], 2]);
  assert.deepEqual(
    all.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.message)),
    ['no', 2, 3, 4, 5],
  );
});
