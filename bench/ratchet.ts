import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startPostgres } from '../commands/cluster/postgres.ts';
import { freePort } from '../test/support/postgres.ts';
import { processorSecondsOf } from '../test/support/processor-time.ts';
import { queryDatabase } from '../test/support/server.ts';
import { type Contestant, type Script, shortestTimes, startScript } from './support/comparison.ts';
import { formatTable } from './support/measure.ts';
import { fillServer, OPERATIONS, requestsOf } from './support/operations.ts';
import { type BenchServer, benchServer } from './support/server.ts';

// Measures the processor time that the server and its database need for a request, as a ratio to a reference server
// that does not change (support/reference-process.ts, support/relay.ts); both are measured in turns in one run. A
// server that nobody uses runs beside them, and its statements are counted. The ratios that are accepted are in
// ratchet.json. A ratio that is higher by 10 % is a warning, by 30 % a failure. `npm run bench -- ratchet --write`
// stores lower ratios, with `--accept` all of them.

const FILE = new URL('ratchet.json', import.meta.url);
const WARN = 1.1;
const FAIL = 1.3;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const CONNECTIONS = 8;
/** Number of events: enough for PostgreSQL to check foreign keys by index, as on a server in use. */
const EVENTS = 2_000;
const REFERENCE_EVENTS = 100;
const GUESTS = 20;
/** Number of events in which a guest answers. */
const ANSWERING = 20;
/** Time for which a server that nobody uses first does what it does only at its start. */
const SETTLE_MS = 15_000;
const PAGE = `<!doctype html><title>Site</title><p>${'A page of a site behind the gateway. '.repeat(20)}`;

interface NamedComparison {
  name: string;
  amount: number;
  ours: Contestant;
  reference: Contestant;
}

// The measured servers start from the bundle, as the servers of operators do.
execFileSync(process.execPath, [new URL('../commands/bundle.ts', import.meta.url).pathname], {
  stdio: 'inherit',
});
const folder = await mkdtemp(join(tmpdir(), 'simcha-ratchet-'));
const postgres = await startPostgres(['fsync=off', 'autovacuum=off', 'shared_buffers=256MB']);
const scripts: Script[] = [];
const databaseUrl = postgres.url('postgres');
const settings = {
  DATABASE_URL: databaseUrl,
  HOSTING: 'off',
  ENCRYPTION_KEY: 'an encryption key for benchmarks',
};
const server = await benchServer(settings);
let idleServer: BenchServer | undefined;
const site = createServer((_request, response) => response.end(PAGE));
try {
  const ratios = new Map<string, number>();
  const readStatements = await startIdleServer();
  const comparisons = [...(await apiComparisons()), ...(await gatewayComparisons())];
  await sleep(SETTLE_MS);
  const before = await readStatements();
  for (const { name, ...comparison } of comparisons) {
    const { ours, reference } = await shortestTimes({
      ...comparison,
      connections: CONNECTIONS,
      rounds: ROUNDS,
    });
    ratios.set(name, ours / reference);
  }
  const after = await readStatements();
  ratios.set('idle, statements/s', (after.count - before.count) / (after.seconds - before.seconds));
  ratios.set('start', await startRatio());
  process.exitCode = report(ratios);
} finally {
  site.close();
  site.closeAllConnections();
  for (const script of scripts) await script.stop();
  await server.stop();
  await idleServer?.stop();
  await postgres.remove();
  await rm(folder, { recursive: true, force: true });
}

/** Starts a server that nobody uses, on a database of its own; returns the function that reads how many transactions it ran. */
async function startIdleServer() {
  await queryDatabase(databaseUrl, 'create database idle');
  idleServer = await benchServer({ DATABASE_URL: postgres.url('idle') });
  return async () => {
    const [{ count }] = await queryDatabase(
      databaseUrl,
      `select xact_commit + xact_rollback as count from pg_stat_database where datname = 'idle'`,
    );
    return { count: Number(count), seconds: performance.now() / 1_000 };
  };
}

async function apiComparisons(): Promise<NamedComparison[]> {
  const ours = await fillServer(server, databaseUrl, {
    events: EVENTS,
    guests: GUESTS,
    answering: ANSWERING,
  });
  const own = await startReference();
  const database = postgres.pid() ?? 0;
  const theirs = own.guests.map((guest, index) => ({ event: own.events[index] ?? '', guest }));
  return OPERATIONS.map((operation) => ({
    name: operation.name,
    amount: operation.amount,
    ours: { url: server.url, pids: [server.pid, database], requests: requestsOf(operation, ours) },
    reference: { url: own.url, pids: [own.pid, database], requests: requestsOf(operation, theirs) },
  }));
}

