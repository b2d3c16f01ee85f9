import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newAddress, newApplication, verifiedUser, versionSite } from '../support/deployed.ts';
import { createRepository } from '../support/git.ts';
import { ANY_DATABASE, startServer } from '../support/server.ts';
import { startTraceCollector } from '../support/trace-collector.ts';

test('a deployment continues the trace of its request, with its steps and its outcome', async () => {
  await using collector = await startTraceCollector();
  await using repository = await createRepository(versionSite('one'));
  const server = await startServer(ANY_DATABASE, {
    env: { APPS_GIT_PROTOCOLS: 'file', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
    stays: true,
  });
  const user = await verifiedUser(server.url, server.dataDir, newAddress());
  const app = await newApplication(user.call, server.url, repository.address);
  await app.call('PATCH', '/env', { PRIVATE: 'value-of-a-variable' });
  const live = await app.deploy();
  await repository.commit({ 'package.json': '{"scripts":{"build":"exit 3","start":"node server.js"}}' });
  const failed = await app.deploy('failed');
  await server.close();

  const deployment = (id: string) =>
    collector.spans.find(
      ({ name, attributes }) => name.startsWith('deployment') && attributes['simcha.deployment.id'] === id,
    );
  const first = deployment(live.deployment_uuid);
  assert.ok(first);
  assert.deepEqual([first.attributes['simcha.deployment.outcome'], first.status], ['live', 0]);
  assert.equal(first.attributes['simcha.application.id'], app.uuid);
  const steps = collector.spans.filter(({ traceId }) => traceId === first.traceId);
  const below = steps.filter(({ parent }) => parent === first.id).map(({ name }) => name);
  for (const step of ['step source', 'step start', 'switch'])
    assert.ok(below.includes(step), `${step} of ${below.join()}`);
  const request = steps.find(({ id }) => id === first.parent);
  assert.equal(request?.name, 'POST /api/v1/applications/:uuid/deploy');

  const second = deployment(failed.deployment_uuid);
  assert.deepEqual([second?.attributes['simcha.deployment.outcome'], second?.status], ['failed', 2]);
  assert.notEqual(second?.traceId, first.traceId);
  const broken = collector.spans.find(({ name, parent }) => name === 'step build' && parent === second?.id);
  assert.equal(broken?.status, 2);
  for (const secret of ['value-of-a-variable', repository.address, user.key])
    assert.ok(!collector.bodies.some((body) => body.includes(secret)), secret);
});
