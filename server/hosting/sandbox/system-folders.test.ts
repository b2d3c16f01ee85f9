import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptiedFolders } from './system-folders.ts';

const PARTS = ['/usr/bin', '/usr/lib', '/usr/share', '/usr/local/share', '/etc/ssl/certs'].map((at) => ({
  at,
  path: at,
}));
const data = (path: string) => ({ label: 'DATA_DIR', path });

test('a folder of ours is hidden with what lies beside it, and one that no part holds needs nothing', () => {
  assert.deepEqual(emptiedFolders(PARTS, [data('/usr/local/share/simcha/a/data')]), [
    '/usr/local/share/simcha',
  ]);
  assert.deepEqual(emptiedFolders(PARTS, [data('/usr/share/data'), data('/usr/share/data/more')]), [
    '/usr/share/data',
  ]);
  assert.deepEqual(emptiedFolders(PARTS, [data('/usr/local/simcha/data'), data('/var/lib/simcha')]), []);
  assert.deepEqual(emptiedFolders(PARTS, [data('/usr/sharer/data')]), []);
});

test('a part that is a link is emptied where a sandbox sees it', () => {
  const parts = [{ at: '/usr/local/share', path: '/var/usrlocal/share' }];
  assert.deepEqual(emptiedFolders(parts, [data('/var/usrlocal/share/simcha/data')]), [
    '/usr/local/share/simcha',
  ]);
});

test('a folder that is a part of the system, or holds one, is refused by its name', () => {
  for (const path of ['/usr/bin', '/usr', '/', '/etc/ssl']) {
    assert.throws(() => emptiedFolders(PARTS, [data(path)]), {
      message: new RegExp(`^DATA_DIR is at ${path}, where sites have to see`),
    });
  }
});

test('a working folder above the system holds only its own files', () => {
  const working = (path: string) => ({ label: 'The working folder', path, isShallow: true });
  assert.deepEqual(emptiedFolders(PARTS, [working('/'), working('/usr')]), []);
  assert.throws(
    () => emptiedFolders(PARTS, [working('/usr/share')]),
    /The working folder is at \/usr\/share/,
  );
});
