import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { signToken } from '../../server/identity/tokens.ts';
import { campaign } from '../support/campaign.ts';
import { createClient } from '../support/client.ts';
import { freePort, type Postgres, startPostgres } from '../support/postgres.ts';
import { MAIN, nodeFlags, spawnServer } from '../support/process.ts';
import { readinessOf } from '../support/readiness.ts';
import {
  postgresDatabase,
  preparedFolder,
  queryDatabase,
  SECRET,
  waitingForLock,
} from '../support/server.ts';
import { serversOfOneFolder } from '../support/servers-in-one-folder.ts';
import { until } from '../support/until.ts';

// The server as an operator meets it: started, stopped, crashed, and with its database coming and going.

const BODY = { title: 'חתונה', event_date: '2099-06-15T19:30', venue_name: 'עדן' };
const token = await signToken(SECRET, { id: 'me', role: 'organizer' }, '1h');

describe('a server process', () => {
  const at = serversOfOneFolder();

  test('holds its data folder: a second one stops with a sentence that says who has it', async () => {
    const first = await at.start();
    const second = await at.start();
    assert.equal(await second.ended, 1);
    assert.match(
      second.output(),
      new RegExp(
        `^Simcha can’t start: The data folder \\S+ is in use by process ${first.child.pid} since \\S+; stop that one or set another DATA_DIR\\.\\n$`,
      ),
    );
    assert.equal((await createClient(first.url)('GET', '/readyz')).status, 200);
    first.child.kill('SIGKILL');
    await first.ended;
    const third = await at.start();
    assert.ok(third.url, `the lock of a killed server is not left over: ${third.output()}`);
    third.child.kill('SIGTERM');
    assert.equal(await third.ended, 0);
  });

  test('can’t have its data folder: one sentence says why', async () => {
    const file = join(at.folder, 'file');
    await writeFile(file, '');
    const below = await at.start({ DATA_DIR: join(file, 'data') });
    assert.deepEqual(
      [await below.ended, below.output()],
      [
        1,
        `Simcha can’t start: ${join(file, 'data')} can’t be a folder: part of it is a file (ENOTDIR); fix that or set another DATA_DIR.\n`,
      ],
    );

    // No folder can be made there, and its parent says that there is no such thing.
    const nowhere = await at.start({ DATA_DIR: '/proc/simcha/data' });
    assert.deepEqual(
      [await nowhere.ended, nowhere.output()],
      [
        1,
        'Simcha can’t start: /proc/simcha/data can’t be created (ENOENT); fix that or set another DATA_DIR.\n',
      ],
    );

    // Real file systems: one mounted read-only, one that is full, one that the database does not fit on.
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    const boxed = async (DATA_DIR: string, box: string[], before = 'true') => {
      const server = spawn(
        'bwrap',
        [
          ...box,
          '--dev-bind',
          '/dev',
          '/dev',
          'sh',
          '-c',
          `${before}; exec "$0" "$@"`,
          process.execPath,
          ...nodeFlags(),
          MAIN,
        ],
        { env: { PATH, NODE_COMPILE_CACHE, PORT: '0', LOG_LEVEL: 'silent', DATA_DIR } },
      );
      const [output, errors] = await Promise.all([text(server.stdout), text(server.stderr)]);
      return output + errors;
    };
    const sentence = (path: string, reason: string) =>
      `Simcha can’t start: ${path} ${reason}; fix that or set another DATA_DIR.\n`;
    const fresh = join(at.folder, 'fresh');
    assert.equal(
      await boxed(fresh, ['--ro-bind', '/', '/']),
      sentence(fresh, 'is on a read-only file system (EROFS)'),
    );
    await mkdir(fresh);
    const room = (bytes: number) => ['--bind', '/', '/', '--size', String(bytes), '--tmpfs', fresh];
    assert.equal(
      await boxed(fresh, room(4_096), `head -c 4096 /dev/zero > ${fresh}/full`),
      sentence(fresh, 'is on a full disk (ENOSPC)'),
    );
  });

  test('is not let loose on what it can’t read: an empty secret, half a database, a damaged one', async () => {
    const DATA_DIR = await preparedFolder(join(at.folder, 'damaged'));
    const refused = async () => {
      const server = await at.start({ DATA_DIR, LOG_LEVEL: 'silent' });
      assert.equal(await server.ended, 1);
      return server.output();
    };
    const whole = await at.start({ DATA_DIR });
    assert.ok(whole.url);
    const kept = await createClient(whole.url, { token })('POST', '/api/events', { body: BODY });
    whole.child.kill('SIGTERM');
    await whole.ended;

    const database = join(DATA_DIR, 'database');
    const restore = 'restore DATA_DIR from a backup, or remove this folder if it contains no data yet.\n';
    const damaged = `Simcha can’t start: The database in ${database} can’t be opened, it seems damaged; ${restore}`;
    const aside = join(at.folder, 'aside');
    for (const name of campaign(['global'], ['base', 'global', 'pg_wal', 'pg_xact'])) {
      await rename(join(database, name), aside);
      assert.equal(await refused(), damaged, name);
      await rename(aside, join(database, name));
    }
    const again = await at.start({ DATA_DIR });
    const read = createClient(again.url, { token });
    assert.equal((await read('GET', `/api/events/${kept.body.event.id}`)).status, 200);
    again.child.kill('SIGTERM');
    await again.ended;

    const control = join(database, 'global', 'pg_control');
    await truncate(control, 100);
    assert.equal(await refused(), damaged);

    await rm(join(database, 'PG_VERSION'));
    const files = await readdir(database, { recursive: true });
    assert.equal(
      await refused(),
      `Simcha can’t start: The database in ${database} is incomplete (PG_VERSION is missing); ${restore}`,
    );
    assert.deepEqual(await readdir(database, { recursive: true }), files, 'nothing is put over it');

    const key = join(DATA_DIR, 'encryption-key');
    await writeFile(key, '');
    assert.equal(
      await refused(),
      `Simcha can’t start: ${key} is empty; restore it, or remove it to have a new one made.\n`,
    );
  });

  test('told to stop while it makes its database, ends with 0; cut off there as well, it starts well the next time', async () => {
    const DATA_DIR = join(at.folder, 'begun');
    for (const [signal, end] of [
      ['SIGTERM', 0],
      ['SIGKILL', null],
    ] as const) {
      await rm(DATA_DIR, { recursive: true, force: true });
      const starting = at.start({ DATA_DIR });
      await until(() => existsSync(join(DATA_DIR, 'database.new')));
      process.kill(JSON.parse(await readFile(join(DATA_DIR, 'lock.json'), 'utf8')).pid, signal);
      const server = await starting;
      assert.equal(await server.ended, end, server.output());
    }
    const next = await at.start({ DATA_DIR });
    assert.ok(next.url, next.output());
    next.child.kill('SIGTERM');
    assert.equal(await next.ended, 0);
  });

  test('a full disk under its own log costs lines alone', async () => {
    const port = await freePort();
    const child = spawn(process.execPath, [MAIN], {
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        LOG_FORMAT: 'json',
        ...at.env,
        ...at.onPostgres,
        PORT: String(port),
      },
      stdio: ['ignore', openSync('/dev/full', 'w'), 'inherit'],
    });
    const ended = once(child, 'exit');
    try {
      const call = createClient(`http://127.0.0.1:${port}`);
      const isReady = () => call('GET', '/readyz').then(({ status }) => status === 200);
      await until(() => isReady().catch(() => false), 30_000);
      // More than one block of lines, so that some are written, or would be.
      for (let i = 0; i < 100; i += 1) assert.equal((await call('GET', '/healthz')).status, 200);
      child.kill('SIGTERM');
      assert.deepEqual(await ended, [0, null]);
    } finally {
      child.kill('SIGKILL');
    }
  });
});

