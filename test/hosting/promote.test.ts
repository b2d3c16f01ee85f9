import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempDisposable, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { newId } from '../../server/kernel/identifiers.ts';
import { createClient } from '../support/client.ts';
import {
  type ApplicationClient,
  applicationClient,
  newAddress,
  newApplication,
  verifiedUser,
} from '../support/deployed.ts';
import { newDeveloper } from '../support/developers.ts';
import { createRepository } from '../support/git.ts';
import { ANY_DATABASE, startServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { testInLane } from '../support/test-in-lane.ts';
import { until } from '../support/until.ts';

const SETTINGS: Record<string, string> = { APPS_GIT_PROTOCOLS: 'file' };
const APPS = '/api/v1/applications';

/**
 * Site that tells the variables that its build got, the one that it runs with, and how often it was released; in a
 * cluster each machine counts for itself.
 */
const TELLING = {
  'package.json': '{"scripts":{"build":"node build.js","start":"node server.js"}}',
  Procfile: 'release: echo once >> "$HOME/released"\nweb: npm start',
  'build.js':
    "require('node:fs').writeFileSync('built.txt', [process.env.TITLE, process.env.KEY].join(' '));",
  'server.js': `
const { existsSync, readFileSync } = require('node:fs');
const file = process.env.HOME + '/released';
const released = () => existsSync(file) ? readFileSync(file, 'utf8').trim().split('\\n').length : 0;
require('node:http')
  .createServer((request, response) =>
    response.end([readFileSync('built.txt', 'utf8'), process.env.TITLE, released()].join(' ')))
  .listen(process.env.PORT, process.env.HOST);`,
};

async function openWorld(settings = SETTINGS) {
  await using opened = new AsyncDisposableStack();
  const server = opened.use(
    settings === SETTINGS
      ? await sharedServer(ANY_DATABASE, settings)
      : await startServer(ANY_DATABASE, { env: settings }),
  );
  const user = await verifiedUser(server.url, server.dataDir, newAddress());
  const all = opened.move();
  return { server, user, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

const toldBy = async (app: ApplicationClient) => (await app.visit()).text;

const isGone = (app: ApplicationClient) => until(async () => (await app.call('GET')).status === 404);

test('a release goes from one application to another without a build, and stays when the first is deleted', async () => {
  await using at = await openWorld();
  await using repository = await createRepository(TELLING);
  const open = (settings: object) =>
    newApplication(at.user.call, at.server.url, repository.address, settings);
  const staging = await open({ name: 'Staging' });
  const production = await open({ name: 'Production' });
  await staging.call('PATCH', '/variables', {
    TITLE: { value: 'of-staging' },
    KEY: { value: 'staging-key', scope: 'build' },
  });
  await production.call('PATCH', '/variables', {
    TITLE: { value: 'of-production' },
    KEY: { value: 'production-key', scope: 'build' },
  });
  const early = await production.call('POST', '/promote', { application: staging.uuid });
  assert.deepEqual([early.status, early.body.code], [409, 'no_release']);
  const built = await staging.deploy();
  assert.equal(await toldBy(staging), 'of-staging staging-key of-staging 1');

  const promoted = await production.expect(
    await production.ask('promote', { application: 'Staging' }),
    'live',
  );
  assert.equal(await toldBy(production), 'of-staging staging-key of-production 1');
  const { action, promoted_from, promoted_from_application: from, commit_hash } = promoted;
  assert.deepEqual(
    [action, promoted_from, from, commit_hash],
    ['promote', null, 'Staging', built.commit_hash],
  );
  assert.notEqual(promoted.release_uuid, built.release_uuid);
  const log = await production.log(promoted.deployment_uuid);
  assert.ok(log.includes(`release of commit ${built.commit_hash.slice(0, 12)}`), log);
  assert.match(log, /promoted from the application Staging: what its build took from variables/);
  assert.match(log, /warning: these variables for builds differ, .* values of Staging: KEY/);
  assert.doesNotMatch(log, /\[build\]|staging-key|production-key/);

  // The same release again is not copied again, and a rollback leads back.
  const again = await production.expect(
    await production.ask('promote', { application: staging.uuid }),
    'live',
  );
  assert.equal(again.release_uuid, promoted.release_uuid);
  assert.match(await production.log(again.deployment_uuid), /promoted here before: nothing is copied/);
  const own = await production.deploy();
  assert.match(await toldBy(production), /^of-production production-key of-production \d$/);

  assert.equal((await staging.call('DELETE')).status, 204);
  await isGone(staging);
  const back = await production.expect(await production.ask('rollback'), 'live');
  assert.equal(back.release_uuid, promoted.release_uuid);
  assert.notEqual(own.release_uuid, promoted.release_uuid);
  assert.match(await toldBy(production), /^of-staging staging-key of-production \d$/);
  await production.expect(await production.ask('restart'), 'live');
  assert.match(await toldBy(production), /^of-staging staging-key of-production \d$/);
  assert.equal((await production.record(promoted.deployment_uuid)).promoted_from_application, 'Staging');
});

test('a named deployment and a preview of another application are promoted; files of a static site are served', async () => {
  await using at = await openWorld();
  await using repository = await createRepository({ 'index.html': 'first' });
  const open = (settings: object) =>
    newApplication(at.user.call, at.server.url, repository.address, settings);
  const staging = await open({ name: 'Staging', previews: 'off' });
  const production = await open({ name: 'Production' });
  const first = await staging.deploy();
  await repository.commit({ 'index.html': 'second' });
  await staging.deploy();
  repository.turnTo('third');
  await repository.commit({ 'index.html': 'third' });
  assert.equal((await staging.call('POST', '/previews', { branch: 'third' })).status, 201);
  await until(async () => (await staging.call('GET', '/previews/third')).body.status === 'live');

  const promote = async (body: object) => {
    const { promoted_from, promoted_from_application } = await production.expect(
      await production.ask('promote', { application: staging.uuid, ...body }),
      'live',
    );
    return [(await production.visit()).text, promoted_from, promoted_from_application];
  };
  assert.deepEqual(await promote({}), ['second', null, 'Staging']);
  assert.deepEqual(await promote({ deployment_uuid: first.deployment_uuid }), ['first', null, 'Staging']);
  assert.deepEqual(await promote({ preview: 'third' }), ['third', 'third', 'Staging']);

  const refused = async (body: object) => {
    const answer = await production.call('POST', '/promote', body);
    return [answer.status, answer.body.code, answer.body.field];
  };
  assert.deepEqual(await refused({ application: 'nothing' }), [404, 'not_found', undefined]);
  assert.deepEqual(await refused({ application: newId() }), [404, 'not_found', undefined]);
  assert.deepEqual(await refused({ application: production.uuid }), [400, 'invalid_field', 'application']);
  const ofNone = { application: staging.uuid, deployment_uuid: newId() };
  assert.deepEqual(await refused(ofNone), [404, 'not_found', undefined]);
  const noPreview = { application: staging.uuid, preview: 'fourth' };
  assert.deepEqual(await refused(noPreview), [404, 'not_found', undefined]);

  const lines = async (app: ApplicationClient) =>
    (await app.call('GET', '/history?limit=100')).body.history
      .filter(({ operation }: { operation: string }) => operation === 'promote')
      .map(({ preview, changes }: { preview: string | null; changes: Record<string, { to: string }> }) => [
        preview,
        Object.fromEntries(Object.entries(changes).map(([name, { to }]) => [name, to])),
      ]);
  assert.deepEqual((await lines(production)).at(-1), [null, { application: 'Staging' }]);
  const [ofThird, ofFirst] = await lines(staging);
  assert.deepEqual([ofThird[0], ofThird[1].to_application], ['third', 'Production']);
  const { commit_hash: commit, deployment_uuid } = first;
  assert.deepEqual(ofFirst, [null, { to_application: 'Production', commit, deployment_uuid }]);
});

test('a release of an uploaded folder brings its folder along, which builds it again where its files are gone', async () => {
  await using at = await openWorld();
  const open = async (name: string) => {
    const { body } = await at.user.call('POST', APPS, { body: { name, source: 'upload' } });
    return applicationClient(
      at.user.call,
      at.server.url,
      body.application_uuid,
      new URL(body.domain).hostname,
    );
  };
  const [staging, production] = [await open('Staging'), await open('Production')];
  await using folder = await mkdtempDisposable(join(tmpdir(), 'simcha-promoted-'));
  await writeFile(join(folder.path, 'index.html'), 'uploaded');
  const sent = await fetch(`${at.server.url}${staging.at}/source`, {
    method: 'PUT',
    headers: { 'x-api-key': at.user.key, 'content-type': 'application/octet-stream' },
    body: execFileSync('tar', ['-cz', '-C', folder.path, '.']),
  });
  assert.equal(sent.status, 201);
  const live = await staging.deploy();
  const promoted = await production.expect(
    await production.ask('promote', { application: staging.uuid }),
    'live',
  );
  assert.deepEqual(promoted.upload, live.upload);
  assert.equal((await production.call('GET', '/source')).body.sha256, live.upload.sha256);
  assert.equal((await staging.call('DELETE')).status, 204);
  await isGone(staging);
  const builds = join(at.server.dataDir, 'sites', production.uuid, 'builds');
  // Machines of a cluster have no folders here.
  for (const name of await readdir(builds).catch(() => [])) await rm(join(builds, name), { recursive: true });
  await production.expect(await production.ask('restart'), 'live');
  assert.equal((await production.visit()).text, 'uploaded');
});

describe('who may promote', () => {
  test('the role look in an application of the same owner, deploy in one of another owner, and the fitting token', async () => {
    await using at = await openWorld();
    await using repository = await createRepository({ 'index.html': 'here' });
    const itai = await newDeveloper(at.server);
    const open = (call = at.user.call) => newApplication(call, at.server.url, repository.address);
    const [staging, production, theirs] = [await open(), await open(), await open(itai.call)];
    await staging.deploy();
    const share = async (app: ApplicationClient, role: string) => {
      const { status, text } = await app.call('POST', '/people', { email: itai.email, role });
      assert.equal(status, 201, text);
    };
    const promote = async (to: ApplicationClient, call = itai.call) => {
      const { status, body } = await call('POST', `${to.at}/promote`, {
        body: { application: staging.uuid },
      });
      return [status, body.code ?? body.status];
    };
    await share(production, 'deploy');
    assert.deepEqual(await promote(production), [403, 'forbidden']);
    await share(staging, 'look');
    assert.deepEqual(await promote(production), [202, 'queued']);
    assert.deepEqual(await promote(theirs), [403, 'role_missing']);
    const { people } = (await staging.call('GET', '/people')).body;
    const { id } = people.find(({ email }: { email: string }) => email === itai.email);
    assert.equal((await staging.call('PATCH', `/people/${id}`, { role: 'deploy' })).status, 200);
    assert.deepEqual(await promote(theirs), [202, 'queued']);

    const token = async (fields: object) => {
      const made = await at.user.call('POST', '/api/v1/users/me/tokens', {
        body: { name: newId(), ...fields },
      });
      assert.equal(made.status, 201, made.text);
      const { token: key } = made.body;
      return createClient(at.server.url, { headers: { authorization: `Bearer ${key}` } });
    };
    assert.deepEqual(await promote(production, await token({ scopes: ['deploy'] })), [202, 'queued']);
    assert.deepEqual((await promote(production, await token({ scopes: ['read'] })))[0], 403);
    const bound = await token({ scopes: ['deploy'], application_id: production.uuid });
    assert.deepEqual(await promote(production, bound), [403, 'forbidden']);
  });
});

testInLane(
  'old releases of the source are deleted without harm to a promotion of one that waits',
  async () => {
    await using at = await openWorld({ ...SETTINGS, APPS_RELEASES_KEPT: '2' });
    await using repository = await createRepository({ 'index.html': '1' });
    const open = () => newApplication(at.user.call, at.server.url, repository.address);
    const [staging, production] = [await open(), await open()];
    const first = await staging.deploy();
    await production.expect(await production.ask('promote', { application: staging.uuid }), 'live');
    for (const version of ['2', '3', '4']) {
      await repository.commit({ 'index.html': version });
      await staging.deploy();
    }
    await until(async () => (await staging.record(first.deployment_uuid)).release_uuid === null);
    await production.expect(await production.ask('restart'), 'live');
    assert.equal((await production.visit()).text, '1');
  },
);

testInLane(
  'a release whose files are gone is built again from the repository of the application it is from',
  async () => {
    await using at = await openWorld();
    await using repository = await createRepository({ 'index.html': 'from the repository' });
    const staging = await newApplication(at.user.call, at.server.url, repository.address);
    await staging.deploy();
    const { body } = await at.user.call('POST', APPS, { body: { name: 'Production', source: 'upload' } });
    const { application_uuid: uuid, domain } = body;
    const production = applicationClient(at.user.call, at.server.url, uuid, new URL(domain).hostname);
    const removeBuilds = async (app: ApplicationClient) => {
      const builds = join(at.server.dataDir, 'sites', app.uuid, 'builds');
      const names = await readdir(builds).catch(() => []);
      for (const name of names) await rm(join(builds, name), { recursive: true });
      return names.length > 0;
    };
    const rebuilt = /the release of commit [0-9a-f]{12} is not on this machine; building it again/;
    const hasFolders = await removeBuilds(staging);
    const promoted = await production.expect(
      await production.ask('promote', { application: staging.uuid }),
      'live',
    );
    if (hasFolders) assert.match(await production.log(promoted.deployment_uuid), rebuilt);
    await removeBuilds(production);
    const restarted = await production.expect(await production.ask('restart'), 'live');
    if (hasFolders) assert.match(await production.log(restarted.deployment_uuid), rebuilt);
    assert.equal((await production.visit()).text, 'from the repository');
  },
);
