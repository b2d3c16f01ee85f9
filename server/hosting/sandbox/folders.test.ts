import assert from 'node:assert/strict';
import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { refuseLinksOutside } from './folders.ts';

test('a tree without a link is looked through until the signal at most', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'simcha-folders-'));
  await mkdir(join(folder.path, 'a'));
  await writeFile(join(folder.path, 'a/x'), '');
  const cancelling = new AbortController();
  await refuseLinksOutside(folder.path, cancelling.signal);
  const looking = refuseLinksOutside(folder.path, cancelling.signal);
  cancelling.abort('cancelled');
  await assert.rejects(looking, /^cancelled$/);
});
