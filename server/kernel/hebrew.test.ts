import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prefixed } from './hebrew.ts';

test('a prefix stands before a Hebrew letter as it is, and with a maqaf before anything else', () => {
  assert.equal(prefixed('ל', 'קייטרינג הים'), 'לקייטרינג הים');
  assert.equal(prefixed('ל', '״הים״'), 'ל״הים״');
  assert.equal(prefixed('ל', 'DJ אבי'), 'ל־DJ אבי');
  assert.equal(prefixed('ל', '3 אחים'), 'ל־3 אחים');
  assert.equal(prefixed('ל', 'سمير'), 'ל־سمير');
});
