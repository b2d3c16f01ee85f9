import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as tick } from 'node:timers/promises';
import { createGate } from './gate.ts';

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
