import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { LOG } from '../../../../test/support/runtime.ts';
import type { Launch } from '../../model/launch.ts';
import type { Quote } from '../../model/reasons/error-lines.ts';
import { Instances, type InstancesParts } from './instances.ts';

test('an end that happened while the runtime’s events were unavailable is noticed once they are back', async () => {
  const order = {
    command: 'up',
    variables: {},
    volumes: [],
    artifact: {},
    plan: { processes: {} },
    process: 'web',
  };
  let streams = 0;
  let isUp = true;
  const parts: { [part in keyof InstancesParts]?: unknown } = {
    runtime: {
      capabilities: new Set(),
      list: async () => (isUp ? [{ instance: 'site', replicas: [] }] : []),
      start: async () => ({ instance: 'site', replicas: [] }),
      async *logs() {},
      async *events(signal: AbortSignal) {
        streams += 1;
        isUp = false;
        if (streams === 1) throw new Error('no engine');
        yield* await once(signal, 'abort').then(() => []);
      },
    },
    bringVolumes: async () => {},
    limits: { memoryMb: 256 },
    write: () => {},
    isLeaseHeld: async () => true,
    effect: (work: () => Promise<unknown>) => work(),
    log: LOG,
  };
  const instances = new Instances(parts as InstancesParts);
  const quote = { add: () => {}, params: () => ({}) };
  const { ended } = await instances.start('site', order as unknown as Launch, quote as unknown as Quote);
  instances.open();
  assert.equal((await ended).code, 'vanished');
  instances.close();
});

test('an orphan that can’t be stopped is asked once at a time, however often instances are checked', async () => {
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
    isLeaseHeld: async () => true,
    log: LOG,
  };
  const instances = new Instances(parts as InstancesParts);
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
