import assert from 'node:assert/strict';
import { newApplication } from '../support/deployed.ts';
import { newDeveloper } from '../support/developers.ts';
import { createRepository } from '../support/git.ts';
import { startServer } from '../support/server.ts';
import { testInLane } from '../support/test-in-lane.ts';
import { until } from '../support/until.ts';

testInLane(
  'a developer’s many slow starts and builds keep nobody waiting who builds nothing, and nobody else who builds',
  async () => {
    await using silent = await createRepository({
      'package.json': '{"scripts":{"start":"sleep 600"}}',
    });
    await using slow = await createRepository({
      'package.json': JSON.stringify({
        scripts: { build: '[ "$WORD" != later ] || echo it has the newest; sleep 600' },
      }),
    });
    await using quick = await createRepository({ 'index.html': 'here' });
    await using built = await createRepository({
      'package.json': '{"scripts":{"build":"echo built > index.html"}}',
    });
    await using server = await startServer('postgres', {
      env: { APPS_GIT_PROTOCOLS: 'file', APPS_CONCURRENCY: '2', APPS_HEALTH_SECONDS: '300' },
    });
    const [many, one] = [await newDeveloper(server), await newDeveloper(server)];
    const newOne = (who: typeof one, { address }: typeof quick) =>
      newApplication(who.call, server.url, address);
    const stateOf = async (app: Awaited<ReturnType<typeof newOne>>, id: string) => {
      const { status, reason_code } = await app.record(id);
      return `${status} ${reason_code}`;
    };
    const becomes = (app: Awaited<ReturnType<typeof newOne>>, id: string, state: string) =>
      until(async () => (await stateOf(app, id)) === state);

    const starts = await newOne(many, silent);
    const started = await starts.ask();
    await becomes(starts, started, 'starting null');
    const builds = [await newOne(many, slow), await newOne(many, slow), await newOne(many, slow)] as const;
    const first = await builds[0].ask();
    await until(async () => /\[build\] \$/.test(await builds[0].log(first)));
    const [second, third] = [await builds[1].ask(), await builds[2].ask()];
    await becomes(builds[1], second, 'queued place_to_build');
    await becomes(builds[2], third, 'queued place_to_build');
    assert.match(await builds[1].log(second), /waiting for a free build slot\n/);

    // What builds nothing needs no place, whoever asks.
    const own = await newOne(many, quick);
    await own.deploy();
    for (const action of ['restart', 'stop', 'start']) {
      const { status, body } = await own.call('POST', `/${action}`);
      assert.ok(status < 300, action);
      if (body?.deployment_uuid) await own.expect(body.deployment_uuid, 'live');
    }
    assert.equal((await builds[1].call('GET', '/plan')).status, 200);
    // One place is always another’s.
    const app = await newOne(one, built);
    assert.equal((await app.call('GET', '/plan')).status, 200);
    await app.deploy();
    assert.equal((await app.visit()).text.trim(), 'built');

    // While it waits it is as any that is queued.
    const newer = await builds[1].ask();
    await builds[1].expect(second, 'superseded');
    await becomes(builds[1], newer, 'queued place_to_build');
    await builds[2].call('POST', `/deployments/${third}/cancel`);
    await builds[2].expect(third, 'cancelled');
    assert.doesNotMatch(await builds[2].log(third), /\[build\]/);
    await builds[1].call('PATCH', '/env', { WORD: 'later' });
    const next = await builds[0].ask();
    assert.equal(await stateOf(builds[0], next), 'queued earlier_deployment');
    await builds[0].call('POST', `/deployments/${next}/cancel`);
    await builds[0].call('POST', `/deployments/${first}/cancel`);
    await until(async () => /it has the newest$/m.test(await builds[1].log(newer)));
    const { history } = await builds[1].record(newer);
    assert.deepEqual(
      history.map(({ status }: { status: string }) => status),
      ['queued', 'building', 'queued', 'building'],
    );
    await builds[1].call('POST', `/deployments/${newer}/cancel`);
    await builds[1].expect(newer, 'cancelled');
    assert.equal(await stateOf(starts, started), 'starting null');
    assert.equal((await starts.call('POST', `/deployments/${started}/cancel`)).status, 202);
  },
);
