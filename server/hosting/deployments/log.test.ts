import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createDeploymentLogs } from './log.ts';

const CLOCK = () => Temporal.Instant.from('2026-11-21T08:00:00Z');
const NEVER = new AbortController().signal;
const PREFIX = '2026-11-21T08:00:00.000Z';

async function open() {
  const dataDir = await mkdtemp(join(tmpdir(), 'simcha-log-'));
  return {
    dataDir,
    logs: createDeploymentLogs(dataDir, CLOCK),
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
  const later = createDeploymentLogs(at.dataDir, CLOCK);
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
  for (let i = 0; i < 700; i += 1) log.write('x'.repeat(7_000));
  await log.step('start', async () => {});
  await log.close();
  const text = await at.logs.read('app', 'one');
  assert.ok(text.length < 4.1 * 2 ** 20);
  assert.match(
    text,
    /more output than is kept; the rest of it is left out\.\n.*\[start\] …\n.*\[start\] done/,
  );
});
