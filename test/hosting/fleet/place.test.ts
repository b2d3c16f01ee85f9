import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { placeOf } from '../../../server/hosting/fleet/place.ts';

test('a folder is the same place by any name, and its copy is another one', async () => {
  const base = await mkdtemp(join(tmpdir(), 'simcha-place-'));
  try {
    const folder = join(base, 'data');
    await mkdir(folder);
    const place = await placeOf(folder);
    await symlink(folder, join(base, 'link'));
    assert.equal(await placeOf(join(base, 'link')), place);
    await cp(folder, join(base, 'copy'), { recursive: true });
    assert.notEqual(await placeOf(join(base, 'copy')), place);
    await rename(folder, join(base, 'moved'));
    assert.equal(await placeOf(join(base, 'moved')), place);
  } finally {
    await rm(base, { recursive: true });
  }
});
