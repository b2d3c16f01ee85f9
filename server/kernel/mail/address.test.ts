import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isMailAddress } from './address.ts';

test('usual addresses pass', () => {
  for (const text of [
    'noa@example.com',
    'a.b+c@mail.example.co.il',
    'X_1@xn--4dbrk0ce.example',
    "o'neil@example.com",
  ]) {
    assert.equal(isMailAddress(text), true, text);
  }
  fc.assert(fc.property(fc.emailAddress(), (text) => assert.equal(isMailAddress(text), true, text)));
});

const ABSURD = [
  '',
  '@',
  'a@',
  '@b.co',
  'a@b',
  'a@localhost',
  'a b@c.co',
  'a@b.co ',
  'a@b..co',
  'a@.b.co',
  'a@b.co.',
  'a@-b.co',
  'a@b-.co',
  '.a@b.co',
  'a.@b.co',
  'a..b@c.co',
  '"a b"@c.co',
  '"a\\"b"@c.co',
  'a(comment)@b.co',
  'a@[127.0.0.1]',
  'a@127.0.0.1',
  'a@b@c.co',
  'a@b.co,c@d.co',
  'a@b.co;c@d.co',
  '<a@b.co>',
  'Noa <a@b.co>',
  'a@b.co\r\nBcc: c@d.co',
  'a\n@b.co',
  'a@b.co\0',
  'נועה@example.com',
  'a@דוגמה.co',
  'a@b.co\u202e',
  `${'a'.repeat(65)}@b.co`,
  `a@${'b'.repeat(64)}.co`,
  `a@${'b.'.repeat(130)}co`,
  '-oProxyCommand=x @b.co',
];
for (const text of ABSURD) {
  test(`refused: ${JSON.stringify(text.slice(0, 50))}`, () => assert.equal(isMailAddress(text), false));
}
