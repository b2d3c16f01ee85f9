import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { createClient } from '../support/client.ts';
import { newAddress, newApplication, verifiedUser } from '../support/deployed.ts';
import { newDeveloper, type TestDeveloper } from '../support/developers.ts';
import { createRepository } from '../support/git.ts';
import { ANY_DATABASE, DATABASES, startServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';

const APPS = '/api/v1/applications';
const GROUPS = '/api/v1/variable-groups';
const NAMES = ['ALL', 'BUILD', 'RUN', 'GROUP', 'ONLY_HERE'];

/** Site that tells which variables its build got and which it gets itself; both also write them to the log. */
const TELLING = {
  'package.json': '{"scripts":{"build":"node build.js","start":"node server.js"}}',
  'tell.js': `
module.exports = () => {
  const told = ${JSON.stringify(NAMES)}.flatMap((name) => process.env[name] === undefined ? [] : [[name, process.env[name]]]);
  console.log('told', JSON.stringify(told));
  return Object.fromEntries(told);
};`,
  'build.js': `require('node:fs').writeFileSync('built.json', JSON.stringify(require('./tell.js')()));`,
  'server.js': `
const build = require('./built.json');
const run = require('./tell.js')();
console.log('built with', JSON.stringify(build));
require('node:http')
  .createServer((request, response) => response.end(JSON.stringify({ build, run })))
  .listen(process.env.PORT, process.env.HOST);`,
};

test('builds, the running site, previews and groups: each site gets what it should, and tells nothing', async () => {
  await using server = await startServer(ANY_DATABASE, { env: { APPS_GIT_PROTOCOLS: 'file' } });
  await using repository = await createRepository(TELLING);
  const user = await verifiedUser(server.url, server.dataDir, newAddress());
  const app = await newApplication(user.call, server.url, repository.address, { branch: 'main' });
  const seen = async (site: { visit: typeof app.visit } = app) => JSON.parse((await site.visit()).text);
  const change = async (body: object) => {
    const answer = await app.call('PATCH', '/variables', body);
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  };

  await user.call('POST', GROUPS, {
    body: { name: 'shared', variables: { GROUP: { value: 'group-secret', preview_value: 'group-preview' } } },
  });
  await app.call('PUT', '/variable-groups/shared');
  await app.call('PATCH', '/env', { ALL: 'all-secret', RUN: 'run-secret' });
  await change({
    BUILD: { value: 'build-secret', scope: 'build', preview_value: 'build-preview' },
    RUN: { scope: 'run' },
    ONLY_HERE: { value: 'only-here', in_previews: false },
  });
  const first = await app.deploy();
  const shared = { ALL: 'all-secret', GROUP: 'group-secret', ONLY_HERE: 'only-here' };
  assert.deepEqual(await seen(), {
    build: { ...shared, BUILD: 'build-secret' },
    run: { ...shared, RUN: 'run-secret' },
  });
  const log = await app.log(first.deployment_uuid);
  const siteLog = (await app.call('GET', '/logs')).text;
  assert.match(log, /told/);
  assert.match(siteLog, /built with/);
  assert.doesNotMatch(`${log}\n${siteLog}`, /-secret|only-here/);

  // A changed run-only variable needs no other build; a changed build-only one does.
  await change({ RUN: { value: 'run-2' } });
  const unchanged = await app.deploy();
  assert.match(await app.log(unchanged.deployment_uuid), /nothing has changed/i);
  assert.equal((await seen()).run.RUN, 'run-2');
  await app.call('PATCH', '/env', { BUILD: 'build-2' });
  await app.deploy();
  assert.deepEqual((await seen()).build, { ...shared, BUILD: 'build-2' });

  // The group's change reaches the site with a restart, and its build with a deployment.
  await user.call('PATCH', `${GROUPS}/shared`, { body: { variables: { GROUP: { value: 'group-2' } } } });
  const { last_updated, deployed_at } = (await app.call('GET')).body;
  assert.ok(last_updated > deployed_at, 'the site counts as running with earlier variables');
  await app.expect(await app.ask('restart'), 'live');
  const restarted = await seen();
  assert.deepEqual([restarted.build.GROUP, restarted.run.GROUP], ['group-secret', 'group-2']);
  await app.deploy();
  assert.equal((await seen()).build.GROUP, 'group-2');
});

test('a preview gets its own values, those for previews, and else production’s', async () => {
  await using server = await sharedServer(ANY_DATABASE, { APPS_GIT_PROTOCOLS: 'file' });
  await using repository = await createRepository(TELLING);
  const user = await verifiedUser(server.url, server.dataDir, newAddress());
  const app = await newApplication(user.call, server.url, repository.address, { branch: 'main' });
  await user.call('POST', GROUPS, {
    body: { name: 'shared', variables: { GROUP: { value: 'group', preview_value: 'group-preview' } } },
  });
  await app.call('PUT', '/variable-groups/shared');
  await app.call('PATCH', '/variables', {
    ALL: { value: '1', preview_value: '2' },
    BUILD: { value: '3', scope: 'build', preview_value: '4' },
    RUN: { value: '5', scope: 'run' },
    ONLY_HERE: { value: '6', in_previews: false },
  });
  repository.turnTo('seats');
  await repository.commit({ 'note.txt': 'seats' });
  const opened = await app.call('POST', '/previews', { branch: 'seats', env: { RUN: '7' } });
  assert.equal(opened.status, 201, opened.text);
  const [{ deployment_uuid: id }] = (await app.call('GET', '/deployments?preview=seats')).body.deployments;
  await app.expect(id, 'live');
  const { hostname } = new URL(opened.body.domain);
  const answer = await app.visit('/', { headers: { host: hostname } });
  assert.deepEqual(JSON.parse(answer.text), {
    build: { ALL: '2', BUILD: '4', GROUP: 'group-preview' },
    run: { ALL: '2', RUN: '7', GROUP: 'group-preview' },
  });
  const { variables } = (await app.call('GET', '/variables?preview=seats')).body;
  assert.deepEqual(
    variables.map(({ name, scope, previews }: never) => [name, scope, previews]),
    [
      ['ALL', 'all', { value: '2', from: 'application_previews', group: null }],
      ['BUILD', 'build', { value: '4', from: 'application_previews', group: null }],
      ['GROUP', 'all', { value: 'group-preview', from: 'group_previews', group: 'shared' }],
      ['ONLY_HERE', 'all', null],
      ['RUN', 'run', { value: '7', from: 'preview', group: null }],
    ],
  );
  assert.equal((await app.call('PATCH', '/variables?preview=seats', {})).status, 400);
});

for (const kind of DATABASES) {
  test(`variables with scopes are read and changed, beside those of /env, on ${kind}`, async () => {
    await using server = await startServer(kind);
    const { call } = await newDeveloper(server);
    const body = { name: 'Site', repository: 'https://example.com/a/b.git' };
    const { application_uuid: uuid } = (await call('POST', APPS, { body })).body;
    const at = `${APPS}/${uuid}`;
    assert.deepEqual((await call('GET', `${at}/variables`)).body.variables, []);

    await call('PATCH', `${at}/env`, { body: { A: 'one-secret', B: 'x' } });
    const changed = await call('PATCH', `${at}/variables`, {
      body: { A: { scope: 'build' }, C: { preview_value: 'two-secret' }, B: null },
    });
    assert.equal(changed.status, 200, changed.text);
    assert.deepEqual(changed.body.variables, [
      {
        name: 'A',
        scope: 'build',
        production: { value: 'one-secret', from: 'application', group: null },
        previews: { value: 'one-secret', from: 'application', group: null },
        own: { value: 'one-secret', preview_value: null, scope: 'build', in_previews: true },
      },
      {
        name: 'C',
        scope: 'all',
        production: null,
        previews: { value: 'two-secret', from: 'application_previews', group: null },
        own: { value: null, preview_value: 'two-secret', scope: null, in_previews: true },
      },
    ]);
    // The flat route shows production's values; a value that it sets keeps the variable's scope.
    assert.deepEqual((await call('GET', `${at}/env`)).body.env, { A: 'one-secret' });
    await call('PATCH', `${at}/env`, { body: { A: 'three', C: 'four' } });
    const { variables } = (await call('GET', `${at}/variables`)).body;
    assert.deepEqual(
      variables.map(({ own }: never) => own),
      [
        { value: 'three', preview_value: null, scope: 'build', in_previews: true },
        { value: 'four', preview_value: 'two-secret', scope: null, in_previews: true },
      ],
    );
    for (const [wrong, field] of [
      [{ A: { scope: 'deploy' } }, 'A.scope'],
      [{ PORT: { value: '1' } }, 'PORT'],
      [{ D: { scope: 'run' } }, 'D.value'],
      [{ A: { value: null } }, 'A.value'],
    ] as const) {
      const refused = await call('PATCH', `${at}/variables`, { body: wrong });
      assert.deepEqual([refused.status, refused.body.field], [400, field], refused.text);
    }
    const { rows } = await sql`select * from environment_variables`.execute(server.simcha.database.sql);
    assert.equal(rows.length, 2);
    assert.doesNotMatch(JSON.stringify(rows), /secret|three|four/);
    assert.deepEqual((await call('PATCH', `${at}/env`, { body: { A: null, C: null } })).body.env, {});
    assert.deepEqual((await call('GET', `${at}/variables`)).body.variables, []);
  });

  test(`groups are made, linked in their order, renamed and deleted, on ${kind}`, async () => {
    await using server = await startServer(kind);
    const [owner, stranger] = await Promise.all([newDeveloper(server), newDeveloper(server)]);
    const { call } = owner;
    const newSite = async (name: string) => {
      const body = { name, subdomain: name, repository: 'https://example.com/a/b.git' };
      return (await call('POST', APPS, { body })).body.application_uuid as string;
    };
    const [one, two] = [await newSite('one'), await newSite('two')];
    const make = (name: string, variables: object) => call('POST', GROUPS, { body: { name, variables } });
    const given = async (uuid: string) => {
      const { groups, variables } = (await call('GET', `${APPS}/${uuid}/variables`)).body;
      const told = variables.map(({ name, production }: never) => [
        name,
        (production as { value: string } | null)?.value,
      ]);
      return [groups, Object.fromEntries(told)];
    };

    const created = await make('shared', { A: { value: 'a-secret', scope: 'run' }, B: { value: 'b' } });
    assert.equal(created.status, 201, created.text);
    assert.equal(created.headers.get('location'), `${GROUPS}/shared`);
    assert.deepEqual(created.body.variables.A, {
      value: 'a-secret',
      preview_value: null,
      scope: 'run',
      in_previews: true,
    });
    await make('tokens', { B: { value: 'over' } });
    assert.deepEqual([(await make('shared', {})).status, (await make('No', {})).status], [409, 400]);
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`V${i}`, { value: '' }]));
    assert.equal((await make('many', many)).status, 400);

    const link = (uuid: string, group: string, by = owner) =>
      by.call('PUT', `${APPS}/${uuid}/variable-groups/${group}`);
    assert.deepEqual((await link(one, 'shared')).body.groups, ['shared']);
    const before = (await call('GET', `${APPS}/${one}`)).body.last_updated;
    assert.deepEqual((await link(one, 'tokens')).body.groups, ['tokens', 'shared']);
    assert.ok((await call('GET', `${APPS}/${one}`)).body.last_updated >= before);
    assert.deepEqual((await link(one, 'shared')).body.groups, ['tokens', 'shared'], 'it stays where it is');
    await link(two, 'shared');
    assert.deepEqual(await given(one), [['tokens', 'shared'], { A: 'a-secret', B: 'over' }]);
    assert.deepEqual(await given(two), [['shared'], { A: 'a-secret', B: 'b' }]);
    const { variable_groups: listed } = (await call('GET', GROUPS)).body;
    assert.deepEqual(
      listed.map(({ name, variable_names, applications }: never) => [
        name,
        variable_names,
        (applications as { subdomain: string }[]).map(({ subdomain }) => subdomain),
      ]),
      [
        ['shared', ['A', 'B'], ['one', 'two']],
        ['tokens', ['B'], ['one']],
      ],
    );
    assert.doesNotMatch(JSON.stringify(listed), /secret/);

    const changes = { name: 'common', variables: { A: null, C: { value: 'c' } } };
    const changed = await call('PATCH', `${GROUPS}/shared`, { body: changes });
    assert.deepEqual(Object.keys(changed.body.variables), ['B', 'C']);
    assert.deepEqual(await given(two), [['common'], { B: 'b', C: 'c' }]);
    const taken = await call('PATCH', `${GROUPS}/common`, { body: { name: 'tokens' } });
    assert.deepEqual([taken.status, taken.body.code], [409, 'name_taken']);

    assert.equal((await call('DELETE', `${APPS}/${two}/variable-groups/common`)).status, 204);
    assert.equal((await call('DELETE', `${APPS}/${two}/variable-groups/common`)).status, 404);
    assert.equal((await call('DELETE', `${GROUPS}/tokens`)).status, 204);
    assert.deepEqual(await given(one), [['common'], { B: 'b', C: 'c' }]);
    assert.equal((await call('GET', `${GROUPS}/shared`)).status, 404);

    for (const [method, path] of [
      ['GET', `${GROUPS}/common`],
      ['PATCH', `${GROUPS}/common`],
      ['DELETE', `${GROUPS}/common`],
    ] as const)
      assert.equal((await stranger.call(method, path, method === 'PATCH' ? { body: {} } : {})).status, 404);
    assert.equal((await link(one, 'common', stranger)).status, 403);
    const { rows } = await sql`select * from group_variables`.execute(server.simcha.database.sql);
    assert.doesNotMatch(JSON.stringify(rows), /"(b|c|a-secret)"/);
  });

  test(`groups have their limits, and a token for one application neither sees nor links them, on ${kind}`, async () => {
    await using server = await sharedServer(kind);
    const developer = await newDeveloper(server);
    const { call } = developer;
    const body = { name: 'Site', repository: 'https://example.com/a/b.git' };
    const { application_uuid: uuid } = (await call('POST', APPS, { body })).body;
    const names = Array.from({ length: 51 }, (_, index) => `group-${index}`);
    const made = await Promise.all(names.map((name) => call('POST', GROUPS, { body: { name } })));
    assert.equal(made.filter(({ status }) => status === 201).length, 50);
    assert.equal(made.find(({ status }) => status !== 201)?.body.code, 'too_many_groups');
    const groups = made.flatMap(({ body: { name } }) => name ?? []);
    const link = (name: string) => call('PUT', `${APPS}/${uuid}/variable-groups/${name}`);
    const links = await Promise.all(groups.slice(0, 6).map(link));
    assert.equal(links.filter(({ status }) => status === 200).length, 5);
    assert.equal(links.find(({ status }) => status !== 200)?.body.code, 'too_many_groups');

    const limited = await newToken(server, developer, { scopes: ['env'], application_id: uuid });
    const unlimited = await newToken(server, developer, { scopes: ['env'] });
    const status = async (token: typeof call, method: string, path: string) =>
      (await token(method, path)).status;
    assert.equal(await status(limited, 'GET', `${APPS}/${uuid}/variables`), 200);
    assert.equal(await status(limited, 'GET', GROUPS), 403);
    assert.equal(await status(limited, 'PUT', `${APPS}/${uuid}/variable-groups/${groups[9]}`), 403);
    assert.equal(await status(unlimited, 'GET', GROUPS), 200);
    const reading = await newToken(server, developer, { scopes: ['read'] });
    assert.equal(await status(reading, 'GET', `${APPS}/${uuid}/variables`), 403);
    assert.equal(await status(reading, 'GET', GROUPS), 403);
  });
}

/** Client that sends a new access token of a developer. */
async function newToken({ url }: { url: string }, { call }: TestDeveloper, fields: object) {
  const made = await call('POST', '/api/v1/users/me/tokens', { body: { name: 'CI', ...fields } });
  assert.equal(made.status, 201, made.text);
  return createClient(url, { headers: { 'x-api-key': made.body.token } });
}
