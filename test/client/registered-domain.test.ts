import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRegisteredDomain } from '../../client/src/registered-domain.ts';

test('a registered domain is told from a name below it', () => {
  for (const [hostname, expected] of [
    ['noa.co.il', true],
    ['noa.com', true],
    ['www.noa.com', false],
    ['www.noa.co.il', false],
    ['co.il', false],
    ['a.b.c.org.uk', false],
  ] as const)
    assert.equal(isRegisteredDomain(hostname), expected, hostname);
});
