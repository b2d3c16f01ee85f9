import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newApplication } from '../support/deployed.ts';
import { newDeveloper } from '../support/developers.ts';
import { createRepository } from '../support/git.ts';
import { startServer } from '../support/server.ts';
import { until } from '../support/until.ts';

test('a developer’s many slow starts and builds keep nobody else waiting for all of them', async () => {
  await using silent = await createRepository({
    'package.json': '{"scripts":{"start":"sleep 600"}}',
  });
  await using slow = await createRepository({
    'index.html': 'built',
    'package.json': '{"scripts":{"build":"until [ -f enough ]; do sleep 0.1; done"}}',
  });
  await using quick = await createRepository({ 'index.html': 'here' });
  await using server = await startServer('postgres', {
    env: { APPS_GIT_PROTOCOLS: 'file', APPS_CONCURRENCY: '1', APPS_HEALTH_SECONDS: '300' },
  });
  const [many, one] = [await newDeveloper(server), await newDeveloper(server)];
  const newOne = (who: typeof one, { address }: typeof quick) =>
    newApplication(who.call, server.url, address);
  const stateOf = async (app: Awaited<ReturnType<typeof newOne>>, id: string) => {
    const { status, reason_code } = await app.record(id);
    return `${status} ${reason_code}`;
  };

  const starts = await newOne(many, silent);
  const started = await starts.ask();
  await until(async () => (await stateOf(starts, started)) === 'starting null');
  const builds = [await newOne(many, slow), await newOne(many, slow)] as const;
  const [first, second] = [await builds[0].ask(), await builds[1].ask()];
  await until(async () => (await stateOf(builds[0], first)) === 'building null');
  const app = await newOne(one, quick);
  const id = await app.ask();
  assert.equal(await stateOf(builds[1], second), 'queued place_to_build');
  assert.equal(await stateOf(app, id), 'queued place_to_build');
  const next = await builds[0].ask();
  assert.equal(await stateOf(builds[0], next), 'queued earlier_deployment');

  await builds[0].call('POST', `/deployments/${first}/cancel`);
  await app.expect(id, 'live');
  assert.equal(await stateOf(starts, started), 'starting null');
  const ended = await Promise.all([
    starts.call('POST', `/deployments/${started}/cancel`),
    builds[0].call('POST', `/deployments/${next}/cancel`),
    builds[1].call('POST', `/deployments/${second}/cancel`),
  ]);
  assert.ok(ended.every(({ status }) => status === 202));
});
