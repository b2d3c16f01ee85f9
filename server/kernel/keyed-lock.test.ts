import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKeyedLock } from './keyed-lock.ts';

test('work of one key is done one at a time and in order, also after a failure; other keys do not wait', async () => {
  const withLock = createKeyedLock();
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
  void withLock('other', () => never);
  const all = await Promise.allSettled([
    withLock('event', work('a')),
    withLock('event', work('b', true)),
    withLock('event', work('c')),
  ]);
  assert.deepEqual(done, ['a', 'b', 'c']);
  assert.deepEqual(
    all.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
});
