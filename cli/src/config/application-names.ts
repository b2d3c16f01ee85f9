import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from './folders.ts';
import { readJson, writePrivately } from './private-file.ts';

// Names of applications from the last lists that commands read, for the shell's completion: it must not wait for a server.

const pathOfNames = () => join(cacheFolder(), 'applications.json');

export async function rememberNames(url: string, names: readonly string[]): Promise<void> {
  const known = await readJson<Record<string, readonly string[]>>(pathOfNames()).catch(() => ({}));
  // A command does its work even if the cache can't be written.
  await writePrivately(pathOfNames(), JSON.stringify({ ...known, [url]: names })).catch(() => {});
}

export function rememberedNames(): string[] {
  try {
    return Object.values(JSON.parse(readFileSync(pathOfNames(), 'utf8')) as Record<string, string[]>).flat();
  } catch {
    return [];
  }
}
