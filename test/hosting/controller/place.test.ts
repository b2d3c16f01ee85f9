import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { folderIdentity } from '../../../server/hosting/model/folder-identity.ts';

test('a folder is the same place by any name, and its copy is another one', async () => {
  const base = await mkdtemp(join(tmpdir(), 'simcha-place-'));
  try {
    const folder = join(base, 'data');
    await mkdir(folder);
    const place = await folderIdentity(folder);
    await symlink(folder, join(base, 'link'));
    assert.equal(await folderIdentity(join(base, 'link')), place);
    await cp(folder, join(base, 'copy'), { recursive: true });
    assert.notEqual(await folderIdentity(join(base, 'copy')), place);
    await rename(folder, join(base, 'moved'));
    assert.equal(await folderIdentity(join(base, 'moved')), place);
  } finally {
    await rm(base, { recursive: true });
  }
});
