import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { query, startServer, temporaryDatabase } from './support/server.ts';

const ROOT = new URL('..', import.meta.url).pathname;
const run = promisify(execFile);

test('the demo plays a dozen events up to today, sends nothing, and starts over when it is run again', async () => {
  await using database = await temporaryDatabase('postgres');
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, ...database.env, PUBLIC_URL: 'https://simcha.example.com' };
  const play = () => run(process.execPath, ['commands/demo.ts'], { cwd: ROOT, env });
  await play();
  const { stdout, stderr } = await play();
  assert.equal(stderr, '');
  assert.match(stdout, /^12 events, 3,000 guests and \d+ bookings for the organizer "demo"\.$/m);
  assert.match(stdout, /^A guest of the wedding answers at https:\/\/simcha\.example\.com\/r\/[\w-]{43}$/m);
  assert.match(
    stdout,
    /^A calendar program follows all of it at https:\/\/simcha\.example\.com\/c\/[\w-]{43}\.ics$/m,
  );
  const [kept] = await query(
    database.env.DATABASE_URL ?? '',
    `select (select count(*)::integer from events) as events,
      (select array_agg(kind || ' ' || channel order by kind, channel) from rounds) as rounds,
      (select count(*)::integer from guests where waiting_order is not null) as waiting,
      (select array_agg(status order by status) from guest_requests) as requests,
      (select array_agg(size order by size) from pictures) as pictures,
      (select count(*)::integer from mails where status = 'queued') as queued`,
  );
  assert.deepEqual(kept, {
    events: 12,
    rounds: ['invitation by_hand', 'invitation mail', 'reminder mail', 'reminder phone'],
    waiting: 3,
    requests: ['declined', 'waiting', 'waiting'],
    pictures: ['large', 'preview', 'small'],
    queued: 0,
  });
});

test('a demo of sites whose data folder is not the server’s says what it waits for, and ends', async () => {
  await using server = await startServer('postgres', { env: { APPS_GIT_PROTOCOLS: 'file' } });
  await using other = await mkdtempDisposable(join(tmpdir(), 'simcha-demo-'));
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = {
    PATH,
    NODE_COMPILE_CACHE,
    DATA_DIR: other.path,
    PUBLIC_URL: server.url,
    APPS_GIT_PROTOCOLS: 'file',
  };
  const demo = run(process.execPath, ['commands/demo.ts', 'apps'], { cwd: ROOT, env });
  const outbox = RegExp.escape(join(other.path, 'outbox'));
  await assert.rejects(demo, ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => {
    assert.equal(code, 1);
    assert.match(
      stdout,
      new RegExp(`^waiting for the code mailed to demo-\\d+@example\\.com, in ${outbox}$`, 'm'),
    );
    assert.match(
      stderr,
      new RegExp(
        `^There is no code in ${outbox}: is this the DATA_DIR of the server at ${RegExp.escape(server.url)}\\? .+\\n$`,
      ),
    );
    return true;
  });
});
