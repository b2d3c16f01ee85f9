import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';

// Trees are measured, given away and removed by the system's programs, many times a second. To start a program from here
// costs a copy of all that maps this process's memory, tens of milliseconds in which nothing else is done; so a few small
// shells that stay start them for us.

/** What is done with one folder. */
export type HelperTask = 'measure' | 'open up' | 'remove' | 'remove specials' | `give to ${number}`;

export interface Outcome {
  succeeded: boolean;
  /** What the program said, a line each: the first of them, and the last. */
  said: string[];
  /** It took too long, and was ended. */
  late: boolean;
  /** It was ended by a signal, or could not be run. */
  crashed: boolean;
}

export interface HelperLimits {
  mostMs: number;
  signal?: AbortSignal | undefined;
}

/** find(1)'s words for whatever is neither a file nor a folder nor a link: pipes, sockets and devices. */
export const SPECIALS = '! -type f ! -type d ! -type l';

/** What is to be done and the folder's path stand on a line each, and are never read as more. No name holds a zero byte. */
const SCRIPT = `
while IFS= read -r errand && IFS= read -r path; do
  case $errand in
    measure) du -skx -- "$path" ;;
    'open up') chmod -R u+rwX -- "$path" ;;
    remove) rm -rf --one-file-system -- "$path" ;;
    'remove specials') find "$path" -xdev ${SPECIALS} -delete ;;
    'give to '*) chown -Rh -- "\${errand#give to }:\${errand#give to }" "$path" ;;
  esac </dev/null 2>&1
  printf '\\0%s\\n' "$?"
done`;

const MOST_SAID = 100;
/** Of a line that has no end yet. */
const LONGEST_LINE = 64 * 1024;
/** The shell says so of a program that it can't find or run, and above it of one that a signal has ended. */
const NOT_RUN = 126;

interface Shell {
  child: ChildProcess;
  /** Takes what is said on its errand, undefined when it is gone; absent while it has none. */
  hears?: ((line: string | undefined) => void) | undefined;
}

interface Task extends HelperLimits {
  errand: HelperTask;
  path: string;
  resolve: (outcome: Outcome) => void;
}

/** Runs errands, `most` at a time. A shell without one keeps nobody from ending, and ends with us, for its input does. */
export function createHelperProcesses(most: number) {
  const shells = new Set<Shell>();
  const waiting: Task[] = [];

  const next = (): void => {
    while (waiting.length > 0) {
      const shell = [...shells].find(({ hears }) => !hears) ?? (shells.size < most ? opened() : undefined);
      const task = shell && waiting.shift();
      if (!task) return;
      if (task.signal?.aborted) task.resolve(NOTHING);
      else begin(shell, task);
    }
  };

  const begin = (shell: Shell, { errand, path, mostMs, signal, resolve }: Task): void => {
    const said: string[] = [];
    let late = false;
    const stop = () => endGroup(shell);
    const end = (code: number | undefined) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      hold(shell, false);
      shell.hears = undefined;
      resolve({ succeeded: code === 0, said, late, crashed: code === undefined || code >= NOT_RUN });
      next();
    };
    const timer = setTimeout(() => {
      late = true;
      stop();
    }, mostMs);
    signal?.addEventListener('abort', stop, { once: true });
    shell.hears = (line) => {
      if (line === undefined) return end(undefined);
      if (line.startsWith('\0')) return end(Number(line.slice(1)));
      if (said.length === MOST_SAID) said.pop();
      said.push(line);
    };
    hold(shell, true);
    shell.child.stdin?.write(`${errand}\n${path}\n`);
  };

  const opened = (): Shell | undefined => {
    try {
      return open();
    } catch {
      // Not even a process can be made: who waits for none is told so.
      if (shells.size === 0) for (const { resolve } of waiting.splice(0)) resolve(NOTHING);
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
      for (const line of lines) shell.hears?.(line);
    });
    const gone = () => {
      shells.delete(shell);
      shell.hears?.(undefined);
    };
    child.on('error', gone);
    child.on('close', gone);
    for (const stream of [child.stdin, child.stdout]) stream?.on('error', () => {});
    hold(shell, false);
    return shell;
  };

  /** Never rejects. What takes longer than it may is ended, and what the signal comes before. */
  return (errand: HelperTask, path: string, limits: HelperLimits): Promise<Outcome> =>
    new Promise((resolve) => {
      waiting.push({ errand, path, ...limits, resolve });
      next();
    });
}

const NOTHING: Outcome = { succeeded: false, said: [], late: false, crashed: true };

/** Whether it keeps this process from ending. */
function hold({ child }: Shell, held: boolean): void {
  const streams = [child.stdin, child.stdout] as unknown as (Socket | null)[];
  for (const one of [child, ...streams]) {
    if (held) one?.ref();
    else one?.unref();
  }
}

/** With the program that it waits for. */
function endGroup({ child }: Shell): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It is gone already.
  }
}
