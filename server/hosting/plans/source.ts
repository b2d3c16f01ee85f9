import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { folderInside, readHead } from '../walls/folders.ts';
import { BUILT_FOLDERS, type Source } from './plan.ts';

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
