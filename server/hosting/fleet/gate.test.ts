import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as tick } from 'node:timers/promises';
import { createGate } from './gate.ts';

test('a gate lets so many through at a time, and none is forgotten, also after a failure', async () => {
  const throughGate = createGate(3);
  let inside = 0;
  let most = 0;
  const work = async () => {
    inside += 1;
    most = Math.max(most, inside);
    await tick();
    inside -= 1;
    throw new Error('it failed');
  };
  await Promise.allSettled(Array.from({ length: 20 }, (_, n) => throughGate(String(n % 2), work)));
  assert.deepEqual([inside, most], [0, 3]);
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
  let inside = 0;
  let most = 0;
  const work = async () => {
    inside += 1;
    most = Math.max(most, inside);
    await tick();
    inside -= 1;
  };
  await throughGate('b', async () => slow.resolve());
  await Promise.all([first, throughGate('b', work), throughGate('b', work)]);
  assert.equal(most, 1);
});
