import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { LOG } from '../../../test/support/runtime.ts';
import { createInstances, type InstancesParts } from './instances.ts';

test('what nobody wants and can’t be ended is asked to end once at a time, however often it is looked at', async () => {
  const asked: PromiseWithResolvers<void>[] = [];
  const parts: { [part in keyof InstancesParts]?: unknown } = {
    runtime: {
      capabilities: new Set(),
      list: async () => [{ instance: 'hangs', replicas: [] }],
      stop: () => {
        const end = Promise.withResolvers<void>();
        asked.push(end);
        return end.promise;
      },
    },
    holds: async () => true,
    log: LOG,
  };
  const instances = createInstances(parts as InstancesParts);
  const looks = [instances.check(), instances.check()];
  await turn();
  assert.equal(asked.length, 1);
  asked[0]?.reject(new Error('no answer'));
  await Promise.all(looks);
  const again = instances.check();
  await turn();
  assert.equal(asked.length, 2);
  asked[1]?.resolve();
  await again;
});
