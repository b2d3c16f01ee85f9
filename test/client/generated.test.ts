import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

const run = promisify(execFile);
const CLIENT = new URL('../../client', import.meta.url).pathname;

/** By their path within the folder. */
async function filesOf(folder: string): Promise<Record<string, string>> {
  const paths = globSync('**/*.ts', { cwd: folder }).sort();
  const texts = await Promise.all(paths.map((path) => readFile(join(folder, path), 'utf8')));
  return Object.fromEntries(paths.map((path, at) => [path, texts[at] as string]));
}

test('the client is what the reference makes of it: `npm run client` after a change to a route', async () => {
  const generator = join(CLIENT, 'generator');
  if (!existsSync(join(generator, 'node_modules'))) {
    await run('npm', ['ci', '--no-fund', '--no-audit', '--prefix', generator]);
  }
  const folder = await mkdtemp(join(tmpdir(), 'simcha-generated-'));
  await run(process.execPath, [join(generator, 'generate.ts'), folder]);
  const [committed, made] = await Promise.all([filesOf(join(CLIENT, 'src/generated')), filesOf(folder)]);
  await rm(folder, { recursive: true });
  assert.deepEqual(Object.keys(committed), Object.keys(made));
  const changed = Object.keys(made).filter((path) => committed[path] !== made[path]);
  assert.deepEqual(changed, []);
});
