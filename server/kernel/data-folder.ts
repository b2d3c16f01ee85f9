import { randomBytes } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from './config.ts';

/** Makes the data folder where it is missing; a ConfigError says why it can't be made or written to. */
export async function openDataFolder(folder: string): Promise<void> {
  const trial = join(folder, `.${process.pid}-${randomBytes(4).toString('hex')}`);
  try {
    await make(folder);
    await writeFile(trial, 'Simcha writes here', { mode: 0o600, flag: 'wx' });
    await rm(trial);
  } catch (error) {
    await rm(trial, { force: true }).catch(() => {});
    throw unusable(folder, error);
  }
}

async function make(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    // Asked for a folder and its parents, node calls a read-only file system ENOENT; asked for one folder it tells.
    await mkdir(folder, { mode: 0o700 });
  }
}

/** What is wrong with a file or folder of the data folder, as one sentence. */
export function unusable(path: string, error: unknown): ConfigError {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const reason = REASONS[code] ?? `can’t be used (${code || message})`;
  return new ConfigError(`${path} ${reason}; mend that or set another DATA_DIR.`);
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'is not this user’s to read and write (EACCES)',
  EPERM: 'is not this user’s to read and write (EPERM)',
  EROFS: 'is on a file system that is read-only (EROFS)',
  ENOSPC: 'is on a disk that is full (ENOSPC)',
  EDQUOT: 'is on a disk of which this user’s share is used up (EDQUOT)',
  ENOTDIR: 'can’t be a folder: part of it is a file (ENOTDIR)',
  EEXIST: 'can’t be a folder: it is a file (EEXIST)',
};
