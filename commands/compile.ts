import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

// Starts the server's bundle once, on a new embedded database, and stops it when it is ready: node then stores the
// bundle's compiled code in dist/compile-cache. The image's build runs it (Dockerfile), because a container can't write
// to its own files.

const MAIN = join(import.meta.dirname, '../server/main.js');
const READY = /"msg":"Simcha is ready/;

const folder = await mkdtemp(join(tmpdir(), 'simcha-compile-'));
try {
  const { PATH } = process.env;
  const server = spawn(process.execPath, [MAIN], {
    env: { PATH, DATA_DIR: folder, PORT: '0', HOSTING: 'off', LOG_FORMAT: 'json' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(server, 'exit');
  let isReady = false;
  for await (const line of createInterface(server.stdout)) {
    if (!READY.test(line)) continue;
    isReady = true;
    server.kill();
  }
  await ended;
  if (!isReady) throw new Error('the server ended before it was ready');
} finally {
  await rm(folder, { recursive: true, force: true });
}
