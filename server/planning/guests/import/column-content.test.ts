import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnsByContent } from './column-content.ts';

test('columns without headings are known by their texts, if there is a way to reach the guests', () => {
  for (const [contents, fields] of [
    [
      [
        ['דנה', 'יוסי כהן'],
        ['0501111111', '052-222-2222'],
      ],
      ['name', 'phone'],
    ],
    [
      [['0501111111'], ['Dana'], ['dana@example.com'], ['2'], ['late']],
      ['phone', 'name', 'email', 'party_size', undefined],
    ],
    [
      [['דנה', 'יוסי'], [], ['a@example.com', 'mailto:b@example.com']],
      ['name', undefined, 'email'],
    ],
    [[['איך ממלאים', 'כותבים שם וטלפון']], [undefined]],
    [
      [
        ['האולם', 'הלהקה'],
        ['120000', '9000'],
      ],
      [undefined, undefined],
    ],
    [[['0501111111', '0502222222']], [undefined]],
  ] as const)
    assert.deepEqual(columnsByContent(contents), fields);
});
