import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { signToken } from '../server/identity/tokens.ts';
import { migrations } from '../server/migrations/migrations.ts';
import { campaign } from './support/campaign.ts';
import { createClient } from './support/client.ts';
import { freePort } from './support/postgres.ts';
import { spawnReadyServer } from './support/process.ts';
import { KEY, postgresDatabase, queryDatabase, SECRET } from './support/server.ts';
import { serversOfOneFolder } from './support/servers-in-one-folder.ts';
import { until } from './support/until.ts';

// The server as an operator meets it: started, stopped, crashed, and with its database coming and going.

const BODY = { title: 'חתונה', event_date: '2099-06-15T19:30', venue_name: 'עדן' };
const token = await signToken(SECRET, { id: 'me', role: 'organizer' }, '1h');

describe('a server process', () => {
  const at = serversOfOneFolder();

  test('makes its secret once, for itself alone, and npm run token signs with it', async () => {
    const { JWT_SECRET: _, ...own } = at.env;
    at.env = own;
    const first = await at.start();
    const secret = await readFile(join(at.folder, 'jwt-secret'), 'utf8');
    assert.match(secret, /^[\w-]{43}$/);
    assert.equal((await stat(join(at.folder, 'jwt-secret'))).mode & 0o777, 0o600);
    const signed = await signToken(secret, { id: 'me', role: 'organizer' }, '1h');
    assert.equal((await createClient(first.url)('GET', '/api/events', { token: signed })).status, 200);
    first.child.kill('SIGTERM');
    await first.ended;
    const second = await at.start();
    assert.equal((await createClient(second.url)('GET', '/api/events', { token: signed })).status, 200);
    second.child.kill('SIGTERM');
    await second.ended;
    at.env = { ...own, JWT_SECRET: SECRET };
  });

  test('closes a data folder that was there to everybody else, but none that all share', async () => {
    for (const [before, after] of [
      [0o755, 0o700],
      [0o1777, 0o1777],
    ] as const) {
      const DATA_DIR = join(at.folder, `mode-${before.toString(8)}`);
      await mkdir(DATA_DIR);
      await chmod(DATA_DIR, before);
      const server = await at.start({ ...at.onPostgres, DATA_DIR });
      assert.equal((await stat(DATA_DIR)).mode & 0o7777, after);
      server.child.kill('SIGTERM');
      assert.equal(await server.ended, 0);
    }
  });

  test('stops at a wrong setting, a taken port and a database of another version, each with one sentence', async () => {
    const wrong = await at.start({ PORT: 'http' });
    assert.deepEqual(
      [await wrong.ended, wrong.output()],
      [1, 'Simcha can’t start: PORT is "http"; expected a port number from 0 to 65535.\n'],
    );
    const first = await at.start(at.onPostgres);
    const other = join(at.folder, 'other');
    const taken = await at.start({ ...at.onPostgres, DATA_DIR: other, PORT: new URL(first.url).port });
    assert.equal(await taken.ended, 1);
    assert.match(
      taken.output(),
      /^Simcha can’t start: PORT is \d+, which is already in use at 127\.0\.0\.1; set another one, or stop the process that listens there\.$/m,
    );
    assert.ok(!existsSync(other), 'nothing was made');
    first.child.kill('SIGTERM');
    await first.ended;
    const nowhere = await at.start({ ...at.onPostgres, HOST: 'foo.invalid' });
    assert.equal(await nowhere.ended, 1);
    assert.match(
      nowhere.output(),
      /^Simcha can’t start: HOST is "foo\.invalid", which no name server knows\.$/m,
    );
    const guessable = await at.start({ NODE_ENV: 'production', JWT_SECRET: 'short' });
    assert.equal(await guessable.ended, 1);
    assert.match(guessable.output(), /^Simcha can’t start: JWT_SECRET is invalid/);

    const port = String(await freePort());
    const engineless = await at.start({
      DATABASE_URL: `postgres://postgres@127.0.0.1:${port}/away`,
      HOSTING: 'auto',
      APPS_RUNTIME: 'docker',
      APPS_ENGINE: join(at.folder, 'no-engine'),
    });
    assert.equal(await engineless.ended, 1, 'also while it waits for the database');
    assert.match(engineless.output(), /^Simcha can’t start: APPS_RUNTIME is docker, and no engine/m);

    const newer = await postgresDatabase('simcha_template');
    await queryDatabase(newer.url, "insert into simcha_migrations values ('9999-future', now()::text)");
    const older = await at.start({ DATABASE_URL: newer.url });
    assert.equal(await older.ended, 1);
    assert.match(older.output(), /set up by a newer Simcha/);
    await newer.drop();

    const unreleased = await postgresDatabase('simcha_template');
    await queryDatabase(
      unreleased.url,
      "update simcha_migrations set name = '0001-writes' where name like '0001-%'",
    );
    const refusing = await at.start({ DATABASE_URL: unreleased.url });
    assert.equal(await refusing.ended, 1);
    assert.match(
      refusing.output(),
      /set up by a Simcha from before the first release\. Its data can’t be carried over to this version/,
    );
    await unreleased.drop();
  });

  test('told to stop, finishes what is under way, takes nothing new, and exits 0', async () => {
    const server = await at.start(at.onPostgres);
    await until(async () => (await createClient(server.url)('GET', '/readyz')).status === 200);
    const { hostname, port } = new URL(server.url);
    const body = JSON.stringify(BODY);
    const slow = connect(Number(port), hostname);
    slow.write(
      `POST /api/events HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n` +
        `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body.slice(0, 5)}`,
    );
    await until(async () => (await createClient(server.url)('GET', '/healthz')).status === 200);
    server.child.kill('SIGTERM');
    await until(() => /finishing running requests and jobs/.test(server.output()));
    await until(() =>
      createClient(server.url)('GET', '/healthz').then(
        () => false,
        () => true,
      ),
    );
    let heard = '';
    slow.on('data', (chunk) => {
      heard += chunk;
    });
    slow.write(body.slice(5));
    await once(slow, 'close');
    assert.match(heard, /^HTTP\/1\.1 201 /);
    assert.equal(await server.ended, 0);
  });

  test('gives a request that never ends ten seconds, and exits 0 all the same', async () => {
    const server = await at.start(at.onPostgres);
    const { hostname, port } = new URL(server.url);
    const stuck = connect(Number(port), hostname);
    stuck.on('error', () => {});
    stuck.write('POST /api/events HTTP/1.1\r\nhost: x\r\ncontent-length: 50\r\n\r\n{');
    await createClient(server.url)('GET', '/healthz');
    const asked = Date.now();
    server.child.kill('SIGTERM');
    assert.equal(await server.ended, 0);
    const seconds = (Date.now() - asked) / 1000;
    assert.ok(seconds < 15, `took ${seconds} s`);
  });

  test('goes on after a failure that nobody heard of, and ends with 1 after one that nobody caught', async () => {
    const faults = `
      process.on('SIGUSR2', () => void Promise.reject(new Error('unheard of')));
      process.on('SIGHUP', () => { throw new Error('uncaught'); });`;
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(faults)}`;
    const server = await at.start({ ...at.onPostgres, NODE_OPTIONS }, { failsFatally: true });
    server.child.kill('SIGUSR2');
    await until(() => /"level":60.*"message":"unheard of".*"stack":.*going on"/.test(server.output()));
    assert.equal((await createClient(server.url)('GET', '/healthz')).status, 200);
    server.child.kill('SIGHUP');
    assert.equal(await server.ended, 1);
    await until(() => /"level":60.*"message":"uncaught".*"stack":.*ending"/.test(server.output()));
  });
});

const SEVERAL = campaign(2, 4);

describe('servers on one PostgreSQL', () => {
  test(`${SEVERAL} that start at once on an empty database all come up, and one finds what another stored`, async () => {
    const database = await postgresDatabase();
    const folders = await Promise.all(
      Array.from({ length: SEVERAL }, () => mkdtemp(join(tmpdir(), 'simcha-several-'))),
    );
    const servers = await Promise.all(
      folders.map((DATA_DIR) =>
        spawnReadyServer({
          DATA_DIR,
          JWT_SECRET: SECRET,
          ENCRYPTION_KEY: KEY,
          DATABASE_URL: database.url,
        }),
      ),
    );
    try {
      const calls = servers.map(({ url }) => createClient(url, { token }));
      const created = await calls[0]?.('POST', '/api/events', { body: BODY });
      for (const call of calls) {
        assert.equal((await call('GET', `/api/events/${created?.body.event.id}`)).status, 200);
      }
      const [{ count }] = await queryDatabase(database.url, 'select count(*)::int from simcha_migrations');
      assert.equal(count, Object.keys(migrations).length);
    } finally {
      for (const { child, ended } of servers) {
        child.kill('SIGTERM');
        assert.equal(await ended, 0);
      }
      await database.drop();
      for (const folder of folders) await rm(folder, { recursive: true });
    }
  });
});
