import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvFile } from './write-csv.ts';

test('rows are sent in blocks, and each comes once, in its order', async () => {
  const rows = async function* () {
    for (let row = 0; row < 10_000; row += 1) yield [String(row), 'אורח'];
  };
  const blocks = await Array.fromAsync(csvFile(rows()));
  assert.ok(blocks.length > 1 && blocks.length < 20, String(blocks.length));
  const lines = blocks.join('').replace('\uFEFF', '').split('\r\n');
  assert.deepEqual(lines, [...Array.from({ length: 10_000 }, (_, row) => `${row},אורח`), '']);
});
