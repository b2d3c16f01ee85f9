import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import pg from 'pg';
import { pino } from 'pino';
import { POSTGRES } from '../../commands/cluster/postgres.ts';
import { readConfig } from '../../server/kernel/config.ts';
import { openDatabase } from '../../server/kernel/database/open.ts';
import { migrations } from '../../server/migrations/migrations.ts';
import { temporaryDatabase } from '../support/server.ts';

const run = promisify(execFile);
const BIN = dirname(POSTGRES);

test('a dump of the database, made by pg_dump, is restored into an empty one', async () => {
  await using from = await temporaryDatabase('postgres');
  await using to = await temporaryDatabase('postgres');
  const database = openDatabase(readConfig(from.env), migrations, pino({ level: 'silent' }));
  await database.prepare();
  await database.close();
  await query(
    from.env.DATABASE_URL,
    `with event as (
       insert into events (id, organizer_id, title, event_date, venue_name, created_at, updated_at)
       values (gen_random_uuid(), 'me', 'חתונה', now(), 'גן', now(), now()) returning id
     )
     insert into guests (id, event_id, name, phone, created_at, updated_at)
     select gen_random_uuid(), id, 'משפחת כהן', '+972521112222', now(), now() from event`,
  );
  const { stdout } = await run(`${BIN}/pg_dump`, [from.env.DATABASE_URL ?? ''], { maxBuffer: 100_000_000 });
  const file = join(to.env.DATA_DIR, 'dump.sql');
  await writeFile(file, stdout);
  await query(to.env.DATABASE_URL, 'drop schema public, pgboss cascade');
  await query(to.env.DATABASE_URL, 'create schema public');
  await run(`${BIN}/psql`, ['-q', '-v', 'ON_ERROR_STOP=1', '-f', file, to.env.DATABASE_URL ?? '']);
  const guests = 'select * from guests';
  assert.deepEqual(await query(to.env.DATABASE_URL, guests), await query(from.env.DATABASE_URL, guests));
});

async function query(url: string | undefined, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
