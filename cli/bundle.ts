import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

// Bundles the command line and its packages into dist/simcha.js (`npm run build -w cli`), which starts sooner than single
// files and needs no other package. Parts that are imported dynamically are run when a command first uses them.

const { version } = JSON.parse(await readFile(join(import.meta.dirname, 'package.json'), 'utf8'));

const bundle = await rolldown({
  input: join(import.meta.dirname, 'src/main.ts'),
  platform: 'node',
  transform: { target: 'node20', define: { SIMCHA_VERSION: JSON.stringify(version) } },
});
await bundle.write({
  file: join(import.meta.dirname, 'dist/simcha.js'),
  format: 'esm',
  codeSplitting: false,
  minify: false,
});
