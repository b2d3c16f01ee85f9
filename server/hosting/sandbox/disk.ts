import { existsSync, lstatSync } from 'node:fs';
import { lchown, opendir } from 'node:fs/promises';
import { type Reason, reason } from '../model/reasons/reason.ts';
import { createHelperProcesses } from './helper-processes.ts';

// What builds and sites leave may lie deeper than any path reaches, in folders nobody may look into, in any number.
// The system's own programs walk such trees by descriptor and follow no links; node's functions take whole paths.

/** What folders take on the disk together, or why that can't be said. */
export type Size = { bytes: number } | { unknown: Reason };

const MEASURE_MS = 60_000;
const OPEN_UP_MS = 60_000;
const REMOVE_MS = 15 * 60_000;
const TRIES = 5;

const looking = createHelperProcesses(4);
/** Apart from those, for what is large is long to remove. */
const working = createHelperProcesses(8);

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
  await working('open up', path, { mostMs: OPEN_UP_MS, signal });
}

/**
 * Makes a tree an account's own, unless its root is so already: that is changed last. Throws when it can't be done, and the
 * signal's reason.
 */
export async function chownTree(path: string, account: number, signal?: AbortSignal): Promise<void> {
  if (lstatSync(path).uid === account) return;
  // One that was just made needs no program.
  const isNew = isFolder(path) && (await isEmpty(path));
  signal?.throwIfAborted();
  if (isNew) return lchown(path, account, account);
  const { succeeded, said } = await working(`give to ${account}`, path, { mostMs: OPEN_UP_MS, signal });
  signal?.throwIfAborted();
  if (!succeeded) throw new Error(`chown failed: ${said.join('; ')}`);
}

/** Removes a tree, whatever it is. Never throws; tells what hindered it, undefined when nothing is left. */
export async function removeTree(path: string, signal?: AbortSignal): Promise<string | undefined> {
  const remove = () => working('remove', path, { mostMs: REMOVE_MS, signal });
  if ((await remove()).succeeded) return undefined;
  await openUp(path, signal);
  const { succeeded, said } = await remove();
  return succeeded ? undefined : said.join('; ');
}

/**
 * Removes pipes, sockets and devices of a tree: a program that opens one in the place of its settings may wait for good.
 * Never throws.
 */
export async function removeSpecials(path: string, signal?: AbortSignal): Promise<void> {
  if (isFolder(path)) await working('remove specials', path, { mostMs: OPEN_UP_MS, signal });
}

/** undefined for what is no folder, or may not be looked into. */
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
    const { said, late, crashed } = await looking('measure', folder, { mostMs: MEASURE_MS, signal });
    if (signal?.aborted) break;
    if (late) return { unknown: reason('disk_endless', { seconds: MEASURE_MS / 1_000 }) };
    // du gives up, in one way or another, on a tree that moves while it is walked through.
    if (crashed) continue;
    const serious = said.filter((line) => !MEASURED.test(line) && !VANISHED.test(line));
    if (serious.some((line) => CLOSED.test(line))) return { closed: true };
    const [problem] = serious;
    if (problem !== undefined) return { unknown: reason('disk_unreadable', { error: errorIn(problem) }) };
    const [, kibibytes] = MEASURED.exec(said.at(-1) ?? '') ?? [];
    if (kibibytes !== undefined) return { bytes: Number(kibibytes) * 1024 };
    if (!existsSync(folder)) return { bytes: 0 };
  }
  return signal?.aborted ? { bytes: 0 } : { unknown: reason('disk_moving') };
}

/** Kibibytes, and the folder. */
const MEASURED = /^(\d+)\t/;
const VANISHED = /: (No such file or directory|Not a directory)$/;
const CLOSED = /: Permission denied$/;

/** What the system calls it, which comes last, after a path of this machine. */
function errorIn(problem: string): string {
  return problem.split(': ').at(-1) ?? '';
}
