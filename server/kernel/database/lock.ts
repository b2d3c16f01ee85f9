import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ConfigError } from '../config.ts';
import { unusablePath } from '../data-folder.ts';
import { isFullDisk } from '../full-disk.ts';

export interface FolderLock {
  release(): void;
}

/**
 * Locks the data folder for this process, or throws a ConfigError that names the process which has locked it. Node has
 * no file locks of its own, so the lock is an exclusive SQLite transaction, which uses a lock of the operating system.
 * That lock ends with the process, however the process ends, so no stale lock remains.
 */
export function lockFolder(folder: string): FolderLock {
  const holderPath = join(folder, 'lock.json');
  const path = join(folder, 'lock');
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(path, { timeout: 0 });
    lock.exec('pragma journal_mode = memory; begin exclusive');
  } catch (error) {
    lock?.close();
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) {
      throw new ConfigError(`${path} can’t be locked (${(error as Error).message}).`);
    }
    throw new ConfigError(
      `The data folder ${folder} is in use ${holder(holderPath)}; stop that one or set another DATA_DIR.`,
    );
  }
  const held = lock;
  try {
    writeFileSync(holderPath, JSON.stringify({ pid: process.pid, since: new Date().toISOString() }));
  } catch (error) {
    // The file lock.json only tells people who has the lock; the lock works without the file.
    if (!isFullDisk(error)) {
      held.close();
      throw unusablePath(holderPath, error);
    }
  }
  return { release: () => held.close() };
}

const SQLITE_BUSY = 5;

function holder(path: string): string {
  try {
    const { pid, since } = JSON.parse(readFileSync(path, 'utf8'));
    return `by process ${Number(pid)} since ${String(since)}`;
  } catch {
    return 'by another process';
  }
}
