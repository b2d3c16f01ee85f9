import assert from 'node:assert/strict';
import { appendFile, mkdtempDisposable, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { isOwnFolder } from './data-folder-owner.ts';

test('a folder of sites is the first’s that asks for it, however many do at once', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'simcha-tests-'));
  const base = join(folder.path, 'sites');
  for (let turn = 0; turn < 50; turn += 1) {
    const at = join(base, String(turn));
    const names = ['one', 'another', 'a third'];
    const own = await Promise.all(names.map((name) => isOwnFolder(at, name)));
    assert.equal(own.filter((is) => is).length, 1);
    assert.deepEqual(await readdir(at), ['whose']);
    const whose = names[own.indexOf(true)] ?? '';
    // As an editor leaves it.
    await appendFile(join(at, 'whose'), '\n');
    assert.equal(await isOwnFolder(at, whose), true);
  }
});
