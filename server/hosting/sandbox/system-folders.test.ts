import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptied } from './system-folders.ts';

const PARTS = ['/usr/bin', '/usr/lib', '/usr/share', '/usr/local/share', '/etc/ssl/certs'].map((at) => ({
  at,
  path: at,
}));
const data = (path: string) => ({ what: 'DATA_DIR', path });

test('a folder of ours is hidden with what lies beside it, and one that no part holds needs nothing', () => {
  assert.deepEqual(emptied(PARTS, [data('/usr/local/share/simcha/a/data')]), ['/usr/local/share/simcha']);
  assert.deepEqual(emptied(PARTS, [data('/usr/share/data'), data('/usr/share/data/more')]), [
    '/usr/share/data',
  ]);
  assert.deepEqual(emptied(PARTS, [data('/usr/local/simcha/data'), data('/var/lib/simcha')]), []);
  assert.deepEqual(emptied(PARTS, [data('/usr/sharer/data')]), []);
});

test('a part that is a link is emptied where a sandbox sees it', () => {
  const parts = [{ at: '/usr/local/share', path: '/var/usrlocal/share' }];
  assert.deepEqual(emptied(parts, [data('/var/usrlocal/share/simcha/data')]), ['/usr/local/share/simcha']);
});

test('a folder that is a part of the system, or holds one, is refused by its name', () => {
  for (const path of ['/usr/bin', '/usr', '/', '/etc/ssl']) {
    assert.throws(() => emptied(PARTS, [data(path)]), {
      message: new RegExp(`^DATA_DIR is at ${path}, where sites have to see`),
    });
  }
});

test('a working folder above the system holds only its own files', () => {
  const working = (path: string) => ({ what: 'The working folder', path, isShallow: true });
  assert.deepEqual(emptied(PARTS, [working('/'), working('/usr')]), []);
  assert.throws(() => emptied(PARTS, [working('/usr/share')]), /The working folder is at \/usr\/share/);
});
