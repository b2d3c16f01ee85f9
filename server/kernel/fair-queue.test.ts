import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as tick } from 'node:timers/promises';
import fc from 'fast-check';
import { chooseNext, createFairQueue, mostOfOneOwner } from './fair-queue.ts';

/** Short work that records how many jobs ran at a time. */
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
  const inQueue = createFairQueue(3);
  const { work, counted } = counting();
  const failing = () => work().then(() => Promise.reject(new Error('it failed')));
  await Promise.allSettled(Array.from({ length: 20 }, (_, n) => inQueue(String(n % 2), failing)));
  assert.deepEqual(counted, { inside: 0, most: 3 });
});

for (const [places, expected] of [
  [1, 'm o p m m m m'],
  [2, 'm m o p m m m'],
  [3, 'm m m o p m m'],
] as const) {
  test(`with ${places} places, the owner with the fewest running jobs comes next, then the one who started longest ago`, async () => {
    const inQueue = createFairQueue(places);
    const order: string[] = [];
    const ends: (() => void)[] = [];
    const come = (whose: string) =>
      inQueue(whose, () => {
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

test('the owner with the fewest running jobs is next, then the one who started longest ago, within the maximum', () => {
  const load = fc.record({ running: fc.nat(5), lastStart: fc.nat(9) });
  fc.assert(
    fc.property(fc.array(load), fc.integer({ min: 1, max: 6 }), (waiting, mostOfOne) => {
      const index = chooseNext(waiting, mostOfOne);
      const able = waiting.filter(({ running }) => running < mostOfOne);
      const [least] = [...able].sort((a, b) => a.running - b.running || a.lastStart - b.lastStart);
      assert.deepEqual(index === undefined ? undefined : waiting[index], least);
      if (index !== undefined && least) assert.equal(index, waiting.indexOf(least));
    }),
  );
});

test('one owner never has all places, unless there is one alone', async () => {
  assert.deepEqual([1, 2, 3, 64].map(mostOfOneOwner), [1, 1, 2, 63]);
  const inQueue = createFairQueue(3, { mostOfOne: mostOfOneOwner(3) });
  const { work, counted } = counting();
  await Promise.all(Array.from({ length: 9 }, () => inQueue('mine', work)));
  assert.equal(counted.most, 2);
  const end = Promise.withResolvers<void>();
  const mine = [1, 2, 3].map(() => inQueue('mine', () => end.promise));
  await inQueue('another', async () => {});
  end.resolve();
  await Promise.all(mine);
});

test('work that takes long makes room once, and still counts as its owner’s', async () => {
  const inQueue = createFairQueue(1, { mostOfOne: 2, roomAfterMs: 5 });
  const slow = Promise.withResolvers<void>();
  const begun: string[] = [];
  const long = (whose: string) =>
    inQueue(whose, () => {
      begun.push(whose);
      return slow.promise;
    });
  const all = [long('a'), long('a'), long('a')];
  const another = inQueue('b', async () => begun.push('b'));
  await another;
  await inQueue('b', async () => {});
  assert.deepEqual(
    begun.filter((one) => one === 'a').length,
    2,
    'the third waits for the share of its owner',
  );
  slow.resolve();
  await Promise.all(all);
  const { work, counted } = counting();
  await Promise.all([inQueue('b', work), inQueue('c', work)]);
  assert.equal(counted.most, 1);
});

test('who stops waiting is forgotten, and takes nobody’s place', async () => {
  const inQueue = createFairQueue(1);
  const end = Promise.withResolvers<void>();
  const first = inQueue('a', () => end.promise);
  const giveUp = new AbortController();
  let waits = 0;
  const options = { signal: giveUp.signal, onWait: () => (waits += 1) };
  const given = inQueue('b', async () => assert.fail('it was given up'), options);
  const next = inQueue('c', async () => 'here');
  giveUp.abort(new Error('not wanted'));
  await assert.rejects(given, /not wanted/);
  end.resolve();
  await first;
  assert.deepEqual([await next, waits], ['here', 1]);
});

test('work may leave its place for a while, and comes back in its turn', async () => {
  const inQueue = createFairQueue(1);
  const order: string[] = [];
  const first = inQueue('a', async ({ outside }) => {
    await outside(async () => {
      await inQueue('b', async () => order.push('b, while a is outside'));
    });
    order.push('a');
  });
  await first;
  assert.deepEqual(order, ['b, while a is outside', 'a']);
  const { work, counted } = counting();
  await Promise.all([inQueue('a', work), inQueue('b', work)]);
  assert.equal(counted.most, 1);
});

test('so much work runs at a time, the rest in its order, also after a failure', async () => {
  const inQueue = createFairQueue(2);
  const begun: number[] = [];
  let running = 0;
  let most = 0;
  const all = await Promise.allSettled(
    [1, 2, 3, 4, 5].map((n) =>
      inQueue('mine', async () => {
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
