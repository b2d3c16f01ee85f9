import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressOf, isLocal, networkOf } from './client-address.ts';

test('a client is an IPv4 address, or the network of an IPv6 one', () => {
  assert.equal(networkOf({ ip: '192.0.2.7' }), '192.0.2.7');
  assert.equal(networkOf({ ip: '::ffff:192.0.2.7' }), '192.0.2.7');
  assert.equal(networkOf({ ip: '::ffff:c000:207' }), '192.0.2.7');
  assert.equal(networkOf({ ip: '0:0:0:0:0:FFFF:192.0.2.7' }), '192.0.2.7');
  assert.equal(networkOf({ ip: '2001:db8:1:2:3:4:5:6' }), '2001:db8:1:2::/64');
  assert.equal(networkOf({ ip: '2001:0db8:0001:0002::9' }), '2001:db8:1:2::/64');
  assert.equal(networkOf({ ip: '2001:db8::9' }), '2001:db8:0:0::/64');
  assert.equal(networkOf({ ip: '::1' }), '0:0:0:0::/64');
  assert.equal(networkOf({ ip: 'fe80::1%eth0' }), 'fe80:0:0:0::/64');
});

test('the port that a proxy tells of a client is no part of its address, and what is no address is one client', () => {
  for (const ip of ['192.0.2.7:5555', '192.0.2.7']) assert.equal(addressOf({ ip }), '192.0.2.7');
  for (const ip of ['[2001:db8::9]:443', '[2001:db8::9]'])
    assert.equal(networkOf({ ip }), '2001:db8:0:0::/64');
  for (const ip of ['unknown', '_hidden', '999.1.1.1', '1.2.3.4:x', '']) {
    assert.equal(networkOf({ ip }), 'unknown', ip);
  }
});

test('a client is local where nothing says that a proxy passed its request on, or a trusted one says so', () => {
  const from = (ip: string, headers: Record<string, string> = {}, ips?: string[]) =>
    isLocal({ ip, headers, ...(ips && { ips }) });
  for (const ip of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1']) assert.ok(from(ip), ip);
  for (const ip of ['192.0.2.7', '10.0.0.1', '::', '::ffff:192.0.2.7']) assert.ok(!from(ip), ip);
  for (const name of ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip', 'x-forwarded-proto']) {
    assert.ok(!from('127.0.0.1', { [name]: '127.0.0.1' }), name);
    assert.ok(!from('127.0.0.1', { [name]: '127.0.0.1' }, ['127.0.0.1']), name);
  }
  assert.ok(from('127.0.0.1', { 'x-forwarded-for': '127.0.0.1' }, ['127.0.0.1', '127.0.0.1']));
  assert.ok(!from('192.0.2.7', { 'x-forwarded-for': '192.0.2.7' }, ['127.0.0.1', '192.0.2.7']));
});
