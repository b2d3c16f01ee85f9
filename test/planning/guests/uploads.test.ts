import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { pino } from 'pino';
import { createUploads, FileTooLarge } from '../../../server/kernel/uploads.ts';
import { until } from '../../support/until.ts';
import { startEvent } from '../event.ts';

const quiet = pino({ level: 'silent' });

async function folderFor() {
  const parent = await mkdtemp(join(tmpdir(), 'simcha-uploads-'));
  return {
    folder: join(parent, 'uploads'),
    [Symbol.asyncDispose]: () => rm(parent, { recursive: true, force: true }),
  };
}

test('an upload is its owner’s alone, and gone with its scope or when it is too large', async () => {
  await using place = await folderFor();
  const uploads = createUploads(place.folder, quiet);
  {
    await using file = await uploads.spool(Readable.from([Buffer.from('שם\nנועה')]), 100);
    assert.equal(await readFile(file.path, 'utf8'), 'שם\nנועה');
    assert.equal((await stat(file.path)).mode & 0o777, 0o600);
    assert.equal((await stat(place.folder)).mode & 0o777, 0o700);
  }
  // Many at once: on a busy machine one is refused while its file is still being opened.
  const tooLarge = () => uploads.spool(Readable.from([Buffer.alloc(101)]), 100);
  await Promise.all(Array.from({ length: 50 }, () => assert.rejects(tooLarge(), FileTooLarge)));
  assert.deepEqual(await readdir(place.folder), []);
  // What is left of it is passed over: a connection whose request is destroyed answers nothing any more.
  const upload = Readable.from([Buffer.alloc(101), Buffer.alloc(101), Buffer.alloc(101)]);
  await assert.rejects(uploads.spool(upload, 100), FileTooLarge);
  await until(() => upload.readableEnded);
});

test('what a process that is no more left behind is removed, and what another reads is not', async () => {
  await using place = await folderFor();
  const uploads = createUploads(place.folder, quiet);
  await uploads.sweep();
  await mkdir(join(place.folder, 'simcha-upload-x'), { recursive: true });
  const ended = spawnSync(process.execPath, ['--eval', '']).pid;
  for (const pid of [ended, process.pid, process.ppid])
    await writeFile(join(place.folder, `${pid}-left`), 'x');
  await using file = await uploads.spool(Readable.from([Buffer.from('mine')]), 100);
  await uploads.sweep();
  assert.deepEqual((await readdir(place.folder)).map((name) => join(place.folder, name)).sort(), [
    ...[file.path, join(place.folder, `${process.ppid}-left`)].sort(),
  ]);
});

test('a folder that can’t be swept is said in the log and stops nobody', async () => {
  await using place = await folderFor();
  await writeFile(place.folder, 'a file');
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  await createUploads(place.folder, log).sweep();
  assert.match(lines.join(''), /could not be removed/);
});

test('a server sweeps the uploads in its data folder when it starts, and leaves none of its own', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'simcha-uploads-'));
  const folder = join(dataDir, 'uploads');
  await mkdir(folder);
  await writeFile(join(folder, `${spawnSync(process.execPath, ['--eval', '']).pid}-left`), 'guests');
  await using event = await startEvent('postgres', {}, { env: { DATA_DIR: dataDir } });
  await until(async () => (await readdir(folder)).length === 0);
  const sent = await event.call('POST', '/guests/import', {
    body: 'name\nDana',
    headers: { 'content-type': 'text/csv' },
  });
  assert.equal(sent.status, 200, sent.text);
  assert.deepEqual(await readdir(folder), []);
  await rm(dataDir, { recursive: true, force: true });
});
