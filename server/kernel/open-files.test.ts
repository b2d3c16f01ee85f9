import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLogger } from './log.ts';
import { isOutOfFiles, parseFileLimit, watchOpenFiles } from './open-files.ts';

const limitsOf = (most: number) =>
  `Limit                     Soft Limit           Hard Limit           Units\nMax open files            ${most}                 ${most}                 files\n`;

function loggedBy() {
  const lines: string[] = [];
  const log = createLogger({ logLevel: 'info', logFormat: 'json' }, { write: (line) => lines.push(line) });
  return { log, messages: () => lines.map((line) => JSON.parse(line).msg as string) };
}

test('the limit is read as the kernel writes it', () => {
  assert.equal(parseFileLimit(limitsOf(1024)), 1024);
  assert.equal(
    parseFileLimit('Max open files            unlimited            unlimited            files'),
    undefined,
  );
  assert.equal(parseFileLimit(''), undefined);
});

test('few files are told at the start, enough are not', () => {
  for (const [most, told] of [
    [64, 1],
    [4_095, 1],
    [4_096, 0],
  ] as const) {
    const { log, messages } = loggedBy();
    watchOpenFiles({ log, limits: () => limitsOf(most) }).stop();
    assert.equal(messages().length, told, String(most));
    if (told) assert.match(messages()[0] ?? '', new RegExp(`may have ${most} files .*ulimit -n`));
  }
});

test('that none is left is told once, whether they can be counted or not', async () => {
  for (const open of [
    async () => 9_995,
    async () => {
      throw Object.assign(new Error('too many'), { code: 'EMFILE' });
    },
  ]) {
    const { log, messages } = loggedBy();
    const watch = watchOpenFiles({ log, limits: () => limitsOf(10_000), open });
    await watch.look();
    await watch.look();
    watch.stop();
    assert.deepEqual(messages().length, 1);
    assert.match(messages()[0] ?? '', /no more files or connections can be opened \(10000\)/);
  }
  const { log, messages } = loggedBy();
  const calm = watchOpenFiles({ log, limits: () => limitsOf(10_000), open: async () => 9_000 });
  await calm.look();
  calm.stop();
  assert.deepEqual(messages(), []);
});

test('an error tells that files have run out, by its code or its number alone', () => {
  const errors = [
    { code: 'EMFILE' },
    { code: 'ENFILE' },
    { code: 'ERR_SYSTEM_ERROR', errno: 24 },
    { errno: -23 },
  ];
  assert.deepEqual(errors.map(isOutOfFiles), [true, true, true, true]);
  assert.equal(isOutOfFiles({ code: 'ENOENT', errno: -2 }), false);
});
