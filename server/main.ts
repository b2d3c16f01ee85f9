import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

// Starts the server: as the bundle that `npm run build` makes of it, which starts sooner (`npm run bench -- start`), or from the
// sources where one of them is newer than the bundle or there is none.

const SOURCES = import.meta.dirname;
const BUNDLE = join(SOURCES, '..', 'dist', 'serve.js');

process.setSourceMapsEnabled(true);
await import(isCurrent() ? BUNDLE : './serve.ts');

/** Whether there is a bundle and it is at least as new as every source of the server and as the lockfile. */
function isCurrent(): boolean {
  const built = timeOf(BUNDLE);
  if (built === undefined) return false;
  const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  return sources.every((name) => (timeOf(join(SOURCES, name)) ?? 0) <= built);
}

/** When a file was last written, in milliseconds; undefined where there is none. */
function timeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}
