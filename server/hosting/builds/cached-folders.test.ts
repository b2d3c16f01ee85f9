import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildSite, openRuntime, type Site } from '../../../test/support/runtime.ts';
import { newId } from '../../kernel/identifiers.ts';
import { siteFolders } from '../model/site-folders.ts';

/** A framework that compiles everything that is not cached, in two folders. */
const COMPILE = `
const fs = require('node:fs');
for (const kept of ['node_modules/.cache/compiled', '.framework/cache']) {
  const had = fs.existsSync(kept + '/count') ? Number(fs.readFileSync(kept + '/count')) : 0;
  fs.mkdirSync(kept, { recursive: true });
  fs.writeFileSync(kept + '/count', String(had + 1));
  console.log(kept + ' had ' + had);
}
fs.mkdirSync('dist', { recursive: true });
fs.writeFileSync('dist/index.html', 'built');
`;
const CACHES = ['node_modules/.cache', '.framework/cache', 'never-there'];
const FRAMEWORK = {
  files: {
    'compile.js': COMPILE,
    'package.json': '{"scripts":{"build":"node compile.js"}}',
    'simcha.json': JSON.stringify({ install: 'rm -rf node_modules && mkdir node_modules', caches: CACHES }),
  },
} satisfies Site;

const had = (lines: readonly string[]) => lines.filter((line) => line.includes(' had '));
const said = (lines: readonly string[]) =>
  lines.filter((line) => /^(Restored|Saved|The build cache|The next)/.test(line));
const COLD = ['node_modules/.cache/compiled had 0', '.framework/cache had 0'];
const KEPT = 'Saved for the next build: node_modules/.cache, .framework/cache.';
const TAKEN = 'Restored from the build cache: node_modules/.cache, .framework/cache.';

const named = (applicationId: string) => ({ applicationId, buildId: newId() });
const withScript = (script: string): Site => ({
  files: { ...FRAMEWORK.files, 'package.json': JSON.stringify({ scripts: { build: script } }) },
});

for (const appsIsolation of ['sandbox', 'none'] as const) {
  test(`a build begins with what the one before kept, and a failed one changes nothing of it (${appsIsolation})`, async () => {
    await using at = await openRuntime({ appsIsolation });
    const [application, other] = [newId(), newId()];
    const first = await buildSite(at, FRAMEWORK, named(application));
    assert.deepEqual([had(first.lines), said(first.lines)], [COLD, [KEPT]]);

    const second = await buildSite(at, FRAMEWORK, named(application));
    assert.deepEqual(
      had(second.lines),
      COLD.map((line) => line.replace('0', '1')),
    );
    assert.deepEqual(said(second.lines), [TAKEN, KEPT]);

    await assert.rejects(
      buildSite(at, withScript('node compile.js && exit 3'), named(application)),
      /exited with code 3/,
    );
    const [third, apart, ...side] = await Promise.all([
      buildSite(at, FRAMEWORK, named(application)),
      buildSite(at, FRAMEWORK, named(other)),
      buildSite(at, FRAMEWORK, named(application)),
    ]);
    assert.deepEqual(had(apart.lines), COLD);
    for (const { lines } of [third, ...side]) {
      // A cache that is being replaced may be missing; a restored one is complete.
      const counted = had(lines).map((line) => Number(line.split(' had ')[1]));
      assert.ok([0, 2, 3].includes(counted[0] ?? -1) && counted[0] === counted[1], lines.join('\n'));
    }
    assert.deepEqual(await readdir(join(siteFolders(at.dataDir).build(third.name))), ['site']);
  });
}

test('a release keeps its own caches as they were built', async () => {
  await using at = await openRuntime();
  const folders = siteFolders(at.dataDir);
  const application = newId();
  const site = { ...FRAMEWORK, settings: { start: 'node compile.js' } };
  const counts: string[] = [];
  const releases = [];
  for (const _ of [1, 2]) {
    const { name } = await buildSite(at, site, named(application));
    releases.push(name);
  }
  for (const name of releases) {
    counts.push(await readFile(join(folders.source(name), '.framework/cache/count'), 'utf8'));
  }
  assert.deepEqual(counts, ['1', '2']);
});

test('what the source has itself goes before what was kept', async () => {
  await using at = await openRuntime();
  const application = newId();
  await buildSite(at, FRAMEWORK, named(application));
  const { lines } = await buildSite(
    at,
    { files: { ...FRAMEWORK.files, '.framework/cache/count': '7' } },
    named(application),
  );
  assert.deepEqual(had(lines), ['node_modules/.cache/compiled had 1', '.framework/cache had 7']);
});

test('no link leads out of what is kept, nor out of the build that it is put into', async () => {
  await using at = await openRuntime();
  const folders = siteFolders(at.dataDir);
  const application = newId();
  const outside = join(at.dataDir, 'outside');
  await mkdir(outside);
  await writeFile(join(outside, 'secret'), 'theirs');
  await buildSite(
    at,
    withScript(
      `node compile.js && ln -s ${outside} .framework/cache/out && rm -r node_modules/.cache && ln -s ${outside} node_modules/.cache`,
    ),
    named(application),
  );
  const kept = folders.buildCaches(application);
  const found = execFileSync('find', [kept, '-mindepth', '1', '-printf', '%y %P\n'], { encoding: 'utf8' });
  assert.deepEqual(found.split('\n').filter(Boolean).sort(), [
    'd .framework',
    'd .framework/cache',
    'f .framework/cache/count',
    'l .framework/cache/out',
  ]);
  const { lines } = await buildSite(
    at,
    { ...FRAMEWORK, prepare: (folder) => symlink(outside, join(folder, '.framework')) },
    named(application),
  ).catch((error) => ({ lines: [String(error)] }));
  assert.deepEqual(await readdir(outside), ['secret'], lines.join('\n'));
});

test('what is too large is not kept, and the next build begins anew', async () => {
  await using at = await openRuntime({ appsDiskMb: 64 });
  const application = newId();
  await buildSite(at, FRAMEWORK, named(application));
  const fill = 'head -c 9000000 /dev/zero > .framework/cache/a && cp .framework/cache/a .framework/cache/b';
  const { lines } = await buildSite(at, withScript(`node compile.js && ${fill}`), named(application));
  assert.match(
    said(lines).at(-1) ?? '',
    /^The next build starts without a cache: the cache uses more than 16 MiB/,
  );
  assert.ok(!existsSync(siteFolders(at.dataDir).buildCaches(application)));
  assert.deepEqual(had((await buildSite(at, FRAMEWORK, named(application))).lines), COLD);
});
