import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

// Bundles the command line and its packages into dist/ (`npm run build -w cli`), which starts sooner than single files
// and needs no other package. Modules that are imported dynamically are files of their own: a single file would load
// the modules of node that any of them imports at each start.

const { version } = JSON.parse(await readFile(join(import.meta.dirname, 'package.json'), 'utf8'));

const bundle = await rolldown({
  input: join(import.meta.dirname, 'src/main.ts'),
  platform: 'node',
  transform: { target: 'node20', define: { SIMCHA_VERSION: JSON.stringify(version) } },
});
await bundle.write({
  dir: join(import.meta.dirname, 'dist'),
  format: 'esm',
  cleanDir: true,
  entryFileNames: 'simcha.js',
  chunkFileNames: '[name].js',
});
