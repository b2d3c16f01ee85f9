import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as tick } from 'node:timers/promises';
import { createGate } from './gate.ts';

/** Work that takes a moment, and how many were at it at a time. */
function counting() {
  const counted = { inside: 0, most: 0 };
  const work = async () => {
    counted.inside += 1;
    counted.most = Math.max(counted.most, counted.inside);
    await tick();
    counted.inside -= 1;
  };
  return { work, counted };
}

test('a gate lets so many through at a time, and none is forgotten, also after a failure', async () => {
  const throughGate = createGate(3);
  const { work, counted } = counting();
  const failing = () => work().then(() => Promise.reject(new Error('it failed')));
  await Promise.allSettled(Array.from({ length: 20 }, (_, n) => throughGate(String(n % 2), failing)));
  assert.deepEqual(counted, { inside: 0, most: 3 });
});

for (const [places, expected] of [
  [1, 'm o p m m m m'],
  [2, 'm m o p m m m'],
  [3, 'm m m o p m m'],
] as const) {
  test(`where ${places} go through at a time, whoever has the fewest inside comes next, and came in longest ago`, async () => {
    const throughGate = createGate(places);
    const order: string[] = [];
    const ends: (() => void)[] = [];
    const come = (whose: string) =>
      throughGate(whose, () => {
        order.push(whose);
        return new Promise<void>((end) => ends.push(end));
      });
    const all = ['m', 'm', 'm', 'm', 'o', 'm', 'p'].map(come);
    for (let ended = 0; ended < all.length; ended += 1) {
      ends[ended]?.();
      await tick();
    }
    await Promise.all(all);
    assert.equal(order.join(' '), expected);
  });
}

test('what goes on for long makes room, once', async () => {
  const throughGate = createGate(1);
  const slow = Promise.withResolvers<void>();
  const first = throughGate('a', (leaveIn) => {
    leaveIn(5);
    return slow.promise;
  });
  const { work, counted } = counting();
  await throughGate('b', async () => slow.resolve());
  await Promise.all([first, throughGate('b', work), throughGate('b', work)]);
  assert.equal(counted.most, 1);
});

test('so much work runs at a time, the rest in its order, also after a failure', async () => {
  const throughGate = createGate(2);
  const begun: number[] = [];
  let running = 0;
  let most = 0;
  const all = await Promise.allSettled(
    [1, 2, 3, 4, 5].map((n) =>
      throughGate('mine', async () => {
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
