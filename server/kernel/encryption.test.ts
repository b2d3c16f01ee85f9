import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createEncryption } from './encryption.ts';

const OLD = 'the key of last year, long enough.';
const NEW = 'the key of this year, long enough.';

test('what is sealed opens again, in its own context alone', () => {
  const encryption = createEncryption([NEW]);
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), fc.string(), (plain, context, other) => {
      const sealed = encryption.seal(plain, context);
      assert.equal(encryption.open(sealed, context), plain);
      if (other !== context) assert.throws(() => encryption.open(sealed, other));
    }),
  );
});

test('the same text is sealed differently each time, and never stands in the sealed one', () => {
  const { seal } = createEncryption([NEW]);
  assert.notEqual(seal('a secret', 'x'), seal('a secret', 'x'));
  assert.doesNotMatch(seal('a secret', 'x'), /secret/);
});

test('a change of any character is noticed', () => {
  const { seal, open } = createEncryption([NEW]);
  const sealed = seal('postgres://user:password@host', 'x');
  const start = sealed.lastIndexOf('.') + 1;
  fc.assert(
    fc.property(fc.integer({ min: start, max: sealed.length - 1 }), (at) => {
      const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1);
      assert.throws(() => open(changed, 'x'));
    }),
  );
  // Lengths with each kind of base64 ending.
  for (const plain of ['', '1', '12', '123']) {
    for (const more of ['x', '=', '.', '.x', '\n']) assert.throws(() => open(seal(plain, 'x') + more, 'x'));
  }
  for (const text of [
    '',
    'v1',
    'v1..',
    sealed.slice(0, start),
    sealed.slice(0, start + 20),
    `v2${sealed.slice(2)}`,
  ]) {
    assert.throws(() => open(text, 'x'));
  }
});

test('a new key in front seals, and the old one behind it still opens', () => {
  const old = createEncryption([OLD]);
  const both = createEncryption([NEW, OLD]);
  const sealed = old.seal('kept', 'x');
  assert.equal(both.open(sealed, 'x'), 'kept');
  assert.throws(() => old.open(both.seal('kept', 'x'), 'x'), /another key/);
  assert.throws(() => createEncryption([NEW]).open(sealed, 'x'), /another key/);
});

test('a fingerprint is the same for the same text and context, and another with any other or another key', () => {
  const { fingerprint } = createEncryption([NEW]);
  assert.deepEqual(fingerprint('ABCD', 'code'), fingerprint('ABCD', 'code'));
  const others = [
    fingerprint('ABCE', 'code'),
    fingerprint('ABCD', 'tries'),
    createEncryption([OLD]).fingerprint('ABCD', 'code'),
  ];
  for (const other of others) assert.notDeepEqual(other, fingerprint('ABCD', 'code'));
});
