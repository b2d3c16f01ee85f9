import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../../../test/support/until.ts';

const TOKEN = 'a-token-of-tests';

/** Starts the helper as a cluster does, but without a cluster. */
async function startHelper() {
  const program = await readFile(new URL('cluster-helper.cjs', import.meta.url), 'utf8');
  const port = await freePort();
  const env = { PATH: process.env.PATH, HELPER_TOKEN: TOKEN, HELPER_PORT: String(port) };
  const child = spawn('node', ['--eval', program], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = once(child, 'close');
  const ask = async (command: readonly string[], body = '', token: string | undefined = TOKEN) => {
    const told = Buffer.from(JSON.stringify(command)).toString('base64');
    const headers = { 'simcha-command': told, ...(token !== undefined && { 'simcha-token': token }) };
    const sent = request({ port, host: '127.0.0.1', method: 'POST', headers, agent: false });
    sent.end(body);
    const [answer] = await once(sent, 'response');
    const text = String(await buffer(answer));
    const { 'simcha-code': code, 'simcha-error-output': said = '' } = answer.trailers;
    return { status: answer.statusCode, text, code, said: String(Buffer.from(said, 'base64')) };
  };
  while (!(await ask(['true']).catch(() => undefined))) await sleep(20);
  return {
    child,
    ended,
    ask,
    port,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

test('a helper runs commands to their end, and answers with their output and exit code', async () => {
  await using helper = await startHelper();
  assert.deepEqual(await helper.ask(['cat'], 'שלום'), { status: 200, text: 'שלום', code: '0', said: '' });
  const failed = await helper.ask(['/bin/sh', '-c', 'echo out; echo "$1" >&2; exit 3', 'sh', 'a; "word"']);
  assert.deepEqual(failed, { status: 200, text: 'out\n', code: '3', said: 'a; "word"\n' });
  const none = await helper.ask(['/no/such/program'], 'x'.repeat(1_000_000));
  assert.notEqual(none.code, '0');
  assert.match(none.said, /ENOENT/);
  // The helper's own variables are hidden from its commands.
  assert.doesNotMatch((await helper.ask(['env'])).text, /HELPER_/);
  helper.child.kill('SIGTERM');
  assert.deepEqual(await helper.ended, [0, null]);
});

test('a helper runs nothing without its token', async () => {
  await using helper = await startHelper();
  await using folder = await mkdtempDisposable(join(tmpdir(), 'simcha-helper-'));
  for (const token of ['', 'another', `${TOKEN}x`, TOKEN.slice(1)]) {
    const answer = await helper.ask(['touch', join(folder.path, 'done')], '', token);
    assert.deepEqual([answer.status, answer.text, answer.code], [403, '', undefined]);
  }
  await assert.rejects(readFile(join(folder.path, 'done')), { code: 'ENOENT' });
  assert.equal((await helper.ask(['touch', join(folder.path, 'done')])).code, '0');
  assert.equal(await readFile(join(folder.path, 'done'), 'utf8'), '');
});

test('a command of a helper ends with its request, and so do the processes that it has started', async () => {
  await using helper = await startHelper();
  await using folder = await mkdtempDisposable(join(tmpdir(), 'simcha-helper-'));
  const noted = join(folder.path, 'pid');
  const script = 'sleep 1000 & echo $! >"$1"; wait';
  const told = Buffer.from(JSON.stringify(['/bin/sh', '-c', script, 'sh', noted])).toString('base64');
  const headers = { 'simcha-command': told, 'simcha-token': TOKEN };
  // The body never ends, as when the caller is killed meanwhile.
  const sent = request({ port: helper.port, host: '127.0.0.1', method: 'POST', headers, agent: false });
  sent.on('error', () => {}).write('a part');
  const pid = () => readFile(noted, 'utf8').catch(() => '');
  await until(async () => (await pid()) !== '');
  const command = async () => readFile(`/proc/${(await pid()).trim()}/cmdline`, 'utf8').catch(() => '');
  assert.notEqual(await command(), '');
  sent.destroy();
  await until(async () => (await command()) === '');
  assert.equal((await helper.ask(['true'])).code, '0');
});
