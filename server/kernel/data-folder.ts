import { randomBytes } from 'node:crypto';
import { chmod, mkdir, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ConfigError } from './config.ts';
import { isFullDisk } from './full-disk.ts';

/**
 * Creates the data folder if it is missing, and closes an existing one to other users. Throws a ConfigError that says
 * why the folder can't be created or written to. A full disk does not prevent the start: existing data can be read, and
 * there may be space again soon.
 */
export async function openDataFolder(folder: string): Promise<{ isFull: boolean }> {
  try {
    await make(folder);
    const path = await realpath(folder);
    if (isSystemFolder(path)) {
      throw new ConfigError(`DATA_DIR is ${path}, a system folder; it needs a folder of its own.`);
    }
    await close(folder);
    return { isFull: !(await hasRoom(folder)) };
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw unusablePath(folder, error);
  }
}

/** True if a file can be written in a folder; false if its disk is full. Throws if writing fails for another reason. */
async function hasRoom(folder: string): Promise<boolean> {
  const trial = join(folder, `.${process.pid}-${randomBytes(4).toString('hex')}`);
  try {
    await writeFile(trial, 'Simcha writes here', { mode: 0o600, flag: 'wx' });
    return true;
  } catch (error) {
    if (isFullDisk(error)) return false;
    throw error;
  } finally {
    await rm(trial, { force: true });
  }
}

const SYSTEM_FOLDERS =
  /^\/((usr(\/local)?\/)?(bin|sbin|lib\w*|share|include|etc|src)|usr(\/local)?|boot|dev|home|proc|root|run|sys|var(\/lib)?)?$/;

/**
 * True for a folder of the operating system that must stay open to all programs. It can't be a data folder, which is
 * closed to everybody but its user.
 */
export function isSystemFolder(path: string): boolean {
  return SYSTEM_FOLDERS.test(path);
}

/**
 * Creates the missing folders one by one: `mkdir` with `recursive` reports a read-only file system as ENOENT and never
 * returns in /proc.
 */
async function make(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return;
    if (code !== 'ENOENT' || dirname(folder) === folder) throw error;
    await make(dirname(folder));
    await mkdir(folder, { mode: 0o700 });
  }
}

const STICKY = 0o1000;

/** Closes a folder to other users, unless it belongs to another user or is shared by all, as /tmp is. */
async function close(folder: string): Promise<void> {
  const { mode, uid } = await stat(folder);
  if (uid === process.getuid?.() && (mode & STICKY) === 0 && (mode & 0o077) !== 0) {
    await chmod(folder, mode & 0o700);
  }
}

/** Describes in one sentence what is wrong with a file or folder of the data folder. */
export function unusablePath(path: string, error: unknown): ConfigError {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const reason = REASONS[code] ?? `can’t be used (${code || message})`;
  return new ConfigError(`${path} ${reason}; fix that or set another DATA_DIR.`);
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'can’t be read and written by this user (EACCES)',
  EPERM: 'can’t be read and written by this user (EPERM)',
  EROFS: 'is on a read-only file system (EROFS)',
  ENOSPC: 'is on a full disk (ENOSPC)',
  EDQUOT: 'is on a disk where this user’s quota is used up (EDQUOT)',
  ENOENT: 'can’t be created (ENOENT)',
  ENOTDIR: 'can’t be a folder: part of it is a file (ENOTDIR)',
  EEXIST: 'can’t be a folder: it is a file (EEXIST)',
};