test('a PostgreSQL that is read-only, as a standby is, is waited for', async () => {
  const database = await postgresDatabase();
  const name = new URL(database.url).pathname.slice(1);
  const folder = await mkdtemp(join(tmpdir(), 'simcha-standby-'));
  const setReadOnly = (value: 'on' | 'off') =>
    queryDatabase(
      process.env.SIMCHA_TEST_POSTGRES ?? '',
      `alter database ${name} set default_transaction_read_only = ${value}`,
    );
  await setReadOnly('on');
  const server = await spawnServer({ DATA_DIR: folder, JWT_SECRET: SECRET, DATABASE_URL: database.url });
  try {
    await until(() => server.output().includes(`/${name} is read-only; trying again every few seconds`));
    const call = createClient(server.url, { token });
    assert.equal((await call('GET', '/api/events')).status, 503);
    await setReadOnly('off');
    await until(async () => (await call('GET', '/readyz')).status === 200, 20_000);
    server.child.kill('SIGTERM');
    assert.equal(await server.ended, 0);
  } finally {
    server.child.kill('SIGKILL');
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  }
});

describe('with a PostgreSQL that comes and goes', () => {
  let postgres: Postgres;
  let folder: string;
  before(async () => {
    postgres = await startPostgres();
    folder = await mkdtemp(join(tmpdir(), 'simcha-away-'));
  });
  after(async () => {
    await postgres.remove();
    await rm(folder, { recursive: true, force: true });
  });

  test('the server says so, answers 503 at once, and recovers by itself', async () => {
    await postgres.stop();
    const server = await spawnServer({
      DATA_DIR: folder,
      JWT_SECRET: SECRET,
      DATABASE_URL: postgres.url('postgres'),
    });
    const call = createClient(server.url, { token });
    const away = async () => {
      const asked = Date.now();
      const answers = await Promise.all([
        call('GET', '/readyz'),
        call('GET', '/api/events'),
        call('POST', '/api/events', { body: BODY }),
        call('DELETE', `/api/events/${crypto.randomUUID()}`),
      ]);
      assert.deepEqual(
        answers.map(({ status }) => status),
        [503, 503, 503, 503],
      );
      assert.ok(answers[1]?.headers.get('retry-after'));
      assert.match(answers[1]?.body.error, /השירות אינו זמין/);
      assert.ok(Date.now() - asked < 10_000, 'nobody is kept waiting');
      assert.equal((await call('GET', '/healthz')).status, 200);
    };
    try {
      await away();
      await until(() =>
        /PostgreSQL at 127\.0\.0\.1:\d+\/postgres can't be reached \(ECONNREFUSED\)/.test(server.output()),
      );
      await postgres.start();
      await until(async () => (await call('GET', '/readyz')).status === 200, 20_000);
      const { status, body } = await call('POST', '/api/events', { body: BODY });
      assert.equal(status, 201);

      await postgres.stop();
      await away();
      await postgres.start();
      await until(async () => (await call('GET', '/readyz')).status === 200, 20_000);
      assert.equal((await call('GET', `/api/events/${body.event.id}`)).status, 200);
    } finally {
      server.child.kill('SIGTERM');
      await server.ended;
    }
    assert.equal(await server.ended, 0);
  });

  test('a database that goes away again while the server starts is waited for', async () => {
    const name = 'half_way';
    await queryDatabase(postgres.url('postgres'), `create database ${name}`);
    const DATABASE_URL = postgres.url(name);
    const first = await spawnServer({ DATA_DIR: folder, JWT_SECRET: SECRET, DATABASE_URL });
    await until(() => first.output().includes('Simcha is ready'), 20_000);
    first.child.kill('SIGTERM');
    await first.ended;

    // What the sites are brought back from is held back, so that the connection is lost just there.
    const holder = new pg.Client(DATABASE_URL);
    await holder.connect();
    await holder.query('begin; lock table applications, domains in access exclusive mode');
    const server = await spawnServer({ DATA_DIR: folder, JWT_SECRET: SECRET, DATABASE_URL });
    try {
      for (let lost = 0; lost < 2; lost += 1) {
        await until(async () => (await waitingForLock(DATABASE_URL)) > 0, 20_000);
        const { status, body } = await createClient(server.url)('GET', '/readyz');
        assert.deepEqual([status, body], [200, { status: 'ok', hosting: 'starting' }]);
        await queryDatabase(
          DATABASE_URL,
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = '${name}' and wait_event_type = 'Lock'`,
        );
        await until(async () => (await waitingForLock(DATABASE_URL)) === 0);
      }
      await holder.query('commit');
      await until(() => server.output().includes('Simcha is ready'), 20_000);
    } finally {
      await holder.end();
      server.child.kill('SIGTERM');
      await server.ended;
    }
    assert.equal(await server.ended, 0, server.output());
  });

  test('a refused password and a missing database stop the start, without repeating either', async () => {
    const missing = await spawnServer({ DATA_DIR: folder, DATABASE_URL: postgres.url('nowhere') });
    assert.equal(await missing.ended, 1);
    assert.match(
      missing.output(),
      /Simcha can’t start: PostgreSQL at 127\.0\.0\.1:\d+\/nowhere has no such database; create it first\.$/m,
    );
    const stranger = postgres.url('postgres').replace('postgres@', 'stranger:hunter2@');
    const refused = await spawnServer({ DATA_DIR: folder, DATABASE_URL: stranger });
    assert.equal(await refused.ended, 1);
    assert.match(refused.output(), /refused the user or the password of DATABASE_URL/);
    assert.ok(!refused.output().includes('hunter2'));
  });

  test('a server that is there but never answers does not hold requests for ever', async () => {
    const port = await freePort();
    const { createServer } = await import('node:net');
    const silent = createServer(() => {}).listen(port, '127.0.0.1');
    const server = await spawnServer({
      DATA_DIR: folder,
      JWT_SECRET: SECRET,
      DATABASE_URL: `postgres://postgres@127.0.0.1:${port}/postgres`,
    });
    try {
      assert.equal((await createClient(server.url, { token })('GET', '/api/events')).status, 503);
      assert.equal(await readinessOf(server.url), 503);
    } finally {
      server.child.kill('SIGKILL');
      silent.close();
    }
  });
});
