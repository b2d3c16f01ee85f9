import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, lstatSync } from 'node:fs';
import { type Reason, reason, say } from '../reasons/reason.ts';
import { diskUse } from './disk-use.ts';

// What builds and sites leave may lie deeper than any path reaches, in folders nobody may look into, in any number.
// The system's own programs walk such trees by descriptor and follow no links; node's functions take whole paths.

/** What folders take on the disk together, or why that can't be said. */
export type Size = { bytes: number } | { unknown: Reason };

const MEASURE_MS = 60_000;
const OPEN_UP_MS = 60_000;
const REMOVE_MS = 15 * 60_000;
const TRIES = 5;

/** Never throws. A folder that is not there takes nothing; one that is closed to us is opened, for it is ours. */
export async function measure(folders: readonly string[], signal?: AbortSignal): Promise<Size> {
  if (folders.length === 0) return { bytes: 0 };
  let size = await sizeOf(folders, signal);
  if ('closed' in size) {
    for (const folder of folders) await openUp(folder, signal);
    size = await sizeOf(folders, signal);
  }
  return 'closed' in size ? { unknown: reason('disk_closed') } : size;
}

/** Lets us into every folder of a tree. */
export async function openUp(path: string, signal?: AbortSignal): Promise<void> {
  // Of all that it finds, chmod would follow a link only here.
  if (!isFolder(path)) return;
  await run('chmod', ['-R', 'u+rwX', '--', path], OPEN_UP_MS, signal);
}

/**
 * Makes a tree an account's own, unless its root is so already: that is changed last. Throws when it can't be done, and the
 * signal's reason.
 */
export async function giveTree(path: string, account: number, signal?: AbortSignal): Promise<void> {
  if (lstatSync(path).uid === account) return;
  const { succeeded, problems } = await run(
    'chown',
    ['-Rh', '--', `${account}:${account}`, path],
    OPEN_UP_MS,
    signal,
  );
  signal?.throwIfAborted();
  if (!succeeded) throw new Error(`chown failed: ${problems.join('; ')}`);
}

/** Removes a tree, whatever it is. Never throws; tells what hindered it, undefined when nothing is left. */
export async function removeTree(path: string, signal?: AbortSignal): Promise<string | undefined> {
  const remove = () => run('rm', ['-rf', '--one-file-system', '--', path], REMOVE_MS, signal);
  const first = await remove();
  if (first.succeeded) return undefined;
  await openUp(path, signal);
  const second = await remove();
  return second.succeeded ? undefined : second.problems.join('; ');
}

function isFolder(path: string): boolean {
  try {
    return lstatSync(path).isDirectory();
  } catch {
    return false;
  }
}

async function sizeOf(folders: readonly string[], signal?: AbortSignal): Promise<Size | { closed: true }> {
  let bytes = 0;
  for (const folder of folders) {
    const size = await sizeOfOne(folder, signal);
    if (!('bytes' in size)) return size;
    bytes += size.bytes;
  }
  return { bytes };
}

async function sizeOfOne(folder: string, signal?: AbortSignal): Promise<Size | { closed: true }> {
  for (let turn = 1; turn <= TRIES && !signal?.aborted; turn += 1) {
    const use = await untilAborted(diskUse(folder, MEASURE_MS), signal);
    if (!use) break;
    if (use.late) return { unknown: reason('disk_endless', { seconds: MEASURE_MS / 1_000 }) };
    // du gives up, in one way or another, on a tree that moves while it is walked through.
    if (use.crashed) continue;
    const serious = use.problems.filter((line) => !VANISHED.test(line));
    if (serious.some((line) => CLOSED.test(line))) return { closed: true };
    const [problem] = serious;
    if (problem !== undefined) return { unknown: reason('disk_unreadable', { error: errorIn(problem) }) };
    if (use.bytes !== undefined) return { bytes: use.bytes };
    if (!existsSync(folder)) return { bytes: 0 };
  }
  return signal?.aborted ? { bytes: 0 } : { unknown: reason('disk_moving') };
}

/** undefined where the signal comes first: what is measured goes on to its end for itself. */
function untilAborted<T>(work: Promise<T>, signal?: AbortSignal): Promise<T | undefined> {
  if (!signal) return work;
  const aborted = Promise.withResolvers<undefined>();
  const abort = () => aborted.resolve(undefined);
  signal.addEventListener('abort', abort, { once: true });
  return Promise.race([work, aborted.promise]).finally(() => signal.removeEventListener('abort', abort));
}

const VANISHED = /: (No such file or directory|Not a directory)$/;
const CLOSED = /: Permission denied$/;

/** What the system calls it, which comes last, after a path of this machine. */
function errorIn(problem: string): string {
  return problem.split(': ').at(-1) ?? '';
}

interface Run {
  succeeded: boolean;
  /** What it said went wrong, a line each; also when it could not be run. */
  problems: string[];
}

const MOST_OUTPUT = 64 * 1024;

/** Runs a program of the system's on paths of ours, without a shell, until the signal at most. Never rejects. */
function run(file: string, args: string[], mostMs: number, signal?: AbortSignal): Promise<Run> {
  let said = '';
  return new Promise<Run>((resolve) => {
    const end = (succeeded: boolean, problem?: string) => {
      clearTimeout(timer);
      // Of more than is kept, the last line may be a part of one.
      const problems = said.split('\n').slice(0, -1);
      if (problem) problems.push(problem);
      resolve({ succeeded, problems });
    };
    const timer = setTimeout(() => child?.kill('SIGKILL'), mostMs);
    const child = signal?.aborted ? undefined : spawned(file, args, signal);
    if (!child) return end(false, say(reason('cant_run', { error: file }), 'en'));
    child.stderr?.setEncoding('utf8').on('data', (text) => {
      said = (said + text).slice(0, MOST_OUTPUT);
    });
    child.on('error', (error) => end(false, error.message));
    child.on('close', (code, killedBy) => {
      end(code === 0, killedBy ? say(reason('killed', { signal: killedBy }), 'en') : undefined);
    });
  });
}

/** undefined where not even a process can be made. */
function spawned(file: string, args: string[], signal?: AbortSignal): ChildProcess | undefined {
  try {
    return spawn(file, args, {
      cwd: '/',
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' },
      stdio: ['ignore', 'ignore', 'pipe'],
      killSignal: 'SIGKILL',
      ...(signal && { signal }),
    });
  } catch {
    return undefined;
  }
}
