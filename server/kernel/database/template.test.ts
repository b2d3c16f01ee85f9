import assert from 'node:assert/strict';
import { mkdir, mkdtempDisposable, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { templatePath, unpackTemplate, writeTemplate } from './template.ts';

test('a template is unpacked with all its files and empty folders, for nobody else to read', async () => {
  await using scratch = await mkdtempDisposable(join(tmpdir(), 'simcha-template-'));
  const { path } = scratch;
  await mkdir(join(path, 'database/base/1'), { recursive: true });
  await mkdir(join(path, 'database/pg_notify'));
  const page = Buffer.alloc(100_000, 'page');
  await writeFile(join(path, 'database/PG_VERSION'), '17\n');
  await writeFile(join(path, 'database/base/1/112'), page);
  await writeFile(join(path, 'database/base/1/empty'), '');
  await writeTemplate(join(path, 'database'), await templatePath(path));

  const copy = join(path, 'copy');
  assert.equal(await unpackTemplate(copy, path), true);
  assert.equal(await readFile(join(copy, 'PG_VERSION'), 'utf8'), '17\n');
  assert.deepEqual(await readFile(join(copy, 'base/1/112')), page);
  assert.equal((await stat(join(copy, 'base/1/empty'))).size, 0);
  assert.ok((await stat(join(copy, 'pg_notify'))).isDirectory());
  assert.equal((await stat(join(copy, 'base/1/112'))).mode & 0o777, 0o600);
});

test('a template of another schema is not used', async () => {
  await using scratch = await mkdtempDisposable(join(tmpdir(), 'simcha-template-'));
  const { path } = scratch;
  await mkdir(join(path, 'database'));
  await writeTemplate(join(path, 'database'), join(path, 'database-of-another-schema.tar.zst'));
  assert.equal(await unpackTemplate(join(path, 'copy'), path), false);
});
