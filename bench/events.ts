import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { startPostgres } from '../commands/cluster/postgres.ts';
import { signToken } from '../server/identity/tokens.ts';
import { newId } from '../server/kernel/identifiers.ts';
import { recordChanges } from '../server/kernel/writes/history.ts';
import { authorOf } from '../server/planning/events/access.ts';
import { readChanges, readNewEvent } from '../server/planning/events/input.ts';
import { addEvent, findEvent, listEvents, lockEvent, updateEvent } from '../server/planning/events/store.ts';
import { addGuests, fillEvents } from './support/fill.ts';
import {
  formatNumber,
  formatTable,
  type Measured,
  meanOf,
  measureHttp,
  measureLoops,
} from './support/measure.ts';
import { ORGANIZER, organizerAuthorization } from './support/organizer.ts';
import { benchServer, SECRET } from './support/server.ts';

// Measures the event API on PostgreSQL beside its lower limit: the same SQL that the store sends, sent by the bare `pg`
// driver from one process. Then it measures the cost of growth, the memory of an idle server, and the time of a start.

const SECONDS = Number(process.env.BENCH_SECONDS ?? 3);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 2);
const POOL = 10;
const EVENTS = 100;
const GUESTS_EACH = 300;

const postgres = await startPostgres(['shared_buffers=512MB', 'max_wal_size=4GB']);
const databaseUrl = postgres.url('postgres');
const server = await benchServer({ DATABASE_URL: databaseUrl, DATABASE_POOL_SIZE: String(POOL) });
const headers = { authorization: organizerAuthorization, 'content-type': 'application/json' };
const pool = new pg.Pool({ connectionString: databaseUrl, max: POOL });

try {
  console.log(
    `${cpus().length} cores, ${cpus()[0]?.model.trim()}; node ${process.version}; PostgreSQL 15, durable (fsync on)`,
  );
  const ids = await fillEvents(pool, ORGANIZER, EVENTS, GUESTS_EACH);
  await pool.query('vacuum analyze');
  await besideTheFloor(ids);
  if (!process.env.BENCH_SHORT) await growth();
} finally {
  await pool.end();
  await server.stop();
  await postgres.remove();
}
if (!process.env.BENCH_SHORT) await idleServers();

async function besideTheFloor(ids: string[]): Promise<void> {
  const body = {
    title: 'החתונה של נועה ואיתי',
    event_date: '2099-06-15T19:30',
    venue_name: 'גן האירועים עדן',
    max_guests: 320,
  };
  const change = { description: 'חופה בשקיעה', venue_capacity: 400 };
  const floor = await floorOf(ids, body, change);
  const byId = (method: 'GET' | 'PUT', payload?: object) =>
    ids.map((id) => ({
      method,
      path: `/api/events/${id}`,
      headers,
      ...(payload && { body: JSON.stringify(payload) }),
    }));
  const operations = [
    { name: 'read', wanted: 0.5, requests: byId('GET'), floor: floor.read },
    {
      name: 'list (20)',
      wanted: 0.7,
      requests: [{ method: 'GET' as const, path: '/api/events?limit=20', headers }],
      floor: floor.list,
    },
    {
      name: 'create',
      requests: [{ method: 'POST' as const, path: '/api/events', headers, body: JSON.stringify(body) }],
      floor: floor.create,
    },
    { name: 'update', requests: byId('PUT', change), floor: floor.update },
  ];
  const rows: string[][] = [];
  const missed: string[] = [];
  for (const { name, requests, floor: send, wanted } of operations) {
    for (const connections of [1, 32]) {
      const load = { url: server.url, connections, requests };
      await measureHttp({ ...load, seconds: 1 });
      const [api, bare]: [Measured[], Measured[]] = [[], []];
      for (let round = 0; round < ROUNDS; round++) {
        bare.push(await measureLoops(connections, SECONDS, send));
        api.push(await measureHttp({ ...load, seconds: SECONDS }));
      }
      const [a, b] = [meanOf(api), meanOf(bare)];
      const ratio = a.perSecond / b.perSecond;
      if (wanted && ratio < wanted)
        missed.push(`${name} at ${connections}: ${ratio.toFixed(2)} of the floor, ${wanted} wanted`);
      rows.push([
        name,
        String(connections),
        formatNumber(a.perSecond),
        formatNumber(a.p50, 1),
        formatNumber(a.p99, 1),
        formatNumber(b.perSecond),
        formatNumber(b.p50, 1),
        formatNumber(b.p99, 1),
        ratio.toFixed(2),
      ]);
    }
    await pool.query(`delete from events where id <> all($1::uuid[])`, [ids]);
  }
  console.log('\nThe API beside the same SQL sent by the bare pg driver (the floor); times in ms');
  console.log(
    formatTable(['', 'connections', 'API/s', 'p50', 'p99', 'floor/s', 'p50', 'p99', 'ratio'], rows),
  );
  for (const miss of missed) console.log(`MISSED ${miss}`);
}

