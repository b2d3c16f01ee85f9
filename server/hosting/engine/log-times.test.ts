import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLineTimes, isEarlier } from './log-times.ts';

test('lines of one second have times of their own, and the same whenever they are read again', () => {
  const read = (lines: readonly string[]) => lines.map(createLineTimes());
  const lines = [...Array<string>(1_200).fill('2026-11-26T10:00:00+02:00'), '2026-11-26T10:00:01+02:00'];
  const times = read(lines);
  assert.deepEqual(times, times.toSorted());
  assert.equal(new Set(times).size, times.length);
  assert.deepEqual(read(lines), times);
  assert.equal(times[1], '2026-11-26T08:00:00.001000000Z');
  assert.equal(times.at(-1), '2026-11-26T08:00:01.000000000Z');
  // A line without end is reported last, and late.
  assert.deepEqual(
    read(['2026-11-26T08:00:01Z', '2026-11-26T08:00:00Z']).at(-1),
    '2026-11-26T08:00:01.001000000Z',
  );
  assert.deepEqual(read(['2026-11-26T08:00:00.5Z']), ['2026-11-26T08:00:00.5Z']);
});

test('a time is held against seconds with their fraction', () => {
  const at = '2026-11-26T08:00:00.5Z';
  const second = Date.parse(at) / 1_000 - 0.5;
  assert.equal(isEarlier(at, `${second}.500000001`), true);
  assert.equal(isEarlier(at, `${second}.5`), false);
  assert.equal(isEarlier(at, `${second}`), false);
  assert.equal(isEarlier(at, `${second + 1}`), true);
});
