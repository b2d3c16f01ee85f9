import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { judgeProof, proofOf } from './check.ts';
import { judgeHostname } from './hostname.ts';

const ours = ['console.example.com', 'apps.example.net'];
const judged = (text: string) => {
  const verdict = judgeHostname(text, ours);
  return 'hostname' in verdict ? verdict.hostname : `(${verdict.wrong})`;
};

test('a domain is kept as it stands in the DNS', () => {
  for (const [text, hostname] of [
    ['www.shop.co.il', 'www.shop.co.il'],
    [' WWW.Shop.CO.IL. ', 'www.shop.co.il'],
    ['חתונה.com', 'xn--8dbbf1b9b.com'],
    ['XN--8DBBF1B9B.com', 'xn--8dbbf1b9b.com'],
    ['example.com', 'example.com'],
    ['a-b.c', 'a-b.c'],
  ] as const) {
    assert.equal(judged(text), hostname, text);
  }
});

test('what is no public domain of one’s own is refused', () => {
  for (const text of [
    '',
    '.',
    'a..b',
    'http://a.b',
    'a.b:80',
    'a.b/c',
    'x@a.b',
    '*.a.b',
    '-a.b',
    'a-.b',
    'a_b.c',
    'a b.c',
    '1.2.3.4',
    '0x7f.1',
    '1.2',
    '[::1]',
    `${'a'.repeat(64)}.b`,
    `${'a.'.repeat(130)}b`,
    'a%2eb.c',
    'a\u3002b\0.c',
    'xn--zz.com',
    'www.xn--.com',
  ]) {
    assert.equal(judged(text), '(form)', text);
  }
  for (const text of [
    'localhost',
    'intranet',
    'a.localhost',
    'x.local',
    'x.internal',
    'a.onion',
    '1.0.0.127.in-addr.arpa',
  ]) {
    assert.equal(judged(text), '(private)', text);
  }
  for (const text of [
    'console.example.com',
    'x.console.example.com',
    'apps.example.net',
    'demo.APPS.example.net.',
  ]) {
    assert.equal(judged(text), '(ours)', text);
  }
});

test('a domain judged once is judged the same again', () => {
  fc.assert(
    fc.property(fc.oneof(fc.domain(), fc.string(), fc.string({ unit: 'grapheme' })), (text) => {
      const verdict = judgeHostname(text, ours);
      if (!('hostname' in verdict)) return;
      assert.match(verdict.hostname, /^[a-z0-9-]+(\.[a-z0-9-]+)+$/);
      assert.deepEqual(judgeHostname(verdict.hostname, ours), verdict);
    }),
    { numRuns: 2_000 },
  );
});

test('one right record proves a domain, and nothing else does', () => {
  const proof = proofOf('www.shop.org', 'token', 'apps.example.net');
  assert.deepEqual(proof, {
    cname: { name: 'www.shop.org', value: 'token.apps.example.net' },
    txt: { name: '_simcha.www.shop.org', value: 'simcha=token' },
  });
  for (const [cname, txt, verdict] of [
    [['token.apps.example.net'], [], 'proved'],
    [['TOKEN.apps.example.net.'], 'failed', 'proved'],
    [[], ['v=spf1', 'simcha=token'], 'proved'],
    ['failed', ['simcha=token'], 'proved'],
    [[], [], 'record_missing'],
    [[], ['v=spf1'], 'record_missing'],
    [['demo.apps.example.net'], [], 'record_wrong'],
    [[], ['simcha=other'], 'record_wrong'],
    [[], ['simcha=TOKEN'], 'record_wrong'],
    ['failed', [], 'dns_unavailable'],
    [[], 'failed', 'dns_unavailable'],
  ] as const) {
    assert.equal(judgeProof({ cname, txt }, proof), verdict, JSON.stringify([cname, txt]));
  }
});
