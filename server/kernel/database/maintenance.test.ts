import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { startServer } from '../../../test/support/server.ts';
import { runMaintenance } from './maintenance.ts';

test('the embedded database uses the room of rows that are gone again, and counts what it holds', async () => {
  await using server = await startServer('embedded');
  const db = server.simcha.database.sql;
  await sql`create table things (id integer primary key, text text)`.execute(db);
  await sql`insert into things select n, repeat('x', 100) from generate_series(1, 1000) n`.execute(db);
  const sizeAfter = async () => {
    await sql`update things set text = text || 'y'`.execute(db);
    await runMaintenance(db);
    const { rows } = await sql<{ pages: number; held: number }>`
      select relpages as pages, reltuples::integer as held from pg_class where relname = 'things'`.execute(
      db,
    );
    return rows[0];
  };
  const once = await sizeAfter();
  assert.equal(once?.held, 1_000);
  for (let n = 0; n < 3; n += 1) assert.deepEqual(await sizeAfter(), once);
});
