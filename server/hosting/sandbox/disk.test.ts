import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtempDisposable, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { unprivilegedUser } from '../../../test/support/unprivileged-user.ts';
import { reason } from '../model/reasons/reason.ts';
import { chownTree, measureFolders, removeTree } from './disk.ts';

const MEBIBYTE = 2 ** 20;

async function scratch() {
  const folder = await mkdtempDisposable(join(tmpdir(), 'simcha-disk-'));
  return {
    at: (...names: string[]) => join(folder.path, ...names),
    // These tests leave trees that node itself can't remove.
    [Symbol.asyncDispose]: async () => {
      execFileSync('chmod', ['-R', 'u+rwX', folder.path]);
      execFileSync('rm', ['-rf', folder.path]);
    },
  };
}

const sh = (script: string, cwd: string) => execFileSync('/bin/bash', ['-c', script], { cwd });
/** A tree whose paths are some 20,000 characters long. */
const DEEP =
  'n=$(printf "%0200d"); for i in $(seq 100); do mkdir $n; cd -P ./$n; done; head -c 3000000 /dev/zero > x';

test('a tree that is deeper than any path is measured and removed', async () => {
  await using folder = await scratch();
  await mkdir(folder.at('a'));
  sh(DEEP, folder.at('a'));
  const size = await measureFolders([folder.at('a')]);
  assert.ok('bytes' in size && size.bytes >= 3_000_000 && size.bytes < 5_000_000, JSON.stringify(size));
  assert.equal(await removeTree(folder.at('a')), undefined);
  assert.deepEqual(await readdir(folder.at()), []);
});

test('links are neither measured nor removed through, and what is not there takes nothing', async () => {
  await using folder = await scratch();
  await mkdir(folder.at('kept'));
  await mkdir(folder.at('a'));
  await writeFile(folder.at('kept/x'), Buffer.alloc(3 * MEBIBYTE));
  await symlink(folder.at('kept'), folder.at('a/link'));
  await symlink(folder.at('kept'), folder.at('link'));
  const size = await measureFolders([folder.at('a'), folder.at('link'), folder.at('absent')]);
  assert.ok('bytes' in size && size.bytes < MEBIBYTE, JSON.stringify(size));
  for (const name of ['a', 'link', 'absent']) assert.equal(await removeTree(folder.at(name)), undefined);
  assert.deepEqual(await readdir(folder.at('kept')), ['x']);
});

test('folders that are closed to an ordinary user are measured and removed all the same', async (t) => {
  // root can open every folder, so these tests need an ordinary user.
  const user = unprivilegedUser();
  if (!user) return t.skip('no ordinary user can run node from here');
  await using folder = await scratch();
  if (user.uid) execFileSync('chown', [String(user.uid), folder.at()]);
  const script = `
    import { measureFolders, removeTree } from ${JSON.stringify(fileURLToPath(new URL('disk.ts', import.meta.url)))};
    const before = await measureFolders(['a']);
    console.log(JSON.stringify([before.bytes >= 3_000_000, await removeTree('a') ?? null]));`;
  const fill = 'head -c 3000000 /dev/zero > a/x/y/z';
  for (const mode of ['000', '300', '555', '500']) {
    const run = (file: string, ...args: string[]): string =>
      execFileSync(file, args, { cwd: folder.at(), encoding: 'utf8', ...user });
    run(
      '/bin/sh',
      '-c',
      `mkdir -p a/x/y && ${fill} && chmod ${mode} a/x/y && chmod ${mode} a/x && chmod ${mode} a`,
    );
    const here = script.replaceAll("'a'", JSON.stringify(folder.at('a')));
    const told = run(process.execPath, '--input-type=module', '-e', here);
    assert.deepEqual(JSON.parse(told), [true, null], mode);
  }
  assert.deepEqual(await readdir(folder.at()), []);
});

test('a tree is given to an account until the signal at most', async (t) => {
  if (process.getuid?.() !== 0) return t.skip('only root may give');
  await using folder = await scratch();
  await mkdir(folder.at('a'));
  await assert.rejects(chownTree(folder.at('a'), 58_123, AbortSignal.abort('cancelled')), /^cancelled$/);
  assert.equal((await stat(folder.at('a'))).uid, 0);
  const cancelling = new AbortController();
  const given = chownTree(folder.at('a'), 58_123, cancelling.signal);
  cancelling.abort('cancelled');
  await assert.rejects(given, /^cancelled$/);
  await chownTree(folder.at('a'), 58_123, new AbortController().signal);
  assert.equal((await stat(folder.at('a'))).uid, 58_123);
});

test('what can’t be measured says so, and nothing is thrown', async () => {
  await using folder = await scratch();
  await mkdir(folder.at('a'));
  assert.deepEqual(await measureFolders([folder.at('a'.repeat(300))]), {
    unknown: reason('disk_unreadable', { error: 'File name too long' }),
  });
  assert.deepEqual(await measureFolders([folder.at('a')], AbortSignal.abort()), { bytes: 0 });
});

test('many are measured at once, each by itself, and what measures is there again after it was killed', async () => {
  await using folder = await scratch();
  const names = Array.from({ length: 8 }, (_, n) => `${n} $(id); "'`);
  for (const [n, name] of names.entries()) {
    await mkdir(folder.at(name));
    await writeFile(folder.at(name, 'x'), Buffer.alloc(n * MEBIBYTE));
  }
  const all = () =>
    Promise.all(
      names.map(async (name) => {
        const size = await measureFolders([folder.at(name)]);
        return 'bytes' in size ? Math.floor(size.bytes / MEBIBYTE) : size.unknown;
      }),
    );
  const sizes = [...names.keys()];
  assert.deepEqual(await all(), sizes);
  const measuring = all();
  // Helpers with a running task are killed too.
  execFileSync('pkill', ['-KILL', '-P', String(process.pid), '-f', 'du -skx']);
  assert.deepEqual(await measuring, sizes);
});

test('a file is given to an account although the idle helper process was killed just before', async (t) => {
  if (process.getuid?.() !== 0) return t.skip('only root may give');
  await using folder = await scratch();
  for (const name of ['a', 'b']) await writeFile(folder.at(name), '');
  await chownTree(folder.at('a'), 58_123);
  execFileSync('pkill', ['-KILL', '-P', String(process.pid), '-f', 'chown -Rh']);
  await chownTree(folder.at('b'), 58_123);
  assert.equal((await stat(folder.at('b'))).uid, 58_123);
});
