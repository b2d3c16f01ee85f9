import { join, relative } from 'node:path';
import { rolldown } from 'rolldown';

// Bundles the server and its packages into dist/serve.js (`npm run build`), which starts sooner than the single files.
// An optional argument names another output folder; it must be within the project, where the packages outside of the
// bundle are found.

const ROOT = join(import.meta.dirname, '..');
const [, , OUTPUT = join(ROOT, 'dist')] = process.argv;

/**
 * Packages that stay in node_modules, because they load files beside their own code (native code, WebAssembly,
 * threads), or because few servers need them.
 */
const OUTSIDE = ['@electric-sql/pglite', 'imapflow', 'pino', 'pino-pretty', 'sharp', 'thread-stream'];

const bundle = await rolldown({
  input: { serve: join(ROOT, 'server/serve.ts') },
  platform: 'node',
  treeshake: false,
  external: (name) =>
    name.startsWith('node:') || OUTSIDE.some((one) => name === one || name.startsWith(`${one}/`)),
  plugins: [
    {
      name: 'source locations',
      // Threads, scripts and pages are found beside the source file that names them, so `import.meta.url` keeps the
      // address of that file in the bundle.
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
// Tree shaking and minifying are off: they remove calls such as `decodeURIComponent(text)` whose result is not used,
// although the calls may throw.
await bundle.write({
  minify: false,
  dir: OUTPUT,
  format: 'esm',
  sourcemap: true,
  cleanDir: true,
  entryFileNames: '[name].js',
});
