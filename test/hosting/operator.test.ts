import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newApplication } from '../support/deployed.ts';
import { newDeveloper } from '../support/developers.ts';
import { createRepository } from '../support/git.ts';
import { queryDatabase } from '../support/server.ts';
import { newServerGroup } from '../support/server-group.ts';

const PATH = '/api/v1/operator';

test('an operator sees all sites, stops one and sets a budget; nobody else does', async () => {
  await using repository = await createRepository({ 'index.html': '<p>here</p>' });
  await using group = await newServerGroup();
  const server = await group.start({ APPS_GIT_PROTOCOLS: 'file', OPERATORS: 'Boss@example.com' });
  const boss = await newDeveloper(server, { verified: false, email: 'boss@example.com' });
  assert.equal((await boss.call('GET', PATH)).status, 403, 'an address that nobody has verified');
  await queryDatabase(group.databaseUrl, 'update users set verified = true');
  const app = await newApplication(server.call, server.url, repository.address);
  await app.deploy();
  const refused = await server.call('GET', PATH);
  assert.deepEqual([refused.status, refused.body.code], [403, 'forbidden']);
  assert.equal((await server.call('POST', `${PATH}/sites/${app.uuid}/stop`)).status, 403);

  const platform = async () => (await boss.call('GET', PATH)).body;
  const before = await platform();
  assert.deepEqual(before.health, { sentence: 'All is well.', findings: [] });
  assert.ok(before.disk.free_bytes > 0 && before.disk.free_bytes <= before.disk.size_bytes);
  const [site] = before.sites;
  assert.deepEqual(
    [site.application_uuid, site.owner, site.status, site.preview],
    [app.uuid, 'noa@example.com', 'live', null],
  );
  const [noa] = before.developers;
  assert.deepEqual([noa.email, noa.used.applications], ['noa@example.com', 1]);

  const path = `${PATH}/developers/${noa.account_id}/budget`;
  const changed = await boss.call('PATCH', path, { body: { applications: 1 } });
  assert.equal(changed.status, 200, changed.text);
  assert.equal((await platform()).developers[0].budget.applications, 1);
  const over = await server.call('POST', '/api/v1/applications', {
    body: { name: 'One too many', repository: repository.address },
  });
  assert.deepEqual([over.status, over.body.code], [409, 'over_budget']);
  assert.equal((await boss.call('PATCH', path, { body: { applications: -1 } })).status, 400);
  assert.equal((await boss.call('PATCH', `${PATH}/developers/${app.uuid}/budget`, { body: {} })).status, 404);

  assert.equal((await boss.call('POST', `${PATH}/sites/${app.uuid}/stop`)).status, 404);
  assert.equal((await boss.call('POST', `${PATH}/sites/${site.environment_id}/stop`)).status, 204);
  assert.equal((await app.visit()).status, 503);
  assert.equal((await platform()).sites[0].status, 'stopped');
  const [stopped] = (await app.call('GET', '/history')).body.history;
  assert.deepEqual(
    [stopped.operation, stopped.by, stopped.preview, stopped.subject, stopped.changes],
    ['stopSite', { kind: 'operator', email: null, token: null, address: null }, null, null, null],
  );

  await queryDatabase(
    group.databaseUrl,
    "update sites set state = 'down', changed_at = now() - interval '10 minutes'",
  );
  const { health } = await platform();
  assert.deepEqual(health.findings, [
    { code: 'sites_down', sentence: '1 site is down, the first for 10 minutes.' },
  ]);
});
