import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSystemFolder } from './data-folder.ts';

test('a folder that the whole machine needs is no data folder, and one within it may be', () => {
  for (const path of ['/', '/usr', '/usr/bin', '/usr/local/share', '/lib64', '/etc', '/home', '/var/lib']) {
    assert.ok(isSystemFolder(path), path);
  }
  for (const path of [
    '/srv',
    '/data',
    '/var/lib/simcha',
    '/usr/local/share/simcha',
    '/home/simcha',
    '/library2/x',
  ]) {
    assert.ok(!isSystemFolder(path), path);
  }
});
