import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';

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
