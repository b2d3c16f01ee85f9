import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textAttributes } from './text-attributes.ts';

test('what hosts wrote is in the language of its first letter, which is said where it is not the page’s', () => {
  for (const [text, page, attributes] of [
    ['החתונה של נועה', 'hebrew', ''],
    ['החתונה של Noa', 'english', ' lang="he"'],
    ['2027: زفاف', 'hebrew', ' lang="ar"'],
    ['"Privacy" בעברית', 'hebrew', ' lang="en"'],
    ['19:30', 'arabic', ''],
    ['Свадьба', 'english', ''],
  ] as const) {
    assert.equal(textAttributes(text, page).text, ` dir="auto"${attributes}`, text);
  }
});
