import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CommonRefusal } from '../../server/kernel/refusal.ts';
import { createStandbyThread, createThreads, ThreadExhausted } from '../../server/kernel/threads.ts';

const FILE = new URL('./fixtures/thread.ts', import.meta.url);
const LIMITS = { atOnce: 1, waitMs: 60_000, runMs: 60_000, heapMb: 64 };

const threads = (limits: Partial<typeof LIMITS> = {}) =>
  createThreads<string, string>(FILE, { ...LIMITS, ...limits });
const ignore = () => {};

test('what a thread says is heard in order, and all of it before the end', async () => {
  const heard: string[] = [];
  await threads()('say it twice', (message) => heard.push(message));
  assert.deepEqual(heard, ['once', 'twice']);
});

test('a thread that takes too much memory or too long is ended, and the process lives', async () => {
  await assert.rejects(threads({ heapMb: 16 })('take all memory', ignore), ThreadExhausted);
  await assert.rejects(threads({ runMs: 200 })('never end', ignore), ThreadExhausted);
});

test('what a thread throws is thrown here', async () => {
  await assert.rejects(threads()('go wrong', ignore), { name: 'TypeError', message: 'went wrong' });
});

test('a thread knows nothing of the server’s settings, but where compiled modules are', async () => {
  const heard: string[] = [];
  await threads()('look at the environment', (message) => heard.push(message));
  assert.deepEqual(heard, [process.env.NODE_COMPILE_CACHE ? 'NODE_COMPILE_CACHE' : '']);
});

test('who comes when all threads are at work waits in line, and gets a 503 in the end', async () => {
  const run = threads({ waitMs: 100, runMs: 5_000 });
  const { promise: started, resolve } = Promise.withResolvers<string>();
  const first = run('wait for a word', resolve);
  first.catch(ignore);
  assert.equal(await started, 'waiting');
  await assert.rejects(run('say it twice', ignore), (error) => {
    assert.ok(error instanceof CommonRefusal);
    return error.status === 503;
  });
  await assert.rejects(first, ThreadExhausted);
});

test('one after the other takes the place of the one before, also of one that failed', async () => {
  const run = threads();
  const ended = await Promise.allSettled(
    ['go wrong', 'say it twice', 'go wrong', 'say it twice'].map((work) => run(work, ignore)),
  );
  assert.deepEqual(
    ended.map(({ status }) => status),
    ['rejected', 'fulfilled', 'rejected', 'fulfilled'],
  );
});

test('a thread that has answered answers the next question too, and one that failed is replaced', async () => {
  const file = new URL('./fixtures/standby.ts', import.meta.url);
  const ask = createStandbyThread<string, number>(file, { runMs: 5_000, heapMb: 64 });
  assert.deepEqual([await ask('count'), await ask('count')], [1, 2]);
  await assert.rejects(ask('go wrong'), { name: 'TypeError', message: 'went wrong' });
  assert.equal(await ask('count'), 1);
  const together = await Promise.all([ask('count'), ask('count')]);
  assert.deepEqual(together.sort(), [1, 2]);
  const hasty = createStandbyThread<string, number>(file, { runMs: 500, heapMb: 64 });
  await assert.rejects(hasty('never end'), ThreadExhausted);
});
