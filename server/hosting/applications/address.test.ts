import assert from 'node:assert/strict';
import { test } from 'node:test';
import { siteAddress } from './address.ts';

test('a site’s address has the port that its visitors reach', () => {
  for (const [publicUrl, appsPort, expected] of [
    ['http://localhost:3000', undefined, 'http://a.localhost:3000'],
    ['http://localhost:3000', 8080, 'http://a.localhost:8080'],
    ['http://console.example', 8080, 'http://a.localhost'],
    ['https://console.example', 8080, 'https://a.localhost'],
    ['https://console.example:8443', 8080, 'https://a.localhost:8443'],
  ] as const) {
    assert.equal(siteAddress({ publicUrl, appsDomain: 'localhost', appsPort }, 'a'), expected);
  }
});
