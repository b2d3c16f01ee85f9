import { constants, type Dirent } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { folderInside } from './folders.ts';
import { BUILT_FOLDERS, type Source } from './plan.ts';

const LARGEST_FILE = 1_000_000;

/** Looks at a checkout for what decides how it is built. Links are not followed: they may lead anywhere. */
export async function readSource(folder: string): Promise<Source> {
  const files = new Set<string>();
  const folders = ['', ...BUILT_FOLDERS];
  await Promise.all(
    folders.map(async (below) => {
      const entries = await entriesOf(folder, below);
      for (const entry of entries) if (entry.isFile()) files.add(join(below, entry.name));
    }),
  );
  const read = async (name: string) => (files.has(name) ? readHead(join(folder, name)) : undefined);
  const [packageJson, procfile] = await Promise.all([read('package.json'), read('Procfile')]);
  return { files, packageJson, procfile };
}

/** Nothing where there is no such folder, it can't be read, or it leads out of `folder`. */
async function entriesOf(folder: string, below: string): Promise<Dirent[]> {
  try {
    return await readdir(await folderInside(folder, below), { withFileTypes: true });
  } catch {
    return [];
  }
}

/** The beginning of a file. Never through a link, and never waits for a pipe, should one stand in the file's place by now. */
export async function readHead(path: string): Promise<string | undefined> {
  try {
    await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if (!(await file.stat()).isFile()) return undefined;
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(LARGEST_FILE), position: 0 });
    return buffer.toString('utf8', 0, bytesRead);
  } catch (error) {
    if (UNREADABLE.has((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

const UNREADABLE = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'EACCES', 'ENXIO']);
