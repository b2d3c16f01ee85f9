import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { signToken } from '../../server/identity/tokens.ts';
import { createClient } from '../support/client.ts';
import { openDatabaseProxy } from '../support/database-proxy.ts';
import { serverOnOwnPostgres } from '../support/own-postgres.ts';
import { spawnReadyServer } from '../support/process.ts';
import { readinessOf } from '../support/readiness.ts';
import { SECRET, temporaryDatabase, waitingForLock } from '../support/server.ts';
import { until } from '../support/until.ts';

const BODY = { title: 'חתונה', event_date: '2099-06-15T19:30', venue_name: 'עדן' };
/** As many as there are connections for requests. */
const CONNECTIONS = 10;
const SETTINGS = { JWT_SECRET: SECRET, RATE_LIMIT: '1000000', DATABASE_POOL_SIZE: String(CONNECTIONS) };

test('a PostgreSQL that takes connections and questions and answers none: readiness says so in time, again and again', async () => {
  await using database = await temporaryDatabase('postgres');
  await using proxy = await openDatabaseProxy(database.env.DATABASE_URL ?? '');
  const server = await spawnReadyServer({ ...database.env, ...SETTINGS, DATABASE_URL: proxy.url });
  try {
    const call = createClient(server.url, {
      token: await signToken(SECRET, { id: 'me', role: 'organizer' }, '1d'),
    });
    const { body } = await call('POST', '/api/events', { body: BODY });
    proxy.freeze();
    // More than there are connections, each of which waits for its answer meanwhile.
    for (let look = 0; look <= CONNECTIONS; look += 1) assert.equal(await readinessOf(server.url), 503);
    assert.equal((await call('GET', '/api/events')).status, 503);
    proxy.resume();
    await until(async () => (await readinessOf(server.url)) === 200);
    assert.equal((await call('GET', `/api/events/${body.event.id}`)).status, 200);
    assert.equal((await call('POST', '/api/events', { body: BODY })).status, 201);
    server.child.kill('SIGTERM');
    assert.equal(await server.ended, 0);
  } finally {
    server.child.kill('SIGKILL');
    await server.ended;
  }
});

test('a PostgreSQL that is frozen: whatever waits for it is a 503 long before a query may take so long, and all goes on after', async () => {
  await using at = await serverOnOwnPostgres({ DATABASE_POOL_SIZE: String(CONNECTIONS), HOSTING: 'off' });
  const { postgres, server } = at;
  const clients = await Promise.all(
    ['one', 'two', 'three'].map(async (id) =>
      createClient(server.url, { token: await signToken(SECRET, { id, role: 'organizer' }, '1d') }),
    ),
  );
  const write = (call: (typeof clients)[number]) => call('POST', '/api/events', { body: BODY });
  for (const call of clients) assert.equal((await write(call)).status, 201);
  await postgres.freeze();
  // More than there are connections, and of each caller more than work at a time.
  const begun = performance.now();
  const answers = await Promise.all(
    clients.flatMap((call) => Array.from({ length: CONNECTIONS }, () => write(call))),
  );
  const took = performance.now() - begun;
  for (const { status, headers } of answers) {
    assert.deepEqual([status, headers.has('retry-after')], [503, true]);
  }
  assert.ok(took < 10_000, `${took} ms; a query may take 15 s`);
  await until(() => /does not answer/.test(server.output()));
  for (const call of clients) assert.equal((await write(call)).status, 503);
  await postgres.thaw();
  await until(async () => (await readinessOf(server.url)) === 200);
  await until(() => /answers again/.test(server.output()));
  for (const call of clients) {
    assert.equal((await write(call)).status, 201);
    // What was under way when it stopped may have been done, and is not done twice.
    assert.ok((await call('GET', '/api/events?limit=1000')).body.total <= 2 + CONNECTIONS);
  }
});

test('a locked table, for which every connection waits: readiness is told in time, and all goes on once it is free', async () => {
  await using database = await temporaryDatabase('postgres');
  const { DATABASE_URL = '' } = database.env;
  const server = await spawnReadyServer({ ...database.env, ...SETTINGS });
  const holder = new pg.Client(DATABASE_URL);
  await holder.connect();
  try {
    await holder.query('begin; lock table events in access exclusive mode');
    // Of one caller half of the connections wait at most, so three callers take them all.
    const writes = ['one', 'two', 'three'].flatMap(async (id) => {
      const call = createClient(server.url, {
        token: await signToken(SECRET, { id, role: 'organizer' }, '1d'),
      });
      return Promise.all(
        Array.from({ length: CONNECTIONS }, () => call('POST', '/api/events', { body: BODY })),
      );
    });
    await until(async () => (await waitingForLock(DATABASE_URL)) >= CONNECTIONS);
    assert.equal(await readinessOf(server.url), 503);
    await holder.query('commit');
    await until(async () => (await readinessOf(server.url)) === 200);
    for (const { status, text } of (await Promise.all(writes)).flat()) {
      assert.ok(status === 201 || status === 503, text);
    }
    server.child.kill('SIGTERM');
    assert.equal(await server.ended, 0);
  } finally {
    await holder.end();
    server.child.kill('SIGKILL');
    await server.ended;
  }
});
