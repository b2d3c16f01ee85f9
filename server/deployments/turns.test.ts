import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as tick } from 'node:timers/promises';
import { createGate, createTurns } from './turns.ts';

test('work on one thing takes turns, failures too; other things do not wait', async () => {
  const inTurn = createTurns();
  const seen: string[] = [];
  const work = (key: string, name: string, fails = false) =>
    inTurn(key, async () => {
      seen.push(`${name} begins`);
      await tick();
      seen.push(`${name} ends`);
      if (fails) throw new Error(name);
    });
  const first = work('a', 'one', true);
  await Promise.all([assert.rejects(first, /one/), work('a', 'two'), work('b', 'three')]);
  assert.deepEqual(
    seen.filter((one) => !one.startsWith('three')),
    ['one begins', 'one ends', 'two begins', 'two ends'],
  );
  assert.ok(seen.indexOf('three begins') < seen.indexOf('one ends'));
});

test('a gate lets so many through at a time, and none is forgotten', async () => {
  const throughGate = createGate(3);
  let inside = 0;
  let most = 0;
  const work = async () => {
    inside += 1;
    most = Math.max(most, inside);
    await tick();
    inside -= 1;
  };
  await Promise.all(Array.from({ length: 20 }, () => throughGate(work)));
  assert.deepEqual([inside, most], [0, 3]);
});
