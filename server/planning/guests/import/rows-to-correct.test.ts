import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Refusal } from '../../../kernel/refusal.ts';
import type { ImportRow } from './contract.ts';
import { fileToCorrect } from './rows-to-correct.ts';
import { createTableReader, type Table } from './table.ts';

const refused = (row: number, problem = 'x'): ImportRow => ({ row, action: 'refuse', name: '', problem });

test('rows that were not taken come back as they stood, and others are not asked for', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'simcha-mend-'));
  const path = join(folder, 'list.csv');
  try {
    await writeFile(path, 'רשימה\nשם,טלפון,סודי\nדנה,0501111111,א\nיוסי,12,"ב, ג"\n\nנועה,,=1\n');
    const table = await createTableReader()(path, { mapping: {} });
    const asked: (readonly number[])[] = [];
    const watched: Pick<Table, 'layout' | 'linesOf'> = {
      layout: table.layout,
      linesOf(wanted) {
        asked.push(wanted.rows);
        return table.linesOf(wanted);
      },
    };
    const taken: ImportRow = { row: 3, action: 'create', name: 'דנה' };
    assert.equal(await fileToCorrect([taken], watched, 'he'), undefined);
    const file = await fileToCorrect(
      [taken, refused(4, 'מספר'), { ...refused(6), action: 'ask' }],
      watched,
      'he',
    );
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
  const giving = (line: string): Pick<Table, 'layout' | 'linesOf'> => ({
    layout: { headings: null, columns: [{ letters: 'A', heading: '', field: 'name', samples: [] }] },
    linesOf: async () => new Map(rows.map(({ row }) => [row, line])),
  });
  assert.equal((await fileToCorrect(rows, giving('y'.repeat(300)), 'he'))?.name, 'to-mend.csv');
  await assert.rejects(
    fileToCorrect(rows, giving('y'.repeat(400)), 'he'),
    (error) => error instanceof Refusal && error.code === 'too_much_to_mend',
  );
});
