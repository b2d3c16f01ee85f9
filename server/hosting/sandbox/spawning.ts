import { type ChildProcess, spawn } from 'node:child_process';
import type { Duplex } from 'node:stream';
import { type Reason, reason } from '../model/reasons/reason.ts';
import { shortageOf } from '../model/reasons/shortage.ts';
import type { Invocation, Isolation } from './confined.ts';

/** File descriptor on which the sandbox finds the filter of system calls. */
export const FILTER_AT = 4;

/** OOM score of commands: the kernel ends them before the server, whose score is 0. */
const OOM_SCORE = 500;
/**
 * Prefix of a command line that raises the process's niceness, for machines where control groups don't divide the
 * processors.
 */
const NICER = ['nice', '-n', '5'];

/**
 * Shell script that raises its own OOM score and niceness, enters the control groups whose folders stand before the
 * `--`, and then runs the command line after it.
 */
const ENTER = `{ echo ${OOM_SCORE} > /proc/self/oom_score_adj; } 2>/dev/null
set -e
while [ "$1" != -- ]; do echo 0 > "$1/cgroup.procs"; shift; done
shift
exec ${NICER.join(' ')} "$@"`;

/**
 * Parked process: a shell that waits in the control groups in which a command will start. Starting a process from the
 * server copies its memory mappings, and entering a control group takes the kernel's time; both are done in advance.
 * The shell ends with the server, because its input closes.
 */
export interface ParkedProcess {
  readonly child: ChildProcess;
  /** Exit of the process, whatever command it has become. Never rejects. */
  readonly exit: Promise<Exit>;
  /**
   * Turns the parked process into the command, whose first line of output is empty and says that it is ready. The
   * instructions come over its input, so that no process list shows them; an incomplete copy does nothing.
   */
  becomeCommand(invocation: Invocation): void;
}

/**
 * Starts a shell as leader of a process group, in these control groups from its first moment. `home` is set in its
 * environment, by which a restarted server finds the process.
 */
export function parkProcess(
  { shell, first }: Isolation['parkingShell'],
  home: string,
  groups: readonly string[] = [],
): ParkedProcess {
  const child = spawn('/bin/sh', ['-c', ENTER, 'sh', ...groups, '--', ...shell], {
    cwd: '/',
    env: { HOME: home, PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // A process that can't be spawned for want of file descriptors has no streams, and reports its error only later.
  child.on('error', () => {});
  for (const stream of child.stdio) stream?.on('error', () => {});
  child.stdin?.write(`set -e\n${first}\n`);
  return {
    child,
    exit: exitOf(child),
    becomeCommand(invocation) {
      const { begin } = invocation;
      const { stdout } = child;
      if (begin !== undefined) stdout?.once('data', () => (stdout as unknown as Duplex).end(begin));
      child.stdin?.end(instructionsToBecome(invocation));
    },
  };
}

function instructionsToBecome({
  file,
  args,
  cwd,
  env,
  filter,
  isBackground,
  first = '',
}: Invocation): string {
  return [
    '{',
    ...Object.entries(env).map(([name, value]) => `export ${name}=${quoteForShell(value)}`),
    `cd -- ${quoteForShell(cwd)}`,
    ...(filter === undefined ? [] : [`exec ${FILTER_AT}< ${quoteForShell(filter)}`]),
    first,
    `exec ${[...(isBackground ? NICER : []), file, ...args].map(quoteForShell).join(' ')} </dev/null`,
    '}\n',
  ].join('\n');
}

/** Quotes text as one word for a shell; it may hold anything but zero bytes. */
export function quoteForShell(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

export interface Exit {
  succeeded: boolean;
  how: Reason;
  /** True if a signal ended the process itself; false if the process only reported a signal by its exit code. */
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

/** Shells and sandboxes report a signal as exit code 128 plus its number. */
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
