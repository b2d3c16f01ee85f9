import { readdirSync, statSync } from 'node:fs';
import { enableCompileCache, setSourceMapsSupport } from 'node:module';
import { join } from 'node:path';

// Starts the server from the bundle that `npm run build` makes, which starts sooner (`npm run bench -- start`). If
// there is no bundle, or a source is newer than the bundle, the server starts from the sources. This file is not
// TypeScript, because node takes a tenth of a second to load what removes types.

const SOURCES = import.meta.dirname;
const BUNDLE = join(SOURCES, '..', 'dist', 'serve.js');

setSourceMapsSupport(true, { nodeModules: true });
if (isCurrent()) {
  // The compiled code is kept beside the bundle, whose next build removes it. The image has it from its build
  // (commands/compile.ts), because a container can't write there.
  enableCompileCache(join(BUNDLE, '..', 'compile-cache'));
  await import(BUNDLE);
} else {
  await import('./serve.ts');
}

/** True if the server's bundle exists and is at least as new as every source file of the server. */
function isCurrent() {
  const built = timeOf(BUNDLE);
  if (built === undefined) return false;
  const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  return sources.every((name) => (timeOf(`${SOURCES}/${name}`) ?? 0) <= built);
}

/**
 * Time of a file's last change, in milliseconds since 1970; undefined if there is no such file.
 *
 * @param {string} file
 */
function timeOf(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}
