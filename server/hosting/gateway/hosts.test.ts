import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hostOwners, parseHostName } from './hosts.ts';

test('a host is known by its name, however it is written', () => {
  for (const header of [
    'demo.localhost',
    'DEMO.LocalHost',
    'demo.localhost.',
    'demo.localhost:3000',
    'demo.localhost.:80',
  ]) {
    assert.equal(parseHostName(header), 'demo.localhost', header);
  }
  assert.equal(parseHostName('[::1]:3000'), '[::1]');
});

test('what is no host is none', () => {
  for (const header of [
    '',
    ' ',
    'localhost@demo.localhost',
    'demo.localhost/..',
    'demo.localhost localhost',
    'demo.localhost,localhost',
    'demo.localhost:80:80',
    'demo.localhost:99999',
    'demo.localhost:0x50',
    'demo..localhost',
    'demo.localhost..',
    '.localhost',
    'דמו.localhost',
    'demo.localhost\t',
    'demo.localhost#',
    'demo.localhost?',
    'demo%2elocalhost',
    '[::1',
    '::1',
  ]) {
    assert.equal(parseHostName(header), undefined, header);
  }
});

test('a name holds letters, digits, hyphens, underscores and single dots, whatever came in', () => {
  const anything = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.stringMatching(/^[a-zA-Z0-9._:[\]@ -]{0,40}$/),
  );
  fc.assert(
    fc.property(anything, (header) => {
      const name = parseHostName(header);
      if (name === undefined) return;
      assert.match(name, /^([a-z0-9_-]+(\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])$/);
      assert.equal(parseHostName(name), name);
      assert.equal(parseHostName(name.toUpperCase()), name);
    }),
    { numRuns: 2_000 },
  );
});

const ownerOf = hostOwners({
  publicUrl: 'https://console.example.com',
  host: '0.0.0.0',
  appsDomain: 'apps.example.com',
  platformHosts: ['simcha.example.org'],
});

test('the platform answers to its own names, to addresses and to private names', () => {
  for (const host of [
    'console.example.com',
    'simcha.example.org',
    'localhost',
    '127.0.0.1',
    '192.168.1.7',
    '[::1]',
    'simcha',
    'host.docker.internal',
  ]) {
    assert.equal(ownerOf(host), 'platform', host);
  }
});

test('every other name is a site’s, and never the platform’s', () => {
  for (const host of [
    'apps.example.com',
    'demo.apps.example.com',
    'a.b.apps.example.com',
    'example.com',
    'shop.example.net',
    'console.example.com.evil.net',
    'xconsole.example.com',
    'localhost.evil.net',
    '127.0.0.1.nip.io',
    '127.1.evil.net',
  ]) {
    assert.equal(ownerOf(host), 'site', host);
  }
});

test('under a common domain the platform’s own name goes first', () => {
  const owner = hostOwners({
    publicUrl: 'https://console.example.com',
    host: '127.0.0.1',
    appsDomain: 'example.com',
    platformHosts: [],
  });
  assert.equal(owner('console.example.com'), 'platform');
  assert.equal(owner('demo.example.com'), 'site');
});
