import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { LOG } from '../../../test/support/runtime.ts';
import { EnvironmentLooks, type EnvironmentLooksParts } from './environment-looks.ts';

function looksWith(parts: Partial<EnvironmentLooksParts> = {}) {
  const begun: string[] = [];
  const ends: PromiseWithResolvers<void>[] = [];
  const looks = new EnvironmentLooks({
    look: (environment) => {
      begun.push(environment);
      const end = Promise.withResolvers<void>();
      ends.push(end);
      return end.promise;
    },
    whenDeployed: () => undefined,
    busyLookMs: 1,
    term: new AbortController().signal,
    log: LOG,
    ...parts,
  });
  return { looks, begun, ends };
}

test('however often a look is requested during one, there is one more after it', async () => {
  const { looks, begun, ends } = looksWith();
  for (let i = 0; i < 3; i += 1) looks.request('one');
  looks.request('other');
  assert.deepEqual(begun, ['one', 'other']);
  ends[0]?.resolve();
  await turn();
  assert.deepEqual(begun, ['one', 'other', 'one']);
  ends[2]?.resolve();
  await turn();
  assert.deepEqual(begun, ['one', 'other', 'one']);
});

test('a failed look does not keep the next one from happening', async () => {
  const { looks, begun, ends } = looksWith();
  looks.request('one');
  ends[0]?.reject(new Error('the database is away'));
  await turn();
  looks.request('one');
  assert.deepEqual(begun, ['one', 'one']);
});

test('an environment that is being deployed is looked at a moment later, or when that ends', async () => {
  const deployed = Promise.withResolvers<void>();
  const slow = looksWith({ whenDeployed: () => deployed.promise, busyLookMs: 60_000 });
  slow.looks.request('one');
  await turn();
  assert.deepEqual(slow.begun, []);
  deployed.resolve();
  await turn();
  assert.deepEqual(slow.begun, ['one']);
});

test('nothing is looked at after the end of the term', () => {
  const { looks, begun } = looksWith({ term: AbortSignal.abort() });
  looks.request('one');
  assert.deepEqual(begun, []);
});
