import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guardFormula, removeFormulaGuard } from './formula.ts';

test('what a spreadsheet may take for a formula begins with an apostrophe, which an import takes off', () => {
  for (const text of [
    '=1',
    '+1',
    '-',
    '@a',
    '\t',
    " '=1",
    '＝1',
    '＠a',
    '\u200b=1',
    '\u202e＋1',
    '\ufeff=1',
  ]) {
    assert.equal(guardFormula(text), `'${text}`, JSON.stringify(text));
    assert.equal(removeFormulaGuard(guardFormula(text)), text);
  }
  for (const text of ['', 'a=1', "'a", '3+1', '\u202ea', 'כהן-לוי']) {
    assert.equal(guardFormula(text), text, JSON.stringify(text));
    assert.equal(removeFormulaGuard(text), text);
  }
});
