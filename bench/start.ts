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

// Compares the start of a server from the bundle of `npm run build` with a start from its sources. Both are started in
// turns, on an embedded database and on PostgreSQL; both databases exist already.

const ROOT = new URL('..', import.meta.url).pathname;
const ROUNDS = 7;
const MAINS = { bundle: 'dist/serve.js', sources: 'server/serve.ts' } as const;
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
  await queryDatabase(postgres.url('postgres'), 'create database simcha_start');
  const databases = {
    embedded: { DATA_DIR: join(folder, 'embedded') },
    PostgreSQL: { DATA_DIR: join(folder, 'postgres'), DATABASE_URL: postgres.url('simcha_start') },
  };
  const rows: string[][] = [];
  for (const [database, env] of Object.entries(databases)) {
    // The first start of a server creates the database, so it is not measured.
    for (const main of Object.values(MAINS)) await startOnce(main, env);
    const starts: Record<keyof typeof MAINS, Start[]> = { bundle: [], sources: [] };
    for (let round = 0; round < ROUNDS; round += 1) {
      starts.bundle.push(await startOnce(MAINS.bundle, env));
      starts.sources.push(await startOnce(MAINS.sources, env));
    }
    const [bundle, sources] = [medianOf(starts.bundle), medianOf(starts.sources)];
    rows.push(rowOf(`${database}, bundle`, bundle), rowOf(`${database}, sources`, sources));
    rows.push([
      'ratio',
      (bundle.readyMs / sources.readyMs).toFixed(2),
      (bundle.processorMs / sources.processorMs).toFixed(2),
      (bundle.memoryMb / sources.memoryMb).toFixed(2),
    ]);
  }
  console.log(`A start until the server is ready, medians of ${ROUNDS}`);
  console.log(formatTable(['', 'ms', 'processor ms', 'memory MB'], rows));
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

function medianOf(starts: readonly Start[]): Start {
  const median = (key: keyof Start) =>
    starts.map((one) => one[key]).sort((a, b) => a - b)[Math.floor(starts.length / 2)] ?? 0;
  return { readyMs: median('readyMs'), processorMs: median('processorMs'), memoryMb: median('memoryMb') };
}

function rowOf(name: string, start: Start): string[] {
  return [name, ...[start.readyMs, start.processorMs, start.memoryMb].map((value) => formatNumber(value))];
}
