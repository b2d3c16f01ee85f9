import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtempDisposable, readdir, rename } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { pino } from 'pino';
import { embeddedDatabase } from '../../server/kernel/database/embedded.ts';
import { type Engine, openEngine } from '../../server/kernel/database/engine.ts';
import {
  listFilledTables,
  listTables,
  moveRows,
  orderParentsFirst,
  type Table,
} from '../../server/kernel/database/move.ts';
import { migrations } from '../../server/migrations/migrations.ts';
import { tokenOf } from '../planning/answers/links.ts';
import { createClient } from '../support/client.ts';
import { openDatabaseProxy } from '../support/database-proxy.ts';
import { applicationClient, newApplication, verifiedUser } from '../support/deployed.ts';
import { createRepository } from '../support/git.ts';
import { freePort } from '../support/postgres.ts';
import { operationsOf } from '../support/reference.ts';
import { makeResources } from '../support/resources.ts';
import { postgresDatabase, preparedFolder, queryDatabase, waitingForLock } from '../support/server.ts';
import { newSession } from '../support/sessions.ts';
import { startInProcess } from '../support/several-servers.ts';
import { until } from '../support/until.ts';

const COMMAND = ['commands/move-database.ts'];
const ROOT = new URL('../..', import.meta.url);
/** What each schema has of its own. */
const STEPS = ['simcha_migrations', 'simcha_migrations_lock', 'pgboss.version', 'pgboss.bam'];

/** Paths of what stays open, tells the time or how the server is, or goes on by itself. */
const OF_THE_MOMENT =
  /stream$|live$|metrics$|readyz$|healthz$|^\/docs|today$|caterer$|processes$|figures$|access-log$|applications\/\{uuid\}\/logs$/;

function move(env: Record<string, string>, args: readonly string[] = ['--yes']) {
  return spawnSync(process.execPath, [...COMMAND, ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...env },
    encoding: 'utf8',
  });
}

/** Every row as PostgreSQL writes it, columns that it makes itself among them. */
const rowsIn = ({ name }: Pick<Table, 'name'>) =>
  `select one::text as row from ${name} one order by one::text collate "C"`;

async function assertSame(engine: Engine, url: string, tables: readonly Table[]): Promise<number> {
  let rows = 0;
  for (const table of tables) {
    const here = (await engine.query(rowsIn(table))).rows;
    assert.deepEqual(await queryDatabase(url, rowsIn(table)), here, table.name);
    rows += here.length;
  }
  return rows;
}

test('parents come before children, and a circle begins somewhere', () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  const key = (child: string, parent: string) => ({ child, parent });
  assert.deepEqual(orderParentsFirst(names, [key('a', 'b'), key('b', 'c'), key('d', 'd')]), [
    'c',
    'd',
    'e',
    'b',
    'a',
  ]);
  const circle = [key('b', 'c'), key('c', 'b'), key('a', 'c')];
  assert.deepEqual(orderParentsFirst(['b', 'c', 'a'], circle), ['b', 'c', 'a']);
});

const ODD_TABLES = `
  create schema beside;
  create type mood as enum ('glad', 'so, "so"');
  create table people (
    gone integer,
    id bigint generated always as identity (start with 9007199254740993) primary key,
    friend bigint references people,
    home bigint,
    bytes bytea,
    doc jsonb,
    raw json,
    tags text[],
    amounts numeric(30, 10)[][],
    amount numeric,
    ratio double precision,
    at timestamptz,
    short timestamptz(3),
    wall timestamp,
    day date,
    moods mood[],
    code char(5),
    "Odd ""name" text,
    long text,
    letters integer generated always as (length(long)) stored
  );
  alter table people drop column gone;
  create table "select" (
    id bigserial primary key,
    owner bigint not null references people,
    next bigint
  );
  alter table people add foreign key (home) references "select";
  create table beside.days (day date not null, owner bigint references people, said text) partition by range (day);
  create table beside.days_1 partition of beside.days for values from ('2027-01-01') to ('2027-02-01');
  create table beside.days_2 partition of beside.days default;
  create function spoil() returns trigger language plpgsql as $$ begin new.long := 'spoilt'; return new; end $$;
  create trigger people_spoil before insert on people for each row execute function spoil();`;

