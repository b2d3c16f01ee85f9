import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commandLine } from '../support/command-line.ts';
import { ANY_DATABASE } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { testInLane as test } from '../support/test-in-lane.ts';
import { HOSTING } from './settings.ts';

test('an organizer creates an event, imports guests, publishes it, invites and cancels', async () => {
  await using server = await sharedServer(ANY_DATABASE, HOSTING);
  const token = await server.token('organizer-of-the-command-line');
  await using simcha = await commandLine({ SIMCHA_URL: server.url, SIMCHA_TOKEN: token });
  const { ok, run } = simcha;
  const create = ['events', 'create', '--date', '2099-06-15T19:30', '--venue', 'גן אירועים'];
  await ok(...create, 'החתונה של נועה', '--guests', '320', '--budget', '185000');
  await ok(...create, 'Noa’s brit');
  await ok(...create, 'Dana’s brit');
  assert.equal((await run(['events', 'create', 'Without a date'])).code, 2);
  const several = await run(['events', 'show', 'brit']);
  assert.deepEqual([several.code, /Dana’s brit/.test(several.stderr)], [2, true]);
  assert.equal((await run(['events', 'show', 'nothing'])).code, 4);
  const { event } = JSON.parse(await ok('events', 'show', 'נועה', '--json'));
  assert.deepEqual([event.title, event.max_guests, event.budget], ['החתונה של נועה', 320, 185000]);

  const file = (name: string, text: string) => writeFile(join(simcha.folder, name), text);
  await file('good.csv', 'name,email,party_size\nנועה,noa@example.com,2\nDana,dana@example.com,3\n');
  await file('bad.csv', 'name,phone\nMoshe,12\n');
  const refused = await run(['guests', 'import', 'נועה', 'bad.csv']);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /\n2\tMoshe\tPhone/);
  assert.equal(await ok('guests', 'import', 'נועה', 'good.csv', '--dry-run'), 'Would be: 2 created.\n');
  assert.equal(await ok('guests', 'import', 'נועה', 'good.csv'), '2 created.\n');
  assert.match(await ok('guests', 'list', 'נועה'), /^Dana\tpending\t3\t0\t\tdana@example\.com\t$/m);
  assert.match(await ok('guests', 'export', 'נועה'), /dana@example\.com/);

  assert.equal((await run(['invite', 'נועה', '--dry-run'])).code, 1);
  await ok('events', 'publish', 'נועה', '--yes');
  assert.equal(await ok('invite', 'נועה', '--dry-run'), 'invitation by mail: 2 guests.\n');
  assert.equal((await run(['invite', 'נועה'])).code, 2);
  const sent = JSON.parse(await ok('invite', 'נועה', '--yes', '--json'));
  assert.equal(sent.round.kind, 'invitation');

  assert.match(await ok('checklist', 'נועה'), /^open\t\d{4}-/m);
  assert.match(await ok('budget', 'נועה'), /^left\t₪185,000$/m);
  const copy = JSON.parse(await ok('events', 'duplicate', 'נועה', '--title', 'A copy', '--json'));
  assert.equal(copy.event.title, 'A copy');
  assert.equal((await run(['events', 'cancel', 'נועה'])).code, 2);
  await ok('events', 'cancel', 'נועה', '--yes');
  assert.match(await ok('events', '--status', 'cancelled'), /^החתונה של נועה\tcancelled\t/);
});
