import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposable, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { KEY, queryDatabase, SECRET, startServer, temporaryDatabase } from './support/server.ts';
import { newSession } from './support/sessions.ts';

const ROOT = new URL('..', import.meta.url).pathname;
const run = promisify(execFile);

test('the demo plays a dozen events up to today, sends nothing, and starts over when it is run again', async () => {
  await using database = await temporaryDatabase('postgres');
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const secrets = { ...database.env, ENCRYPTION_KEY: KEY };
  const env = { PATH, NODE_COMPILE_CACHE, ...secrets, PUBLIC_URL: 'https://simcha.example.com' };
  const play = () => run(process.execPath, ['commands/demo.ts'], { cwd: ROOT, env });
  await play();
  const { stdout, stderr } = await play();
  assert.equal(stderr, '');
  assert.match(stdout, /^12 events, 3,000 guests and \d+ bookings for the organizer demo@example\.com\.$/m);
  assert.match(stdout, /sign in as demo@example\.com at https:\/\/simcha\.example\.com$/m);
  assert.match(stdout, /^A guest of the wedding answers at https:\/\/simcha\.example\.com\/r\/[\w-]{43}$/m);
  assert.match(
    stdout,
    /^A calendar program follows all of it at https:\/\/simcha\.example\.com\/c\/[\w-]{43}\.ics$/m,
  );
  const [kept] = await queryDatabase(
    database.env.DATABASE_URL ?? '',
    `select (select count(*)::integer from events) as events,
      (
        select array_agg(distinct kind || ' ' || channel || case when automatic then ' by itself' else '' end)
        from rounds
      ) as rounds,
      (select array_agg(distinct left_out) from round_guests join rounds on id = round_id where kind = 'moved_up') as unreached,
      (select count(*)::integer from guests where waiting_order is not null) as waiting,
      (select array_agg(status order by status) from guest_requests) as requests,
      (select array_agg(size order by size) from pictures) as pictures,
      (select count(*)::integer from mails where status = 'queued') as queued`,
  );
  assert.deepEqual(kept, {
    events: 12,
    rounds: [
      'accepted mail by itself',
      'cancellation mail',
      'change mail',
      'invitation by_hand',
      'invitation mail',
      'moved_up mail by itself',
      'reminder mail',
      'reminder phone',
      'save_the_date mail',
      'see_you mail by itself',
      'thanks mail',
    ],
    unreached: ['no_email'],
    waiting: 3,
    requests: ['declined', 'waiting', 'waiting'],
    pictures: ['large', 'preview', 'small'],
    queued: 0,
  });

  await using server = await startServer('postgres', { env: database.env });
  const { DATA_DIR: dataDir = '' } = database.env;
  const page = await newSession({ ...server, dataDir }, 'demo@example.com');
  const token = await server.token(page.userId);
  const read = async (path: string) => (await server.call('GET', `/api/events${path}`, { token })).body;
  const { events } = await read('?limit=20');
  const idOf = (title: string) => events.find((one: { title: string }) => one.title === title).id;
  const wedding = idOf('החתונה של נועה ואיתי');
  const warnings = async (id: string): Promise<string[]> =>
    (await read(`/${id}/warnings`)).warnings.map(({ code }: { code: string }) => code);
  const codes = await warnings(wedding);
  assert.deepEqual(
    ['kashrut_too_low', 'past_curfew', 'payment_overdue'].filter((code) => !codes.includes(code)),
    [],
  );
  for (const title of ['החתונה של הדס ויונתן', 'Maya & Daniel’s Wedding'])
    assert.ok((await warnings(idOf(title))).includes('booked_twice'), title);
  const caterer = await server.call('GET', `/api/events/${wedding}/guests/caterer/csv`, { token });
  assert.match(caterer.text, /גלוטן/);
  const { guests } = await read(`/${idOf('TLV Web Conference')}/guests?limit=5`);
  assert.ok(guests.every(({ company, role }: Record<string, string | null>) => company && role));
  const atWedding = await read(`/${wedding}/guests?limit=1000`);
  assert.ok(atWedding.guests.some((guest: { max_plus_ones: number | null }) => guest.max_plus_ones === 1));
});

test('the demo of sites deploys the examples, with a worker and a preview', async (t) => {
  await using server = await startServer('postgres', { env: { APPS_GIT_PROTOCOLS: 'file' } });
  t.after(() => rm(`${server.dataDir}-demo`, { recursive: true, force: true }));
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = {
    PATH,
    NODE_COMPILE_CACHE,
    DATA_DIR: server.dataDir,
    PUBLIC_URL: server.url,
    JWT_SECRET: SECRET,
    ENCRYPTION_KEY: KEY,
    APPS_GIT_PROTOCOLS: 'file',
  };
  const { stdout } = await run(process.execPath, ['commands/demo.ts', 'apps'], { cwd: ROOT, env });
  const lines = ['Save the date +live', 'The menu +live', '… a preview of it +live', 'The invitation +live'];
  for (const line of lines) assert.match(stdout, new RegExp(`^${line} in [\\d.]+ s +http://`, 'm'));
  assert.match(stdout, /^… its worker +has counted what guests like: \{"עוגת החתונה":1\}$/m);
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

test('a demo whose port somebody has, who need not answer, says so before it begins', async (t) => {
  const other = createServer().listen(0, '127.0.0.1');
  t.after(() => other.close());
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  await using folder = await mkdtempDisposable(join(tmpdir(), 'simcha-demo-'));
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, DATA_DIR: folder.path, PORT: String(port) };
  const taken = `PORT is ${port}, which is already in use at 127.0.0.1; set another one, or stop the process that listens there.\n`;
  for (const [what, said] of [
    ['cluster', taken],
    ['apps', `Simcha can’t start: ${taken}`],
  ] as const) {
    const demo = run(process.execPath, ['commands/demo.ts', what], { cwd: ROOT, env });
    await assert.rejects(demo, ({ code, stderr }: { code: number; stderr: string }) => {
      assert.deepEqual([code, stderr], [1, said]);
      return true;
    });
  }
});
