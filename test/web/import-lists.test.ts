import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type ImportedList,
  sheetsOf,
  tagNamesOf,
  tagSourcesOf,
  withSheet,
} from '../../web/src/features/guests/api/import-lists.ts';

const list = (sheet: string, more: Partial<ImportedList> = {}): ImportedList => ({
  sheet,
  headings_row: 1,
  columns: [],
  rows: 2,
  sections: [],
  ...more,
});

test('lists side by side are of one sheet, which is read if one of them is', () => {
  const sheets = sheetsOf([
    list('a'),
    list('b', { title: 'x' }),
    list('b', { title: 'y', rows: 3 }),
    list('c', { left: 'hidden' }),
  ]);
  assert.deepEqual(
    sheets.map(({ name, guests, isRead }) => [name, guests, isRead]),
    [
      ['a', 2, true],
      ['b', 5, true],
      ['c', 2, false],
    ],
  );
  assert.deepEqual(withSheet(sheets, 'c', true), ['a', 'b', 'c']);
  assert.deepEqual(withSheet(sheets, 'a', false), ['b']);
});

test('names of sheets become tags if there are several and none is a number, titles always', () => {
  for (const [lists, sources] of [
    [[list('צד כלה'), list('צד חתן')], ['sheet']],
    [[list('צד כלה')], []],
    [[list('Sheet1'), list('Sheet2')], []],
    [[list('גיליון1'), list('צד חתן')], []],
    [[list('צד כלה'), list('תקציב', { left: 'other_content' })], []],
    [[list('', { sections: ['עבודה', 'צבא'] })], ['section']],
    [[list('x', { title: 'Bride' }), list('x', { title: 'Groom' })], ['list']],
  ] as const) {
    assert.deepEqual(tagSourcesOf(lists, {}), sources);
    assert.deepEqual(tagSourcesOf(lists, { tagsFrom: [] }), []);
  }
  assert.deepEqual(tagNamesOf([list('', { sections: ['a'] }), list('', { sections: ['a'] })]).section, ['a']);
});
