import assert from 'node:assert/strict';
import { test } from 'node:test';
import { areDifferentPeople, normalizeName } from './names.ts';

test('a name is the same in another order of words, with niqqud, quotes or capitals', () => {
  for (const [one, other] of [
    ['דנה לוי', 'לוי  דנה'],
    ['ד״ר דָּנָה', 'דר דנה'],
    ['Dana LEVI', 'levi, dana'],
    ['أحمد علي', 'احمد على'],
  ] as const) {
    assert.equal(normalizeName(one), normalizeName(other));
  }
  assert.notEqual(normalizeName('דנה לוי'), normalizeName('דנה כהן'));
});

test('names without a word in common are two people’s, unless they are in other letters', () => {
  assert.ok(areDifferentPeople('סבתא רבקה', 'איתי גל'));
  assert.ok(!areDifferentPeople('דנה', 'דנה לוי'));
  assert.ok(!areDifferentPeople('משפחת כהן', 'יוסי כהן'));
  assert.ok(!areDifferentPeople('דנה לוי', 'Dana Levi'));
  assert.ok(!areDifferentPeople('', 'דנה'));
});
