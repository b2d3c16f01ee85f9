import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CompiledQuery, Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import { startPostgres } from '../commands/cluster/postgres.ts';
import { type Caller, signToken } from '../server/identity/tokens.ts';
import { recordChanges } from '../server/kernel/writes/history.ts';
import { authorOf } from '../server/planning/events/access.ts';
import { readChanges, readNewEvent } from '../server/planning/events/input.ts';
import { addEvent, findEvent, listEvents, lockEvent, updateEvent } from '../server/planning/events/store.ts';
import { freePort } from '../test/support/postgres.ts';
import { shortestTimes, startScript } from './support/comparison.ts';
import { addGuests, fillEvents } from './support/fill.ts';
import { formatNumber, formatTable, measureHttp } from './support/measure.ts';
import { EVENT_CHANGE, NEW_EVENT, OPERATIONS, requestsOf } from './support/operations.ts';
import { ORGANIZER, organizerAuthorization } from './support/organizer.ts';
import type { RecordedRequest } from './support/same-sql-process.ts';
import { benchServer, SECRET } from './support/server.ts';

// Measures the event API on PostgreSQL beside its lower limit: node:http with the bare `pg` driver, which sends the same
// SQL. Then it measures the cost of growth.

const SECONDS = Number(process.env.BENCH_SECONDS ?? 3);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const POOL = 10;
const EVENTS = 100;
const GUESTS_EACH = 300;

// The measured server starts from the bundle, as the servers of operators do.
execFileSync(process.execPath, [new URL('../commands/bundle.ts', import.meta.url).pathname], {
  stdio: 'inherit',
});
const folder = await mkdtemp(join(tmpdir(), 'simcha-events-'));
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
  await besideTheSameSql(ids);
  if (!process.env.BENCH_SHORT) await growth();
} finally {
  await pool.end();
  await server.stop();
  await postgres.remove();
  await rm(folder, { recursive: true, force: true });
}

/** Prints the processor time of the API's requests beside that of a server that only sends the same SQL. */
async function besideTheSameSql(ids: string[]): Promise<void> {
  const statements = join(folder, 'statements.json');
  const recorded = await recordStatements(ids[0] ?? '');
  await writeFile(
    statements,
    JSON.stringify(recorded, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
  );
  const port = await freePort();
  const limit = await startScript('same-sql-process.ts', [String(port), databaseUrl, statements], port);
  const database = postgres.pid() ?? 0;
  const rows: string[][] = [];
  for (const operation of OPERATIONS.filter(({ name }) => name !== 'answer')) {
    for (const connections of [1, 32]) {
      const requests = requestsOf(
        operation,
        ids.map((event) => ({ event, guest: '' })),
      );
      const { amount } = operation;
      const { ours, reference } = await shortestTimes({
        amount,
        connections,
        rounds: ROUNDS,
        ours: { url: server.url, pids: [server.pid, database], requests },
        reference: { url: `http://127.0.0.1:${port}`, pids: [limit.pid, database], requests },
      });
      const microseconds = (seconds: number) => formatNumber((seconds / amount) * 1e6);
      rows.push([
        operation.name,
        String(connections),
        microseconds(ours),
        microseconds(reference),
        (ours / reference).toFixed(2),
      ]);
    }
    await pool.query('delete from events where id <> all($1::uuid[])', [ids]);
  }
  await limit.stop();
  console.log(
    `\nThe API beside node:http with pg, which sends the same SQL, prepared: µs of processor time of server and database, the shortest of ${ROUNDS} rounds in turns`,
  );
  console.log(formatTable(['', 'connections', 'API', 'same SQL', 'ratio'], rows));
}

/** Records the store's SQL for each kind of request. `id` is an existing event. */
async function recordStatements(id: string): Promise<Record<string, RecordedRequest>> {
  const queries: CompiledQuery[] = [];
  const recorder = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: databaseUrl, max: 1 }) }),
    log: ({ query }) => {
      queries.push(query);
    },
  });
  const taken = (id: string): RecordedRequest => {
    const statements = queries.splice(0).map(({ sql, parameters }) => ({ text: sql, values: parameters }));
    return { id, statements };
  };
  const now = Temporal.Now.instant();
  const caller = { id: ORGANIZER, role: 'organizer' };
  try {
    const { event } = await addEvent(recorder, caller, readNewEvent(NEW_EVENT, now), now);
    const create = taken(event.id);
    await findEvent(recorder, caller, id);
    const read = taken(id);
    await listEvents(recorder, ORGANIZER, undefined, { limit: 20, offset: 0n });
    const list = taken('');
    await recorder.transaction().execute((transaction) => changeEvent(transaction, caller, id, now));
    const update = taken(id);
    return { create, read, list, update };
  } finally {
    await recorder.destroy();
  }
}

async function changeEvent(
  transaction: Transaction<unknown>,
  caller: Caller,
  id: string,
  now: Temporal.Instant,
): Promise<void> {
  const locked = await lockEvent(transaction, caller, id);
  if (!locked) throw new Error('the event is gone');
  await updateEvent(transaction, id, readChanges(EVENT_CHANGE, locked.event.status, now), now);
  const line = { event_id: id, subject: 'event', subject_id: id, at: now, by: authorOf(caller) };
  const changes = { description: { from: null, to: EVENT_CHANGE.description } };
  await recordChanges(transaction, [{ ...line, action: 'changed', changes }]);
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