const ODD_ROWS = `
  alter table people disable trigger people_spoil;
  insert into people (bytes, doc, raw, tags, amounts, amount, ratio, at, short, wall, day, moods, code, "Odd ""name", long)
  values
    (decode('00ff5c0a0d09275c78', 'hex'), '{"a": "\\u05d0\\ud83d\\ude00\\t\\\\", "n": 1e400, "z": [null, 0.10]}',
     '{"b" : 1,  "a":"\\u0041", "b":2}', array['', null, 'null', '{}', E'a,"b"\\\\\\n', 'א'], '{{1.5,-2},{null,12345678901234567890.0123456789}}',
     'NaN', 0.1 + 0.2, '2027-03-04 05:06:07.123456+03', '2027-03-04 05:06:07.123456+03', '0022-01-02 03:04:05.000001',
     '4713-01-01 BC', array['glad', 'so, "so"', null]::mood[], 'ab', E'\\\\.', E'\\\\N\\t\\r\\n\\\\ \\x7f end'),
    ('', 'null', 'null', '{}', null, 123456789012345678901234567890.000000000100, '-infinity', 'infinity', null, null, '-infinity', '{}', '', '', ''),
    (null, null, null, null, null, -0.00, '-0', '0001-01-01 00:00:00+00 BC', null, null, null, null, null, null, null);
  update people set friend = (select max(id) from people);
  insert into "select" (owner, next) select id, 9223372036854775807 from people order by id;
  update people set home = (select max(id) from "select") where bytes = '';
  insert into people (long, bytes) select repeat(n::text, 200), sha256(n::text::bytea) from generate_series(1, 5000) n;
  insert into people (long) values (repeat('a long line, ', 250000));
  delete from people where id % 7 = 0 and friend is null;
  insert into beside.days select '2027-01-30'::date + n::integer, id, 'day ' || n
    from (select id, row_number() over (order by id) as n from people limit 5) few;
  alter table people enable trigger people_spoil;`;

test('each column of each table comes over exactly: rows longer than a batch, keys around a circle, partitions', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'simcha-move-'));
  const database = await postgresDatabase();
  const engine = await openEngine(join(folder.path, 'database'), () => {});
  // No superuser, and one whose statements have little time elsewhere.
  await queryDatabase(database.url, 'create role mover login');
  const url = new URL(database.url);
  url.username = 'mover';
  await queryDatabase(
    database.url,
    `grant all on database "${url.pathname.slice(1)}" to mover; grant all on schema public to mover`,
  );
  const client = new pg.Client({ connectionString: url.href, options: '-c statement_timeout=15s' });
  try {
    await client.connect();
    await engine.exec(ODD_TABLES);
    await engine.exec(ODD_ROWS);
    await client.query(ODD_TABLES);
    const tables = await listTables(engine, []);
    assert.deepEqual(
      tables.map(({ name, parts }) => [name, parts]),
      [
        ['"select"', ['"select"']],
        ['beside.days', ['beside.days_1', 'beside.days_2']],
        ['people', ['people']],
      ],
    );

    // What is being written is waited for, and seen.
    const writer = new pg.Client({ connectionString: database.url });
    await writer.connect();
    await writer.query('begin');
    await writer.query('insert into people (code) values (null)');
    const filled = moveRows(engine, client, tables, async () => {
      throw new Error(`filled: ${await listFilledTables(client, tables)}`);
    });
    const refused = assert.rejects(filled, /^Error: filled: people$/);
    await until(async () => (await waitingForLock(database.url)) > 0);
    await writer.query('commit');
    await refused;
    await writer.query('truncate people restart identity cascade');
    await writer.end();

    const rows = await moveRows(engine, client, tables, async () => {
      assert.equal((await client.query('show statement_timeout')).rows[0].statement_timeout, '0');
    });
    assert.equal(Number(rows), await assertSame(engine, database.url, tables));

    const { rows: late } = await client.query('select conname from pg_constraint where condeferrable');
    assert.deepEqual(late, [], 'keys are checked at once again');
    const last = `select max(id) as id from people`;
    const [before] = await queryDatabase(database.url, last);
    const [added] = await queryDatabase(
      database.url,
      `insert into people (long) values ('a') returning id, long, letters`,
    );
    assert.deepEqual(added, { id: String(BigInt(before.id) + 1n), long: 'spoilt', letters: 6 });
    const [home] = await queryDatabase(
      database.url,
      `insert into "select" (owner) select max(id) from people returning id`,
    );
    assert.equal(home.id, '4');
  } finally {
    await client.end();
    await engine.close();
    await database.drop();
    await queryDatabase(process.env.SIMCHA_TEST_POSTGRES ?? '', 'drop role mover');
  }
});

