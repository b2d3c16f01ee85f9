import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  buildSite,
  openRuntime,
  openRuntimeParts,
  SETTINGS,
  startBuilt,
} from '../../../test/support/runtime.ts';
import { unprivilegedUser } from '../../../test/support/unprivileged-user.ts';
import { until } from '../../../test/support/until.ts';
import { newId } from '../../kernel/identifiers.ts';
import { describeReason } from '../model/reasons/reason.ts';
import { siteFolders } from '../model/site-folders.ts';

const SUPPORT = fileURLToPath(new URL('../../../test/support/runtime.ts', import.meta.url));

/** What programs do to the folder they stand in; tells what it found, then what it made of it. */
const TRY = `
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const { DatabaseSync } = require('node:sqlite');
const tree = () => fs.readdirSync('.', { recursive: true }).sort().join(' ');
console.log(tree());

fs.appendFileSync('note', 'more\\n');
fs.writeFileSync('note.new', fs.readFileSync('note'));
fs.renameSync('note.new', 'note');
fs.unlinkSync('gone');
fs.linkSync('linked', 'link');
fs.appendFileSync('link', 'by the link\\n');
fs.chmodSync('run.sh', 0o755);
fs.rmSync('dist', { recursive: true });
fs.mkdirSync('dist');
fs.mkdirSync('uploads');
execFileSync('mv', ['folder', 'moved']);
const guests = new DatabaseSync('data.db');
guests.exec('pragma journal_mode = wal; pragma mmap_size = 1000000');
guests.exec("update guests set name = 'Itai'; insert into guests values ('Noa')");
console.log(tree());
console.log(fs.readFileSync('note', 'utf8') + fs.readFileSync('linked', 'utf8') + execFileSync('./run.sh'));
console.log(guests.prepare('select name from guests').all().map(({ name }) => name).join());
guests.close();
`;
const MAKE = `
const { DatabaseSync } = require('node:sqlite');
const guests = new DatabaseSync('data.db');
guests.exec("create table guests (name text); insert into guests values ('Dana')");
guests.close();
`;
const SITE = {
  files: {
    'try.js': TRY,
    'make.js': MAKE,
    note: 'built\n',
    gone: '',
    linked: 'linked\n',
    'run.sh': '#!/bin/sh\necho run\n',
    'dist/old/page.html': '',
    'folder/a/b': '',
  },
  settings: { build: 'node make.js', start: 'node try.js; echo $? >> note; tail -1 note' },
};
const AS_BUILT =
  'data.db dist dist/old dist/old/page.html folder folder/a folder/a/b gone linked make.js note run.sh try.js';
const AFTERWARDS =
  'data.db data.db-shm data.db-wal dist link linked make.js moved moved/a moved/a/b note run.sh try.js uploads';
const TOLD = [AS_BUILT, AFTERWARDS, 'built', 'more', 'linked', 'by the link', 'run', '', 'Itai,Noa', '0'];

/** Plain processes of the server's own user see the release itself. */
const KINDS = (['sandbox', 'none'] as const).slice(0, process.getuid?.() === 0 ? 2 : 1);

for (const appsIsolation of KINDS) {
  test(`a process may write into its own folder, and nobody else ever sees it (${appsIsolation})`, async () => {
    await using at = await openRuntime({ appsIsolation });
    const folders = siteFolders(at.dataDir);
    const built = await buildSite(at, SITE);
    const source = folders.source(built.name);
    const files = () =>
      execFileSync('sh', ['-c', 'ls -lR; find . -type f -exec sha256sum {} +'], { cwd: source });
    const before = files();
    // Side by side, and one after the other.
    for (const turn of [2, 1]) {
      const some = await Promise.all(Array.from({ length: turn }, () => startBuilt(at, built)));
      for (const { instance, lines } of some) {
        assert.equal(describeReason(await instance.ended, 'en'), 'exited with code 0', lines.join('\n'));
        assert.deepEqual(lines, TOLD);
        await instance.stop(0);
      }
    }
    assert.equal(String(files()), String(before));
    await until(async () => (await readdir(folders.overlays)).length === 0);
    await until(async () => (await readdir(folders.trash)).length === 0);
  });

  test(`what a command of a release writes into its folder is gone after it, and its home stays (${appsIsolation})`, async () => {
    await using at = await openRuntime({ appsIsolation });
    const { name, artifact } = await buildSite(at, {
      files: { note: 'built\n' },
      settings: { start: 'true' },
    });
    const run = async (command: string) => {
      const lines: string[] = [];
      const order = {
        instance: newId(),
        labels: {
          ...name,
          environmentId: name.applicationId,
          deploymentId: newId(),
          releaseId: newId(),
          process: 'release',
          number: 1,
        },
        artifact,
        command,
        variables: {},
        limits: { memoryMb: 256, processes: 500, diskMb: 64 },
        mounts: [{ volume: 'home', at: 'home' } as const],
        seconds: 30,
      };
      const output = (some: readonly string[]) => lines.push(...some);
      await at.runtime.run(order, { output, signal: AbortSignal.timeout(60_000) });
      return lines;
    };
    assert.deepEqual(await run('echo more | tee -a note >> ~/note; cat note ~/note'), [
      'built',
      'more',
      'more',
    ]);
    assert.deepEqual(await run('cat note ~/note'), ['built', 'more']);
    assert.deepEqual(await readdir(siteFolders(at.dataDir).overlays), []);
  });

  test(`a site that fills the disk by files that it has removed is ended, and told so (${appsIsolation})`, async () => {
    await using at = await openRuntime({ appsIsolation, appsDiskMb: 16 });
    const fill =
      'head -c 9000000 /dev/zero > x; exec 3<x; rm x; head -c 9000000 /dev/zero > x; exec 4<x; rm x';
    const { instance } = await startBuilt(
      at,
      await buildSite(at, { files: { 'x.js': '' }, settings: { start: `${fill}; sleep 60` } }),
    );
    assert.match(
      describeReason(await instance.ended, 'en'),
      /deleted files that it still holds open uses more than 16 MiB of disk/,
    );
  });

  test(`a site that fills its own folder is ended, and told so (${appsIsolation})`, async () => {
    await using at = await openRuntime({ appsIsolation, appsDiskMb: 16 });
    const fill = 'for i in 1 2 3; do head -c 9000000 /dev/zero > uploads/$i; done; sleep 60';
    const { instance } = await startBuilt(
      at,
      await buildSite(at, { files: { 'x.js': '' }, settings: { start: `mkdir -m 300 uploads; ${fill}` } }),
    );
    assert.match(describeReason(await instance.ended, 'en'), /its own folder uses more than 16 MiB of disk/);
  });

  test(`what a killed server left of layers is removed at the next start (${appsIsolation})`, async () => {
    await using at = await openRuntime({ appsIsolation });
    const { overlays: layers } = siteFolders(at.dataDir);
    assert.ok(await at.sandbox.makeLayer(join(layers, newId())));
    assert.equal((await readdir(layers)).length, 1);
    await rm(join(at.dataDir, 'sites/lock'));
    const next = await openRuntimeParts({ ...SETTINGS, dataDir: at.dataDir, appsIsolation }, at.wardens);
    await next.runtime.recover();
    assert.deepEqual(await readdir(layers).catch(() => []), []);
    await next.runtime.close();
  });
}

