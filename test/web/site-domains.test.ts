import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { judgeHostname } from '../../server/hosting/domains/hostname.ts';
import {
  byBareName,
  hostnameOf,
  judgeDomain,
  siblingOf,
} from '../../web/src/features/site-domains/api/hostname.ts';
import { campaign } from '../support/campaign.ts';

const OURS = 'menu.apps.example.net';
const judge = (typed: string) => judgeDomain(typed, { ours: OURS, added: ['shop.example'] });

test('a typed domain is judged before it is sent', () => {
  for (const [typed, problem] of [
    ['www.shop.co.il', undefined],
    [' HTTPS://WWW.Shop.CO.IL/menu?a=1 ', undefined],
    ['חתונה.com', undefined],
    ['', 'notHostname'],
    ['shop', 'notHostname'],
    ['a b.c', 'notHostname'],
    ['*.shop.org', 'notHostname'],
    ['1.2.3.4', 'notHostname'],
    ['shop.local', 'notPublic'],
    ['other.apps.example.net', 'isOurs'],
    ['apps.example.net', 'isOurs'],
    ['Shop.example', 'isAdded'],
  ] as const) {
    assert.equal(judge(typed), problem, typed);
  }
  assert.equal(hostnameOf('חתונה.com'), 'xn--8dbbf1b9b.com');
});

test('the console refuses no domain that the server accepts', () => {
  const texts = fc.oneof(fc.domain(), fc.string(), fc.string({ unit: 'grapheme' }));
  fc.assert(
    fc.property(texts, (typed) => {
      const verdict = judgeHostname(typed, ['apps.example.net']);
      if (!('hostname' in verdict)) return;
      assert.deepEqual(
        [judgeDomain(typed, { ours: OURS, added: [] }), hostnameOf(typed)],
        [undefined, verdict.hostname],
      );
    }),
    { numRuns: campaign(500, 20_000) },
  );
});

test('a domain and its www are offered together and listed together', () => {
  for (const [hostname, sibling] of [
    ['shop.org', 'www.shop.org'],
    ['www.shop.org', 'shop.org'],
    ['shop.co.il', 'www.shop.co.il'],
    ['www.shop.co.il', 'shop.co.il'],
    ['menu.shop.org', undefined],
    ['www.menu.shop.org', undefined],
  ] as const) {
    assert.equal(siblingOf(hostname), sibling, hostname);
  }
  const sorted = ['www.b.org', 'c.org', 'b.org', 'a.org'].map((hostname) => ({ hostname })).sort(byBareName);
  assert.deepEqual(
    sorted.map(({ hostname }) => hostname),
    ['a.org', 'b.org', 'www.b.org', 'c.org'],
  );
});
