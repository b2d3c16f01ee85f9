import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hashAccessToken, looksLikeAccessToken, newAccessToken } from './access-tokens/secrets.ts';
import { CODE_ALPHABET, isSameHash, newCode, typedCode } from './codes.ts';

test('a code is XXXX-XXXX of letters and digits that nobody takes for one another, each as likely', () => {
  assert.doesNotMatch(CODE_ALPHABET, /[01ILOU]/);
  assert.equal(new Set(CODE_ALPHABET).size, CODE_ALPHABET.length);
  const counts = new Map<string, number>();
  for (let i = 0; i < 6_000; i += 1) {
    const code = newCode();
    assert.match(code, /^[A-Z][A-Z2-9]{3}-[A-Z2-9]{4}$/);
    for (const letter of code.replace('-', '').slice(1)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  }
  assert.equal([...counts.keys()].sort().join(''), [...CODE_ALPHABET].sort().join(''));
  for (const [letter, count] of counts) assert.ok(count > 1_200 && count < 1_600, `${letter}: ${count}`);
});

test('a code is known however it is typed', () => {
  const spaces = fc.constantFrom('', ' ', '-', '–', '\u00a0', ' - ');
  fc.assert(
    fc.property(fc.boolean(), spaces, spaces, (small, between, around) => {
      const code = newCode();
      const letters = small ? code.toLowerCase() : code;
      assert.equal(typedCode(`${around}${letters.replace('-', between)}${around}`), code);
    }),
  );
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => assert.ok(typedCode(text).length <= 17)));
});

test('a missing or shorter hash is never the same', () => {
  const hash = hashAccessToken('x');
  assert.equal(isSameHash(hash, hash), true);
  assert.equal(isSameHash(hash, new Uint8Array(hash)), true);
  assert.equal(isSameHash(hash, undefined), false);
  assert.equal(isSameHash(hash, hash.subarray(1)), false);
});

test('an API key is sk_ and 43 digits of base 62, and no two are the same', () => {
  const keys = Array.from({ length: 2_000 }, newAccessToken);
  assert.ok(keys.every(looksLikeAccessToken));
  assert.equal(new Set(keys).size, keys.length);
  for (const text of ['', 'sk_', keys[0]?.slice(0, -1), `${keys[0]}0`, keys[0]?.toUpperCase(), 'sk_\n']) {
    assert.equal(looksLikeAccessToken(text ?? ''), false);
  }
});
