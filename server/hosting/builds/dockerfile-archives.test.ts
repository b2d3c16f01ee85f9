import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtempDisposable, readdir, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { refuseUnpacking } from './dockerfile-archives.ts';
import { instructionsIn } from './dockerfile-text.ts';

const folder = () => mkdtempDisposable(join(tmpdir(), 'context-'));
const refused = async (root: string, text: string) => {
  const names = (await readdir(root, { recursive: true })).map((name) => Buffer.from(name));
  try {
    await refuseUnpacking(instructionsIn(text), { root, names });
  } catch (error) {
    assert.ok(error instanceof RuntimeFailure, String(error));
    return error.reason.params.file;
  }
  return undefined;
};

test('an archive that ADD would unpack is refused, by whichever name it is called', async () => {
  await using context = await folder();
  const { path: root } = context;
  await mkdir(join(root, 'deep dir'));
  const archive = 'deep dir/a.bin';
  execFileSync('tar', ['-czf', archive, '/etc/hostname'], { cwd: root, stdio: 'ignore' });
  await writeFile(join(root, 'page.html'), 'page');
  await symlink(archive, join(root, 'link'));
  for (const line of [
    'ADD ["deep dir/a.bin", "/x"]',
    'ADD --chown=1:1 ["./page.html", "/deep dir/../deep dir/a.bin", "/x"]',
    'ONBUILD ADD ["../deep dir/a.bin", "/x"]',
  ])
    assert.match(String(await refused(root, line)), /a\.bin$/, line);
  for (const line of [
    'ADD link /x',
    'ADD link ["x"]',
    'ADD deep*/*.bin /x',
    'ADD deep?dir/$NAME /x',
    'ADD "deep dir/a.bin" /x',
    'ADD deep\\ dir/a.bin /x',
  ])
    assert.equal(await refused(root, line), archive, line);
  for (const line of ['ADD . /x', 'ADD page.html missing /x', 'COPY link /x', 'ADD page.html link'])
    assert.equal(await refused(root, line), undefined, line);
});

test('what is compressed or a tar is an archive, and nothing else', async () => {
  await using context = await folder();
  const { path: root } = context;
  const put = (name: string, content: Buffer | string) => writeFile(join(root, name), content);
  await put('page', 'p'.repeat(2_000));
  execFileSync('tar', ['--format=v7', '-cf', 'old.tar', 'page'], { cwd: root });
  execFileSync('tar', ['--format=pax', '-cf', 'new.tar', 'page'], { cwd: root });
  await put('gzip', gzipSync('page'));
  await put('zstd', zstdCompressSync('page'));
  await put('passed-over', Buffer.from('532a4d1804000000', 'hex'));
  await put('xz', Buffer.from('fd377a585a000004', 'hex'));
  await put('bzip2', Buffer.from('425a683931415926', 'hex'));
  for (const name of ['old.tar', 'new.tar', 'gzip', 'zstd', 'passed-over', 'xz', 'bzip2'])
    assert.equal(await refused(root, `ADD ${name} /x`), name);
  await put('empty', '');
  await put('zeros', Buffer.alloc(2_000));
  for (const name of ['page', 'empty', 'zeros'])
    assert.equal(await refused(root, `ADD ${name} /x`), undefined);
});