/** Records the store's SQL for each operation, for the bare driver to send again. */
async function floorOf(ids: string[], body: object, change: object) {
  const recorded: CompiledQuery[] = [];
  const recorder = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: databaseUrl, max: 1 }) }),
    log: ({ query }) => {
      recorded.push(query);
    },
  });
  const now = Temporal.Now.instant();
  const record = async (work: Promise<unknown>) => {
    await work;
    return recorded.splice(0);
  };
  const [id = ''] = ids;
  const caller = { id: ORGANIZER, role: 'organizer' };
  const adding = addEvent(recorder, caller, readNewEvent(body, now), now);
  const [create] = await record(adding);
  const { event: added } = await adding;
  const [read] = await record(findEvent(recorder, caller, id));
  const [list] = await record(listEvents(recorder, ORGANIZER, undefined, { limit: 20, offset: 0n }));
  const update = await record(
    recorder.transaction().execute(async (transaction) => {
      const locked = await lockEvent(transaction, caller, id);
      if (!locked) throw new Error('the event is gone');
      const changes = readChanges(change, locked.event.status, now);
      await updateEvent(transaction, id, changes, now);
      const line = { event_id: id, subject: 'event', subject_id: id, at: now, by: authorOf(caller) };
      await recordChanges(transaction, [
        { ...line, action: 'changed', changes: { title: { from: '', to: '' } } },
      ]);
    }),
  );
  await recorder.destroy();
  if (!create || !read || !list) throw new Error('nothing was recorded');
  let turn = 0;
  const next = () => ids[turn++ % ids.length];
  const send = (query: CompiledQuery, replace: unknown, by: unknown) =>
    pool.query(
      query.sql,
      query.parameters.map((value) => (value === replace ? by : value)),
    );
  return {
    create: () => send(create, added.id, newId()),
    read: () => send(read, id, next()),
    list: () => pool.query(list.sql, [...list.parameters]),
    async update() {
      const client = await pool.connect();
      const other = next();
      // Kysely's log doesn't include `begin` and `commit`.
      await client.query('begin');
      for (const query of update.filter(({ sql }) => !/^(begin|commit)/.test(sql))) {
        await client.query(
          query.sql,
          query.parameters.map((value) => (value === id ? other : value)),
        );
      }
      await client.query('commit');
      client.release();
    },
  };
}

async function growth(): Promise<void> {
  const cost = async (organizer: string, path: string) => {
    const own = {
      ...headers,
      authorization: `Bearer ${await signToken(SECRET, { id: organizer, role: 'organizer' }, '12h')}`,
    };
    const load = {
      url: server.url,
      connections: 1,
      requests: [{ method: 'GET' as const, path, headers: own }],
    };
    await measureHttp({ ...load, seconds: 1 });
    return 1000 / (await measureHttp({ ...load, seconds: SECONDS })).perSecond;
  };
  const row = (name: string, costs: number[]) => [
    name,
    ...costs.map((ms) => `${formatNumber(ms, 2)} ms`),
    `${((costs.at(-1) ?? 0) / (costs[0] ?? 1)).toFixed(2)}×`,
  ];

  await pool.query('delete from events');
  const [mine = ''] = await fillEvents(pool, 'small', 20, 5);
  const [others = ''] = await fillEvents(pool, 'others', 50, 0);
  const steps = [100, 10_000, 1_000_000];
  const costs: { read: number[]; list: number[] } = { read: [], list: [] };
  for (const guests of steps) {
    await addGuests(
      pool,
      `(select id from events where organizer_id = 'others')`,
      guests - (await guestsInAll()),
    );
    await pool.query('vacuum analyze');
    costs.read.push(await cost('small', `/api/events/${mine}`));
    costs.list.push(await cost('small', '/api/events?limit=20'));
  }
  console.log('\nOne organizer’s 20 events of 5 guests, as the guests of other events grow (one connection)');
  console.log(
    formatTable(
      ['guests in all', ...steps.map((step) => formatNumber(step)), 'growth'],
      [row('read', costs.read), row('list (20)', costs.list)],
    ),
  );
  console.log(
    `read of an event with ${formatNumber(1_000_000 / 50)} guests of its own: ${formatNumber(await cost('others', `/api/events/${others}`), 2)} ms`,
  );

  const sizes = [10, 1_000, 100_000];
  for (const size of sizes) await fillEvents(pool, `with ${size}`, size, 0);
  await pool.query('vacuum analyze');
  const looks: [string, (size: number) => string][] = [
    ['first page', () => 'limit=20'],
    ['last page', (size) => `limit=20&page=${Math.ceil(size / 20)}`],
    ['first page of the drafts', () => 'limit=20&status=draft'],
  ];
  const bySize: string[][] = [];
  for (const [name, query] of looks) {
    const costs: number[] = [];
    for (const size of sizes) costs.push(await cost(`with ${size}`, `/api/events?${query(size)}`));
    bySize.push(row(name, costs));
  }
  const again = await cost('small', '/api/events?limit=20');
  console.log('\nA page of 20, by how many events the organizer has (one connection)');
  console.log(formatTable(['events', ...sizes.map((size) => formatNumber(size)), 'growth'], bySize));
  console.log(
    `The organizer of 20 events, with ${formatNumber(sizes.reduce((a, b) => a + b))} events of others beside: ${formatNumber(again, 2)} ms, ${(again / (costs.list[0] ?? 1)).toFixed(2)}× of the start.`,
  );
}

async function guestsInAll(): Promise<number> {
  return (await pool.query('select count(*)::int as n from guests')).rows[0].n;
}

async function idleServers(): Promise<void> {
  const own = await startPostgres();
  const rows: string[][] = [];
  const kinds: [string, Record<string, string>][] = [
    ['embedded', {}],
    ['PostgreSQL', { DATABASE_URL: own.url('postgres') }],
  ];
  for (const [kind, env] of kinds) {
    const cold = await benchServer(env);
    await cold.stop({ keep: true });
    const warm = await benchServer(env, cold.dataDir);
    await sleep(3_000);
    rows.push([
      kind,
      `${formatNumber(cold.startMs)} ms`,
      `${formatNumber(warm.startMs)} ms`,
      `${formatNumber(await warm.memory())} MiB`,
    ]);
    await warm.stop();
  }
  await own.remove();
  console.log(
    '\nAn idle server, from the command to “ready”: on an empty database (cold) and on one that is there (warm)',
  );
  console.log(formatTable(['database', 'cold', 'warm', 'memory'], rows));
}
