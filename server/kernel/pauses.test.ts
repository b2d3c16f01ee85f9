import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPauses } from './pauses.ts';

test('work that pauses between its steps lets others use the event loop before it ends', async () => {
  const pause = createPauses();
  let hasOtherRun = false;
  setImmediate(() => {
    hasOtherRun = true;
  });
  // Without a pause the loop would never end: promises alone keep the event loop to themselves.
  while (!hasOtherRun) await pause();
  assert.ok(hasOtherRun);
});
