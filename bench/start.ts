import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startPostgres } from '../commands/cluster/postgres.ts';
import { processorSecondsOf } from '../test/support/processor-time.ts';
import { queryDatabase } from '../test/support/server.ts';
import { formatNumber, formatTable } from './support/measure.ts';

// Measures the start of a server on an embedded database and on PostgreSQL: the first one, which makes the database
// (cold), and later ones (warm), beside a start from the sources, in turns.

const ROOT = new URL('..', import.meta.url).pathname;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 7);
const KINDS = ['cold', 'warm', 'sources'] as const;
/** Program that is started: the one of `npm start`, or the sources, whose database exists already. */
const MAINS = { cold: 'server/main.js', warm: 'server/main.js', sources: 'server/serve.ts' };
const READY = /"msg":"Simcha is ready/;

interface Start {
  readyMs: number;
  processorMs: number;
  memoryMb: number;
}

execFileSync('npm', ['run', '--silent', 'build'], { cwd: ROOT, stdio: 'inherit' });
const folder = await mkdtemp(join(tmpdir(), 'simcha-start-'));
const postgres = await startPostgres(['fsync=off']);
try {
  const databases = {
    embedded: async (name: string) => ({ DATA_DIR: join(folder, name) }),
    async PostgreSQL(name: string) {
      await queryDatabase(postgres.url('postgres'), `create database ${name}`);
      return { DATA_DIR: join(folder, `postgres-${name}`), DATABASE_URL: postgres.url(name) };
    },
  };
  const rows: string[][] = [];
  for (const [database, environmentOf] of Object.entries(databases)) {
    const warm = await environmentOf('warm');
    // The first start of the bundle stores its compiled code, and that of a database makes the database.
    for (const kind of KINDS) await startOnce(MAINS[kind], warm);
    const starts: Record<(typeof KINDS)[number], Start[]> = { cold: [], warm: [], sources: [] };
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const kind of KINDS) {
        const env = kind === 'cold' ? await environmentOf(`cold_${round}`) : warm;
        starts[kind].push(await startOnce(MAINS[kind], env));
      }
    }
    for (const kind of KINDS) rows.push(rowOf(`${database}, ${kind}`, starts[kind]));
  }
  console.log(`A start until the server is ready, medians of ${ROUNDS}`);
  console.log(formatTable(['', 'ms', 'shortest', 'processor ms', 'least', 'memory MB'], rows));
} finally {
  await postgres.remove();
  await rm(folder, { recursive: true, force: true });
}

/** Starts a server, measures it when it is ready, and stops it. */
async function startOnce(main: string, env: Record<string, string>): Promise<Start> {
  const began = performance.now();
  const child = spawn(process.execPath, [join(ROOT, main)], {
    cwd: folder,
    env: { PATH: process.env.PATH, PORT: '0', LOG_FORMAT: 'json', HOSTING: 'off', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface(child.stdout)) {
    if (!READY.test(line)) continue;
    const start = { readyMs: performance.now() - began, ...usageOf(child.pid ?? 0) };
    child.kill();
    await once(child, 'exit');
    return start;
  }
  throw new Error(`${main} ended before it was ready`);
}

/** Processor time and resident memory of a process: proc_pid_status(5). */
function usageOf(pid: number): Pick<Start, 'processorMs' | 'memoryMb'> {
  const [, resident = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return { processorMs: processorSecondsOf(pid) * 1_000, memoryMb: Number(resident) / 1024 };
}

function rowOf(name: string, starts: readonly Start[]): string[] {
  const sorted = (key: keyof Start) => starts.map((one) => one[key]).sort((a, b) => a - b);
  const [ready, processor, memory] = [sorted('readyMs'), sorted('processorMs'), sorted('memoryMb')];
  const median = (values: readonly number[]) => values[Math.floor(values.length / 2)] ?? 0;
  return [name, median(ready), ready[0] ?? 0, median(processor), processor[0] ?? 0, median(memory)].map(
    (value) => (typeof value === 'number' ? formatNumber(value) : value),
  );
}