test('an ordinary user has layers in the sandbox, and nothing of them is left', async (t) => {
  const user = unprivilegedUser();
  if (!user) return t.skip('no ordinary user can run node from here');
  await using at = await openRuntime();
  // No name of a folder becomes an option of a mount.
  const temporary = join(at.dataDir, 'a:b,c=d\\e f');
  await mkdir(temporary);
  if (user.uid) execFileSync('chown', [`${user.uid}`, at.dataDir, temporary]);
  const program = `
    import { readdirSync } from 'node:fs';
    import { setTimeout as sleep } from 'node:timers/promises';
    import { buildSite, openRuntime, startBuilt } from ${JSON.stringify(SUPPORT)};
    const at = await openRuntime();
    const built = await buildSite(at, ${JSON.stringify({ ...SITE, settings: { ...SITE.settings, start: 'node try.js; mkdir -m 0 closed; tail -1 note' } })});
    const { instance, lines } = await startBuilt(at, built);
    await instance.ended;
    await instance.stop(0);
    const left = () => ['layers', 'trash'].flatMap((name) => readdirSync(at.dataDir + '/sites/' + name));
    for (let turn = 0; left().length > 0 && turn < 500; turn += 1) await sleep(20);
    console.log(JSON.stringify([lines.slice(0, 2), left()]));
    await at[Symbol.asyncDispose]();`;
  const told = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
    ...user,
    cwd: '/',
    env: { ...process.env, TMPDIR: temporary },
    encoding: 'utf8',
  });
  assert.deepEqual(JSON.parse(told), [[AS_BUILT, AFTERWARDS], []]);
});

test('where no layer can be mounted a site’s folder is read-only, and the server says so', (t) => {
  if (process.getuid?.() !== 0) return t.skip('only root may mount');
  const program = `
    import { buildSite, openRuntime, startBuilt } from ${JSON.stringify(SUPPORT)};
    const tried = [];
    for (const appsIsolation of ['sandbox', 'none']) {
      const at = await openRuntime({ appsIsolation });
      const start = '(echo up >> x) 2> /dev/null || echo read-only; cat x';
      const { instance, lines } = await startBuilt(at, await buildSite(at, { files: { x: '' }, settings: { start } }));
      await instance.ended;
      tried.push([at.runtime.capabilities.has('layers'), at.runtime.isolation, ...lines]);
      await at[Symbol.asyncDispose]();
    }
    console.log(JSON.stringify(tried));`;
  // The layer of a layer is none that overlayfs takes.
  const mount =
    'mount -t tmpfs no "$0" && cd "$0" && mkdir a b c d && mount -t overlay -o lowerdir=a,upperdir=b,workdir=c no d';
  const told = execFileSync(
    'unshare',
    [
      '--mount',
      'sh',
      '-c',
      `${mount} && TMPDIR="$0/d" exec "$@"`,
      tmpdir(),
      process.execPath,
      '--input-type=module',
      '-e',
      program,
    ],
    { encoding: 'utf8' },
  );
  const [walled = [], plain = []] = JSON.parse(told) as [boolean, string, ...string[]][];
  assert.match(String(walled[1]), /; a site’s own folder is read-only, for .* \(mount: .*\)$/);
  assert.deepEqual([walled[0], ...walled.slice(2)], [false, 'read-only']);
  assert.match(
    String(plain[1]),
    /; what a site writes into its own folder stays in the release \(mount: .*\)$/,
  );
  assert.deepEqual([plain[0], ...plain.slice(2)], [false, 'up']);
});
