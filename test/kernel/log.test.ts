import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

test('a process ends though whoever read its output is gone', async () => {
  const program = `
    const { createLogger } = await import(${JSON.stringify(import.meta.resolve('../../server/kernel/log.ts'))});
    const log = createLogger({ logLevel: 'info', logFormat: 'json' });
    process.stdin.once('data', () => {
      log.info('nobody reads this');
      process.exit(7);
    });
    process.stderr.write('ready');`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    timeout: 20_000,
    killSignal: 'SIGKILL',
  });
  const exit = once(child, 'exit');
  await once(child.stderr, 'data');
  child.stdout.destroy();
  child.stdin.end('go');
  assert.deepEqual(await exit, [7, null]);
});

test('a single line is written without waiting for others, also after a time without any', async () => {
  const program = `
    const { createLogger } = await import(${JSON.stringify(import.meta.resolve('../../server/kernel/log.ts'))});
    const log = createLogger({ logLevel: 'info', logFormat: 'json' });
    log.info('first');
    process.stdin.on('data', () => log.info('next'));`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { timeout: 20_000 });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const nextLine = async () => JSON.parse((await lines.next()).value ?? '{}').msg;
  assert.equal(await nextLine(), 'first');
  for (let turn = 0; turn < 2; turn += 1) {
    await sleep(1_200);
    child.stdin.write('go');
    assert.equal(await nextLine(), 'next');
  }
  child.kill();
});
