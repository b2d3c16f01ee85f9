import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { test } from 'node:test';
import { checkArchive } from './archive-check.ts';

const MOST = 4_096;
const END = 1_024;

/** Archive of so many bytes, in pieces; `end` is the number of empty bytes at its end. */
function archiveOf(bytes: number, end = END): Buffer[] {
  const content = Buffer.concat([Buffer.alloc(bytes - end, 'x'), Buffer.alloc(end)]);
  return Array.from({ length: Math.ceil(bytes / 700) }, (_, index) =>
    content.subarray(index * 700, (index + 1) * 700),
  );
}

/** Checks an archive. Returns the number of bytes that were passed on and read, and the error. */
async function check(chunks: readonly Buffer[]) {
  let read = 0;
  let passed = 0;
  const source = Readable.from(
    (function* () {
      for (const chunk of chunks) {
        read += chunk.length;
        yield chunk;
      }
    })(),
    { highWaterMark: 1 },
  );
  const checking = checkArchive(MOST, () => new Error('too large'));
  checking.on('data', (chunk: Buffer) => {
    passed += chunk.length;
  });
  const error = await pipeline(source, checking).then(
    () => undefined,
    ({ message }) => message,
  );
  return { read, passed, error };
}

for (const [name, chunks, expected] of [
  ['an archive at the limit is passed on', archiveOf(MOST), { read: MOST, passed: MOST, error: undefined }],
  [
    'an archive that is cut off in its end is refused',
    archiveOf(2_048, END - 1),
    { read: 2_048, passed: 2_048, error: 'the archive has no end' },
  ],
  ['an empty archive is refused', [], { read: 0, passed: 0, error: 'the archive has no end' }],
] as const) {
  test(name, async () => assert.deepEqual(await check(chunks), expected));
}

test('an archive over the limit is read to its end, and then refused', async () => {
  const { read, passed, error } = await check(archiveOf(2 * MOST));
  assert.deepEqual([read, error], [2 * MOST, 'too large']);
  assert.ok(passed <= MOST);
});

test('an archive of more than twice the limit is not read to its end', async () => {
  const { read, error } = await check(archiveOf(20 * MOST));
  assert.equal(error, 'too large');
  assert.ok(read < 4 * MOST, String(read));
});
