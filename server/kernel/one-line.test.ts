import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSingleLine, toSingleLine } from './one-line.ts';

test('a name is on one line, can be seen, and turns nothing around', () => {
  for (const text of [
    'a',
    'החתונה של נועה ואיתי',
    'حفل',
    '\u200fאב\u200e',
    'נועה 👩‍👩‍👧',
    '…',
    '💍',
    '\u{b8348}',
  ])
    assert.equal(isSingleLine(text), true, JSON.stringify(text));
  for (const text of [
    '',
    ' ',
    '\u202e',
    'a\u202eb',
    'a\u2067b',
    '\u200f',
    '\u200b\u2060',
    'a\nb',
    'a\u2028b',
    '\0',
    '\ufeff',
  ])
    assert.equal(isSingleLine(text), false, JSON.stringify(text));
});

test('what breaks or turns a line is left out of it', () => {
  assert.equal(toSingleLine(' a\r\nBcc: b\u202ec\u2029 '), 'a Bcc: b c');
  assert.equal(toSingleLine('\ud800x'), '\ufffdx');
  assert.equal(toSingleLine('\u202aנועה\u202c'), 'נועה');
  assert.equal(toSingleLine('\u200f\u2060'), '');
});
