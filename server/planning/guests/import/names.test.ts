import assert from 'node:assert/strict';
import { test } from 'node:test';
import { areOthers, nameForm } from './names.ts';

test('a name is the same in another order of words, with niqqud, quotes or capitals', () => {
  for (const [one, other] of [
    ['דנה לוי', 'לוי  דנה'],
    ['ד״ר דָּנָה', 'דר דנה'],
    ['Dana LEVI', 'levi, dana'],
    ['أحمد علي', 'احمد على'],
  ] as const) {
    assert.equal(nameForm(one), nameForm(other));
  }
  assert.notEqual(nameForm('דנה לוי'), nameForm('דנה כהן'));
});

test('names without a word in common are two people’s, unless they are in other letters', () => {
  assert.ok(areOthers('סבתא רבקה', 'איתי גל'));
  assert.ok(!areOthers('דנה', 'דנה לוי'));
  assert.ok(!areOthers('משפחת כהן', 'יוסי כהן'));
  assert.ok(!areOthers('דנה לוי', 'Dana Levi'));
  assert.ok(!areOthers('', 'דנה'));
});
