import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { DatabaseFrozen, Pulse } from './pulse.ts';

/** Pulse of a database that answers as `answers` says, and the events it reported. */
function pulseOf(answers: () => Promise<unknown>) {
  const told: string[] = [];
  const pulse = new Pulse({
    ask: answers,
    rest: () => told.push('rest'),
    onFrozen: () => told.push('frozen'),
    onBack: () => told.push('back'),
  });
  return { pulse, told };
}

test('a question that takes long is waited for while the database answers others', async () => {
  let asked = 0;
  const long = Promise.withResolvers<string>();
  const { pulse, told } = pulseOf(async () => {
    asked += 1;
    if (asked === 3) long.resolve('at last');
  });
  assert.equal(await pulse.during(() => long.promise), 'at last');
  assert.equal(asked, 3);
  while (told.length === 0) await setImmediate();
  assert.deepEqual(told, ['rest']);
});

test('an error is an answer', async () => {
  let asked = 0;
  const long = Promise.withResolvers<string>();
  const { pulse, told } = pulseOf(async () => {
    asked += 1;
    if (asked === 2) long.resolve('done');
    throw new Error('too many connections');
  });
  assert.equal(await pulse.during(() => long.promise), 'done');
  assert.ok(!told.includes('frozen'));
});

test('once the database answers nothing, all that waits is given up, and nothing new waits until it is back', async () => {
  const back = Promise.withResolvers<void>();
  const { pulse, told } = pulseOf(() => back.promise);
  const ended: Error[] = [];
  const never = () => new Promise<never>(() => {});
  const waiting = [1, 2, 3].map(() => pulse.during(never, (error) => ended.push(error)));
  for (const one of waiting) await assert.rejects(one, DatabaseFrozen);
  assert.deepEqual([ended.length, told], [3, ['frozen']]);
  await assert.rejects(
    pulse.during(async () => assert.fail('asked')),
    { code: 'ETIMEDOUT' },
  );
  back.resolve();
  while (!told.includes('rest')) await setImmediate();
  assert.deepEqual(told, ['frozen', 'back', 'rest']);
  assert.equal(await pulse.during(async () => 'again'), 'again');
  pulse.close();
});

test('what fails by itself fails as it did', async () => {
  const { pulse } = pulseOf(async () => {});
  await assert.rejects(
    pulse.during(async () => {
      throw new Error('unique');
    }),
    /unique/,
  );
});
