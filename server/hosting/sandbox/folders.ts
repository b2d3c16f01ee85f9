import { constants } from 'node:fs';
import { open, opendir, readdir, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { isUuid } from '../../kernel/identifiers.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { reason } from '../model/reasons/reason.ts';

/**
 * Returns the folder `below` of `root`. Throws a RuntimeFailure if it does not exist or links lead it out of `root`.
 */
export async function folderInside(root: string, below: string): Promise<string> {
  const [outer, inner] = await Promise.all([
    realpath(root),
    realpath(join(root, below)).catch(() => undefined),
  ]);
  if (inner === undefined || !isInside(outer, inner) || !(await stat(inner)).isDirectory()) {
    throw new RuntimeFailure(reason('no_root', { root: below }));
  }
  return inner;
}

/**
 * Throws a RuntimeFailure if a link leads out of the folder: the gateway serves a static site's files with the server's
 * own rights. Dangling links are allowed, because they are not served.
 */
export async function refuseLinksOutside(folder: string, signal?: AbortSignal): Promise<void> {
  const outer = await realpath(folder);
  for await (const link of linksIn(outer, signal)) {
    const end = await realpath(link).catch((error) => (NOWHERE.has(error.code) ? link : undefined));
    if (end === undefined || !isInside(outer, end)) {
      throw new RuntimeFailure(reason('link_outside', { path: relative(outer, link) }));
    }
  }
}

const NOWHERE = new Set(['ENOENT', 'ENOTDIR', 'ELOOP']);

/** Links of a tree, without following any: `readdir` with `recursive` would read the folders that they lead to. */
async function* linksIn(folder: string, signal?: AbortSignal): AsyncGenerator<string> {
  const folders = [folder];
  try {
    for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
      for await (const entry of await opendir(at, { bufferSize: 256 })) {
        signal?.throwIfAborted();
        if (entry.isDirectory()) folders.push(join(at, entry.name));
        else if (entry.isSymbolicLink()) yield join(at, entry.name);
      }
    }
  } catch (error) {
    signal?.throwIfAborted();
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new RuntimeFailure(
      code === 'ENAMETOOLONG' ? reason('too_deep') : reason('not_searchable', { error: code }),
    );
  }
}

function isInside(outer: string, inner: string): boolean {
  return inner === outer || inner.startsWith(outer + sep);
}

/**
 * Names in a folder that are UUIDs: each belongs to a release or an application. All other names are the server's own.
 */
export async function uuidsIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(() => [])).filter(isUuid);
}

const LARGEST_FILE = 1_000_000;

/**
 * Reads the first `most` bytes of a file. Never follows a link, and never waits for a pipe that may have replaced the
 * file.
 */
export async function headOf(path: string | Buffer, most: number): Promise<Buffer | undefined> {
  try {
    await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if (!(await file.stat()).isFile()) return undefined;
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(most), position: 0 });
    return buffer.subarray(0, bytesRead);
  } catch (error) {
    if (UNREADABLE.has((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

/** Reads the beginning of a file (`most` bytes) as text, in the same way as `headOf`. */
export async function readHead(path: string, most = LARGEST_FILE): Promise<string | undefined> {
  return (await headOf(path, most))?.toString();
}

const UNREADABLE = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'EACCES', 'ENXIO']);
