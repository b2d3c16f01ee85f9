import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addHebrewPrefix } from './hebrew.ts';

test('a prefix stands before a Hebrew letter as it is, and with a maqaf before anything else', () => {
  assert.equal(addHebrewPrefix('ל', 'קייטרינג הים'), 'לקייטרינג הים');
  assert.equal(addHebrewPrefix('ל', '״הים״'), 'ל״הים״');
  assert.equal(addHebrewPrefix('ל', 'DJ אבי'), 'ל־DJ אבי');
  assert.equal(addHebrewPrefix('ל', '3 אחים'), 'ל־3 אחים');
  assert.equal(addHebrewPrefix('ל', 'سمير'), 'ל־سمير');
});
