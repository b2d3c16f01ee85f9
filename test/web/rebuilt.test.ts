import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fastify } from 'fastify';
import { pino } from 'pino';
import { NOTHING } from '../../server/console/first-loads.ts';
import { serveConsole } from '../../server/console/routes.ts';

test('a console that is rebuilt under a running server is served with the new files', async () => {
  const built = await mkdtemp(join(tmpdir(), 'console-'));
  const build = async (name: string) => {
    await mkdir(join(built, 'assets'));
    await writeFile(join(built, 'assets', `${name}.js`), '');
    const script = `<script src="/console/assets/${name}.js"></script>`;
    await mkdir(join(built, '.vite'));
    await writeFile(join(built, '.vite/first-loads.json'), JSON.stringify(NOTHING));
    await writeFile(join(built, 'index.html'), `<html lang="en" dir="ltr">${script}</html>`);
  };
  await build('first');
  await using app = fastify();
  serveConsole({ app, setNotFoundPage() {} } as never, {
    log: pino({ level: 'silent' }),
    keepsMail: false,
    sessionCookie: { name: 'session' },
    built,
  });
  const shown = async () => (await app.inject('/today')).body;
  const status = async (name: string) => (await app.inject(`/console/assets/${name}.js`)).statusCode;
  assert.match(await shown(), /first\.js/);
  assert.equal(await status('first'), 200);
  await rm(built, { recursive: true });
  // In the middle of it there is nothing to read.
  assert.match(await shown(), /first\.js/);
  await mkdir(built);
  await build('second');
  assert.match(await shown(), /second\.js/);
  assert.deepEqual([await status('first'), await status('second')], [404, 200]);
  await rm(built, { recursive: true });
});
