import assert from 'node:assert/strict';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { isUnavailable } from '../../server/kernel/database/database.ts';
import { openEngine } from '../../server/kernel/database/engine.ts';
import { until } from '../support/until.ts';

const TEMPLATE = process.env.SIMCHA_TEST_EMBEDDED ?? '';

async function open(heapMb?: number) {
  const folder = await mkdtemp(join(tmpdir(), 'simcha-engine-'));
  await cp(TEMPLATE, folder, { recursive: true });
  const gone: unknown[] = [];
  const limits = heapMb === undefined ? {} : { maxOldGenerationSizeMb: heapMb };
  const engine = await openEngine(folder, (error) => gone.push(error), limits);
  await engine.exec('create table people (name text constraint people_name unique, born date)');
  return {
    engine,
    gone,
    async [Symbol.asyncDispose]() {
      await engine.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const count = 'select count(*)::integer as count from people';

test('the embedded database works in a thread: statements, transactions, errors and notifications', async () => {
  await using opened = await open();
  const { engine } = opened;
  const heard: string[] = [];
  const silence = await engine.listen('people', (payload) => heard.push(payload));
  await engine.query('insert into people values ($1, $2)', ['נועה', '1990-05-01']);
  const { rows } = await engine.query<{ born: Date }>('select * from people');
  assert.equal(rows[0]?.born.toISOString(), '1990-05-01T00:00:00.000Z');

  // What is asked outside waits for the transaction's end, and sees all of it or nothing.
  const inside = engine.transaction(async (transaction) => {
    await transaction.query("insert into people values ('דנה', null)");
    await transaction.query("notify people, 'דנה'");
    return transaction.query(count);
  });
  const outside = engine.query(count);
  assert.deepEqual([(await inside).rows, (await outside).rows], [[{ count: 2 }], [{ count: 2 }]]);
  await assert.rejects(
    engine.transaction(async (transaction) => {
      await transaction.query('delete from people');
      throw new Error('changed my mind');
    }),
    /changed my mind/,
  );
  assert.deepEqual((await engine.query(count)).rows, [{ count: 2 }]);
  await until(async () => heard.length > 0);
  assert.deepEqual(heard, ['דנה']);
  await silence();

  await assert.rejects(engine.query('insert into people values ($1, null)', ['נועה']), (error) => {
    const { code, constraint, table } = error as Record<string, unknown>;
    assert.deepEqual([code, constraint, table], ['23505', 'people_name', 'people']);
    // The statement's values are people's data, and errors are logged.
    assert.deepEqual(
      ['query', 'params'].filter((field) => field in (error as object)),
      [],
    );
    return error instanceof Error;
  });
  await assert.rejects(
    engine.transaction(async (transaction) => {
      await transaction.query('select 1 / 0').catch(() => {});
    }),
    { code: '25P02' },
  );
  assert.deepEqual((await engine.query(count)).rows, [{ count: 2 }]);
});

test('others are answered while the embedded database works', async () => {
  await using opened = await open();
  let done = false;
  const work = opened.engine
    .query('select count(*) from generate_series(1, 1000000) a where a % 3 = 0')
    .finally(() => {
      done = true;
    });
  let turns = 0;
  for (; !done; turns += 1) await new Promise((resolve) => setImmediate(resolve));
  await work;
  assert.ok(turns > 100, `${turns} turns`);
});

test('a thread of the embedded database that ends is followed by another, with all that was committed', async () => {
  await using opened = await open(64);
  const { engine, gone } = opened;
  const heard: string[] = [];
  await engine.listen(
    'people',
    (payload) => heard.push(payload),
    () => heard.push('missed something'),
  );
  await engine.query("insert into people values ('נועה', null)");
  const lost = engine.query('select a, a as b, a as c from generate_series(1, 1500000) a');
  const beside = engine.transaction((transaction) => transaction.query(count));
  for (const one of [lost, beside]) await assert.rejects(one, (error) => isUnavailable(error));
  assert.equal(gone.length, 1);
  await until(() =>
    engine.query(count).then(
      ({ rows }) => assert.deepEqual(rows, [{ count: 1 }]) === undefined,
      (error) => !isUnavailable(error),
    ),
  );
  await until(async () => heard.length > 0);
  await engine.query("notify people, 'again'");
  await until(async () => heard.length > 1);
  assert.deepEqual(heard, ['missed something', 'again']);
});
