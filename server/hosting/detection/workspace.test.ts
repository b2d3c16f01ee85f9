import assert from 'node:assert/strict';
import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { planOf } from './planner.ts';
import { readSource } from './source.ts';

const site = JSON.stringify({
  scripts: { start: 'node server.js' },
  dependencies: { shared: 'workspace:*' },
});

async function planned(files: Record<string, string>, root: string) {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'simcha-workspace-'));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder.path, path)), { recursive: true });
    await writeFile(join(folder.path, path), text);
  }
  return planOf(await readSource(folder.path, root), {}).build.steps;
}

test('a lockfile above the root is installed by where it is, if the root is a package of its workspace', async () => {
  const pnpm = {
    'pnpm-lock.yaml': '',
    'package.json': '{"packageManager":"pnpm@9.1.0"}',
    'pnpm-workspace.yaml':
      'catalog:\n  ms: 1\npackages:\n  # ours\n  - "apps/*"\n  - \'!apps/old\'\n  - libs/**\nonlyBuilt:\n  - x/*\n',
  };
  const [bring, install] = await planned({ ...pnpm, 'apps/web/package.json': site }, 'apps/web');
  assert.deepEqual([bring?.at, install?.at], ['', '']);
  assert.match(bring?.command ?? '', /pnpm@9\.1\.0$/);
  assert.match(install?.command ?? '', /^pnpm install --frozen-lockfile/);
  for (const [root, isOne] of [
    ['libs/a/b', true],
    ['apps/old', false],
    ['x/y', false],
  ] as const) {
    const [step] = await planned({ ...pnpm, [`${root}/package.json`]: site }, root);
    assert.equal(step?.at, isOne ? '' : undefined, root);
  }
});

test('npm and yarn name their packages in package.json, and a lockfile of its own goes before', async () => {
  for (const workspaces of [['apps/*'], { packages: ['./apps/web/'] }]) {
    const files = { 'mono/package.json': JSON.stringify({ workspaces }), 'mono/apps/web/package.json': site };
    const [bring, install] = await planned({ ...files, 'mono/yarn.lock': '' }, 'mono/apps/web');
    assert.deepEqual([bring?.at, install?.at], ['mono', 'mono']);
    assert.match(bring?.command ?? '', / yarn@1\.22\.22$/);
    assert.match(install?.command ?? '', /^yarn install/);
    const own = { ...files, 'mono/yarn.lock': '', 'mono/apps/web/package-lock.json': '{}' };
    assert.deepEqual(await planned(own, 'mono/apps/web'), [
      { name: 'install', command: 'npm ci --include=dev' },
    ]);
  }
  const broken = { 'package.json': '{', 'package-lock.json': '{}', 'web/package.json': site };
  assert.equal((await planned(broken, 'web'))[0]?.at, undefined);
});
