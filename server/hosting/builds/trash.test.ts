import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { LOG } from '../../../test/support/runtime.ts';
import { createTrash } from './trash.ts';

test('what can’t be moved away is removed where it is, until the signal at most', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'simcha-trash-'));
  const at = (name: string) => join(folder.path, name);
  await writeFile(at('trash'), 'no folder');
  await mkdir(at('kept'));
  const trash = createTrash(at('trash'), LOG);
  await trash.discard(at('kept'), AbortSignal.abort());
  assert.ok(existsSync(at('kept')));
  await trash.discard(at('kept'), new AbortController().signal);
  assert.ok(!existsSync(at('kept')));
  await trash.close();
});
