import { type ChildProcess, spawn } from 'node:child_process';
import type { Duplex } from 'node:stream';
import { type Reason, reason } from '../model/reasons/reason.ts';
import { shortageOf } from '../model/reasons/shortage.ts';
import type { Invocation, Isolation } from './confined.ts';

/** As what the filter is open to the command's walls. */
export const FILTER_AT = 4;

/** Of choosing whom to end when memory runs out: before the server, whose own is 0. */
const OOM_SCORE = 500;
/** Adds to a process's niceness, where processors are not shared out by control groups. */
const NICER = ['nice', '-n', '5'];

/**
 * Is ended and waits before the server, enters the control groups whose folders stand before the `--`, and then becomes the
 * rest.
 */
const ENTER = `{ echo ${OOM_SCORE} > /proc/self/oom_score_adj; } 2>/dev/null
set -e
while [ "$1" != -- ]; do echo 0 > "$1/cgroup.procs"; shift; done
shift
exec ${NICER.join(' ')} "$@"`;

/**
 * A shell of ours at the place where a command is to begin, for which it waits: to start a process from here costs a copy of
 * all that maps our memory, and to enter a control group takes the kernel's time. It ends with us, for its input does.
 */
export interface ParkedProcess {
  readonly child: ChildProcess;
  /** How it ends, whatever it has become. Never rejects. */
  readonly exit: Promise<Exit>;
  /**
   * Has it become the command, whose first line of output is empty, and says that it stands. What it hears is not to be read
   * in any list of processes; half of it is nothing that a shell would do.
   */
  become(invocation: Invocation): void;
}

/** The leader of a process group, within control groups of these folders from its first moment. `home`: by which it is found. */
export function parkProcess(
  { shell, first }: Isolation['threshold'],
  home: string,
  groups: readonly string[] = [],
): ParkedProcess {
  const child = spawn('/bin/sh', ['-c', ENTER, 'sh', ...groups, '--', ...shell], {
    cwd: '/',
    env: { HOME: home, PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // One that can't be spawned for want of file descriptors has no streams, and tells so only after this.
  child.on('error', () => {});
  for (const stream of child.stdio) stream?.on('error', () => {});
  child.stdin?.write(`set -e\n${first}\n`);
  return {
    child,
    exit: exitOf(child),
    become(invocation) {
      const { begin } = invocation;
      const { stdout } = child;
      if (begin !== undefined) stdout?.once('data', () => (stdout as unknown as Duplex).end(begin));
      child.stdin?.end(becoming(invocation));
    },
  };
}

function becoming({ file, args, cwd, env, filter, isBackground, first = '' }: Invocation): string {
  return [
    '{',
    ...Object.entries(env).map(([name, value]) => `export ${name}=${quoted(value)}`),
    `cd -- ${quoted(cwd)}`,
    ...(filter === undefined ? [] : [`exec ${FILTER_AT}< ${quoted(filter)}`]),
    first,
    `exec ${[...(isBackground ? NICER : []), file, ...args].map(quoted).join(' ')} </dev/null`,
    '}\n',
  ].join('\n');
}

/** As one word of a shell's, whatever it holds but zero bytes. */
export function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

export interface Exit {
  succeeded: boolean;
  how: Reason;
  /** A signal ended the process itself, and not one that it tells of. */
  isKilled?: boolean;
}

function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    child.on('error', (error) =>
      resolve({ succeeded: false, how: shortageOf(error) ?? reason('cant_run', { error: error.message }) }),
    );
    child.on('exit', (code, signal) => {
      const how = signal ? reason('killed', { signal }) : describeCode(code ?? 0);
      resolve({ succeeded: code === 0, how, isKilled: signal !== null });
    });
  });
}

/** A shell, and a sandbox, tell of a signal by 128 and its number. */
export function describeCode(code: number): Reason {
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
