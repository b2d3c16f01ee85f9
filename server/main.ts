import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

// Starts the server from the bundle that `npm run build` makes, which starts sooner (`npm run bench -- start`). If
// there is no bundle, or a source is newer than the bundle, the server starts from the sources.

const SOURCES = import.meta.dirname;
const BUNDLE = join(SOURCES, '..', 'dist', 'serve.js');

process.setSourceMapsEnabled(true);
await import(isCurrent() ? BUNDLE : './serve.ts');

/** True if the server's bundle exists and is at least as new as every source file of the server. */
function isCurrent(): boolean {
  const built = timeOf(BUNDLE);
  if (built === undefined) return false;
  const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  return sources.every((name) => (timeOf(join(SOURCES, name)) ?? 0) <= built);
}

/** Time of a file's last change, in milliseconds since 1970; undefined if there is no such file. */
function timeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}