async function startReference() {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  await pool.query(readFileSync(new URL('support/reference.sql', import.meta.url), 'utf8'));
  const events = (
    await pool.query(
      `insert into reference.events (organizer_id, title, event_date, venue_name)
       select 'bench', 'אירוע ' || n, now() + n * interval '1 hour', 'עדן' from generate_series(1, $1::int) n returning id`,
      [REFERENCE_EVENTS],
    )
  ).rows.map(({ id }) => id as string);
  const guests = (
    await pool.query(
      `insert into reference.guests (event_id, name, rsvp_status)
       select id, 'אורח ' || n, (array['confirmed', 'pending', 'declined'])[1 + n % 3]
       from unnest($1::uuid[]) id, generate_series(1, $2::int) n returning id`,
      [events, GUESTS],
    )
  ).rows.map(({ id }) => id as string);
  await pool.query('vacuum analyze');
  await pool.end();
  const port = await freePort();
  const reference = await startScript('reference-process.ts', [String(port), databaseUrl], port);
  scripts.push(reference);
  const { pid } = reference;
  return { url: `http://127.0.0.1:${port}`, pid, events, guests: guests.slice(0, ANSWERING) };
}

async function gatewayComparisons(): Promise<NamedComparison[]> {
  const [sitePort, relayPort, gatewayPort] = [await freePort(), await freePort(), await freePort()];
  await new Promise<void>((resolve) => site.listen(sitePort, '127.0.0.1', resolve));
  const pages = join(folder, 'pages');
  await mkdir(pages);
  await writeFile(join(pages, 'index.html'), PAGE);
  const data = join(folder, 'gateway');
  const relay = await startScript('relay.ts', [String(relayPort), String(sitePort)], relayPort);
  const gateway = await startScript(
    'gateway-process.ts',
    ['gateway', String(gatewayPort), `http://127.0.0.1:${sitePort}`, pages, data],
    gatewayPort,
  );
  scripts.push(relay, gateway);
  const contestant = (port: number, { pid }: { pid: number }, host: string): Contestant => ({
    url: `http://127.0.0.1:${port}`,
    pids: [pid],
    requests: [{ method: 'GET', path: '/', headers: { host } }],
  });
  return ['demo', 'pages'].map((name) => ({
    name: name === 'demo' ? 'gateway, a page' : 'gateway, a file',
    amount: 15_000,
    ours: contestant(gatewayPort, gateway, `${name}.localhost`),
    reference: contestant(relayPort, relay, `${name}.localhost`),
  }));
}

/** Measures the processor time of a start on an existing database, beside that of the reference. */
async function startRatio(): Promise<number> {
  const rounds: [number, number][] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = await benchServer(settings);
    const mine = processorSecondsOf(started.pid);
    await started.stop();
    const port = await freePort();
    const reference = await startScript('reference-process.ts', [String(port), databaseUrl], port);
    const theirs = processorSecondsOf(reference.pid);
    await reference.stop();
    rounds.push([mine, theirs]);
  }
  return ratioOfShortest(rounds);
}

/** Prints the measured ratios beside the accepted ones; returns the exit code. */
function report(ratios: ReadonlyMap<string, number>): number {
  const accepted: Record<string, number> = existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : {};
  const rows = [...ratios].map(([name, ratio]) => {
    const limit = accepted[name];
    const change = limit === undefined ? 'new' : `${((ratio / limit - 1) * 100).toFixed(0)} %`;
    return [name, ratio.toFixed(2), limit?.toFixed(2) ?? '', change];
  });
  console.log(
    `Processor time of server and database to the reference's, the shortest of ${ROUNDS} rounds in turns; statements of an idle server`,
  );
  console.log(formatTable(['', 'ratio', 'accepted', 'change'], rows));
  let exitCode = 0;
  for (const [name, ratio] of ratios) {
    const limit = accepted[name];
    if (limit === undefined || ratio <= limit * WARN) continue;
    const isFailure = ratio > limit * FAIL;
    if (isFailure) exitCode = 1;
    console.log(
      `${isFailure ? 'FAILED' : 'WARNING'} ${name} is ${ratio.toFixed(2)}, ${limit.toFixed(2)} was accepted: name the cause in the commit.`,
    );
  }
  const isAccepting = process.argv.includes('--accept');
  if (isAccepting || process.argv.includes('--write')) {
    const stored = [...ratios].map(([name, ratio]) => {
      const limit = isAccepting ? ratio : Math.min(ratio, accepted[name] ?? ratio);
      return [name, Number(limit.toFixed(2))];
    });
    writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(stored), undefined, 2)}\n`);
  }
  return exitCode;
}

function ratioOfShortest(rounds: readonly [number, number][]): number {
  return Math.min(...rounds.map(([mine]) => mine)) / Math.min(...rounds.map(([, theirs]) => theirs));
}
