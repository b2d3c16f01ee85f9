import assert from 'node:assert/strict';
import { commandLine } from '../support/command-line.ts';
import { newDeveloper } from '../support/developers.ts';
import { ANY_DATABASE } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { testInLane as test } from '../support/test-in-lane.ts';
import { startReceiver, verified } from '../support/webhook-receiver.ts';
import { HOSTING } from './settings.ts';

test('webhooks are added, tried, read, replayed and removed', async () => {
  await using server = await sharedServer(ANY_DATABASE, { ...HOSTING, WEBHOOKS_ALLOW_PRIVATE_HOSTS: 'true' });
  await using receiver = await startReceiver();
  const developer = await newDeveloper(server);
  await using simcha = await commandLine({ SIMCHA_URL: server.url, SIMCHA_TOKEN: developer.apiKey });
  assert.equal(await simcha.ok('webhooks'), '');
  const kinds = ['--kind', 'event.created', 'event.changed'];
  const secret = (await simcha.ok('webhooks', 'add', receiver.url, ...kinds, '--description', 'CRM')).trim();
  assert.match(secret, /^whsec_/);
  assert.match(await simcha.ok('webhooks'), /^\S+\thttp:\S+\ton\tevent.created, event.changed\t\tCRM$/m);

  assert.match(await simcha.ok('webhooks', 'test', '/hook'), /^answer\t204$/m);
  verified(secret, receiver.received[0] as (typeof receiver.received)[0]);
  receiver.answers.push(500);
  const failing = await simcha.run(['webhooks', 'test', '/hook']);
  assert.deepEqual([failing.code, /^state\tfailed$/m.test(failing.stdout)], [1, true], failing.stdout);

  const list = await simcha.ok('webhooks', 'deliveries', '/hook', '--state', 'failed');
  const [, number = ''] = /^(\d+)\twebhook.test\tfailed\t500\t1\t/m.exec(list) ?? [];
  assert.match(await simcha.ok('webhooks', 'deliveries', '/hook', number), /"type": "webhook.test"/);
  const replayed = await simcha.ok('webhooks', 'replay', '/hook', number);
  assert.match(replayed, /^state\twaiting\ntries\t0$/m);
  await receiver.messages(3);
  assert.equal(receiver.received[2]?.id, receiver.received[1]?.id);
  assert.equal((await simcha.ok('webhooks', 'replay', '/hook', '--since', '1h')).trim(), '0 sent again');
  assert.equal((await simcha.run(['webhooks', 'replay', '/hook'])).code, 2);

  assert.notEqual((await simcha.ok('webhooks', 'rotate', '/hook', '--yes')).trim(), secret);
  assert.match(await simcha.ok('webhooks', 'show', '/hook'), /^kinds\tevent.created, event.changed$/m);
  await simcha.ok('webhooks', 'remove', '/hook', '--yes');
  const gone = await simcha.run(['webhooks', 'show', '/hook']);
  assert.deepEqual([gone.code, /no webhook/.test(gone.stderr)], [4, true]);
});
