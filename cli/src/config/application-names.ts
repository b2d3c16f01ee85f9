import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from './folders.ts';
import { readJson, writePrivately } from './private-file.ts';

// Names of applications from the last lists that commands read, for the shell's completion: it must not wait for a
// server.

const pathOfNames = () => join(cacheFolder(), 'applications.json');

interface Remembered {
  subdomain: string;
  name: string;
}

export async function rememberApplications(url: string, applications: readonly Remembered[]): Promise<void> {
  const known = await readJson<Record<string, Remembered[]>>(pathOfNames()).catch(() => ({}));
  const names = applications.map(({ subdomain, name }) => ({ subdomain, name }));
  // A command does its work even if the cache can't be written.
  await writePrivately(pathOfNames(), JSON.stringify({ ...known, [url]: names })).catch(() => {});
}

export function rememberedApplications(): Remembered[] {
  try {
    return Object.values(
      JSON.parse(readFileSync(pathOfNames(), 'utf8')) as Record<string, Remembered[]>,
    ).flat();
  } catch {
    return [];
  }
}
