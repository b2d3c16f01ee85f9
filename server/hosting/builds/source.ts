import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { BUILT_FOLDERS, type Source } from './plan.ts';

const LARGEST_FILE = 1_000_000;

/** Looks at a checkout for what decides how it is built. Links are not followed: they may lead anywhere. */
export async function readSource(folder: string): Promise<Source> {
  const files = new Set<string>();
  const folders = ['', ...BUILT_FOLDERS];
  await Promise.all(
    folders.map(async (below) => {
      const entries = await readdir(join(folder, below), { withFileTypes: true }).catch(() => []);
      for (const entry of entries) if (entry.isFile()) files.add(join(below, entry.name));
    }),
  );
  const read = async (name: string) => (files.has(name) ? readHead(join(folder, name)) : undefined);
  const [packageJson, procfile] = await Promise.all([read('package.json'), read('Procfile')]);
  return { files, packageJson, procfile };
}

async function readHead(path: string): Promise<string> {
  await using file = await open(path, 'r');
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(LARGEST_FILE), position: 0 });
  return buffer.toString('utf8', 0, bytesRead);
}
