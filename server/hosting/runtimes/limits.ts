import { opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { messages } from './messages.ts';
import { ownMemory, readProcesses } from './processes.ts';

export interface ProcessLimits {
  memoryMb: number;
  processes: number;
}

interface Watched {
  pid: number;
  limits: ProcessLimits;
  end(how: string): void;
}

const LOOK_MS = 1_000;
const MEBIBYTE = 2 ** 20;

export type Warden = ReturnType<typeof createWarden>;

/**
 * Ends what takes more memory or processes than it may, by a look at all of them every second. It works for any user
 * on any machine with /proc, where control groups take rights that a server seldom has.
 */
export function createWarden() {
  const watched = new Set<Watched>();
  let timer: NodeJS.Timeout | undefined;

  const look = () => {
    const table = readProcesses();
    for (const { pid, limits, end } of watched) {
      const tree = table.treeOf(pid);
      if (tree.length > limits.processes) end(messages.tooManyProcesses(limits.processes));
      else {
        const bytes = tree.reduce((sum, one) => sum + ownMemory(one.pid), 0);
        if (bytes > limits.memoryMb * MEBIBYTE) end(messages.tooMuchMemory(limits.memoryMb));
      }
    }
  };

  return {
    /** Watches the tree of processes below `pid`, until the returned function is called. */
    watch(pid: number, limits: ProcessLimits, end: (how: string) => void): () => void {
      const one = { pid, limits, end };
      watched.add(one);
      timer ??= setInterval(look, LOOK_MS).unref();
      return () => {
        watched.delete(one);
        if (watched.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
  };
}

/** Calls `end` once the folders together hold more than `mebibytes`, until the signal. */
export async function watchDisk(
  folders: readonly string[],
  mebibytes: number,
  end: (how: string) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const began = performance.now();
    if (await isLarger(folders, mebibytes, signal)) {
      end(messages.tooMuchDisk(mebibytes));
      return;
    }
    // A tree that is long to look through is looked through less often.
    const wait = Math.max(LOOK_MS, (performance.now() - began) * 10);
    await sleep(wait, undefined, { signal, ref: false }).catch(() => {});
  }
}

/** Whether the folders together hold more than `mebibytes`. */
export async function isLarger(
  folders: readonly string[],
  mebibytes: number,
  signal?: AbortSignal,
): Promise<boolean> {
  const sizes = await Promise.all(folders.map((folder) => folderBytes(folder, signal)));
  return sizes.reduce((sum, size) => sum + size, 0) > mebibytes * MEBIBYTE;
}

/** What a folder takes on the disk. What vanishes while we look counts as nothing; links are not followed. */
async function folderBytes(folder: string, signal?: AbortSignal): Promise<number> {
  let bytes = 0;
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined && !signal?.aborted; next = waiting.pop()) {
    try {
      for await (const entry of await opendir(next)) {
        const path = join(next, entry.name);
        if (entry.isDirectory()) waiting.push(path);
        else if (entry.isFile()) bytes += (await stat(path)).blocks * 512;
      }
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }
  return bytes;
}

function isGone(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '');
}
