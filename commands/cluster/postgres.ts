import { execFile, spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { chown, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Oldest installed version of Debian's PostgreSQL that Simcha supports. */
export const POSTGRES =
  globSync('/usr/lib/postgresql/{15,16,17,18}/bin/postgres').sort()[0] ??
  '/usr/lib/postgresql/15/bin/postgres';
const BIN = dirname(POSTGRES);

const SIGNALS = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const;
export type StopMode = keyof typeof SIGNALS;

export interface Postgres {
  port: number;
  /** Process id of the PostgreSQL server while it runs. */
  pid(): number | undefined;
  url(database: string): string;
  /** Stops the PostgreSQL server: `immediate` is like a crash, `fast` ends sessions in order. The data stay. */
  stop(mode?: StopMode): Promise<void>;
  start(): Promise<void>;
  /** Suspends all processes of the PostgreSQL server, like a paused machine. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  remove(): Promise<void>;
}

/**
 * Starts a PostgreSQL server on a free port of 127.0.0.1, in a new folder inside `within`. It ends with the process
 * that started it. `settings` are for `postgres -c`.
 */
export async function startPostgres(
  settings: string[] = ['fsync=off'],
  within = tmpdir(),
): Promise<Postgres> {
  const folder = await mkdtemp(join(within, 'simcha-postgres-'));
  const owner = await serverUser();
  if (owner) await chown(folder, owner.uid, owner.gid);
  await run(
    `${BIN}/initdb`,
    ['-D', `${folder}/data`, '-U', 'postgres', '-E', 'UTF8', '--locale=C.UTF-8', '-A', 'trust'],
    {
      ...owner,
      cwd: folder,
    },
  );
  const port = await freePort();
  let ended: Promise<unknown> = Promise.resolve();
  let server: ReturnType<typeof spawn> | undefined;

  const signalAll = async (signal: 'SIGSTOP' | 'SIGCONT') => {
    const { pid } = server ?? {};
    if (pid === undefined) return;
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
    for (const one of [pid, ...children.split(' ').filter(Boolean).map(Number)]) {
      try {
        process.kill(one, signal);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
    }
  };

  const postgres: Postgres = {
    port,
    pid: () => server?.pid,
    url: (database) => `postgres://postgres@127.0.0.1:${port}/${database}`,
    async start() {
      const options = [
        'listen_addresses=127.0.0.1',
        `port=${port}`,
        // The server has no Unix socket, because a socket's path may have only 108 bytes.
        'unix_socket_directories=',
        ...settings,
      ];
      const child = spawn(
        '/usr/bin/setpriv',
        ['--pdeathsig', 'QUIT', POSTGRES, '-D', `${folder}/data`, ...options.flatMap((one) => ['-c', one])],
        {
          ...owner,
          cwd: folder,
          stdio: 'ignore',
        },
      );
      server = child;
      ended = new Promise((resolve) => child.on('exit', resolve));
      await untilReady(port);
    },
    async stop(mode = 'immediate') {
      server?.kill(SIGNALS[mode]);
      await ended;
    },
    freeze: () => signalAll('SIGSTOP'),
    thaw: () => signalAll('SIGCONT'),
    async remove() {
      await signalAll('SIGCONT');
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
  await postgres.start();
  return postgres;
}

/** PostgreSQL refuses to run as root; Debian's package has a user for it. */
async function serverUser(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const [uid, gid] = await Promise.all(['-u', '-g'].map((flag) => run('id', [flag, 'postgres'])));
  return { uid: Number(uid?.stdout), gid: Number(gid?.stdout) };
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => probe.once('listening', resolve));
  const { port } = probe.address() as { port: number };
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

async function untilReady(port: number): Promise<void> {
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; ) {
    const ready = await run(`${BIN}/pg_isready`, ['-h', '127.0.0.1', '-p', String(port)]).then(
      () => true,
      () => false,
    );
    if (ready) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('PostgreSQL did not start within 30 s');
}
