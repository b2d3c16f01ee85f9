import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { newId } from '../../server/kernel/identifiers.ts';
import { createClient } from '../support/client.ts';
import { newAddress, newApplication, verifiedUser } from '../support/deployed.ts';
import { AUTHOR, createRepository, GIT_ENV } from '../support/git.ts';
import { ANY_DATABASE } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';

const UNCHANGED = 'paths_unchanged';

/** A monorepo with an application of its folder `web`, and what its host delivers. */
async function monorepo(settings: object) {
  await using opened = new AsyncDisposableStack();
  const server = await sharedServer(ANY_DATABASE, { APPS_GIT_PROTOCOLS: 'file' });
  const repository = opened.use(
    await createRepository({ 'web/index.html': 'first', 'docs/a.md': 'a', 'lib/x.js': '1' }),
  );
  const user = await verifiedUser(server.url, server.dataDir, newAddress());
  const app = await newApplication(user.call, server.url, repository.address, {
    branch: 'main',
    root: 'web',
    ...settings,
  });
  const { secret } = (await app.call('GET', '/hook')).body;
  const deliver = createClient(server.url);
  const all = opened.move();
  return {
    repository,
    app,
    /** Delivers a push, and waits for the deployment that it makes; its status or the reason why it is ignored. */
    async push(branch = 'main') {
      const body = JSON.stringify({ ref: `refs/heads/${branch}`, after: 'ab', delivery: newId() });
      const signature = createHmac('sha256', secret).update(body).digest('hex');
      const headers = { 'x-github-event': 'push', 'x-hub-signature-256': `sha256=${signature}` };
      const { body: answer } = await deliver('POST', `/api/v1/hooks/${app.uuid}`, { body, headers });
      if (answer.status !== 'deploying') return answer.reason ?? answer.status;
      const query = answer.preview === null ? '' : `?preview=${answer.preview}`;
      const [newest] = (await app.call('GET', `/deployments${query}`)).body.deployments;
      const { status, triggered_by } = await app.end(newest.deployment_uuid);
      return `${triggered_by} ${status}`;
    },
    /** Replaces the branch's newest commit by another one with the same files. */
    rewrite: () =>
      void execFileSync('git', ['commit', '--quiet', '--amend', '--message', 'Rewritten'], {
        cwd: fileURLToPath(repository.address),
        env: { ...GIT_ENV, ...AUTHOR },
      }),
    deliveries: async () => (await app.call('GET', '/hook/deliveries')).body.deliveries,
    total: async () => (await app.call('GET', '/deployments')).body.total,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

test('a push deploys if it changed something below the root folder since the last deployment', async () => {
  await using at = await monorepo({});
  assert.equal(await at.push(), 'push live', 'the first push has nothing to compare with');
  assert.equal((await at.app.visit()).text, 'first');
  const first = await at.repository.commit({ 'docs/a.md': 'b' });
  assert.equal(await at.push(), UNCHANGED);
  assert.equal(await at.total(), 1);
  const [delivery] = await at.deliveries();
  assert.deepEqual(
    { ...delivery, delivery_uuid: '', received_at: '', base_hash: '' },
    {
      delivery_uuid: '',
      received_at: '',
      status: 'ignored',
      reason: UNCHANGED,
      message:
        'Nothing changed since the last deployment in the paths that the application watches (its setting "watch_paths").',
      branch: 'main',
      preview: null,
      deployment_uuid: null,
      commit_hash: first,
      base_hash: '',
      changed: 1,
    },
  );
  // A person's deployment is compared with nothing, and is the next comparison's base.
  assert.equal((await at.app.deploy()).commit_hash, first);
  await at.repository.commit({ 'web/index.html': 'second' });
  await at.repository.commit({ 'lib/x.js': '2' });
  assert.equal(await at.push(), 'push live', 'a change of an earlier commit counts');
  assert.equal((await at.app.visit()).text, 'second');
  const [deployed] = await at.deliveries();
  const [newest] = (await at.app.call('GET', '/deployments')).body.deployments;
  assert.deepEqual([deployed.status, deployed.deployment_uuid], ['deploying', newest.deployment_uuid]);
  assert.deepEqual([deployed.base_hash, deployed.changed], [first, 2]);

  // Each deployment has its line of history, and the push that was ignored has none.
  const { history } = (await at.app.call('GET', '/history')).body;
  const deployments = history.filter(({ operation }: { operation: string }) => operation === 'deploy');
  assert.deepEqual(
    deployments.map(({ by }: { by: { kind: string } }) => by.kind),
    ['push', 'user', 'push'],
  );
  const { by, subject, preview } = deployments[0];
  assert.deepEqual(
    [by, subject, preview],
    [{ kind: 'push', email: null, token: null, address: null }, newest.deployment_uuid, null],
  );
});

test('an application’s own patterns decide, and a forced push deploys', async () => {
  await using at = await monorepo({ watch_paths: ['web/**', 'lib/**', '!**/*.md'] });
  await at.app.deploy();
  await at.repository.commit({ 'web/README.md': 'x', 'docs/a.md': 'c', 'lib/README.md': 'y' });
  assert.equal(await at.push(), UNCHANGED);
  await at.repository.commit({ 'lib/x.js': '2' });
  assert.equal(await at.push(), 'push live');

  // The last deployed commit is no longer one of the branch.
  at.rewrite();
  assert.equal(await at.push(), 'push live');
  const [forced] = await at.deliveries();
  assert.deepEqual([forced.status, forced.base_hash, forced.changed], ['deploying', null, null]);

  // A preview is compared with its own last deployment.
  at.repository.turnTo('next');
  await at.repository.commit({ 'web/index.html': 'next' });
  assert.equal((await at.app.call('POST', '/previews', { branch: 'next' })).status, 201);
  const [newest] = (await at.app.call('GET', '/deployments?preview=next')).body.deployments;
  await at.app.expect(newest.deployment_uuid, 'live');
  await at.repository.commit({ 'docs/a.md': 'd' });
  assert.equal(await at.push('next'), UNCHANGED);
  assert.equal((await at.deliveries())[0].preview, 'next');

  await at.app.call('PATCH', '', { watch_paths: ['nothing'] });
  await at.repository.commit({ 'web/index.html': 'more' });
  assert.equal(await at.push('next'), UNCHANGED);
});
