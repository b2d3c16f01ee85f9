import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';

// Programs of the system measure, chown and remove trees many times a second. Starting a program from this process
// copies its memory mappings, which takes tens of milliseconds in which nothing else runs; so a few small shells that
// stay running start them for us.

/** Task for one folder. */
export type HelperTask = 'measure' | 'open up' | 'remove' | 'remove specials' | `give to ${number}`;

export interface Outcome {
  succeeded: boolean;
  /** Lines of the program's output: the first ones, and the last. */
  output: string[];
  /** True if it took too long and was ended. */
  isLate: boolean;
  /** True if a signal ended it or it could not be run. */
  hasCrashed: boolean;
}

export interface HelperLimits {
  mostMs: number;
  signal?: AbortSignal | undefined;
}

/** Arguments of find(1) for everything except files, folders and links: pipes, sockets and devices. */
export const SPECIALS = '! -type f ! -type d ! -type l';

/**
 * Shell loop. The task and the folder's path are one line each, and are never interpreted further. No name holds a zero
 * byte, so the line with the exit code begins with one.
 */
const SCRIPT = `
while IFS= read -r task && IFS= read -r path; do
  case $task in
    measure) du -skx -- "$path" ;;
    'open up') chmod -R u+rwX -- "$path" ;;
    remove) rm -rf --one-file-system -- "$path" ;;
    'remove specials') find "$path" -xdev ${SPECIALS} -delete ;;
    'give to '*) chown -Rh -- "\${task#give to }:\${task#give to }" "$path" ;;
  esac </dev/null 2>&1
  printf '\\0%s\\n' "$?"
done`;

const MOST_LINES = 100;
/** Maximum length of an unfinished line, in UTF-16 code units. */
const LONGEST_LINE = 64 * 1024;
/**
 * Lowest exit code by which the shell reports that a program can't be found or run, or (above it) was ended by a
 * signal.
 */
const NOT_RUN = 126;

interface Shell {
  child: ChildProcess;
  /**
   * Receives lines of the running task's output, undefined when the shell has ended; absent while the shell has no
   * task.
   */
  onLine?: ((line: string | undefined) => void) | undefined;
}

interface QueuedTask extends HelperLimits {
  task: HelperTask;
  path: string;
  resolve: (outcome: Outcome) => void;
}

/**
 * Runs tasks, `most` at a time. An idle shell does not keep this process from ending, and ends with it, because its
 * input closes.
 */
export function createHelperProcesses(most: number) {
  const shells = new Set<Shell>();
  const waiting: QueuedTask[] = [];

  const next = (): void => {
    while (waiting.length > 0) {
      const shell =
        [...shells].find(({ onLine: hears }) => !hears) ?? (shells.size < most ? tryToOpen() : undefined);
      const queued = shell && waiting.shift();
      if (!queued) return;
      if (queued.signal?.aborted) queued.resolve(NOT_DONE);
      else begin(shell, queued);
    }
  };

  const begin = (shell: Shell, { task, path, mostMs, signal, resolve }: QueuedTask): void => {
    const output: string[] = [];
    let isLate = false;
    const stop = () => endGroup(shell);
    const end = (code: number | undefined) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      hold(shell, false);
      shell.onLine = undefined;
      resolve({ succeeded: code === 0, output, isLate, hasCrashed: code === undefined || code >= NOT_RUN });
      next();
    };
    const timer = setTimeout(() => {
      isLate = true;
      stop();
    }, mostMs);
    signal?.addEventListener('abort', stop, { once: true });
    shell.onLine = (line) => {
      if (line === undefined) return end(undefined);
      if (line.startsWith('\0')) return end(Number(line.slice(1)));
      if (output.length === MOST_LINES) output.pop();
      output.push(line);
    };
    hold(shell, true);
    shell.child.stdin?.write(`${task}\n${path}\n`);
  };

  const tryToOpen = (): Shell | undefined => {
    try {
      return open();
    } catch {
      // Processes can't be started now: without any shell, waiting tasks fail at once.
      if (shells.size === 0) for (const { resolve } of waiting.splice(0)) resolve(NOT_DONE);
      return undefined;
    }
  };

  const open = (): Shell => {
    const child = spawn('/bin/sh', ['-c', SCRIPT], {
      cwd: '/',
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' },
      stdio: ['pipe', 'pipe', 'ignore'],
      detached: true,
    });
    const shell: Shell = { child };
    shells.add(shell);
    let rest = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = (lines.pop() ?? '').slice(0, LONGEST_LINE);
      for (const line of lines) shell.onLine?.(line);
    });
    const onGone = () => {
      shells.delete(shell);
      shell.onLine?.(undefined);
    };
    child.on('error', onGone);
    child.on('close', onGone);
    for (const stream of [child.stdin, child.stdout]) stream?.on('error', () => {});
    hold(shell, false);
    return shell;
  };

  /** Runs a task. Never rejects. A task that takes too long, or whose signal aborts, is ended. */
  return (task: HelperTask, path: string, limits: HelperLimits): Promise<Outcome> =>
    new Promise((resolve) => {
      waiting.push({ task, path, ...limits, resolve });
      next();
    });
}

const NOT_DONE: Outcome = { succeeded: false, output: [], isLate: false, hasCrashed: true };

/** Sets whether the shell keeps this process from ending. */
function hold({ child }: Shell, isHeld: boolean): void {
  const streams = [child.stdin, child.stdout] as unknown as (Socket | null)[];
  for (const one of [child, ...streams]) {
    if (isHeld) one?.ref();
    else one?.unref();
  }
}

/** Ends a shell together with the program that it waits for. */
function endGroup({ child }: Shell): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The shell has already ended.
  }
}
