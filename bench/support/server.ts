import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../test/support/postgres.ts';

/** Server that is measured: this checkout's, or another one's `server/main.js` that the variable BENCH_SERVER names. */
const MAIN = process.env.BENCH_SERVER ?? new URL('../../server/main.js', import.meta.url).pathname;
export const SECRET = 'a secret for benchmarks, long enough';

export type BenchServer = Awaited<ReturnType<typeof benchServer>>;

/** Starts a server process as operators run it, but without a rate limit, and logging to a file. */
export async function benchServer(
  env: Record<string, string> = {},
  folder?: string,
  nodeOptions: readonly string[] = [],
) {
  const dataDir = folder ?? (await mkdtemp(join(tmpdir(), 'simcha-bench-')));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  await mkdir(dataDir, { recursive: true });
  const log = await open(join(dataDir, 'server.log'), 'a');
  const began = performance.now();
  const child = spawn(process.execPath, [...nodeOptions, MAIN], {
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      DATA_DIR: dataDir,
      JWT_SECRET: SECRET,
      RATE_LIMIT: '1000000000',
      MAILS_PER_DAY: '100000',
      MAIL_PAUSE_MINUTES: '0',
      ...env,
    },
    stdio: ['ignore', log.fd, log.fd],
  });
  const ended = new Promise((resolve) => child.on('exit', resolve));
  while (
    !(await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null) throw new Error(await readFile(join(dataDir, 'server.log'), 'utf8'));
    await sleep(10);
  }
  const startMs = performance.now() - began;
  await log.close();
  const memoryOf = async (figure: 'VmRSS' | 'VmHWM'): Promise<number> => {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
    return Number(new RegExp(`${figure}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
  };
  return {
    url,
    pid: child.pid ?? 0,
    dataDir,
    startMs,
    /** Resident memory of the server process in MiB, as Linux reports it. */
    memory: () => memoryOf('VmRSS'),
    /** Largest resident memory in MiB since the start or the last `resetPeakMemory`. */
    peakMemory: () => memoryOf('VmHWM'),
    // Writing 5 to this file resets the largest resident memory: proc_pid_clear_refs(5).
    resetPeakMemory: () => writeFile(`/proc/${child.pid}/clear_refs`, '5'),
    async stop({ keep = false } = {}) {
      child.kill('SIGTERM');
      await ended;
      if (!keep) await rm(dataDir, { recursive: true, force: true });
    },
  };
}