test('what can’t be moved is refused in one sentence, and nothing is made', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'simcha-move-'));
  const database = await postgresDatabase();
  const nowhere = join(folder.path, 'nowhere');
  const asked = move({ DATA_DIR: nowhere }, []);
  assert.deepEqual([asked.status, asked.stderr], [1, '']);
  assert.match(asked.stdout, /^npm run move-database -- --yes\nCopies the embedded database /);
  assert.deepEqual([move({}, ['--help']).status, move({}, ['--help']).stdout], [0, asked.stdout]);
  const refuses = (env: Record<string, string>, said: RegExp) => {
    const { status, stdout, stderr } = move(env);
    assert.deepEqual([status, stdout], [1, ''], stderr);
    assert.match(stderr, said);
  };
  try {
    refuses({ DATA_DIR: nowhere }, /^DATABASE_URL is not set; .*\.\n$/);
    refuses(
      { DATA_DIR: nowhere, DATABASE_URL: database.url },
      /^There is no embedded database in DATA_DIR .*\.\n$/,
    );
    assert.ok(!existsSync(nowhere));
    const DATA_DIR = await preparedFolder(folder.path);
    const away = `postgres://nobody:hush@127.0.0.1:${await freePort()}/simcha`;
    refuses(
      { DATA_DIR, DATABASE_URL: away },
      /^PostgreSQL at 127\.0\.0\.1:\d+\/simcha can't be reached \(ECONNREFUSED\)\.\n$/,
    );
    const missing = new URL(database.url);
    missing.pathname += '_not';
    refuses({ DATA_DIR, DATABASE_URL: missing.href }, /has no such database; create it first\.\n$/);
    // Somebody else's, by the way, does not matter; of Simcha's one row does.
    await queryDatabase(database.url, 'create table theirs as select 1 as one');
    await queryDatabase(database.url, 'create table sessions as select 1 as one');
    refuses({ DATA_DIR, DATABASE_URL: database.url }, /already has data of Simcha \(rows of sessions\)/);
    await queryDatabase(database.url, 'drop table sessions');
    assert.equal(move({ DATA_DIR, DATABASE_URL: database.url }).status, 0);
  } finally {
    await database.drop();
  }
});

