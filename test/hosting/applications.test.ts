import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { mkdtempDisposable, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { pino } from 'pino';
import { ApplicationStore } from '../../server/hosting/applications/store.ts';
import { Budgets } from '../../server/hosting/budgets/store.ts';
import { HookDeliveries } from '../../server/hosting/hooks/deliveries.ts';
import { PushReports } from '../../server/hosting/hooks/push-reports.ts';
import { serveHooks } from '../../server/hosting/hooks/routes.ts';
import { PreviewStore } from '../../server/hosting/previews/store.ts';
import { ApiError } from '../../server/identity/contract.ts';
import { readConfig } from '../../server/kernel/config.ts';
import { createEncryption } from '../../server/kernel/encryption.ts';
import { createServer } from '../../server/kernel/http/server.ts';
import { newId } from '../../server/kernel/identifiers.ts';
import { NO_TRACING } from '../../server/kernel/tracing/tracing.ts';
import { createClient } from '../support/client.ts';
import { newDeveloper } from '../support/developers.ts';
import { codeTo } from '../support/outbox.ts';
import { ANY_DATABASE, DATABASES, startServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { until } from '../support/until.ts';

const APPS = '/api/v1/applications';
const UNKNOWN_KEY = `sk_${'A'.repeat(43)}`;
const NOWHERE = '01980a3c-7b1e-7c1a-9c55-3f0b8d1f2a44';
const REPOSITORY = 'https://git.example.com/noa/site.git';
const DEPLOYING = { status: 'deploying', preview: null, reason: null, message: null };
const REPLAYED = {
  status: 'ignored',
  preview: null,
  reason: 'replayed',
  message: 'This delivery has already been received.',
};
const body = (more: object = {}) => ({ name: 'Our Site', repository: REPOSITORY, ...more });

for (const kind of DATABASES) {
  describe(`applications on ${kind}`, () => {
    test('one is created, read, listed, changed and deleted', async () => {
      await using server = await startServer(kind, { env: { PUBLIC_URL: 'http://localhost:3000' } });
      const { call, email } = await newDeveloper(server);
      const created = await call('POST', APPS, { body: body({ subdomain: 'Demo', build: 'npm run build' }) });
      assert.equal(created.status, 201, created.text);
      const { application_uuid: uuid } = created.body;
      assert.equal(created.headers.get('location'), `${APPS}/${uuid}`);
      assert.deepEqual(
        { ...created.body, application_uuid: '', created_at: '', last_updated: '' },
        {
          application_uuid: '',
          name: 'Our Site',
          domain: 'http://demo.localhost:3000',
          subdomain: 'demo',
          source: 'repository',
          repository: REPOSITORY,
          image: null,
          registry_user: null,
          branch: null,
          root: null,
          type: null,
          install: null,
          build: 'npm run build',
          start: null,
          publish: null,
          node: null,
          spa: null,
          port: null,
          health_path: '/',
          sticky: false,
          time_zone: 'Asia/Jerusalem',
          watch_paths: null,
          response_seconds: null,
          max_body_mb: null,
          previews: 'off',
          status: 'created',
          role: 'owner',
          owner: email,
          deploy_key: null,
          created_at: '',
          last_updated: '',
          deployed_at: null,
        },
      );
      assert.deepEqual((await call('GET', `${APPS}/${uuid}`)).body, created.body);

      const changed = await call('PATCH', `${APPS}/${uuid}`, {
        body: { name: 'אתר', branch: 'release/1', build: null, root: './packages/site/', health_path: '/up' },
      });
      assert.equal(changed.status, 200, changed.text);
      const { name, branch, build, root, health_path, repository } = changed.body;
      assert.deepEqual(
        [name, branch, build, root, health_path, repository],
        ['אתר', 'release/1', null, 'packages/site', '/up', REPOSITORY],
      );
      assert.ok(changed.body.last_updated >= created.body.last_updated);

      await call('POST', APPS, { body: body() });
      const list = await call('GET', `${APPS}?limit=1&page=2`);
      assert.deepEqual([list.body.total, list.body.page, list.body.limit], [2, 2, 1]);
      assert.deepEqual(list.body.applications[0], changed.body);
      assert.deepEqual((await call('GET', `${APPS}?page=99`)).body.applications, []);

      assert.equal((await call('DELETE', `${APPS}/${uuid}`)).status, 204);
      assert.equal((await call('DELETE', `${APPS}/${uuid}`)).status, 404);
      assert.equal((await call('GET', `${APPS}/${uuid}`)).status, 404);
      assert.equal((await call('POST', APPS, { body: body({ subdomain: 'demo' }) })).status, 201);
    });

    test('one is named by its subdomain or its name too, by its owner alone', async () => {
      await using server = await sharedServer(kind);
      const [noa, itai] = [await newDeveloper(server), await newDeveloper(server)];
      const create = async (name: string, subdomain: string) =>
        (await noa.call('POST', APPS, { body: body({ name, subdomain }) })).body.application_uuid;
      const end = newId().slice(-12);
      const first = await create('Noa & Itai / 1', `first-${end}`);
      const second = await create('Twice', `second-${end}`);
      await create('Twice', `third-${end}`);
      // A subdomain goes before a name.
      await create(`second-${end}`, `fourth-${end}`);
      for (const [named, uuid] of [
        [`first-${end}`, first],
        [`FIRST-${end}`, first],
        [encodeURIComponent('Noa & Itai / 1'), first],
        [`second-${end}`, second],
      ]) {
        assert.equal((await noa.call('GET', `${APPS}/${named}`)).body.application_uuid, uuid, named);
        assert.equal((await noa.call('GET', `${APPS}/${named}/env`)).body.application_uuid, uuid, named);
        assert.equal((await itai.call('GET', `${APPS}/${named}`)).status, 404, named);
        assert.equal((await server.call('GET', `${APPS}/${named}`)).status, 401, named);
      }
      const unknown = createClient(server.url, { headers: { 'x-api-key': UNKNOWN_KEY } });
      assert.equal((await unknown('GET', `${APPS}/first-${end}`)).status, 403);
      const twice = await noa.call('GET', `${APPS}/Twice`);
      assert.deepEqual([twice.status, twice.body.code], [404, 'ambiguous_name']);
      assert.equal((await noa.call('GET', `${APPS}/%00`)).status, 404);
    });

    test('no key is a 401, no such application a 404, an unknown or a foreign key a 403', async () => {
      await using server = await sharedServer(kind);
      const [owner, stranger] = [await newDeveloper(server), await newDeveloper(server)];
      const { application_uuid: uuid } = (await owner.call('POST', APPS, { body: body() })).body;
      await owner.call('PATCH', `${APPS}/${uuid}/env`, { body: { A: 'secret' } });
      const unknown = createClient(server.url, { headers: { 'x-api-key': UNKNOWN_KEY } });
      const routes = [
        ['GET', ''],
        ['PATCH', '', { name: 'x' }],
        ['DELETE', ''],
        ['GET', '/env'],
        ['PATCH', '/env', { A: 'b' }],
        ['POST', '/deploy-key'],
        ['GET', '/hook'],
        ['POST', '/hook'],
      ] as const;
      for (const [method, path, sent] of routes) {
        const options = sent ? { body: sent } : {};
        const statuses = [];
        for (const call of [server.call, unknown, stranger.call]) {
          const answer = await call(method, `${APPS}/${uuid}${path}`, options);
          assert.deepEqual(Object.keys(answer.body), ['error', 'code'], `${method} ${path}`);
          assert.doesNotMatch(answer.text, /secret/);
          statuses.push(answer.status);
        }
        assert.deepEqual(statuses, [401, 403, 403], `${method} ${path}`);
        for (const id of [NOWHERE, 'x', `${uuid}x`]) {
          assert.equal(
            (await owner.call(method, `${APPS}/${id}${path}`, options)).status,
            404,
            `${method} ${path} ${id}`,
          );
          assert.equal((await server.call(method, `${APPS}/${id}${path}`, options)).status, 401);
        }
      }
      for (const call of [server.call, unknown]) {
        assert.equal((await call('GET', APPS)).status, 401);
        assert.equal((await call('POST', APPS, { body: body() })).status, 401);
      }
      assert.equal((await owner.call('GET', `${APPS}/${uuid}/env`)).body.env.A, 'secret');
      assert.equal((await stranger.call('GET', APPS)).body.total, 0);
    });

    test('subdomains are one of a kind, also when asked for at once; one from a name is made until it is free', async () => {
      await using server = await sharedServer(kind);
      const { call } = await newDeveloper(server);
      const asked = await Promise.all(
        Array.from({ length: 10 }, () => call('POST', APPS, { body: body({ subdomain: 'party' }) })),
      );
      assert.equal(asked.filter(({ status }) => status === 201).length, 1);
      const taken = asked.filter(({ status }) => status === 409);
      assert.equal(taken.length, 9);
      assert.equal(taken[0]?.body.code, 'subdomain_taken');
      const made = await Promise.all(
        Array.from({ length: 10 }, () => call('POST', APPS, { body: body({ name: 'Party!' }) })),
      );
      assert.deepEqual(new Set(made.map(({ status }) => status)), new Set([201]));
      const subdomains = made.map(({ body: { subdomain } }) => subdomain);
      assert.equal(new Set(subdomains).size, 10);
      for (const subdomain of subdomains) assert.match(subdomain, /^party-[a-z0-9]{5}$/);
      const moved = await call('PATCH', `${APPS}/${made[0]?.body.application_uuid}`, {
        body: { subdomain: 'party' },
      });
      assert.equal(moved.status, 409);
    });

    test('variables are set, changed, deleted and read, and stand nowhere as they are', async () => {
      await using server = await startServer(kind);
      const { call } = await newDeveloper(server);
      const { application_uuid: uuid, last_updated } = (await call('POST', APPS, { body: body() })).body;
      const env = `${APPS}/${uuid}/env`;
      assert.deepEqual((await call('GET', env)).body.env, {});
      const first = await call('PATCH', env, {
        body: { GREETING: 'שלום עולם', TOKEN: 'hunter2 hunter2', EMPTY: '' },
      });
      assert.equal(first.status, 200, first.text);
      assert.equal(first.body.application_uuid, uuid);
      assert.deepEqual(first.body.env, { EMPTY: '', GREETING: 'שלום עולם', TOKEN: 'hunter2 hunter2' });
      assert.ok(first.body.last_updated >= last_updated);
      const second = await call('PATCH', env, { body: { GREETING: 'hi', EMPTY: null, NOT_THERE: null } });
      assert.deepEqual(second.body.env, { GREETING: 'hi', TOKEN: 'hunter2 hunter2' });
      assert.deepEqual((await call('GET', env)).body.env, second.body.env);
      const { rows } = await sql`select value_sealed from environment_variables`.execute(
        server.simcha.database.sql,
      );
      assert.equal(rows.length, 2);
      assert.doesNotMatch(JSON.stringify(rows), /hunter2/);
    });

    test('variables that can’t be are refused as a whole, and their limit holds against changes at once', async () => {
      await using server = await sharedServer(kind);
      const { call } = await newDeveloper(server);
      const env = `${APPS}/${(await call('POST', APPS, { body: body() })).body.application_uuid}/env`;
      for (const [name, value] of [
        ['1A', 'x'],
        ['A-B', 'x'],
        ['', 'x'],
        ['A', 1],
        ['A', true],
        ['A', ['x']],
        ['A', { a: 'b' }],
        ['A', 'a\0b'],
        ['A', 'x'.repeat(65_537)],
        ['PORT', '8080'],
      ]) {
        const answer = await call('PATCH', env, { body: { FINE: 'x', [String(name)]: value } });
        assert.deepEqual([answer.status, answer.body.code], [400, 'invalid_field'], answer.text);
      }
      for (const wrong of ['[]', 'null', '7', '"x"']) {
        assert.equal((await call('PATCH', env, { body: wrong })).status, 400);
      }
      assert.deepEqual((await call('GET', env)).body.env, {});
      assert.equal((await call('PATCH', env, { body: { BIG: 'x'.repeat(65_536) } })).status, 200);
      const fifty = (prefix: string) =>
        Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`${prefix}${i}`, 'x']));
      const answers = await Promise.all(
        ['A', 'B', 'C', 'D', 'E'].map((one) => call('PATCH', env, { body: fifty(one) })),
      );
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 400, 400]);
      assert.equal(Object.keys((await call('GET', env)).body.env).length, 151);
    });

    test('the text of a .env file is a change of variables too, within the same limits', async () => {
      await using server = await sharedServer(kind);
      const { call, apiKey } = await newDeveloper(server);
      const env = `${APPS}/${(await call('POST', APPS, { body: body() })).body.application_uuid}/env`;
      const send = (text: string, type = 'text/plain') =>
        call('PATCH', env, { body: text, headers: { 'x-api-key': apiKey, 'content-type': type } });
      await call('PATCH', env, { body: { KEPT: 'x', OLD: 'y' } });
      const taken = await send('# ours\nexport OLD="a\\nb"\nNEW=שלום # said\n', 'text/plain; charset=utf-8');
      assert.deepEqual([taken.status, taken.body.env], [200, { KEPT: 'x', NEW: 'שלום', OLD: 'a\nb' }]);
      for (const [text, field] of [
        ['FINE=x\nsecret', 'line 2'],
        ['FINE=x\n\nPORT=secret', 'line 3'],
        ['FINE="secret', 'line 1'],
        [Array.from({ length: 201 }, (_, i) => `V${i}=`).join('\n'), 'body'],
      ] as const) {
        const refused = await send(text);
        assert.deepEqual(
          [refused.status, refused.body.code, refused.body.field],
          [400, 'invalid_field', field],
        );
        assert.doesNotMatch(refused.text, /secret/);
      }
      assert.equal((await send(`A=${'x'.repeat(2 ** 20)}`)).status, 413);
      for (const type of ['text/html', 'application/x-www-form-urlencoded']) {
        const refused = await send('A=1', type);
        assert.deepEqual([refused.status, refused.body.code], [415, 'wrong_content_type']);
        assert.match(refused.text, /application\/json.*text\/plain/);
      }
      assert.deepEqual((await call('GET', env)).body.env, taken.body.env);
    });

    test('credentials in an address are kept for git and never shown', async () => {
      await using server = await sharedServer(kind);
      const { call } = await newDeveloper(server);
      const repository = 'https://noa:t0ken-t0ken@git.example.com/noa/site.git';
      const created = await call('POST', APPS, { body: body({ repository }) });
      assert.equal(created.body.repository, REPOSITORY);
      const { application_uuid: uuid } = created.body;
      const seen = [created, await call('GET', `${APPS}/${uuid}`), await call('GET', APPS)];
      for (const { text } of seen) assert.doesNotMatch(text, /t0ken/);
      const { rows } = await sql`select * from applications`.execute(server.simcha.database.sql);
      assert.doesNotMatch(JSON.stringify(rows), /t0ken/);
    });

    test('a deploy key is made and shown by its public half', async () => {
      await using server = await sharedServer(kind);
      const { call } = await newDeveloper(server);
      const { application_uuid: uuid } = (await call('POST', APPS, { body: body({ subdomain: 'keyed' }) }))
        .body;
      const made = await call('POST', `${APPS}/${uuid}/deploy-key`);
      assert.equal(made.status, 201, made.text);
      assert.match(made.body.deploy_key, /^ssh-ed25519 [A-Za-z0-9+/=]+ simcha-keyed$/);
      assert.equal((await call('GET', `${APPS}/${uuid}`)).body.deploy_key, made.body.deploy_key);
      assert.notEqual(
        (await call('POST', `${APPS}/${uuid}/deploy-key`)).body.deploy_key,
        made.body.deploy_key,
      );
      const { rows } = await sql`select * from applications`.execute(server.simcha.database.sql);
      assert.doesNotMatch(JSON.stringify(rows), /PRIVATE KEY/);
    });

    test('an unverified user has few applications, and none is left of a refused one', async () => {
      await using server = await sharedServer(kind);
      const { call } = await newDeveloper(server, { verified: false });
      const answers = await Promise.all(
        Array.from({ length: 25 }, () => call('POST', APPS, { body: body() })),
      );
      const statuses = answers.map(({ status }) => status);
      assert.equal(statuses.filter((status) => status === 201).length, 20);
      assert.equal(statuses.filter((status) => status === 403).length, 5);
      assert.equal((await call('GET', APPS)).body.total, 20);
    });

    test('pushes are taken when signed, and deploy when they are to the branch', async () => {
      await using server = await sharedServer(kind);
      const { call } = await newDeveloper(server);
      const { application_uuid: uuid } = (await call('POST', APPS, { body: body({ branch: 'release' }) }))
        .body;
      const unverified = await newDeveloper(server, { verified: false });
      const { application_uuid: early } = (
        await unverified.call('POST', APPS, { body: body({ branch: 'release' }) })
      ).body;
      const encryption = createEncryption(['the tests’ own encryption key, long enough']);
      const { database } = server.simcha;
      const store = new ApplicationStore(database.sql, encryption, new Budgets(database.sql, readConfig({})));
      const secrets = new Map<string, string>();
      for (const id of [uuid, early]) secrets.set(id, (await store.makeHookSecret(id)) ?? '');
      const config = readConfig({ LOG_LEVEL: 'silent' });
      const parts = {
        config,
        log: pino({ level: 'silent' }),
        database,
        tracing: NO_TRACING,
        isReady: () => true,
        hosting: () => 'ok' as const,
        errorStyles: [],
      };
      const hooks = await createServer(parts);
      hooks.app.addSchema(ApiError);
      const deployed: string[] = [];
      const clock = () => Temporal.Now.instant();
      serveHooks(hooks, {
        applications: store,
        deliveries: new HookDeliveries(database.sql),
        reports: new PushReports({
          previews: new PreviewStore(database.sql, 10),
          clock,
          async requestDeployment({ application_uuid: id }) {
            deployed.push(id);
            return { deployment_uuid: newId() };
          },
        }),
        clock,
      });
      const url = await hooks.app.listen({ port: 0, host: '127.0.0.1' });
      try {
        const deliver = createClient(url);
        const sign = (text: string, id = uuid) =>
          createHmac('sha256', secrets.get(id) ?? '')
            .update(text)
            .digest('hex');
        const pushOf = (after: string) => JSON.stringify({ ref: 'refs/heads/release', after });
        const push = pushOf('abc');
        const github = (text: string, id = uuid) => ({
          'x-github-event': 'push',
          'x-hub-signature-256': `sha256=${sign(text, id)}`,
        });
        const send = async (headers: Record<string, string>, text = push, id = uuid) =>
          deliver('POST', `/api/v1/hooks/${id}`, { body: text, headers });

        assert.deepEqual((await send(github(push))).body, DEPLOYING);
        const second = pushOf('def');
        const gitea = { 'x-gitea-event': 'push', 'x-gitea-signature': sign(second) };
        assert.deepEqual((await send(gitea, second)).body, DEPLOYING);
        const gitlab = { 'x-gitlab-event': 'Push Hook', 'x-gitlab-token': secrets.get(uuid) ?? '' };
        const third = pushOf('0a1');
        assert.deepEqual((await send(gitlab, third)).body, DEPLOYING);
        const fourth = pushOf('0b2');
        const written = await deliver('POST', `/api/v1/hooks/${uuid.toUpperCase()}`, {
          body: fourth,
          headers: github(fourth),
        });
        assert.deepEqual(written.body, DEPLOYING, 'an id is one however it is written');
        assert.deepEqual(deployed, [uuid, uuid, uuid, uuid]);

        // What somebody recorded on its way, whatever they put around what is signed.
        const disguised = { ...github(push), 'x-gitlab-token': 'x', 'x-gitlab-event-uuid': 'new' };
        for (const headers of [github(push), disguised, { ...github(push), 'x-github-delivery': 'new' }]) {
          const again = await send(headers);
          assert.deepEqual([again.status, again.body], [202, REPLAYED]);
        }
        assert.deepEqual((await send(gitlab, third)).body, REPLAYED);
        const forth = { ...gitlab, 'x-gitlab-event-uuid': 'another push, back and forth' };
        assert.deepEqual((await send(forth, third)).body, DEPLOYING);
        const fifth = pushOf('0c3');
        const together = await Promise.all(Array.from({ length: 5 }, () => send(github(fifth), fifth)));
        const statuses = together.map(({ body }) => body.status).sort();
        assert.deepEqual(statuses, ['deploying', ...Array(4).fill('ignored')]);
        assert.equal(deployed.length, 6);

        // As GitHub sends it unless told otherwise, with the signature over the form.
        const form = new URLSearchParams({ payload: pushOf('0d4') }).toString();
        const asForm = (text: string) => ({
          ...github(text),
          'content-type': 'application/x-www-form-urlencoded',
        });
        assert.deepEqual((await send(asForm(form), form)).body, DEPLOYING);
        assert.deepEqual((await send(asForm(form), form)).body, REPLAYED);
        for (const wrong of ['', 'payload=', 'payload=%7B', 'other=1', '{}'])
          assert.equal((await send(asForm(wrong), wrong)).status, 400, wrong);
        assert.equal((await send(asForm(pushOf('0d4')), form)).status, 401);
        assert.equal(deployed.length, 7);

        for (const [payload, reason, said, headers = {}] of [
          [{ ref: 'refs/heads/main' }, 'other_branch', /no preview follows/],
          [{ ref: 'refs/tags/v1' }, 'tag', /Tags are not deployed/],
          [
            { ref: 'refs/heads/release', head_commit: { message: 'Typo [skip ci]' } },
            'skip_ci',
            /קומיט/,
            { 'accept-language': 'he' },
          ],
          [{ ref: 'refs/heads/main', deleted: true }, 'no_preview', /No preview belongs to this delivery/],
          [{ zen: 'x' }, 'other_event', /changes no site/, { 'x-github-event': 'ping' }],
        ] as const) {
          const text = JSON.stringify({ after: 'abc', ...payload });
          const { status, body: answer } = await send({ ...github(text), ...headers }, text);
          assert.deepEqual(
            [status, answer.status, answer.preview, answer.reason],
            [202, 'ignored', null, reason],
          );
          assert.match(answer.message, said);
        }
        for (const headers of [
          {},
          { 'x-github-event': 'push' },
          { ...github(push), 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` },
        ]) {
          const refused = await send(headers as Record<string, string>);
          assert.deepEqual([refused.status, refused.body.code], [401, 'unsigned']);
        }
        assert.equal((await send(github(`${push} `), push)).status, 401);
        assert.equal((await send(github('{'), '{')).status, 400);
        assert.equal((await send(github(push), push, NOWHERE)).status, 404);
        assert.equal((await send(github(push), push, 'x')).status, 404);
        assert.equal((await send(github(push, early), push, early)).status, 403);
        const big = 'x'.repeat(2 ** 20 + 1);
        assert.equal((await send(github(big), big)).status, 413);
        assert.equal(deployed.length, 7);
      } finally {
        await hooks.app.close();
      }
    });
  });
}

test('who made applications under somebody else’s address keeps no secret of their hooks', async () => {
  await using server = await sharedServer(ANY_DATABASE);
  const squatter = await newDeveloper(server, { verified: false });
  const { application_uuid: uuid } = (await squatter.call('POST', APPS, { body: body() })).body;
  const { secret } = (await squatter.call('GET', `${APPS}/${uuid}/hook`)).body;
  await server.call('POST', '/api/auth/code', { body: { email: squatter.email } });
  const code = await codeTo(server.dataDir, squatter.email, 1);
  const { token } = (await server.call('POST', '/api/auth/token', { body: { email: squatter.email, code } }))
    .body;
  const hook = await server.call('GET', `${APPS}/${uuid}/hook`, { token });
  assert.equal(hook.status, 200, hook.text);
  assert.notEqual(hook.body.secret, secret);
});

test('the hook’s address and secret are shown to the owner, and renewed', async () => {
  await using server = await startServer('postgres', { env: { PUBLIC_URL: 'https://simcha.example' } });
  const { call } = await newDeveloper(server);
  const { application_uuid: uuid } = (await call('POST', APPS, { body: body() })).body;
  const hook = await call('GET', `${APPS}/${uuid}/hook`);
  assert.equal(hook.body.url, `https://simcha.example/api/v1/hooks/${uuid}`);
  assert.match(hook.body.secret, /^[\w-]{43}$/);
  const renewed = await call('POST', `${APPS}/${uuid}/hook`);
  assert.deepEqual([renewed.status, renewed.body.secret === hook.body.secret], [201, false]);
  assert.equal((await call('GET', `${APPS}/${uuid}/hook`)).body.secret, renewed.body.secret);
});

test('hostile and malformed fields are refused by name, and nothing is stored', async () => {
  await using server = await sharedServer(ANY_DATABASE);
  const { call } = await newDeveloper(server);
  const cases: [object, RegExp][] = [
    [{ name: undefined }, /^name: is required/],
    [{ name: ' ' }, /^name: is required/],
    [{ name: 7 }, /^name: must be text/],
    [{ name: 'a\nb' }, /^name/],
    [{ name: '\u202e' }, /^name/],
    [{ name: 'x'.repeat(101) }, /^name: is too long/],
    [{ repository: undefined }, /^repository: is required/],
    [{ repository: 'ext::sh -c id' }, /^repository/],
    [{ repository: '--upload-pack=id' }, /^repository/],
    [{ repository: 'file:///etc' }, /^repository: must use one of these protocols: https, ssh/],
    [{ repository: 'http://git.example.com/x' }, /^repository: must use one of these protocols/],
    [{ repository: 'https://127.0.0.1/x' }, /^repository: .*private/],
    [{ repository: 'https://[::1]/x' }, /^repository: .*private/],
    [{ repository: 'https://localhost/x' }, /^repository: .*private/],
    [{ repository: 'git@169.254.169.254:x' }, /^repository: .*private/],
    [{ repository: 'ssh://git:hunter2@git.example.com/x' }, /^repository: (?!.*hunter2)/],
    [
      { repository: 'https://me:hunter2@github.com/o/r/tree/main/site' },
      /^repository: is the address of a page\. The repository’s is https:\/\/github\.com\/o\/r, with "branch": "main" and "root": "site", or with "branch": "main\/site" if that is the branch’s name\.$/,
    ],
    [{ branch: '-x' }, /^branch/],
    [{ branch: 'a..b' }, /^branch/],
    [{ subdomain: 'a_b' }, /^subdomain/],
    [{ subdomain: 'www' }, /^subdomain: is reserved/],
    [{ root: '../x' }, /^root/],
    [{ root: '/etc' }, /^root/],
    [{ root: 'a\u202eb' }, /^root/],
    [{ root: '.git/hooks' }, /^root/],
    [{ build: 'a\nb' }, /^build/],
    [{ build: 7 }, /^build: must be text/],
    [{ start: 'x'.repeat(2_001) }, /^start: is too long/],
    [{ health_path: 'up' }, /^health_path/],
    [{ health_path: '//evil.example' }, /^health_path/],
    [{ health_path: '/a b' }, /^health_path/],
    [{ health_path: '/\\127.0.0.1:4150/latest' }, /^health_path: must be a path .* without spaces, \\ and #/],
    [{ health_path: '/up#' }, /^health_path/],
    [{ health_path: '/up\tdown' }, /^health_path/],
    [{ health_path: '/\u05d0' }, /^health_path/],
    [{ watch_paths: ['a/../b'] }, /^watch_paths\[0\]: must be a path in the repository/],
    [{ watch_paths: ['*a*a*a*a'] }, /^watch_paths\[0\]/],
    [{ response_seconds: 601 }, /^response_seconds: must be a whole number from 1 to 600/],
    [{ max_body_mb: 0 }, /^max_body_mb/],
  ];
  const { application_uuid: uuid } = (await call('POST', APPS, { body: body() })).body;
  for (const [wrong, said] of cases) {
    const answer = await call('POST', APPS, { body: body(wrong) });
    assert.equal(answer.status, 400, `${JSON.stringify(wrong)} ${answer.text}`);
    assert.match(answer.body.error, said);
    if (Object.values(wrong)[0] === undefined) continue;
    assert.equal(
      (await call('PATCH', `${APPS}/${uuid}`, { body: wrong })).status,
      400,
      JSON.stringify(wrong),
    );
  }
  assert.equal((await call('GET', APPS)).body.total, 1);
});

test('private hosts and other protocols are for those who allow them', async () => {
  await using server = await startServer('postgres', {
    env: {
      APPS_ALLOW_PRIVATE_HOSTS: 'true',
      APPS_GIT_PROTOCOLS: 'https,http,ssh,file',
      APPS_DOMAIN: 'sites.example',
    },
  });
  const { call } = await newDeveloper(server);
  for (const repository of ['http://127.0.0.1:8080/x', 'file:///srv/git/x.git', 'git@10.0.0.1:x']) {
    const answer = await call('POST', APPS, { body: body({ repository }) });
    assert.deepEqual([answer.status, answer.body.repository], [201, repository], answer.text);
    assert.match(answer.body.domain, /^http:\/\/our-site(-[a-z0-9]{5})?\.sites\.example(:\d+)?$/);
  }
});

test('no repository lies in the server’s own data, by whichever path', async () => {
  await using server = await startServer('postgres', { env: { APPS_GIT_PROTOCOLS: 'https,file' } });
  await using folder = await mkdtempDisposable(join(tmpdir(), 'simcha-links-'));
  const link = join(folder.path, 'link');
  await symlink(server.dataDir, link);
  const { call } = await newDeveloper(server);
  for (const path of [server.dataDir, join(server.dataDir, 'repositories', newId()), link, join(link, 'x')]) {
    const answer = await call('POST', APPS, { body: body({ repository: `file://${path}` }) });
    assert.equal(answer.status, 400, path);
    assert.match(answer.body.error, /^repository: must not be in this server’s data folder/);
  }
  const beside = await call('POST', APPS, { body: body({ repository: `file://${server.dataDir}-2/x` }) });
  assert.equal(beside.status, 201, beside.text);
});

test('a user who signed in by mail has the applications too', async () => {
  await using server = await sharedServer(ANY_DATABASE);
  const { call, userId } = await newDeveloper(server);
  await call('POST', APPS, { body: body() });
  const token = await server.token(userId);
  assert.equal((await server.call('GET', APPS, { token })).body.total, 1);
  assert.equal((await server.call('GET', APPS, { token: await server.token('me') })).status, 401);
});

test('no body, however absurd, is a failure of ours, and none slips through half', async () => {
  await using server = await sharedServer(ANY_DATABASE);
  const { call } = await newDeveloper(server);
  const { application_uuid: uuid } = (await call('POST', APPS, { body: body() })).body;
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.constantFrom('\0', '\ud800', 'x'.repeat(3_000), ''),
  );
  const value = fc.oneof(
    text,
    fc.jsonValue(),
    fc.constantFrom(REPOSITORY, 'main', 'free-label', '/up', 'npm start'),
  );
  const fields = fc.dictionary(
    fc.constantFrom(
      'name',
      'repository',
      'branch',
      'subdomain',
      'root',
      'build',
      'start',
      'health_path',
      'email',
      'code',
      'user_id',
      'A_1',
      'x y',
    ),
    value,
  );
  const routes = fc.constantFrom(
    ['POST', APPS],
    ['PATCH', `${APPS}/${uuid}`],
    ['PATCH', `${APPS}/${uuid}/env`],
    ['POST', '/api/v1/users/me/tokens'],
    ['POST', '/api/v1/users/register'],
    ['POST', '/api/v1/users/verify'],
    ['POST', '/api/auth/token'],
  );
  const bodies = fc.oneof({ weight: 5, arbitrary: fields }, { weight: 1, arbitrary: fc.jsonValue() });
  await fc.assert(
    fc.asyncProperty(routes, bodies, async ([method = '', path = ''], sent) => {
      const answer = await call(method, path, { body: JSON.stringify(sent) });
      assert.ok(
        answer.status < 500,
        `${method} ${path} ${JSON.stringify(sent)}: ${answer.status} ${answer.text}`,
      );
      if (answer.status >= 400)
        assert.deepEqual(
          Object.keys(answer.body),
          answer.body.code === 'invalid_field' ? ['error', 'code', 'field'] : ['error', 'code'],
        );
    }),
    { numRuns: 400 },
  );
});

test('what is asked of an application that is being deleted finds none', async () => {
  await using server = await sharedServer('postgres');
  const { call } = await newDeveloper(server);
  const db = server.simcha.database.sql;
  for (const [what, sent] of [
    ['stop', {}],
    ['deploy', {}],
    ['restart', {}],
  ] as const) {
    const made = await call('POST', '/api/v1/applications', {
      body: { name: what, repository: 'https://git.example.com/noa/site.git' },
    });
    const { application_uuid: uuid } = made.body;
    const asked = await db.transaction().execute(async (transaction) => {
      await sql`delete from applications where application_uuid = ${uuid}`.execute(transaction);
      const answer = call('POST', `/api/v1/applications/${uuid}/${what}`, { body: sent });
      await until(async () => {
        const { rows } = await sql<{ count: number }>`
          select count(*)::integer as count from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
        return rows[0]?.count === 1;
      });
      return { answer };
    });
    const { status, body } = await asked.answer;
    assert.deepEqual([status, body.code], [404, 'not_found'], what);
  }
});
