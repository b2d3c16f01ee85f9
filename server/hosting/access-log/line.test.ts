import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { accessLine, loggedTarget, networkAddress } from './line.ts';

for (const [target, logged] of [
  ['/', '/'],
  ['/guests/7', '/guests/7'],
  ['/search?q=noa%20levi&page=2', '/search?q=&page='],
  ['/reset?token=s3cret', '/reset?token='],
  ['/unsubscribe?s3cret', '/unsubscribe?…'],
  ['/x?', '/x?…'],
  ['/x?a=1&s3cret&b=', '/x?a=&…&b='],
  ['*', '*'],
  [
    `/?${Array.from({ length: 12 }, (_, i) => `p${i}=1`).join('&')}`,
    `/?${Array.from({ length: 10 }, (_, i) => `p${i}=`).join('&')}&…`,
  ],
  [`/${'x'.repeat(2_000)}`, `/${'x'.repeat(999)}…`],
] as const) {
  test(`of ${target.slice(0, 40)} the access log keeps ${logged.slice(0, 40)}`, () => {
    assert.equal(loggedTarget(target), logged);
  });
}

for (const [address, network] of [
  ['203.0.113.77', '203.0.113.0'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::'],
  ['2001:db8::6', '2001:db8:0::'],
  ['::1', '0:0:0::'],
  ['fe80::1%eth0', 'fe80:0:0::'],
  ['', '-'],
  ['not an address', '-'],
] as const) {
  test(`the network of "${address}" is ${network}`, () => assert.equal(networkAddress(address), network));
}

test('a line has six words, whatever was requested', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (method, target) => {
      const line = accessLine({
        method: `M${method}`,
        target: `/${target}`,
        status: 200,
        ms: 1.4,
        bytes: 5,
        address: '1.2.3.4',
      });
      assert.equal(line.split(/\s/u).length, 6, line);
      assert.match(line, / 200 1ms 5B 1\.2\.3\.0$/);
    }),
  );
});
