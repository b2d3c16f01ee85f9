import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startCarriers } from '../support/carriers.ts';
import { serverOnOwnPostgres } from '../support/own-postgres.ts';
import { spawnReadyServer } from '../support/process.ts';
import { sendRound } from '../support/rounds.ts';
import { DATABASES_OF_SLOW_TESTS, SECRET, temporaryDatabase } from '../support/server.ts';
import { until } from '../support/until.ts';

for (const kind of DATABASES_OF_SLOW_TESTS) {
  test(`a text that a server was killed with is not sent a second time, and said to be unknown, on ${kind}`, {
    timeout: 180_000,
  }, async () => {
    await using place = await temporaryDatabase(kind);
    await using carriers = await startCarriers((_to, attempt) => (attempt === 1 ? 'silence' : undefined));
    const env = { ...place.env, ...carriers.env, JWT_SECRET: SECRET };
    const first = await spawnReadyServer(env);
    const read = await sendRound(first.url, [{ name: 'דנה', phone: '0501234567' }], { channel: 'sms' });
    await until(() => carriers.asked.length === 1);
    first.child.kill('SIGKILL');
    await first.ended;

    const second = await spawnReadyServer(env);
    try {
      const report = () => read(second.url);
      await until(async () => (await report()).unknown === 1, 120_000);
      assert.equal(carriers.asked.length, 1);
      assert.equal((await report()).state, 'sent');
    } finally {
      second.child.kill('SIGTERM');
      assert.equal(await second.ended, 0);
    }
    assert.ok(!(first.output() + second.output()).includes('501234567'));
  });
}

test('what a carrier said while the database was away is taken down once it is back', {
  timeout: 180_000,
}, async () => {
  const isAway = Promise.withResolvers<void>();
  let held = 0;
  await using carriers = await startCarriers(async (to, attempt) => {
    held += 1;
    await isAway.promise;
    return to.endsWith('2') && attempt === 1 ? { status: 429, code: 20429 } : undefined;
  });
  await using own = await serverOnOwnPostgres(carriers.env);
  const guests = [1, 2].map((n) => ({ name: `${n}`, phone: `050123450${n}` }));
  const round = await sendRound(own.server.url, guests, { channel: 'sms' });
  await until(() => held === 2);
  await own.postgres.stop();
  isAway.resolve();
  await own.postgres.start();
  await until(async () => (await round())?.state === 'sent', 120_000);
  const { sent, unknown } = await round();
  assert.deepEqual([sent, unknown], [2, 0]);
  assert.deepEqual(
    [carriers.askedOf('972501234501').length, carriers.askedOf('972501234502').length],
    [1, 2],
  );
});
