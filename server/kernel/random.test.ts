import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { randomText } from './random.ts';

test('random text has the length and the letters asked for, and is another each time', () => {
  fc.assert(
    fc.property(fc.integer({ min: 20, max: 60 }), (length) => {
      const [one, other] = [randomText(length, 'abcdefgh'), randomText(length, 'abcdefgh')];
      assert.match(one, new RegExp(`^[a-h]{${length}}$`));
      assert.notEqual(one, other);
    }),
  );
  assert.equal(new Set(randomText(10_000, 'xyz')).size, 3, 'every letter comes up');
});
