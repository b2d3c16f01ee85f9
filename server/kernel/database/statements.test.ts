import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { PGlite } from '@electric-sql/pglite';
import { preparedFolder } from '../../../test/support/server.ts';
import { createStatements, type RunStatement } from './statements.ts';

let folder: string;
let engine: PGlite;
let run: RunStatement;

before(async () => {
  folder = await preparedFolder(await mkdtemp(join(tmpdir(), 'simcha-test-')));
  engine = await PGlite.create(join(folder, 'database'));
  run = createStatements(engine);
  await engine.exec(
    'create table things (id integer primary key, name text, tags text[], at timestamptz, doc jsonb, bytes bytea)',
  );
});
after(async () => {
  await engine.close();
  await rm(folder, { recursive: true });
});

const ask = (text: string, values: unknown[] = []) => run(engine, text, values, { rowMode: 'object' });
const preparedOf = async () =>
  (await engine.query<{ text: string }>('select statement as text from pg_prepared_statements')).rows;

test('a statement that is asked again gives what the engine’s own query does, and is prepared once', async () => {
  const insert = 'insert into things values ($1, $2, $3, $4, $5, $6) returning *';
  const at = new Date('2027-05-31T17:30:00Z');
  for (const id of [1, 2]) {
    const values = [id, id === 1 ? 'א"\'\\' : null, ['a,b', ''], at, { n: id }, new Uint8Array([0, 255])];
    assert.equal((await ask(insert, values)).affectedRows, 1);
  }
  for (const text of [
    'select * from things where id = any($1::integer[]) order by id',
    'update things set name = name where id = any($1::integer[]) returning id, at',
    'with gone as (delete from things where id <> all($1::integer[]) returning 1) select count(*) from gone',
  ]) {
    const expected = await engine.query(text, [[1, 2]]);
    assert.deepEqual(await ask(text, [[1, 2]]), expected);
    assert.deepEqual(await ask(text, [[1, 2]]), expected);
    assert.equal((await preparedOf()).filter((one) => one.text === text).length, 1);
  }
});

test('one that fails fails as the engine’s own does, and the next one runs', async () => {
  for (const [text, values] of [
    ['select nothing from things', []],
    ['select 1 / $1::integer as one', [0]],
    ['insert into things (id) values ($1)', [1]],
  ] as const) {
    const expected = await engine.query(text, [...values]).catch(({ message, code }) => ({ message, code }));
    for (let n = 0; n < 2; n += 1) await assert.rejects(ask(text, [...values]), expected);
  }
  assert.deepEqual((await ask('select 1 / $1::integer as one', [1])).rows, [{ one: 1 }]);
});

test('in a transaction it sees and undoes what the transaction does, and nobody comes in between', async () => {
  const count = 'select count(*)::integer as n from things where id = $1';
  let beside: Promise<unknown> | undefined;
  const transaction = engine.transaction(async (through) => {
    await run(through, 'insert into things (id) values ($1)', [7]);
    beside = ask(count, [7]).then(({ rows }) => rows);
    assert.deepEqual((await run(through, count, [7])).rows, [{ n: 1 }]);
    await assert.rejects(run(through, 'select 1 / $1::integer as one', [0]), { code: '22012' });
    await assert.rejects(run(through, count, [7]), { code: '25P02' });
    await assert.rejects(run(through, 'select 1 as never_asked_before'), { code: '25P02' });
    throw new Error('undone');
  });
  await assert.rejects(transaction, /undone/);
  assert.deepEqual(await beside, [{ n: 0 }]);
});

test('a table that changes is seen as it is', async () => {
  const all = 'select * from things where id = $1';
  await ask(all, [1]);
  await run(engine, 'alter table things add column more text');
  assert.ok('more' in ((await ask(all, [1])).rows[0] ?? {}));
});

test('only so many stay prepared, and none of many rows', async () => {
  for (let n = 0; n < 300; n += 1) await ask(`select ${n} as n`);
  assert.ok((await preparedOf()).length <= 256);
  const long = `select '${'x'.repeat(20_000)}' as text`;
  await ask(long);
  assert.ok((await preparedOf()).every(({ text }) => text !== long));
  assert.deepEqual((await ask('select 0 as n')).rows, [{ n: 0 }]);
});