test('a server goes on with PostgreSQL where it was with the embedded database, moved whole or not at all', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'simcha-move-'));
  await using repository = await createRepository({
    'package.json': '{"scripts":{"start":"node server.js"}}',
    'server.js': `
      console.log('begun');
      require('node:http').createServer((_, to) => to.end(process.env.TITLE)).listen(process.env.PORT, process.env.HOST);`,
  });
  const database = await postgresDatabase();
  const env = {
    DATA_DIR: await preparedFolder(folder.path),
    PORT: '0',
    PUBLIC_URL: 'http://localhost:3000',
    LOG_LEVEL: process.env.SIMCHA_TEST_LOG ?? 'silent',
    APPS_GIT_PROTOCOLS: 'file,https',
  };
  const moved = { ...env, DATABASE_URL: database.url };
  const start = async (settings: Record<string, string>) => {
    const simcha = await startInProcess(settings);
    const url = `http://127.0.0.1:${(simcha.app.server.address() as AddressInfo).port}`;
    let closed: Promise<void> | undefined;
    const close = () => {
      closed ??= simcha.close();
      return closed;
    };
    return { simcha, url, dataDir: env.DATA_DIR, call: createClient(url), close };
  };
  let server = await start(env);
  try {
    const { key } = await verifiedUser(server.url, env.DATA_DIR);
    const organizer = await newSession(server);
    const headers = () => ({ ...organizer.headers, origin: server.url });
    const developer = { headers: { 'x-api-key': key } };
    const credentials = () => ({ organizer: { headers: headers() }, apiKey: developer });
    const thing = await makeResources(server, credentials(), 0);
    const event = `/api/events/${thing.id}`;
    const { body } = await server.call('GET', `${event}/guests/${thing.guestId}/link`, {
      headers: headers(),
    });
    const rsvp = `/api/rsvp/${tokenOf(body.link.url)}`;
    const answer = { rsvp_status: 'confirmed', coming: 2, vegan: 1 };
    assert.equal((await server.call('POST', rsvp, { body: answer })).status, 200);
    const ready = { state: 'done', note: 'אישור' };
    const item = await server.call('PUT', `${event}/checklist/insurance`, {
      headers: headers(),
      body: ready,
    });
    assert.equal(item.status, 200, item.text);
    const client = createClient(server.url, developer);
    const app = await newApplication(client, server.url, repository.address);
    await app.call('PATCH', '/env', { TITLE: 'ours' });
    assert.equal((await app.call('POST', '/domains', { hostname: 'www.moved.example' })).status, 201);
    const { deployment_uuid: deployment } = await app.deploy();
    await until(async () => (await app.call('GET', '/logs')).text.includes('begun'));
    const things = [thing, { ...thing, uuid: app.uuid, deployment, hostname: 'www.moved.example' }];

    /** What the API has of all of it. */
    const answers = async () => {
      const of = new Map<string, string>();
      const { organizer: asOrganizer, apiKey } = credentials();
      const reads = operationsOf(server.simcha.app.swagger()).filter(
        ({ method, path }) => method === 'get' && !OF_THE_MOMENT.test(path),
      );
      for (const { path } of reads) {
        for (const one of things) {
          const at = path.replaceAll(
            /\{(\w+)\}/g,
            (all, name: string) => one[name as keyof typeof one] ?? all,
          );
          if (at.includes('{') || of.has(at)) continue;
          const { status, text } = await server.call('GET', at, at.includes('/v1/') ? apiKey : asOrganizer);
          of.set(at, `${status} ${text}`);
        }
      }
      return of;
    };

    const inUse = move(moved);
    assert.deepEqual([inUse.status, inUse.stdout], [1, '']);
    assert.match(inUse.stderr, /^The data folder .* is in use by process \d+ /);
    const before = await answers();
    assert.ok([...before.values()].filter((one) => one.startsWith('200')).length > 40);
    const lines = (await app.call('GET', '/logs')).text;
    await server.close();

    // Killed in the midst, it leaves what it found.
    {
      await using proxy = await openDatabaseProxy(database.url);
      proxy.freezeAt('copy history ');
      const child = spawn(process.execPath, [...COMMAND, '--yes'], {
        cwd: ROOT,
        env: { PATH: process.env.PATH, ...env, DATABASE_URL: proxy.url },
        stdio: 'ignore',
      });
      await until(async () => {
        const [{ count }] = await queryDatabase(
          database.url,
          `select count(*)::integer as count from pg_stat_activity
           where datname = current_database() and state = 'idle in transaction' and query like 'copy %'`,
        );
        assert.equal(child.exitCode, null);
        return count > 0;
      });
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    const engine = async <T>(work: (engine: Engine) => Promise<T>): Promise<T> => {
      const embedded = embeddedDatabase(env.DATA_DIR, migrations, pino({ level: 'silent' }));
      await embedded.prepare();
      try {
        return await work(embedded.engine?.() as Engine);
      } finally {
        await embedded.close();
      }
    };
    const tables = await engine((one) => listTables(one, STEPS));
    for (const { name } of tables) {
      assert.deepEqual(await queryDatabase(database.url, `select from ${name} limit 1`), [], name);
    }
    const done = move(moved);
    assert.equal(done.status, 0, done.stderr);
    // The copy is nobody's to go on with by mistake.
    await assert.rejects(
      start(env),
      /^Error: The embedded database of DATA_DIR .* was moved to PostgreSQL; set/,
    );
    const copy = (await readdir(env.DATA_DIR)).find((name) => name.startsWith('database.moved-')) ?? '';
    await rename(join(env.DATA_DIR, copy), join(env.DATA_DIR, 'database'));
    const rows = await engine((one) => assertSame(one, database.url, tables));
    assert.ok(rows > 50);
    assert.match(
      done.stdout,
      new RegExp(`^Moved ${rows} rows of ${tables.length} tables into PostgreSQL at `),
    );
    assert.match(done.stdout, /\nStart the server with this DATABASE_URL and DATA_DIR\./);
    const again = move(moved);
    assert.deepEqual([again.status, again.stdout], [1, '']);
    assert.match(again.stderr, /already has data of Simcha \(rows of .* …\); nothing was moved/);

    server = await start(moved);
    const after = applicationClient(createClient(server.url, developer), server.url, app.uuid, app.host);
    await until(async () => (await after.visit()).status === 200);
    assert.deepEqual(await after.visit(), { status: 200, text: 'ours' });
    assert.deepEqual(await answers(), before);
    assert.ok((await after.call('GET', '/logs')).text.startsWith(lines));
    const running = move(moved);
    assert.deepEqual([running.status, running.stdout], [1, '']);
    assert.match(running.stderr, /^A server runs on PostgreSQL at /);

    await newSession(server, organizer.email);
    const guest = await server.call('POST', `${event}/guests`, {
      headers: headers(),
      body: { name: 'רון' },
    });
    assert.equal(guest.status, 201, guest.text);
    const history = await server.call('GET', `${event}/history`, { headers: headers() });
    assert.equal(history.body.history[0].subject_id, guest.body.guest.id);
    await after.call('PATCH', '/env', { TITLE: 'new' });
    await after.deploy();
    await until(async () => (await after.visit()).text === 'new');
  } finally {
    await server.close();
    await database.drop();
  }
});
