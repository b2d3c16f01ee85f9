import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCallerQueue, shareLimitsOf } from './fair-share.ts';

const here = new AbortController().signal;
const bounds = { most: 2, mostWaiting: 2, longestWaitMs: 3_600_000 };

test('of one caller so many work at a time, the others in their order; another caller does not wait for them', async () => {
  const share = createCallerQueue(bounds);
  const first = share.take('one');
  const second = share.take('one');
  assert.ok(first && second && !share.take('one'));
  assert.ok(share.take('other'));
  const order: string[] = [];
  const wait = async (name: string) => {
    const leave = await share.enter('one', here);
    order.push(name);
    return leave;
  };
  const [third, fourth] = [wait('third'), wait('fourth')];
  await assert.rejects(share.enter('one', here), { status: 429 }, 'no more than two may wait');
  first();
  first();
  const leave = await third;
  assert.deepEqual(order, ['third'], 'a place that is left twice is one place');
  assert.ok(!share.take('one'), 'whoever comes now does not get in before those who wait');
  leave();
  (await fourth)();
  second();
  assert.ok(share.take('one'));
});

test('who waits too long, or is gone, waits no more and takes no place', async () => {
  const share = createCallerQueue({ ...bounds, most: 1, longestWaitMs: 10 });
  const leave = share.take('one');
  await assert.rejects(share.enter('one', here), { status: 429 });
  const gone = new AbortController();
  const waiting = share.enter('one', gone.signal);
  gone.abort();
  await assert.rejects(waiting, { status: 429 });
  await assert.rejects(share.enter('one', gone.signal), { status: 429 });
  leave?.();
  assert.ok(share.take('one'));
});

test('nobody has more than half of the connections', () => {
  const most = (databasePoolSize: number) => shareLimitsOf({ kind: 'postgres' }, { databasePoolSize }).most;
  assert.deepEqual([1, 2, 3, 10, 500].map(most), [1, 1, 1, 5, 250]);
});
