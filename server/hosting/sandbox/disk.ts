import { existsSync, lstatSync } from 'node:fs';
import { lchown, opendir } from 'node:fs/promises';
import { type Reason, reason } from '../model/reasons/reason.ts';
import { HelperProcesses } from './helper-processes.ts';

// Trees of folders that builds and sites leave may be deeper than the longest path that the system takes, closed to
// others, and of any size. So the system's programs (du, rm and the like) work on them: these follow no links, and need
// no whole paths as node's functions do.

/** Disk space that several folders use together, or the reason why it can't be measured. */
export type Size = { bytes: number } | { unknown: Reason };

const MEASURE_MS = 60_000;
const OPEN_UP_MS = 60_000;
const REMOVE_MS = 15 * 60_000;
const COPY_MS = 15 * 60_000;
const TRIES = 5;

const measuring = new HelperProcesses(4);
/**
 * Helper processes for changes that may take long, such as removing a large tree of folders. Measuring has its own, so
 * that it need not wait for these.
 */
const changing = new HelperProcesses(8);

/**
 * Measures the disk space of folders. Never throws. A missing folder counts as 0; a folder that the server can't read
 * is made readable first, because the server owns it.
 */
export async function measureFolders(folders: readonly string[], signal?: AbortSignal): Promise<Size> {
  if (folders.length === 0) return { bytes: 0 };
  let size = await sizeOf(folders, signal);
  if ('closed' in size) {
    for (const folder of folders) await openUp(folder, signal);
    size = await sizeOf(folders, signal);
  }
  return 'closed' in size ? { unknown: reason('disk_closed') } : size;
}

/** Makes every folder of a tree accessible to the server. */
export async function openUp(path: string, signal?: AbortSignal): Promise<void> {
  // A root that is a link is skipped: unlike for links below it, chmod would change the link's target.
  if (!isFolder(path)) return;
  await changing.run('open up', path, { mostMs: OPEN_UP_MS, signal });
}

/**
 * Makes an account the owner of a tree, unless it already owns the root, which is changed last. Throws if that fails,
 * and the signal's reason.
 */
export async function chownTree(path: string, account: number, signal?: AbortSignal): Promise<void> {
  if (lstatSync(path).uid === account) return;
  // The owner of an empty folder is changed without starting a program.
  const isNew = isFolder(path) && (await isEmpty(path));
  signal?.throwIfAborted();
  if (isNew) return lchown(path, account, account);
  const { succeeded, output } = await changing.run(`give to ${account}`, path, {
    mostMs: OPEN_UP_MS,
    signal,
  });
  signal?.throwIfAborted();
  if (!succeeded) throw new Error(`chown failed: ${output.join('; ')}`);
}

/**
 * Copies a folder to a path that does not exist, with the owners and permissions of its files. Never throws; returns the
 * error text, or undefined if all was copied.
 */
export async function copyTree(path: string, to: string, signal?: AbortSignal): Promise<string | undefined> {
  const { succeeded, output } = await changing.run(`copy to ${to}`, path, { mostMs: COPY_MS, signal });
  return succeeded ? undefined : output.join('; ');
}

/** Removes a tree or a file. Never throws; returns the error text, or undefined if nothing is left. */
export async function removeTree(path: string, signal?: AbortSignal): Promise<string | undefined> {
  const remove = () => changing.run('remove', path, { mostMs: REMOVE_MS, signal });
  if ((await remove()).succeeded) return undefined;
  await openUp(path, signal);
  const { succeeded, output } = await remove();
  return succeeded ? undefined : output.join('; ');
}

/**
 * Removes pipes, sockets and devices from a tree: a program that opens one in place of its settings may wait forever.
 * Never throws.
 */
export async function removeSpecials(path: string, signal?: AbortSignal): Promise<void> {
  if (isFolder(path)) await changing.run('remove specials', path, { mostMs: OPEN_UP_MS, signal });
}

/** True if a folder is empty; undefined if it is not a folder or can't be read. */
export async function isEmpty(folder: string): Promise<boolean | undefined> {
  try {
    await using entries = await opendir(folder);
    return (await entries.read()) === null;
  } catch {
    return undefined;
  }
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
    const { output, isLate, hasCrashed } = await measuring.run('measure', folder, {
      mostMs: MEASURE_MS,
      signal,
    });
    if (signal?.aborted) break;
    if (isLate) return { unknown: reason('disk_endless', { seconds: MEASURE_MS / 1_000 }) };
    // The program du fails in different ways on a tree that changes while it is read, so it is tried again.
    if (hasCrashed) continue;
    const problems = output.filter((line) => !MEASURED.test(line) && !VANISHED.test(line));
    if (problems.some((line) => CLOSED.test(line))) return { closed: true };
    const [problem] = problems;
    if (problem !== undefined) return { unknown: reason('disk_unreadable', { error: errorIn(problem) }) };
    const [, kibibytes] = MEASURED.exec(output.at(-1) ?? '') ?? [];
    if (kibibytes !== undefined) return { bytes: Number(kibibytes) * 1024 };
    if (!existsSync(folder)) return { bytes: 0 };
  }
  return signal?.aborted ? { bytes: 0 } : { unknown: reason('disk_moving') };
}

/** du's output line: kibibytes, a tab, and the folder. */
const MEASURED = /^(\d+)\t/;
const VANISHED = /: (No such file or directory|Not a directory)$/;
const CLOSED = /: Permission denied$/;

/**
 * Error text of the operating system in the last part of a program's error message; the parts before it contain a path
 * of this machine, so they are left out.
 */
function errorIn(problem: string): string {
  return problem.split(': ').at(-1) ?? '';
}
