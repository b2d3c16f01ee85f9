import { type ChildProcess, spawn } from 'node:child_process';
import type { Writable } from 'node:stream';
import { type Reason, reason } from '../reasons/reason.ts';
import type { Invocation } from './confined.ts';

/** As what the filter is open to the command's walls. */
export const FILTER_AT = 4;

/**
 * Enters the control groups whose folders stand before the `--`, opens the filter of system calls behind it, where there is
 * one, and then becomes the rest.
 */
const ENTER = `set -e
while [ "$1" != -- ]; do echo 0 > "$1/cgroup.procs"; shift; done
[ -z "$2" ] || exec ${FILTER_AT}< "$2"
shift 2
exec "$@"`;

/**
 * Spawns it as the leader of a process group, within control groups of these folders from its first moment. The first line
 * of its output is empty, and says that it stands.
 */
export function spawnConfined(
  { file, args, cwd, env, filter = '', begin }: Invocation,
  groups: readonly string[] = [],
): ChildProcess {
  const child = spawn('/bin/sh', ['-c', ENTER, 'sh', ...groups, '--', filter, file, ...args], {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (begin !== undefined) {
    child.stdout?.once('data', () => (child.stdout as unknown as Writable).end(begin));
  }
  // One that can't be spawned for want of file descriptors has no streams, and tells so only after this.
  child.on('error', () => {});
  for (const stream of [child.stdout, child.stderr]) stream?.on('error', () => {});
  return child;
}

export interface Exit {
  succeeded: boolean;
  how: Reason;
}

/** How it ends. Never rejects. */
export function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    child.on('error', ({ message }) =>
      resolve({ succeeded: false, how: reason('cant_run', { error: message }) }),
    );
    child.on('exit', (code, signal) => {
      const how = signal ? reason('killed', { signal }) : describeCode(code ?? 0);
      resolve({ succeeded: code === 0, how });
    });
  });
}

/** A shell, and a sandbox, tell of a signal by 128 and its number. */
function describeCode(code: number): Reason {
  const signal = SIGNALS[code - 128];
  return signal ? reason('killed', { signal }) : reason('exited', { code });
}

const SIGNALS: Readonly<Record<number, string>> = {
  6: 'SIGABRT',
  9: 'SIGKILL',
  11: 'SIGSEGV',
  15: 'SIGTERM',
  25: 'SIGXFSZ',
};
