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

const HTTP = 'node:http';

/** Source of a module that exports what `node:http` has ready, without what it loads at its first use. */
function httpModule(): string {
  const properties = Object.getOwnPropertyDescriptors(process.getBuiltinModule(HTTP));
  const names = Object.keys(properties).filter((name) => 'value' in (properties[name] ?? {}));
  return `const http = process.getBuiltinModule('${HTTP}');
export { http as default };
export const { ${names.join(', ')} } = http;`;
}

/** Packages that the server loads without using them, which takes a while at each start, and their stand-ins. */
const STAND_INS: Record<string, string> = {
  // Package with which @fastify/static lists the files of a folder, except for a route with a wildcard, such as the
  // console's.
  glob: `exports.glob = () => { throw new Error('glob is not in the bundle'); };`,
  // Package for the deprecation warnings of http-errors. It reads the stack, for which V8 counts the lines of the whole
  // bundle.
  depd: `module.exports = () => () => {};`,
};
const STAND_IN = 'stand-in:';

const bundle = await rolldown({
  input: { serve: join(ROOT, 'server/serve.ts') },
  platform: 'node',
  treeshake: false,
  external: (name) =>
    (name.startsWith('node:') && name !== HTTP) ||
    OUTSIDE.some((one) => name === one || name.startsWith(`${one}/`)),
  plugins: [
    {
      name: 'node:http without undici',
      // `import … from 'node:http'` reads all its exports, and with some of them node loads its whole client for `fetch`.
      resolveId: (name: string) => (name === HTTP ? `\0${HTTP}` : undefined),
      load: (id: string) => (id === `\0${HTTP}` ? httpModule() : undefined),
    },
    {
      name: 'stand-ins',
      resolveId: (name: string) => (Object.hasOwn(STAND_INS, name) ? `\0${STAND_IN}${name}` : undefined),
      load: (id: string) =>
        id.startsWith(`\0${STAND_IN}`) ? STAND_INS[id.slice(STAND_IN.length + 1)] : undefined,
    },
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
  minify: { compress: false, mangle: false, codegen: true },
  dir: OUTPUT,
  format: 'esm',
  sourcemap: true,
  cleanDir: true,
  entryFileNames: '[name].js',
});
