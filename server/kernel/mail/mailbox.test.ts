import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mailboxOf } from './mailbox.ts';

const SAME: Readonly<Record<string, readonly string[]>> = {
  'danalevi@gmail.com': ['Dana.Levi+party@Gmail.com', 'd.a.n.a.levi@googlemail.com', 'danalevi@gmail.com'],
  'dana.levi@outlook.com': ['dana.levi+1@outlook.com', 'DANA.LEVI@outlook.com'],
  'dana@hotmail.com': ['dana+x+y@hotmail.com'],
  'dana@live.com': ['dana+@live.com'],
  'dana@icloud.com': ['dana+x@me.com', 'dana@mac.com'],
  'dana@fastmail.com': ['dana+x@fastmail.com'],
  'danalevi@proton.me': ['dana.levi+x@protonmail.com', 'danalevi@pm.me'],
  'dana@yahoo.com': ['dana-party@yahoo.com', 'dana+party@yahoo.com'],
  'dana-levi@x.co': ['dana-levi+7@X.co'],
};

test('addresses of one mailbox are told by case, tag, dots and names of the provider', () => {
  for (const [mailbox, addresses] of Object.entries(SAME)) {
    for (const address of addresses) assert.equal(mailboxOf(address), mailbox, address);
  }
});

test('addresses of others stay apart', () => {
  const apart = [
    'dana.levi@x.co',
    'danalevi@x.co',
    'dana@x.co',
    'dana@hotmail.com',
    'dana@outlook.com',
    '+a@x.co',
    '+b@x.co',
  ];
  assert.equal(new Set(apart.map(mailboxOf)).size, apart.length);
});
