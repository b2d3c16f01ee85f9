import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { reason } from '../../model/reasons/reason.ts';
import { createReplayBuffer } from '../../runtimes/replay-buffer.ts';
import type { Replica } from '../../runtimes/runtime.ts';
import { ReplicaFollower, type ReplicaState } from './replicas.ts';

const at = (number: number, name: string): Replica => ({ number, name, origin: `http://${name}` });
const down = (number: number, name: string): Replica => ({
  number,
  name,
  down: reason('machine_gone', { machine: 'node-3' }),
});

/** Follows replicas: `become` changes them, and returns the notifications of that. */
function followed(first: Replica[], acceptsRequests = true) {
  const changes = createReplayBuffer<readonly Replica[]>(100);
  const over = new AbortController();
  const notified: ReplicaState[] = [];
  const silent = new Map<string, () => void>();
  const deaf = new Set<string>();
  const follower = new ReplicaFollower({
    first,
    feed: changes.fromStart(over.signal),
    acceptsRequests,
    signal: over.signal,
    async untilHealthy(origin) {
      if (deaf.has(origin)) throw new Error('no answer');
    },
    untilUnresponsive: (origin, signal) =>
      new Promise((resolve, reject) => {
        silent.set(origin, () => resolve(reason('silent', { seconds: 60 })));
        signal.addEventListener('abort', () => reject(signal.reason));
      }),
    reasonOf: () => reason('no_answer_in_time'),
    async notify(state) {
      notified.push(state);
    },
  });
  const end = follower.run();
  const settle = async () => {
    for (let i = 0; i < 20; i += 1) await turn();
    return notified.splice(0);
  };
  return {
    end,
    over,
    settle,
    deaf,
    become(...replicas: Replica[]) {
      changes.put(replicas);
      return settle();
    },
    fallSilent: (origin: string) => silent.get(origin)?.(),
  };
}

test('requests go to a replica once it answers, and no more once it is down or superfluous', async () => {
  const one = followed([at(1, 'a')]);
  assert.deepEqual(await one.settle(), [{ origins: ['http://a'], numbers: [1], changes: [] }]);

  const [second] = await one.become(at(1, 'a'), at(2, 'b'));
  assert.deepEqual(second, {
    origins: ['http://a', 'http://b'],
    numbers: [1, 2],
    changes: [{ number: 2, note: null, ended: false }],
  });
  const [fallen] = await one.become(at(1, 'a'), down(2, 'b'));
  assert.deepEqual([fallen?.origins, fallen?.numbers], [['http://a'], [1]]);
  assert.deepEqual(fallen?.changes, [{ number: 2, note: down(2, 'b').down, ended: true }]);
  // A replica's machine may be known before its ports.
  assert.deepEqual(await one.become(at(1, 'a'), { number: 2, name: 'c' }), []);
  const [back] = await one.become(at(1, 'a'), at(2, 'c'));
  assert.deepEqual(back?.changes, [{ number: 2, note: null, ended: false }]);
  assert.deepEqual(back?.origins, ['http://a', 'http://c']);

  const [fewer] = await one.become(at(1, 'a'));
  assert.deepEqual(fewer, { origins: ['http://a'], numbers: [1], changes: [] });
  one.over.abort();
  assert.equal(await one.end, undefined);
});

test('a replica that was restarted before it was seen down has ended all the same', async () => {
  const one = followed([at(1, 'a')]);
  await one.settle();
  const changes = (await one.become(at(1, 'b'))).flatMap((state) => state.changes);
  assert.deepEqual(changes.map(({ number, ended }) => [number, ended]).at(0), [1, true]);
  one.over.abort();
  await one.end;
});

test('a replica that gets another number, because one before it was removed, has not ended and keeps its requests', async () => {
  const one = followed([at(1, 'a'), at(2, 'b'), at(3, 'c')]);
  await one.settle();
  one.deaf.add('http://c');
  const notified = await one.become(at(1, 'a'), at(2, 'c'));
  assert.deepEqual(
    notified.flatMap(({ changes }) => changes),
    [],
  );
  assert.deepEqual(notified.at(-1), { origins: ['http://a', 'http://c'], numbers: [1, 2], changes: [] });
  one.over.abort();
  await one.end;
});

test('a replica without a known port gets requests once its port is known', async () => {
  const one = followed([at(1, 'a'), { number: 2, name: 'b' }]);
  assert.deepEqual(await one.settle(), [{ origins: ['http://a'], numbers: [1], changes: [] }]);
  const [state] = await one.become(at(1, 'a'), at(2, 'b'));
  assert.deepEqual(
    [state?.origins, state?.numbers],
    [
      ['http://a', 'http://b'],
      [1, 2],
    ],
  );
  one.over.abort();
  await one.end;
});

test('a replica that accepts no requests is well as long as it runs', async () => {
  const one = followed([{ number: 1, name: 'a' }], false);
  assert.deepEqual(await one.settle(), [{ origins: [], numbers: [1], changes: [] }]);
  const [fallen] = await one.become(down(1, 'a'));
  assert.deepEqual([fallen?.numbers, fallen?.changes[0]?.ended], [[], true]);
  const [back] = await one.become({ number: 1, name: 'b' });
  assert.deepEqual(back, { origins: [], numbers: [1], changes: [{ number: 1, note: null, ended: false }] });
  one.over.abort();
  await one.end;
});

test('a replica that stops answering gets no requests; if none answers, the instance ends for that reason', async () => {
  const one = followed([at(1, 'a'), at(2, 'b')]);
  await one.settle();
  for (const origin of ['http://a', 'http://b']) one.deaf.add(origin);
  one.fallSilent('http://a');
  const [state] = await one.settle();
  assert.deepEqual(state?.origins, ['http://b']);
  one.fallSilent('http://b');
  assert.equal((await one.end)?.code, 'silent');
});
