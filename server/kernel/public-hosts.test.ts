import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPlainlyPrivate, isPublicAddress, resolveHost } from './public-hosts.ts';

const PRIVATE = [
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '2001:db8::1',
  'fe80::1',
  'fe80::1%eth0',
  'fc00::1',
  'fd12:3456::1',
  'ff02::1',
  'no address',
];
test('private, link-local, loopback and special addresses are no public ones', () => {
  for (const address of PRIVATE) assert.equal(isPublicAddress(address), false, address);
  for (const address of [
    '8.8.8.8',
    '140.82.121.3',
    '172.32.0.1',
    '100.128.0.1',
    '2606:4700::1111',
    '2a00:1450::1',
  ]) {
    assert.equal(isPublicAddress(address), true, address);
  }
});

test('some names and notations are private without asking anybody', () => {
  for (const host of [
    'localhost',
    'x.localhost',
    'LOCALHOST.',
    'db.internal',
    '127.1',
    '0x7f000001',
    '2130706433',
    '10.0.0.1',
  ]) {
    assert.equal(isPlainlyPrivate(host), true, host);
  }
  for (const host of ['github.com', 'git.example.org', 'a1.example'])
    assert.equal(isPlainlyPrivate(host), false, host);
});

test('a host is judged by every address it resolves to', async () => {
  assert.deepEqual(await resolveHost('localhost', false), { wrong: 'private' });
  assert.ok('address' in (await resolveHost('localhost', true)));
  assert.deepEqual(await resolveHost('127.0.0.1', false), { wrong: 'private' });
  assert.deepEqual(await resolveHost('8.8.8.8', false), { address: '8.8.8.8' });
  assert.deepEqual(await resolveHost('nowhere.invalid', false), { wrong: 'unresolved' });
});
