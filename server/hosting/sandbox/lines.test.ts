import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createLineReader } from './lines.ts';
import { createLogRateLimit, LINES_A_SECOND, MOST_LINES_SAVED } from './log-rate-limit.ts';

function linesOf(chunks: readonly Buffer[], most = 1_000): string[] {
  const lines: string[] = [];
  const rateLimit = createLogRateLimit(() => 0);
  const reader = createLineReader(most, rateLimit, (some) => lines.push(...some));
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

/** A reader with a clock that only the test moves. */
function readerAt() {
  const at = { ms: 0 };
  const batches: (readonly string[])[] = [];
  const rateLimit = createLogRateLimit(() => at.ms);
  const newReader = () => createLineReader(80_000, rateLimit, (lines) => batches.push(lines));
  return { at, batches, reader: newReader(), newReader, lines: () => batches.flat() };
}

test('lines that come together are given together', () => {
  const { reader, batches } = readerAt();
  reader.push(Buffer.from('one\ntwo\nthr'));
  reader.push(Buffer.from('ee\n'));
  assert.deepEqual(batches, [['one', 'two'], ['three']]);
});

test('of lines beyond what is allowed a number is told, once a second', () => {
  const { at, reader, lines } = readerAt();
  const flood = Buffer.alloc(65_536, '\n');
  let pushed = 0;
  for (at.ms = 0; at.ms < 3_000; at.ms += 20) {
    reader.push(flood);
    pushed += flood.length;
  }
  reader.end();
  const reported = lines().filter((line) => line !== '');
  const left = reported.map((line) => Number(/^… (\d+) lines left out$/.exec(line)?.[1]));
  assert.equal(reported.length, 3);
  assert.equal(lines().length - reported.length, MOST_LINES_SAVED + 2 * LINES_A_SECOND);
  const leftOut = left.reduce((sum, count) => sum + count, 0);
  assert.equal(leftOut + MOST_LINES_SAVED + 2 * LINES_A_SECOND, pushed);
});

test('bytes have a bound as well as lines, for all that one command writes', () => {
  const { at, reader, newReader, lines } = readerAt();
  const other = newReader();
  const line = Buffer.from(`${'x'.repeat(999)}\n`);
  for (let i = 0; i < 1_000; i += 1) {
    reader.push(line);
    other.push(line);
  }
  at.ms = 1_000;
  reader.reportLeftOut();
  const given = lines().length - 1;
  assert.equal(given, Math.floor(2 ** 20 / 1_000));
  assert.equal(lines().at(-1), `… ${2_000 - given} lines left out`);
});

test('after what was left out the next line is whole', () => {
  const { at, reader, lines } = readerAt();
  reader.push(Buffer.alloc(MOST_LINES_SAVED, '\n'));
  reader.push(Buffer.from('left'));
  reader.push(Buffer.from(' out\nthe \u{1f382}'.slice(0, -1)));
  at.ms = 1_000;
  reader.push(Buffer.from('same line\nthe next one\nand a be'));
  reader.push(Buffer.from('ginning\n'));
  reader.end();
  assert.deepEqual(lines().slice(MOST_LINES_SAVED), [
    '… 2 lines left out',
    'the next one',
    'and a beginning',
  ]);
});

test('however output is cut into chunks, each line is given or counted', () => {
  const chunk = fc.array(fc.constantFrom('\n', 'a', 'שלום', '\r\n', 'x'.repeat(3_000)), { maxLength: 50 });
  fc.assert(
    fc.property(fc.array(chunk), fc.integer({ min: 10, max: 400 }), (chunks, ms) => {
      const { at, reader, lines } = readerAt();
      const texts = chunks.map((parts) => parts.join('').repeat(100));
      for (const text of texts) {
        reader.push(Buffer.from(text));
        at.ms += ms;
      }
      reader.end();
      const counted = lines().reduce(
        (sum, line) => sum + Number(/^… (\d+) lines? left out$/.exec(line)?.[1] ?? 1),
        0,
      );
      const whole = texts.join('');
      assert.equal(counted, whole.split('\n').length - (whole.endsWith('\n') || whole === '' ? 1 : 0));
    }),
    { numRuns: 50 },
  );
});
