import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { signToken } from '../../server/identity/tokens.ts';
import { campaign } from '../support/campaign.ts';
import { createClient } from '../support/client.ts';
import { keepLedger } from '../support/ledger.ts';
import { mailTo } from '../support/outbox.ts';
import { spawnReadyServer, spawnServer } from '../support/process.ts';
import { postgresDatabase, queryDatabase, SECRET, waitingForLock } from '../support/server.ts';
import { until } from '../support/until.ts';

const ROUNDS = campaign(2, 50);
const token = await signToken(SECRET, { id: 'me', role: 'organizer' }, '1d');

const admin = process.env.SIMCHA_TEST_POSTGRES ?? '';

/** Ends every connection to the database but the holder's; gives how many of them were in a transaction. */
async function terminate(database: string): Promise<number> {
  const [{ open }] = await queryDatabase(
    admin,
    `select count(*) filter (where inside)::int as open from (
       select pg_terminate_backend(pid), xact_start is not null as inside from pg_stat_activity
       where datname = $1 and application_name <> 'holder') as ended`,
    [database],
  );
  return open;
}

test(`over ${ROUNDS} losses of every connection to PostgreSQL in the middle of writes, the server lives and keeps its word`, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'simcha-postgres-crash-'));
  const database = await postgresDatabase('simcha_template');
  const name = new URL(database.url).pathname.slice(1);
  const server = await spawnReadyServer({
    DATA_DIR: folder,
    JWT_SECRET: SECRET,
    RATE_LIMIT: '1000000',
    DATABASE_URL: database.url,
  });
  const call = createClient(server.url, { token });
  const holder = new pg.Client({ connectionString: database.url, application_name: 'holder' });
  await holder.connect();
  let cut = 0;
  const ledger = keepLedger(call);

  try {
    const { body } = await call('POST', '/api/events', {
      body: { title: 'held', event_date: '2099-06-15T19:30', venue_name: 'עדן' },
    });
    const held = body.event.id;
    for (let round = 1; round <= ROUNDS; round++) {
      const goal = ledger.acknowledged() + 20;
      await until(() => ledger.acknowledged() >= goal);
      // A transaction that waits for this row is open for certain; the others are wherever they are.
      await holder.query('begin');
      await holder.query('select from events where id = $1 for update', [held]);
      const waiting = call('PUT', `/api/events/${held}`, { body: { title: `held ${round}` } });
      await until(async () => (await waitingForLock(database.url)) > 0);
      cut += await terminate(name);
      assert.equal((await waiting).status, 503);
      await holder.query('commit');
    }
    await ledger.stop();

    assert.equal(server.child.exitCode, null);
    await until(async () => (await call('GET', '/readyz')).status === 200, 20_000);
    await ledger.check();
    // The queue of jobs has connections of its own.
    await call('POST', '/api/auth/code', { body: { email: 'noa@example.com' } });
    await mailTo(folder, 'noa@example.com');
    server.child.kill('SIGTERM');
    assert.equal(await server.ended, 0);
  } finally {
    server.child.kill('SIGKILL');
    await holder.end();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  }
  assert.ok(cut >= ROUNDS, 'a transaction was open each time');
  t.diagnostic(
    `${ledger.acknowledged()} acknowledged events, ${cut} transactions cut off, ${ledger.refused()} writes answered 503`,
  );
});

test('a server whose connections break while it migrates goes on when it has new ones', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'simcha-postgres-crash-'));
  const database = await postgresDatabase();
  const name = new URL(database.url).pathname.slice(1);
  const holder = new pg.Client({ connectionString: database.url, application_name: 'holder' });
  await holder.connect();
  // The lock that Kysely's migrations take.
  await holder.query('select pg_advisory_lock(3853314791062309107)');
  const server = await spawnServer({ DATA_DIR: folder, JWT_SECRET: SECRET, DATABASE_URL: database.url });
  try {
    await until(async () => (await waitingForLock(database.url)) > 0);
    assert.ok((await terminate(name)) > 0);
    await holder.query('select pg_advisory_unlock_all()');
    const call = createClient(server.url);
    await until(async () => (await call('GET', '/readyz')).status === 200, 30_000);
    server.child.kill('SIGTERM');
    assert.equal(await server.ended, 0);
  } finally {
    server.child.kill('SIGKILL');
    await holder.end();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  }
});
