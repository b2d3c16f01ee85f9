import assert from 'node:assert/strict';
import { test } from 'node:test';
import { complaintTexts } from './messages.ts';

test('what has hyphens keeps its order within an Arabic sentence', () => {
  for (const kind of ['phone', 'date', 'date_time'] as const) {
    const said = complaintTexts.ar({ kind });
    assert.match(said, /\u2066[^\u2069]*\d-\d/);
    assert.doesNotMatch(said.replaceAll(/\u2066[^\u2069]*\u2069/g, ''), /\d-\d|\+\d/);
  }
});
