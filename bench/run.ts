import { existsSync, globSync } from 'node:fs';

// Runs one benchmark by its name: npm run bench -- events. Things that a benchmark compares run on one machine in one
// run.

const folder = new URL('.', import.meta.url);
const [name = ''] = process.argv.slice(2);
const known = globSync('*.ts', { cwd: folder.pathname })
  .map((file) => file.replace(/\.ts$/, ''))
  .filter((one) => one !== 'run')
  .sort();
if (!known.includes(name) || !existsSync(new URL(`${name}.ts`, folder))) {
  console.error(`npm run bench -- <name>, where the name is one of: ${known.join(', ')}`);
  process.exit(1);
}
await import(`./${name}.ts`);
