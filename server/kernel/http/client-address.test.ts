import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientNetwork } from './client-address.ts';

test('a client is an IPv4 address, or the network of an IPv6 one', () => {
  assert.equal(clientNetwork('192.0.2.7'), '192.0.2.7');
  assert.equal(clientNetwork('::ffff:192.0.2.7'), '192.0.2.7');
  assert.equal(clientNetwork('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64');
  assert.equal(clientNetwork('2001:0db8:0001:0002::9'), '2001:db8:1:2::/64');
  assert.equal(clientNetwork('2001:db8::9'), '2001:db8:0:0::/64');
  assert.equal(clientNetwork('::1'), '0:0:0:0::/64');
  assert.equal(clientNetwork('fe80::1%eth0'), 'fe80:0:0:0::/64');
});
