import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Refusal } from '../../../kernel/refusal.ts';
import type { ImportRow } from './contract.ts';
import type { PlacedRow } from './report.ts';
import { rowKey } from './reread.ts';
import { fileToCorrect, withoutApiNames } from './rows-to-correct.ts';
import { createTableReader, type Table } from './table.ts';

function placed(row: number, action: ImportRow['action'], problem = 'x'): PlacedRow {
  return {
    place: { list: 0, row },
    placeTags: [],
    line: { row, ref: String(row), list: 0, action, name: '', problem },
  };
}

const refused = (row: number, problem?: string) => placed(row, 'refuse', problem);

test('rows that were not taken come back as they stood, and others are not asked for', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'simcha-mend-'));
  const path = join(folder, 'list.csv');
  try {
    await writeFile(path, 'רשימה\nשם,טלפון,סודי\nדנה,0501111111,א\nיוסי,12,"ב, ג"\n\nנועה,,=1\n');
    const table = await createTableReader()(path, { mapping: {} });
    const asked: (readonly number[])[] = [];
    const watched: Pick<Table, 'lists' | 'linesOf'> = {
      lists: table.lists,
      linesOf(places, columns) {
        asked.push(places.map(({ row }) => row));
        return table.linesOf(places, columns);
      },
    };
    const taken = placed(3, 'create');
    assert.equal(await fileToCorrect([taken], watched, 'he'), undefined);
    const file = await fileToCorrect([taken, refused(4, 'מספר'), placed(6, 'ask')], watched, 'he');
    const lines = ['שם,טלפון,סודי,מה לתקן', 'יוסי,12,"ב, ג",מספר', `נועה,,"'=1",x`, ''];
    assert.equal(file?.content, `\uFEFF${lines.join('\r\n')}`);
    assert.deepEqual(asked, [[4, 6]]);
    // Rows read before are cached; a row that was not read before needs the file.
    await rm(path);
    assert.equal((await fileToCorrect([refused(6)], watched, 'en'))?.content.includes('יוסי'), false);
    await assert.rejects(fileToCorrect([refused(3)], watched, 'he'));
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('more than could be sent again is not given back', async () => {
  const rows = Array.from({ length: 50_000 }, (_, at) => refused(at, 'x'.repeat(100)));
  const column = { letters: 'A', heading: '', field: 'name' as const, samples: [] };
  const list = { sheet: '', sheetIndex: 0, first: 0, headings: null, columns: [column] };
  const giving = (line: string): Pick<Table, 'lists' | 'linesOf'> => ({
    lists: [{ ...list, hasWideRows: true, hasMergedTitles: true }],
    linesOf: async () => new Map(rows.map(({ place }) => [rowKey(place), line])),
  });
  assert.equal((await fileToCorrect(rows, giving('y'.repeat(300)), 'he'))?.name, 'to-mend.csv');
  await assert.rejects(
    fileToCorrect(rows, giving('y'.repeat(400)), 'he'),
    (error) => error instanceof Refusal && error.code === 'too_much_to_mend',
  );
});

test('a problem in the file says nothing that only programs know', () => {
  const cases: [problem: string, field: string | undefined, said: string][] = [
    ['מספר המוזמנים (party_size): נדרש מספר.', 'party_size', 'מספר המוזמנים: נדרש מספר.'],
    ['Phone (phone): not a number.', 'phone', 'Phone: not a number.'],
    [
      'Skip the row (doubles=skip) or add another guest (create).',
      undefined,
      'Skip the row or add another guest.',
    ],
    ['The row has no number (family_size).', undefined, 'The row has no number.'],
    ['In row 3 (Dana): the name is the same.', undefined, 'In row 3 (Dana): the name is the same.'],
  ];
  for (const [problem, field, said] of cases) assert.equal(withoutApiNames(problem, field), said);
});
