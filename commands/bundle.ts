import { join, relative } from 'node:path';
import { rolldown } from 'rolldown';

// Bundles the server and its packages into dist/serve.js (`npm run build`), which starts in less time than 2,000 files do.
// An argument names another folder, within the project.

const ROOT = join(import.meta.dirname, '..');
const [, , OUTPUT = join(ROOT, 'dist')] = process.argv;

/** Packages that load files of their own, by their place in node_modules: native code, WebAssembly and threads. */
const OUTSIDE = ['@electric-sql/pglite', 'pino', 'pino-pretty', 'sharp', 'thread-stream'];

const bundle = await rolldown({
  input: { serve: join(ROOT, 'server/serve.ts') },
  platform: 'node',
  treeshake: false,
  external: (name) =>
    name.startsWith('node:') || OUTSIDE.some((one) => name === one || name.startsWith(`${one}/`)),
  plugins: [
    {
      name: 'places of the sources',
      // Threads, scripts and pages are found beside the source that names them: the bundle goes by the same places.
      transform(code: string, file: string) {
        if (!file.startsWith(join(ROOT, 'server')) || !code.includes('import.meta.url')) return undefined;
        const place = JSON.stringify(relative(OUTPUT, file));
        return {
          code: code.replaceAll('import.meta.url', `new URL(${place}, import.meta.url).href`),
          map: null,
        };
      },
    },
  ],
});
// Nothing is removed: a bundler takes calls such as decodeURIComponent to have no effect, though they may throw.
await bundle.write({
  minify: false,
  dir: OUTPUT,
  format: 'esm',
  sourcemap: true,
  cleanDir: true,
  entryFileNames: '[name].js',
});
