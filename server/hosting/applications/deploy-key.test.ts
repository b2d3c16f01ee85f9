import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { newDeployKey } from './deploy-key.ts';

test('OpenSSH itself reads the private half and finds the public one in it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'simcha-key-'));
  try {
    for (const comment of ['', 'a', 'simcha 01980a3c-7b1e-7c1a-9c55-3f0b8d1f2a44']) {
      const { publicKey, privateKey } = await newDeployKey(comment);
      const path = join(folder, 'key');
      await writeFile(path, privateKey, { mode: 0o600 });
      const found = execFileSync('ssh-keygen', ['-y', '-f', path], { encoding: 'utf8' });
      assert.equal(found.trim(), publicKey.trim());
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('each pair is another', async () => {
  const [one, other] = await Promise.all([newDeployKey('x'), newDeployKey('x')]);
  assert.notEqual(one.publicKey, other.publicKey);
});
