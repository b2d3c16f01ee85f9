import { type ChildProcess, execFileSync, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { type Engine, openEngine } from '../../server/hosting/engine/engine.ts';
import { networksOf, type Slice } from './engine-network.ts';
import { until } from './until.ts';

// Machines within this one, made of kernel namespaces, and programs started in them.

const START_MS = 120_000;
const NEVER = new AbortController().signal;

/** Path of the program dockerd: in Debian's package, or else in Docker's own package. */
export const DOCKERD = existsSync('/usr/bin/dockerd') ? '/usr/bin/dockerd' : '/usr/sbin/dockerd';
export const UNSHARE = '/usr/bin/unshare';
export const NSENTER = '/usr/bin/nsenter';

/**
 * Script of a machine's first process. It prints the process's id on this machine, and ends when its parent process
 * ends, for whatever reason.
 */
const FIRST = `
read -r pid rest </proc/self/stat
if [ $# -gt 0 ]; then
  mount -t proc proc /proc && mount --bind "$2" /run && echo "$1" >/proc/sys/kernel/hostname || exit
fi
echo "$pid"
cat
:`;

const SHARED = { network: ['--net'], whole: ['--net', '--uts', '--mount', '--pid'] } as const;

export type Machine = Awaited<ReturnType<typeof startMachine>>;

/**
 * Starts a network namespace. With `whole` it is a machine with its own processes and mounts, whose /run is the given
 * folder.
 */
export async function startMachine(whole?: { name: string; run: string }) {
  const spaces = whole ? SHARED.whole : SHARED.network;
  const words = whole ? ['--fork', '--kill-child', '/bin/sh', '-c', FIRST] : ['/bin/sh', '-c', FIRST];
  const of = whole ? ['sh', whole.name, whole.run] : [];
  // The machine has a session of its own: if the terminal is interrupted, this process can end the machine in order.
  const child = spawn(UNSHARE, [...spaces, ...words, ...of], {
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const ended = new Promise((resolve) => child.on('close', resolve).on('error', resolve));
  const failed = once(child.stderr, 'data').then(([words]) =>
    Promise.reject(new Error(String(words).trim())),
  );
  const none = ended.then(() => Promise.reject(new Error('a machine within this one does not start')));
  for (const one of [failed, none]) one.catch(() => {});
  const [told] = await Promise.race([once(child.stdout, 'data'), failed, none]);
  const pid = Number(told);
  return {
    /** Process id, on this machine, of the first process in the namespaces of the simulated machine. */
    pid,
    /** Arguments of `nsenter` that run a command in the simulated machine. */
    within: (...command: string[]) => ['--target', String(pid), ...spaces, ...command],
    /** Kills the simulated machine at once, with all its processes if they have a process namespace of their own. */
    async kill() {
      if (child.exitCode === null && child.signalCode === null) process.kill(pid, 'SIGKILL');
      child.stdin.end();
      await ended;
    },
  };
}

/**
 * dockerd 28 and later accepts connections from outside only on published ports. Connections from this machine count as
 * from outside.
 */
const directly = (): string[] =>
  /--allow-direct-routing/.test(execFileSync(DOCKERD, ['--help'], { encoding: 'utf8' }))
    ? ['--allow-direct-routing']
    : [];

/** Command line of dockerd with its socket, data folder and networks. */
export function dockerdOf(socket: string, data: string, slice: Slice): string[] {
  const { bridge, pool } = networksOf(slice);
  return [
    DOCKERD,
    '--host',
    `unix://${socket}`,
    '--data-root',
    data,
    '--bip',
    `${bridge.replace(/0$/, '1')}/24`,
    '--default-address-pool',
    `base=${pool},size=26`,
    ...directly(),
  ];
}

export interface Program {
  child: ChildProcess;
  ended: Promise<unknown>;
}

/** Starts a program and waits until it is ready; its output goes to the log. */
export async function startProgram(
  [program = '', ...words]: readonly string[],
  { log, isReady, ...options }: { log: string; isReady: () => Promise<boolean> } & SpawnOptions,
): Promise<Program> {
  const output = openSync(log, 'a');
  const child = spawn(program, words, { ...options, stdio: ['ignore', output, output] });
  closeSync(output);
  const ended = new Promise((resolve) => child.on('close', resolve).on('error', resolve));
  try {
    await until(async () => {
      if (child.exitCode !== null) throw new Error(await readFile(log, 'utf8'));
      return isReady();
    }, START_MS);
  } catch (error) {
    child.kill();
    await ended;
    throw error;
  }
  return { child, ended };
}

export const answersAt = (socket: string): Promise<boolean> =>
  openEngine(socket, NEVER).then(
    (engine: Engine) => {
      engine.close();
      return true;
    },
    () => false,
  );
