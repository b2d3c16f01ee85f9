import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createLineReader } from './lines.ts';

function linesOf(chunks: readonly Buffer[], most = 1_000): string[] {
  const lines: string[] = [];
  const reader = createLineReader(most, (line) => lines.push(line));
  for (const chunk of chunks) reader.push(chunk);
  reader.end();
  return lines;
}

test('lines are the same however the output is cut into chunks, in the middle of a letter too', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.array(fc.nat(40)), (text, cuts) => {
      const bytes = Buffer.from(text);
      const edges = [
        0,
        ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b),
        bytes.length,
      ];
      const chunks = edges.slice(1).map((edge, i) => bytes.subarray(edges[i], edge));
      assert.deepEqual(linesOf(chunks), linesOf([bytes]));
    }),
  );
});

test('of a line without end the head is kept, and the next line is whole', () => {
  assert.deepEqual(linesOf([Buffer.from('abcdefgh'), Buffer.from('ij\nshort\r\n')], 6), [
    'abcdef … (line cut)',
    'short',
  ]);
});
