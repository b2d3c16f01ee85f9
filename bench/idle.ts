import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startPostgres } from '../commands/cluster/postgres.ts';
import { openEngine } from '../server/kernel/database/engine.ts';
import { processorSecondsOf } from '../test/support/processor-time.ts';
import { queryDatabase } from '../test/support/server.ts';
import { chosenPart } from './support/chosen-part.ts';
import { fillSleepingSites } from './support/fill.ts';
import { formatNumber, formatTable } from './support/measure.ts';
import { benchServer } from './support/server.ts';

// Measures what a server costs that nobody uses: processor time of the server and of its database, memory, and
// statements, on an embedded database and on PostgreSQL, each without sites and with 200 sites that sleep. The server
// starts from the bundle, as operators start it. `npm run bench -- idle embedded` or `postgres` measures one of them.

const ROOT = new URL('..', import.meta.url).pathname;
const SITES = 200;
const SETTLE_MS = Number(process.env.BENCH_SETTLE_SECONDS ?? 20) * 1_000;
const MEASURE_MS = Number(process.env.BENCH_SECONDS ?? 30) * 1_000;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);

interface Idle {
  /** Processor time of the server, in milliseconds a second. */
  server: number;
  database: number;
  statements: number;
  memoryMb: number;
}

/** Processes of a database server and the number of its statements so far, which count in an idle server's cost. */
interface DatabaseMeter {
  processorSeconds(): number;
  statements(pid: number): Promise<number>;
}

const only = chosenPart(['embedded', 'postgres']);
execFileSync(process.execPath, [join(ROOT, 'commands/bundle.ts')], { stdio: 'inherit' });
const scratch = await mkdtemp(join(tmpdir(), 'simcha-idle-'));
const rows: string[][] = [];
try {
  if (only !== 'postgres') await measureEmbedded();
  if (only !== 'embedded') await measurePostgres();
} finally {
  await rm(scratch, { recursive: true, force: true });
}
console.log(
  `An idle server, ${MEASURE_MS / 1_000} s after ${SETTLE_MS / 1_000} s of rest; the median of ${ROUNDS} rounds`,
);
console.log(
  formatTable(['', 'server ms/s', 'database ms/s', 'lowest sum', 'statements/s', 'memory MiB'], rows),
);

async function measureEmbedded(): Promise<void> {
  const folder = join(scratch, 'embedded');
  const file = join(scratch, 'statements');
  const env = { DATA_DIR: folder, STATEMENTS_FILE: file };
  const meter: DatabaseMeter = {
    // The embedded database is part of the server's process.
    processorSeconds: () => 0,
    async statements(pid) {
      await rm(file, { force: true });
      process.kill(pid, 'SIGUSR2');
      while (!existsSync(file) || readFileSync(file, 'utf8') === '') await sleep(5);
      return Number(readFileSync(file, 'utf8'));
    },
  };
  await measure('embedded', env, meter, async (text) => {
    const engine = await openEngine(join(folder, 'database'), () => {});
    await engine.exec(text);
    await engine.close();
  });
}

async function measurePostgres(): Promise<void> {
  const postgres = await startPostgres(['fsync=off']);
  try {
    await queryDatabase(postgres.url('postgres'), 'create database idle');
    const env = { DATA_DIR: join(scratch, 'postgres'), DATABASE_URL: postgres.url('idle') };
    const meter: DatabaseMeter = {
      processorSeconds: () => processorSecondsOf(postgres.pid() ?? 0),
      async statements() {
        const [{ transactions }] = await queryDatabase(
          postgres.url('postgres'),
          `select xact_commit + xact_rollback as transactions from pg_stat_database where datname = 'idle'`,
        );
        return Number(transactions);
      },
    };
    await measure('PostgreSQL', env, meter, async (text) => {
      await queryDatabase(postgres.url('idle'), text);
    });
  } finally {
    await postgres.remove();
  }
}

async function measure(
  name: string,
  env: Record<string, string>,
  meter: DatabaseMeter,
  execute: (text: string) => Promise<void>,
): Promise<void> {
  // The first start of a server creates the tables.
  await (await start(env)).stop({ keep: true });
  rows.push(await rowOf(name, env, meter));
  await execute(fillSleepingSites(SITES));
  rows.push(await rowOf(`${name}, ${SITES} sites asleep`, env, meter));
}

async function rowOf(name: string, env: Record<string, string>, meter: DatabaseMeter): Promise<string[]> {
  const rounds: Idle[] = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await measureOnce(env, meter));
  const median = (of: (one: Idle) => number) =>
    rounds.map(of).sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0;
  return [
    name,
    formatNumber(
      median(({ server }) => server),
      1,
    ),
    formatNumber(
      median(({ database }) => database),
      1,
    ),
    formatNumber(Math.min(...rounds.map(({ server, database }) => server + database)), 1),
    formatNumber(
      median(({ statements }) => statements),
      1,
    ),
    formatNumber(median(({ memoryMb }) => memoryMb)),
  ];
}

async function measureOnce(env: Record<string, string>, meter: DatabaseMeter): Promise<Idle> {
  const server = await start(env);
  await sleep(SETTLE_MS);
  const look = async () => ({
    at: performance.now(),
    statements: await meter.statements(server.pid),
    server: processorSecondsOf(server.pid),
    database: meter.processorSeconds(),
  });
  const before = await look();
  await sleep(MEASURE_MS);
  const after = await look();
  const seconds = (after.at - before.at) / 1_000;
  const memoryMb = proportionalMb(server.pid);
  await server.stop({ keep: true });
  const perSecond = (key: 'statements' | 'server' | 'database') => (after[key] - before[key]) / seconds;
  return {
    server: perSecond('server') * 1_000,
    database: perSecond('database') * 1_000,
    statements: perSecond('statements'),
    memoryMb,
  };
}

function start(env: Record<string, string>) {
  const counter = new URL('support/count-statements.ts', import.meta.url).pathname;
  const counting = env.STATEMENTS_FILE === undefined ? [] : ['--import', counter];
  return benchServer(env, env.DATA_DIR, counting);
}

/** Memory of a process in MiB, with its share of what several processes map: proc_pid_smaps(5). */
function proportionalMb(pid: number): number {
  const [, kibibytes = '0'] = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? [];
  return Number(kibibytes) / 1024;
}
