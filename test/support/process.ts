import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { after } from 'node:test';
import { processesMarked, signalProcess } from '../../server/hosting/walls/processes.ts';
import { campaign, RUNTIME_SETTINGS } from './campaign.ts';
import type { OrdinaryUser } from './ordinary.ts';
import { until } from './until.ts';

export interface ServerProcess {
  url: string;
  child: ChildProcess;
  output(): string;
  /** Resolves with the exit code, null when a signal ended it; `output` is whole then. */
  ended: Promise<number | null>;
}

export const MAIN = new URL('../../server/main.ts', import.meta.url).pathname;

/**
 * How tests run node. V8's optimizing compiler is left out for WebAssembly: a database that lives for seconds, as most do
 * in `npm test`, would cost more to optimize than it ever computes.
 */
export const nodeFlags = () => campaign(['--liftoff-only'], []);

export interface Manner extends OrdinaryUser {
  /** What stands behind `npm start --`. */
  args?: readonly string[];
  /** What is started in the server's place. */
  main?: string;
  /** Programs that its machine lacks, which only root can bring about. */
  without?: readonly string[];
  /** DATA_DIR is a disk of its own of this size, as `mount -o size=` takes it; only root can bring it about. */
  disk?: string;
  /** A file that whoever starts it has open. */
  open?: string;
  /** The test makes it meet what nobody awaits or catches, which otherwise fails the test, or the run. */
  failsFatally?: boolean;
}

/** A line that the server's log calls fatal, of what nobody awaited or caught; or node's word on listeners that pile up. */
const FATAL = /^\{"level":60,|MaxListenersExceededWarning/;

/** Data folders of servers that were killed and have not started again. */
const killed = new Set<string>();

// bubblewrap waits forever where whoever started it is killed while it divides itself: a server ends such waiting ones
// as it starts, so that those of a server which never starts again are for us.
after(() => {
  for (const folder of killed) {
    for (const pid of processesMarked(`${folder}/`)) signalProcess(pid, 'SIGKILL');
  }
});

/** The server as an operator runs it, in a process of its own. Resolves once it listens, or has ended. */
export async function spawnServer(
  env: Record<string, string>,
  { args = [], main = MAIN, without = [], disk, open, failsFatally = false, ...user }: Manner = {},
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

/** Thrown where nobody catches it, it fails the test that started the server, whatever that test looks at. */
function failOver(line: string): void {
  setImmediate(() => {
    throw new Error(`A server of this test met a failure of its own: ${line}`);
  });
}

/** The same, with its database prepared. */
export async function spawnReadyServer(env: Record<string, string>, manner?: Manner): Promise<ServerProcess> {
  const server = await spawnServer(env, manner);
  assert.ok(server.url, server.output());
  await until(async () => (await fetch(`${server.url}/readyz`)).ok);
  return server;
}
