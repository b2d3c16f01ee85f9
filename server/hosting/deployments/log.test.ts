import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pino } from 'pino';
import { until } from '../../../test/support/until.ts';
import { createDeploymentLogs } from './log.ts';

const CLOCK = () => Temporal.Instant.from('2026-11-21T08:00:00Z');
const NEVER = new AbortController().signal;
const PREFIX = '2026-11-21T08:00:00.000Z';

async function open() {
  const dataDir = await mkdtemp(join(tmpdir(), 'simcha-log-'));
  const told: { msg: string; err: { code: string } }[] = [];
  const log = pino({}, { write: (line) => void told.push(JSON.parse(line)) });
  return {
    dataDir,
    /** What the server's own log says. */
    told,
    log,
    logs: createDeploymentLogs(dataDir, CLOCK, log),
    [Symbol.asyncDispose]: () => rm(dataDir, { recursive: true, force: true }),
  };
}

async function all(lines: AsyncGenerator<{ id: number; line: string }>): Promise<string[]> {
  const found = [];
  for await (const { id, line } of lines) found.push(`${id} ${line.slice(PREFIX.length + 1)}`);
  return found;
}

test('a follower gets every line from the first to the end, however early it comes', async () => {
  await using at = await open();
  let over = false;
  const following = all(at.logs.follow('app', 'one', 0, async () => over, NEVER));
  const log = await at.logs.open('app', 'one', (line) => line.replace('secret', '•'));
  log.write('the secret');
  await log.step('build', async () => log.write('\x1b[32mgreen\x1b[0m'));
  const late = all(at.logs.follow('app', 'one', 2, async () => over, NEVER));
  log.write('last');
  over = true;
  await log.close();
  at.logs.end('one');
  const lines = await following;
  assert.deepEqual(
    lines.map((line) => line.replace(/\d+\.\d\d s/, 'a while')),
    ['1 [deploy] the •', '2 [build] …', '3 [build] green', '4 [build] done in a while', '5 [deploy] last'],
  );
  assert.deepEqual(await late, lines.slice(2));
});

test('a log is read after its end, goes on after a restart, and is followed from where a client lost it', async () => {
  await using at = await open();
  const first = await at.logs.open('app', 'one', (line) => line);
  first.write('before');
  await first.close();
  const later = createDeploymentLogs(at.dataDir, CLOCK, at.log);
  assert.equal(await later.read('app', 'one'), `${PREFIX} [deploy] before\n`);
  const second = await later.open('app', 'one', (line) => line);
  second.write('after');
  await second.close();
  later.end('one');
  assert.equal(await later.read('app', 'one'), `${PREFIX} [deploy] before\n${PREFIX} [deploy] after\n`);
  assert.deepEqual(await all(later.follow('app', 'one', 1, async () => true, NEVER)), ['2 [deploy] after']);
});

test('the last words reach a follower who came when the end was on record already', async () => {
  await using at = await open();
  const log = await at.logs.open('app', 'one', (line) => line);
  const following = all(at.logs.follow('app', 'one', 0, async () => true, NEVER));
  log.write('live at last');
  await log.close();
  at.logs.end('one');
  assert.deepEqual(await following, ['1 [deploy] live at last']);
});

test('a build that writes without end keeps its first 4 MiB, and what the pipeline says after it', async () => {
  await using at = await open();
  const log = await at.logs.open('app', 'one', (line) => line);
  for (let i = 0; i < 700; i += 1) log.output(['x'.repeat(7_000)]);
  await log.step('start', async () => {});
  await log.close();
  const text = await at.logs.read('app', 'one');
  assert.ok(text.length < 4.1 * 2 ** 20);
  assert.match(
    text,
    /more output than is kept; the rest of it is left out\.\n.*\[start\] …\n.*\[start\] done/,
  );
});

test('a log whose folder is taken away while it is written is whole again by its end, and says so', async () => {
  await using at = await open();
  const log = await at.logs.open('app', 'one', (line) => line);
  log.write('before');
  await until(() => existsSync(join(at.dataDir, 'logs/app/one.log')));
  await rm(join(at.dataDir, 'logs'), { recursive: true });
  log.write('into nothing');
  await until(() => at.told.length > 0);
  log.write('and after');
  await log.close();
  const lines = (await at.logs.read('app', 'one')).split('\n').map((line) => line.slice(PREFIX.length + 1));
  assert.deepEqual(lines, [
    ...['before', 'into nothing', 'and after'].map((text) => `[deploy] ${text}`),
    '[deploy] This log could not be written for a while (ENOENT); all of its lines are here again.',
    '',
  ]);
  assert.deepEqual(
    at.told.map(({ msg, err }) => [msg, err.code]),
    [['the log of a deployment can’t be written', 'ENOENT']],
  );
});

test('a log that can be written nowhere costs its lines alone, and is told of once', async () => {
  await using at = await open();
  // A file where the folder would be: nothing can be written below it, whoever we are.
  await writeFile(join(at.dataDir, 'logs'), '');
  const log = await at.logs.open('app', 'one', (line) => line);
  const following = all(at.logs.follow('app', 'one', 0, async () => true, NEVER));
  log.write('to whom it may concern');
  await log.close();
  at.logs.end('one');
  assert.deepEqual(await following, ['1 [deploy] to whom it may concern']);
  assert.equal(await at.logs.read('app', 'one'), '');
  assert.deepEqual(
    at.told.map(({ msg }) => msg),
    ['the log of a deployment can’t be written'],
  );
});

test('a log on a full disk goes on in memory, and costs nothing once there is room again', async () => {
  await using at = await open();
  const path = join(at.dataDir, 'logs/app/one.log');
  const log = await at.logs.open('app', 'one', (line) => line);
  await symlink('/dev/full', path);
  log.write('no room');
  await until(() => at.told.length > 0);
  assert.equal(at.told[0]?.err.code, 'ENOSPC');
  await rm(path);
  log.write('room');
  await log.close();
  assert.match(
    await readFile(path, 'utf8'),
    /no room\n.* room\n.*\(ENOSPC\); all of its lines are here again\.\n$/,
  );
});

test('half a line that a full disk took is made whole', async () => {
  await using at = await open();
  const path = join(at.dataDir, 'logs/app/one.log');
  const log = await at.logs.open('app', 'one', (line) => line);
  log.write('first');
  await until(() => existsSync(path));
  await rm(path);
  await mkdir(path);
  log.write('second');
  await until(() => at.told.length > 0);
  await rm(path, { recursive: true });
  await writeFile(path, `${PREFIX} [deploy] first\n${PREFIX} [deploy] sec`);
  await log.close();
  const text = await readFile(path, 'utf8');
  assert.match(text, /first\n\S+ \[deploy\] second\n\S+ \[deploy\] This log could not be written/);
});
