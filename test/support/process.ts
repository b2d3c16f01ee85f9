import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { processesMarked, signalProcess } from '../../server/hosting/sandbox/processes.ts';
import { campaign, RUNTIME_SETTINGS } from './campaign.ts';
import type { UnprivilegedUser } from './unprivileged-user.ts';
import { until } from './until.ts';

export interface ServerProcess {
  url: string;
  child: ChildProcess;
  output(): string;
  /** Exit code of the process, or null if a signal ended it. When the promise resolves, `output` is complete. */
  ended: Promise<number | null>;
}

export const MAIN = new URL('../../server/main.js', import.meta.url).pathname;

/**
 * Flags of node for tests. They leave out V8's optimizing compiler for WebAssembly: databases of `npm test` live for
 * seconds, and optimizing them would cost more than it saves.
 */
export const nodeFlags = () => campaign(['--liftoff-only'], []);

export interface SpawnOptions extends UnprivilegedUser {
  /** Command-line arguments of the server, those after `npm start --`. */
  args?: readonly string[];
  /** Path of the script to start instead of the server's main script. */
  main?: string;
  /** Names of programs that the server must not find on its machine; needs root. */
  without?: readonly string[];
  /** Size of a separate disk for DATA_DIR, in the format of `mount -o size=`; needs root. */
  disk?: string;
  /** Path of a file that the server's parent process keeps open while the server runs. */
  open?: string;
  /** True if the test provokes unhandled rejections or exceptions, which otherwise fail the test or the run. */
  failsFatally?: boolean;
}

/**
 * Pattern of a fatal line in the server's log (an unhandled rejection or exception), or of node's warning about too
 * many listeners.
 */
const FATAL = /^\{"level":60,|MaxListenersExceededWarning/;

/** Data folders of servers that a test killed and has not started again. */
const killed = new Set<string>();

// Processes of the sandbox program bubblewrap wait forever if their parent is killed during their setup. A server that
// starts kills the waiting processes of the former server in its data folder. This handler does so for data folders in
// which the test started no further server.
process.once('exit', () => {
  for (const folder of killed) {
    for (const pid of processesMarked(`${folder}/`)) signalProcess(pid, 'SIGKILL');
  }
});

/** Starts the server in a process of its own, as an operator runs it. Resolves once it listens or has ended. */
export async function spawnServer(
  env: Record<string, string>,
  { args = [], main = MAIN, without = [], disk, open, failsFatally = false, ...user }: SpawnOptions = {},
): Promise<ServerProcess> {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  const opening = open === undefined ? [] : ['/bin/bash', '-c', 'exec 40<"$0"; exec "$@"', open];
  const command = [...opening, process.execPath, ...nodeFlags(), main, ...args];
  const mounts = without.map((file) => `mount --bind /dev/null ${file}`);
  if (disk !== undefined) mounts.push(`mount -t tmpfs -o size=${disk} simcha "$DATA_DIR"`);
  const script = ['set -e', ...mounts, 'exec "$@"'].join('; ');
  const [file = '', ...rest] =
    mounts.length > 0 ? ['unshare', '--mount', '/bin/sh', '-c', script, 'sh', ...command] : command;
  const child = spawn(file, rest, {
    ...user,
    env: { PATH, HOME, NODE_COMPILE_CACHE, PORT: '0', LOG_FORMAT: 'json', ...RUNTIME_SETTINGS, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { DATA_DIR } = env;
  if (DATA_DIR !== undefined) {
    killed.delete(DATA_DIR);
    child.once('exit', (_, signal) => signal === 'SIGKILL' && killed.add(DATA_DIR));
  }
  let output = '';
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const url = await new Promise<string>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        output += `${line}\n`;
        if (!failsFatally && FATAL.test(line)) failOver(line);
        const address = /(?:listening|served) on (http:[^\s"]+)/.exec(line)?.[1];
        if (address) resolve(address);
      });
    }
    ended.then(() => resolve(''));
  });
  return { url, child, output: () => output, ended };
}

/** Fails the test that started the server by throwing an uncaught exception, whatever the test itself checks. */
function failOver(line: string): void {
  setImmediate(() => {
    throw new Error(`A server of this test met a failure of its own: ${line}`);
  });
}

/** Starts a server process and waits until it has prepared its database. */
export async function spawnReadyServer(
  env: Record<string, string>,
  manner?: SpawnOptions,
): Promise<ServerProcess> {
  const server = await spawnServer(env, manner);
  assert.ok(server.url, server.output());
  await until(async () => (await fetch(`${server.url}/readyz`)).ok);
  return server;
}
