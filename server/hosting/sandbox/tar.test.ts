import assert from 'node:assert/strict';
import { mkdtempDisposable, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { test } from 'node:test';
import { archiveOfFiles } from '../engine/archives.ts';
import { EXTRACT, startTar } from './tar.ts';

const CHUNK = 4_000;

test('an archive is taken to its end, though tar goes once it has read what it needs of it', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'simcha-tar-'));
  const archive = await buffer(archiveOfFiles({ '/file': 'content' }, { uid: 0, gid: 0 }));
  // The rest is more than a pipe holds.
  const rest = Array.from({ length: 100 }, () => Buffer.alloc(100_000));
  const { input, ended, errorOutput: said } = startTar(EXTRACT, folder.path);
  await pipeline(Readable.from([archive, ...rest]), input);
  assert.equal(await ended, 0, said());
  assert.equal(await readFile(join(folder.path, 'file'), 'utf8'), 'content');
});

test('all of an archive is there, however late tar comes to its end', async () => {
  const names = Array.from({ length: 1_000 }, (_, index) => `file-${index}`);
  const files = Object.fromEntries(names.map((name) => [`/${name}`, name]));
  const archive = await buffer(archiveOfFiles(files, { uid: 0, gid: 0 }));
  // The last chunks wait in a full pipe.
  const chunks = Array.from({ length: Math.ceil(archive.length / CHUNK) }, (_, index) =>
    archive.subarray(index * CHUNK, (index + 1) * CHUNK),
  );
  // Twelve at once make tar slower than the writer.
  const beside = Array.from({ length: 12 }, async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'simcha-tar-'));
    const { input, ended, errorOutput: said } = startTar(EXTRACT, folder.path);
    await pipeline(Readable.from(chunks), input);
    assert.equal(await ended, 0, said());
    assert.deepEqual((await readdir(folder.path)).sort(), names.toSorted());
  });
  await Promise.all(beside);
});

test('what is no archive ends tar, and whoever gives it hears nothing of that', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'simcha-tar-'));
  const { input, ended } = startTar(EXTRACT, folder.path);
  await pipeline(Readable.from([Buffer.alloc(1_000_000, 'x')]), input);
  assert.equal(await ended, 2);
});

test('an archive may end long after tar has read all that it needs of it', { timeout: 20_000 }, async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'simcha-tar-'));
  const { input, ended } = startTar(EXTRACT, folder.path);
  const late = async function* () {
    yield await buffer(archiveOfFiles({ '/file': 'content' }, { uid: 0, gid: 0 }));
    // tar reads a record of 20 blocks whole.
    yield Buffer.alloc(20 * 512);
    assert.equal(await ended, 0);
    yield Buffer.alloc(512);
  };
  await pipeline(Readable.from(late()), input);
});

test('a name that an archive says is endless takes no more memory than tar may', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'simcha-tar-'));
  const { input, ended, errorOutput: said } = startTar(EXTRACT, folder.path);
  const header = Buffer.alloc(512);
  header.write('././@LongLink');
  header.write('0000644', 100);
  header.write('0000000', 108);
  header.write('0000000', 116);
  header.write((600 * 2 ** 20).toString(8).padStart(11, '0'), 124);
  header.write('00000000000', 136);
  header.write('        L', 148);
  header.write('ustar  ', 257);
  const sum = header.reduce((all, byte) => all + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  // tar sees the name only after a whole record, which has this size.
  input.write(Buffer.concat([header, Buffer.alloc(2 * 10_240, 'a')]));
  assert.equal(await ended, 2);
  assert.match(said(), /memory exhausted/);
});
