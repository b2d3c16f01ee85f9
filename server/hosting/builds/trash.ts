import { mkdir, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '../../kernel/identifiers.ts';
import type { Logger } from '../../kernel/log.ts';
import { openUp, removeTree } from '../sandbox/disk.ts';

/** Number of folders that are removed at once, so that a slow removal does not block the others. */
const AT_ONCE = 4;

export type Trash = ReturnType<typeof createTrash>;

/**
 * Trash for folders that are not needed any more: their names are free at once, and a folder that takes long to remove
 * or can't be removed blocks nobody. `folder` is on the same disk. Nothing here rejects.
 */
export function createTrash(folder: string, log: Logger) {
  const closing = new AbortController();
  const waiting: string[] = [];
  const emptying = new Set<Promise<void>>();
  let working = 0;

  const remove = async (path: string, signal: AbortSignal): Promise<void> => {
    const problem = await removeTree(path, signal);
    if (problem !== undefined && !signal.aborted) {
      log.warn({ path, problem }, 'a folder that is not needed any more could not be removed');
    }
  };

  const removeWaiting = async (): Promise<void> => {
    for (let next = waiting.pop(); next !== undefined && !closing.signal.aborted; next = waiting.pop()) {
      await remove(next, closing.signal);
    }
    working -= 1;
  };
  const removeInBackground = (path: string): void => {
    waiting.push(path);
    if (working === AT_ONCE) return;
    working += 1;
    const done: Promise<void> = removeWaiting().finally(() => emptying.delete(done));
    emptying.add(done);
  };

  const move = async (path: string, to: string, signal: AbortSignal): Promise<void> => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await rename(path, to).catch(async (error) => {
      // A folder must be writable to be moved; the build or site that used it may have made it read-only.
      if (codeOf(error) !== 'EACCES') throw error;
      await openUp(path, signal);
      await rename(path, to);
    });
  };

  return {
    /**
     * Moves a folder into the trash. Resolves when its name is free or can't be freed, at the latest when the signal
     * aborts.
     */
    async discard(path: string, until: AbortSignal): Promise<void> {
      const away = join(folder, newId());
      const signal = AbortSignal.any([closing.signal, until]);
      try {
        await move(path, away, signal);
        removeInBackground(away);
      } catch (error) {
        if (codeOf(error) !== 'ENOENT') await remove(path, signal);
      }
    },

    /** Begins removals of folders that a previous run of the server did not finish. */
    async sweep(): Promise<void> {
      for (const name of await readdir(folder).catch(() => [])) removeInBackground(join(folder, name));
    },

    /** Stops all removals of folders, and resolves then; the next run of the server removes the rest. */
    async close(): Promise<void> {
      closing.abort();
      await Promise.all(emptying);
    },
  };
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
