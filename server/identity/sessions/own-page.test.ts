import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isFromOwnPage } from './own-page.ts';

const HOST = 'simcha.example.com';
const OWN = `https://${HOST}`;

const changes = (headers: object, { host = HOST, https = true } = {}) =>
  isFromOwnPage({ method: 'POST', host, headers }, { https });
const reads = (headers: object) => isFromOwnPage({ method: 'GET', host: HOST, headers }, { https: true });

test('a change comes from a page of this very origin, which says so', () => {
  assert.ok(changes({ origin: OWN }));
  assert.ok(changes({ origin: OWN, 'sec-fetch-site': 'same-origin' }));
  assert.ok(changes({ origin: OWN }, { host: `${HOST}:443` }));
  assert.ok(changes({ origin: 'http://localhost:3000' }, { host: 'localhost:3000', https: false }));
  assert.ok(changes({ origin: 'http://[::1]:3000' }, { host: '[::1]:3000', https: false }));
  for (const origin of [
    undefined,
    '',
    'null',
    HOST,
    `https://demo.${HOST}`,
    'https://example.com',
    `https://${HOST}.example.org`,
    `${OWN}:8443`,
    `${OWN}, ${OWN}`,
    `http://${HOST}`,
    `https://${HOST}@example.org`,
  ])
    assert.ok(!changes({ origin }), String(origin));
  for (const site of ['same-site', 'cross-site', 'none', '', 'same-origin, same-origin', ['same-origin']])
    assert.ok(!changes({ origin: OWN, 'sec-fetch-site': site }), String(site));
});

test('no other host is ours, by whatever name', () => {
  fc.assert(
    fc.property(fc.webAuthority({ withPort: true, withIPv4: true, withIPv6: true }), (host) => {
      fc.pre(URL.parse(`https://${host}`)?.host !== HOST);
      assert.ok(!changes({ origin: `https://${host}` }));
    }),
  );
});

test('a host that is none stands for no page', () => {
  for (const host of ['', ' ', 'a b', '/', ':443', '@']) assert.ok(!changes({ origin: OWN }, { host }), host);
});

test('another page loads nothing, but may lead here', () => {
  assert.ok(reads({}));
  for (const site of ['same-origin', 'none']) assert.ok(reads({ 'sec-fetch-site': site }), site);
  for (const site of ['same-site', 'cross-site', 'none, same-site']) {
    for (const mode of [undefined, 'cors', 'no-cors', 'websocket', 'same-origin'])
      assert.ok(!reads({ 'sec-fetch-site': site, 'sec-fetch-mode': mode }), `${site} ${mode}`);
    assert.ok(reads({ 'sec-fetch-site': site, 'sec-fetch-mode': 'navigate' }), site);
  }
  // A followed link must not change anything.
  assert.ok(!changes({ origin: OWN, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }));
});
