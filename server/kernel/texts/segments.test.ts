import assert from 'node:assert/strict';
import { test } from 'node:test';
import { segmentsOf } from './segments.ts';

test('a text is paid for by its segments: of 7-bit letters 160 or 153 each, of others 70 or 67', () => {
  const cases: [string, number][] = [
    ['', 1],
    ['a'.repeat(160), 1],
    ['a'.repeat(161), 2],
    ['a'.repeat(306), 2],
    ['a'.repeat(307), 3],
    ['€'.repeat(80), 1],
    ['€'.repeat(81), 2],
    ['א'.repeat(70), 1],
    ['א'.repeat(71), 2],
    ['א'.repeat(134), 2],
    [`${'a'.repeat(100)}א`, 2],
    ['🎉'.repeat(35), 1],
    ['🎉'.repeat(36), 2],
  ];
  for (const [text, segments] of cases) assert.equal(segmentsOf(text), segments, text);
});
