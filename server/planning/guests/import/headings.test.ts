import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LANGUAGE_NAMES } from '../../../kernel/languages.ts';
import { exportHeadings } from '../export/cells.ts';
import { COLUMNS, columnsOf } from './headings.ts';

test('a heading is known however it is spelled, and a strange one is left alone', () => {
  assert.deepEqual(
    columnsOf(['שם  מלא:', 'דוא״ל', 'מס׳ טלפון', 'E-Mail', 'Party_Size', '‏טלפון נייד *', 'מזל']),
    ['name', 'email', 'phone', 'email', 'party_size', 'phone', undefined],
  );
});

test('no heading names two columns, and every exported one is read back', () => {
  for (const [column, { headings }] of Object.entries(COLUMNS)) {
    for (const heading of Object.values(headings).flat())
      assert.deepEqual(columnsOf([heading]), [column], heading);
  }
  for (const language of LANGUAGE_NAMES)
    assert.ok(!columnsOf(exportHeadings({ language, rows: 'people', questions: [] })).includes(undefined));
});
