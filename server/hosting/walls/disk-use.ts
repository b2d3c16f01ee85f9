import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';

// du counts what folders take, many of them each second. To start it from here costs a copy of all that maps this
// process's memory, tens of milliseconds in which nothing else is done; so a few small shells that stay start it for us.

/** What du says of a folder. */
export interface DiskUse {
  /** What the folder takes on the disk; undefined where it is not there, or du gave up. */
  bytes?: number;
  /** What it says went wrong, a line each: the first of them. */
  problems: string[];
  /** It took too long, and was ended. */
  late: boolean;
  /** It was ended by a signal, or could not be run. */
  crashed: boolean;
}

/** A folder stands on a line of its input, and is never read as more than its name. Zero bytes stand in no name. */
const SCRIPT =
  'while IFS= read -r folder; do du -skx -- "$folder" </dev/null 2>&1; printf "\\0%s\\n" "$?"; done';
const MOST_SHELLS = 4;
const MOST_PROBLEMS = 100;
/** Of a line that has no end yet. */
const LONGEST_LINE = 64 * 1024;

interface Shell {
  child: ChildProcess;
  /** Takes what it says of one folder; undefined while it has nothing to do. */
  asked: ((line: string | undefined) => void) | undefined;
}

interface Question {
  folder: string;
  mostMs: number;
  resolve: (use: DiskUse) => void;
}

const NOTHING: DiskUse = { problems: [], late: false, crashed: false };

const shells = new Set<Shell>();
const waiting: Question[] = [];

/** Never rejects. What takes longer than `mostMs` is ended. */
export function diskUse(folder: string, mostMs: number): Promise<DiskUse> {
  return new Promise((resolve) => {
    waiting.push({ folder, mostMs, resolve });
    next();
  });
}

function next(): void {
  for (let free = freeShell(); free && waiting.length > 0; free = freeShell()) {
    const question = waiting.shift();
    if (question) ask(free, question);
  }
}

function freeShell(): Shell | undefined {
  const idle = [...shells].find(({ asked }) => !asked);
  if (idle || shells.size === MOST_SHELLS || waiting.length === 0) return idle;
  try {
    return openShell();
  } catch {
    // Not even a process can be made: who waits for none is told so.
    if (shells.size === 0)
      for (const { resolve } of waiting.splice(0)) resolve({ ...NOTHING, crashed: true });
    return undefined;
  }
}

function ask(shell: Shell, { folder, mostMs, resolve }: Question): void {
  const use: DiskUse = { ...NOTHING, problems: [] };
  const end = (code: number | undefined) => {
    clearTimeout(timer);
    hold(shell, false);
    shell.asked = undefined;
    use.crashed = code === undefined || code > 125;
    resolve(use);
    next();
  };
  const timer = setTimeout(() => {
    use.late = true;
    close(shell);
  }, mostMs);
  shell.asked = (line) => {
    if (line === undefined) return end(undefined);
    if (line.startsWith('\0')) return end(Number(line.slice(1)));
    const [, kibibytes] = /^(\d+)\t/.exec(line) ?? [];
    if (kibibytes !== undefined) use.bytes = Number(kibibytes) * 1024;
    else if (use.problems.length < MOST_PROBLEMS) use.problems.push(line);
  };
  hold(shell, true);
  shell.child.stdin?.write(`${folder}\n`);
}

/** One that has no question keeps nobody from ending; it ends with us, for its input does. */
function openShell(): Shell {
  const child = spawn('/bin/sh', ['-c', SCRIPT], {
    cwd: '/',
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' },
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
  });
  const shell: Shell = { child, asked: undefined };
  shells.add(shell);
  let rest = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = (lines.pop() ?? '').slice(0, LONGEST_LINE);
    for (const line of lines) shell.asked?.(line);
  });
  const gone = () => {
    shells.delete(shell);
    shell.asked?.(undefined);
  };
  child.on('error', gone);
  child.on('close', gone);
  for (const stream of [child.stdin, child.stdout]) stream?.on('error', () => {});
  hold(shell, false);
  return shell;
}

/** Whether it keeps this process from ending. */
function hold({ child }: Shell, held: boolean): void {
  const streams = [child.stdin, child.stdout] as unknown as (Socket | null)[];
  for (const one of [child, ...streams]) {
    if (held) one?.ref();
    else one?.unref();
  }
}

/** With the du that it waits for. */
function close({ child }: Shell): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It is gone already.
  }
}
