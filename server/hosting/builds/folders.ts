import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { reason } from '../reasons/reason.ts';
import { RuntimeFailure } from './failure.ts';

/** The folder `below` of `root`. Throws a RuntimeFailure when there is none, or links lead it out of `root`. */
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

/** The gateway serves a static site's files with our own rights, so no link may lead out of its folder. */
export async function refuseLinksOutside(folder: string): Promise<void> {
  const outer = await realpath(folder);
  for (const entry of await everythingIn(outer)) {
    if (!entry.isSymbolicLink()) continue;
    const path = join(entry.parentPath, entry.name);
    const end = await realpath(path).catch(() => undefined);
    if (end === undefined || !isInside(outer, end)) {
      throw new RuntimeFailure(reason('link_outside', { path: relative(outer, path) }));
    }
  }
}

async function everythingIn(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { recursive: true, withFileTypes: true });
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new RuntimeFailure(
      code === 'ENAMETOOLONG' ? reason('too_deep') : reason('not_searchable', { error: code }),
    );
  }
}

function isInside(outer: string, inner: string): boolean {
  return inner === outer || inner.startsWith(outer + sep);
}
