import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempDisposable } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectToEngine } from './connection.ts';
import { createEngine } from './engine.ts';
import { EngineAway } from './errors.ts';

const NEVER = new AbortController().signal;
const LIMIT_MS = 200;

/** Engine that tells its version, and answers nothing else. */
async function openSilentEngine() {
  const folder = await mkdtempDisposable(join(tmpdir(), 'simcha-engine-'));
  const socket = join(folder.path, 'engine.sock');
  const server = createServer((request, response) => {
    if (request.url === '/version') response.end('{"ApiVersion":"1.44"}');
  }).listen(socket);
  await once(server, 'listening');
  const connection = await connectToEngine(socket, NEVER, LIMIT_MS);
  return {
    engine: createEngine(connection),
    async [Symbol.asyncDispose]() {
      connection.close();
      server.closeAllConnections();
      server.close();
      await folder.remove();
    },
  };
}

test('calls without an answer fail in time, with or without a stream', async () => {
  await using at = await openSilentEngine();
  const { engine } = at;
  const calls = {
    inspect: () => engine.inspect('a', NEVER),
    create: () => engine.create('a', { Image: 'a', Labels: {}, HostConfig: {} }, NEVER),
    entryOf: () => engine.entryOf('a', '/', NEVER),
    greet: () => engine.greet(NEVER),
    files: () => engine.files('a', '/', NEVER),
    usage: () => engine.usage(NEVER),
  };
  const late = /^no answer within 0.2 s$/;
  for (const [name, call] of Object.entries(calls))
    await assert.rejects(
      call(),
      (error: Error) => error instanceof EngineAway && late.test(error.message),
      name,
    );
});

test('calls that may take long end by their signal alone', async () => {
  await using at = await openSilentEngine();
  const { engine } = at;
  const over = new AbortController();
  const ended: string[] = [];
  const calls = {
    wait: engine.wait('a', over.signal),
    pull: engine.pull('a', over.signal),
    logs: Array.fromAsync(engine.logs('a', undefined, over.signal)),
    events: Array.fromAsync(engine.events({}, over.signal)),
  };
  const results = Object.entries(calls).map(([name, call]) =>
    assert.rejects(
      call.finally(() => ended.push(name)),
      /^Error: enough$/,
    ),
  );
  await sleep(2 * LIMIT_MS);
  assert.deepEqual(ended, []);
  over.abort(new Error('enough'));
  await Promise.all(results);
});
