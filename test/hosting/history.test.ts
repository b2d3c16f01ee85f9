import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { forgetOldHistory } from '../../server/hosting/model/history.ts';
import { versionSite } from '../support/deployed.ts';
import { newDeveloper, type TestDeveloper } from '../support/developers.ts';
import { startNameServer } from '../support/dns.ts';
import { newSite } from '../support/new-site.ts';
import { operationsOf } from '../support/reference.ts';
import { DATABASES, startServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { testInLane } from '../support/test-in-lane.ts';
import { until } from '../support/until.ts';

const APPS = '/api/v1/applications';
const REPOSITORY = 'https://git.example.com/noa/shop.git';

interface Line {
  operation: string;
  at: string;
  preview: string | null;
  by: { kind: string; email: string | null; token: string | null; address: string | null };
  subject: string | null;
  changes: Record<string, { from: unknown; to: unknown }> | null;
}

async function newApplication({ call }: TestDeveloper, fields: object = {}): Promise<string> {
  const made = await call('POST', APPS, { body: { name: 'Shop', repository: REPOSITORY, ...fields } });
  assert.equal(made.status, 201, made.text);
  return made.body.application_uuid;
}

async function historyOf({ call }: Pick<TestDeveloper, 'call'>, uuid: string): Promise<Line[]> {
  const answer = await call('GET', `${APPS}/${uuid}/history?limit=100`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.history;
}

/** Operations that need a running site; the last test tries them. */
const OF_RUNNING_SITES = [
  'rollBack',
  'promote',
  'restart',
  'startSite',
  'stopSite',
  'run',
  'cancelRun',
  'removeVolume',
  'emptyVolume',
  'restoreVolume',
];

for (const kind of DATABASES) {
  describe(`history of an application on ${kind}`, () => {
    test('every change is one line, with what was changed and never a secret', async () => {
      await using names = await startNameServer();
      await using server = await startServer(kind, { env: { APPS_DNS_SERVERS: names.address } });
      const owner = await newDeveloper(server);
      const itai = await newDeveloper(server);
      const uuid = await newApplication(owner);
      const call = async (method: string, path: string, body?: object) => {
        const answer = await owner.call(method, `${APPS}/${uuid}${path}`, { body });
        assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
        return answer.body;
      };
      const before = (await historyOf(owner, uuid)).length;
      await call('PATCH', '', {
        branch: 'main',
        repository: 'https://me:hidden-1@git.example.com/noa/shop.git',
      });
      await call('PATCH', '/env', { GREETING: 'hidden-2', OLD: 'hidden-3' });
      await call('PATCH', '/env', { OLD: null, NEVER: null });
      await call('PATCH', '/variables', { SECRET: { value: 'hidden-7' }, GREETING: null });
      const groups = '/api/v1/variable-groups';
      await owner.call('POST', groups, {
        body: { name: 'mail', variables: { MAIL_HOST: { value: 'hidden-8' } } },
      });
      await call('PUT', '/variable-groups/mail');
      await owner.call('PATCH', `${groups}/mail`, {
        body: { variables: { MAIL_HOST: { value: 'hidden-9' } } },
      });
      await call('DELETE', '/variable-groups/mail');
      await call('POST', '/deploy-key');
      await call('POST', '/hook');
      await call('POST', '/domains', { hostname: 'shop.example.com' });
      await call('POST', '/domains', { hostname: 'www.shop.example.com' });
      await call('PATCH', '/domains/www.shop.example.com', { redirect_to: 'shop.example.com' });
      await call('POST', '/domains/www.shop.example.com/check');
      await call('DELETE', '/domains/www.shop.example.com');
      await call('PATCH', '/rules', { protection: 'all', username: 'noa', password: 'hidden-4-and-long' });
      await call('POST', '/volumes', { name: 'data', path: '/data' });
      await call('PATCH', '/processes', { web: 2 });
      const { id } = await call('POST', '/people', { email: itai.email, role: 'look' });
      await call('PATCH', `/people/${id}`, { role: 'deploy' });
      await call('PATCH', `/people/${id}`, { role: 'deploy' });
      await call('DELETE', `/people/${id}`);
      const { deployment_uuid: deployment } = await call('POST', '/deploy', { tag: 'v1' });
      await call('POST', `/deployments/${deployment}/cancel`);
      await call('POST', '/previews', { branch: 'feature', env: { GREETING: 'hidden-5' } });
      await call('DELETE', '/previews/feature');
      await call('POST', '/previews', { branch: 'other' });
      await call('PATCH', '/env?preview=other', { GREETING: 'hidden-6' });
      const history = (await historyOf(owner, uuid)).toReversed();
      assert.ok(!JSON.stringify(history).includes('hidden'));
      assert.deepEqual(
        history.map(({ operation, subject, changes }) => [operation, subject, changes]),
        [
          ['createApplication', null, null],
          [
            'updateApplication',
            null,
            { branch: { from: null, to: 'main' }, repository: { from: REPOSITORY, to: REPOSITORY } },
          ],
          [
            'updateEnvironment',
            null,
            { GREETING: { from: null, to: 'set' }, OLD: { from: null, to: 'set' } },
          ],
          ['updateEnvironment', null, { OLD: { from: 'set', to: null } }],
          [
            'updateVariables',
            null,
            { SECRET: { from: null, to: 'set' }, GREETING: { from: 'set', to: null } },
          ],
          ['linkVariableGroup', 'mail', null],
          ['updateVariableGroup', 'mail', { MAIL_HOST: { from: 'set', to: 'set' } }],
          ['unlinkVariableGroup', 'mail', null],
          ['createDeployKey', null, null],
          ['renewHook', null, null],
          ['addDomain', 'shop.example.com', null],
          ['addDomain', 'www.shop.example.com', null],
          ['updateDomain', 'www.shop.example.com', { redirect_to: { from: null, to: 'shop.example.com' } }],
          ['removeDomain', 'www.shop.example.com', null],
          [
            'updateRules',
            null,
            {
              protection: { from: 'off', to: 'all' },
              username: { from: null, to: 'noa' },
              password: { from: null, to: 'set' },
            },
          ],
          ['addVolume', 'data', { path: { from: null, to: '/data' } }],
          ['scaleProcesses', null, { web: { from: 1, to: 2 } }],
          ['invitePerson', itai.email, { role: { from: null, to: 'look' } }],
          ['changePerson', itai.email, { role: { from: 'look', to: 'deploy' } }],
          ['removePerson', itai.email, null],
          ['deploy', deployment, { tag: { from: null, to: 'v1' } }],
          ['cancelDeployment', deployment, null],
          [
            'openPreview',
            'feature',
            { branch: { from: null, to: 'feature' }, GREETING: { from: null, to: 'set' } },
          ],
          ['removePreview', 'feature', null],
          ['openPreview', 'other', { branch: { from: null, to: 'other' } }],
          ['updateEnvironment', null, { GREETING: { from: null, to: 'set' } }],
        ],
      );
      assert.equal(before, 1);
      assert.equal(history.at(-1)?.preview, 'other');
      assert.deepEqual(
        new Set(history.map(({ by }) => JSON.stringify(by))),
        new Set([
          JSON.stringify({ kind: 'user', email: owner.email, token: 'registration', address: '127.0.0.1' }),
        ]),
      );

      const upload = await newApplication(owner, { repository: undefined, source: 'upload' });
      const { body: reference } = await server.call('GET', '/openapi.json');
      const tried = new Set(history.map(({ operation }) => operation));
      const writing = operationsOf(reference)
        .filter(({ method, path }) => method !== 'get' && path.startsWith(`${APPS}/{uuid}`))
        .map(({ operation }) => operation.operationId as string)
        .filter((one) => !tried.has(one) && !OF_RUNNING_SITES.includes(one));
      // A check that changes nothing is no change, and the history is deleted with the application.
      assert.deepEqual(writing.toSorted(), ['checkDomain', 'deleteApplication', 'uploadSource']);
      assert.ok(upload);
    });

    test('a line says who made a change, by which token, and from where to those who administer', async () => {
      await using server = await sharedServer(kind);
      const [owner, itai] = [await newDeveloper(server), await newDeveloper(server)];
      const uuid = await newApplication(owner);
      const shared = await owner.call('POST', `${APPS}/${uuid}/people`, {
        body: { email: itai.email, role: 'administer' },
      });
      const made = await itai.call('POST', '/api/v1/users/me/tokens', {
        body: { name: 'CI', scopes: ['env', 'read'], application_id: uuid },
      });
      const { token, id } = made.body;
      await server.call('PATCH', `${APPS}/${uuid}/env`, { token, body: { A: '1' } });
      await itai.call('DELETE', `/api/v1/users/me/tokens/${id}`);
      const lines = (await historyOf(owner, uuid)).toReversed().slice(2);
      assert.deepEqual(
        lines.map(({ operation, subject, by }) => [operation, subject, by.email, by.token]),
        [
          ['createToken', 'CI', itai.email, 'registration'],
          ['updateEnvironment', null, itai.email, 'CI'],
          ['revokeToken', 'CI', itai.email, 'registration'],
        ],
      );
      assert.equal((await historyOf(itai, uuid))[0]?.by.address, '127.0.0.1');
      await owner.call('PATCH', `${APPS}/${uuid}/people/${shared.body.id}`, { body: { role: 'look' } });
      const seen = await historyOf(itai, uuid);
      assert.deepEqual(new Set(seen.map(({ by }) => by.address)), new Set([null]));
    });

    test('webhooks for one application are in its history, without their addresses', async () => {
      await using server = await sharedServer(kind);
      const owner = await newDeveloper(server);
      const uuid = await newApplication(owner);
      const webhooks = '/api/v1/users/me/webhooks';
      const made = await owner.call('POST', webhooks, {
        body: { url: 'https://hooks.example.com/hidden', kinds: ['site.down'], application_id: uuid },
      });
      assert.equal(made.status, 201, made.text);
      const { id } = made.body;
      await owner.call('PATCH', `${webhooks}/${id}`, { body: { url: 'https://hooks.example.com/hidden-2' } });
      await owner.call('POST', `${webhooks}/${id}/secret`);
      await owner.call('DELETE', `${webhooks}/${id}`);
      const lines = (await historyOf(owner, uuid)).toReversed().slice(1);
      assert.deepEqual(
        lines.map(({ operation, subject, changes }) => [operation, subject, changes]),
        [
          ['createWebhook', 'hooks.example.com', { kinds: { from: null, to: ['site.down'] } }],
          ['updateWebhook', 'hooks.example.com', { url: { from: 'set', to: 'set' } }],
          ['rotateWebhookSecret', 'hooks.example.com', null],
          ['deleteWebhook', 'hooks.example.com', null],
        ],
      );
    });

    test('a push is named as such, without a user, and recorded once', async () => {
      await using server = await sharedServer(kind);
      const owner = await newDeveloper(server);
      const uuid = await newApplication(owner, { branch: 'main' });
      const { secret } = (await owner.call('GET', `${APPS}/${uuid}/hook`)).body;
      const body = JSON.stringify({ ref: 'refs/heads/main', after: 'abc' });
      const signature = createHmac('sha256', secret).update(body).digest('hex');
      const headers = { 'x-github-event': 'push', 'x-hub-signature-256': `sha256=${signature}` };
      for (let delivered = 0; delivered < 2; delivered++) {
        assert.equal((await server.call('POST', `/api/v1/hooks/${uuid}`, { body, headers })).status, 202);
      }
      const [pushed, ...others] = await historyOf(owner, uuid);
      assert.deepEqual(
        [pushed?.operation, { ...pushed?.by, address: '' }, pushed?.changes],
        [
          'deploy',
          { kind: 'push', email: null, token: null, address: '' },
          { branch: { from: null, to: 'main' } },
        ],
      );
      assert.match(pushed?.by.address ?? '', /^\d+\.\d+\.\d+\.\d+$/);
      assert.equal(others.length, 1);
    });

    test('a change that fails leaves no line, and a repeated request one', async () => {
      await using server = await sharedServer(kind);
      const owner = await newDeveloper(server);
      const uuid = await newApplication(owner);
      await owner.call('PATCH', `${APPS}/${uuid}`, { body: { subdomain: 'www' } });
      await owner.call('PATCH', `${APPS}/${uuid}`, { body: { branch: null } });
      for (let tries = 0; tries < 2; tries++) {
        const headers = { 'x-api-key': owner.apiKey, 'idempotency-key': 'one' };
        await owner.call('POST', `${APPS}/${uuid}/hook`, { headers });
      }
      const lines = (await historyOf(owner, uuid)).map(({ operation }) => operation);
      assert.deepEqual(lines, ['renewHook', 'createApplication']);
    });

    test('the oldest lines are deleted: after a year, and beyond the maximum', async () => {
      await using server = await startServer(kind);
      const owner = await newDeveloper(server);
      const uuid = await newApplication(owner);
      const { sql: db } = server.simcha.database;
      for (let number = 0; number < 8; number++) await owner.call('POST', `${APPS}/${uuid}/hook`);
      await sql`
        update application_history set at = at - interval '366 days'
        where operation = 'createApplication'`.execute(db);
      await forgetOldHistory(db, Temporal.Now.instant());
      assert.equal((await historyOf(owner, uuid)).length, 8);
      const newest = await historyOf(owner, uuid);
      await forgetOldHistory(db, Temporal.Now.instant(), 3);
      assert.deepEqual(await historyOf(owner, uuid), newest.slice(0, 3));
    });
  });
}

testInLane('every change of a running site is one line', async () => {
  await using at = await newSite({ APPS_GIT_PROTOCOLS: 'file', APPS_HEALTH_SECONDS: '10' }, versionSite('v'));
  const { app } = at;
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await app.call(method, path, body);
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
    return answer.body;
  };
  await call('POST', '/volumes', { name: 'data', path: '/data' });
  await app.deploy();
  await at.repository.commit(versionSite('v2'));
  await app.deploy();
  const ended = async ({ deployment_uuid: id }: { deployment_uuid: string }) => {
    await call('GET', `/deployments/${id}?wait=60`);
  };
  const { run_uuid: run } = await call('POST', '/runs', { command: 'sleep 30' });
  await call('POST', `/runs/${run}/cancel`);
  await ended(await call('POST', '/restart'));
  await ended(await call('POST', '/rollback'));
  await until(async () => (await call('GET', `/runs/${run}`)).ended_at !== null);
  await call('POST', '/stop');
  await until(async () => (await app.call('POST', '/volumes/data/empty')).status === 200);
  const archive = Buffer.from(
    await (
      await fetch(`${at.server.url}${app.at}/volumes/data/backup`, {
        headers: { 'x-api-key': at.user.key },
      })
    ).arrayBuffer(),
  );
  const restored = await fetch(`${at.server.url}${app.at}/volumes/data/backup`, {
    method: 'PUT',
    headers: { 'x-api-key': at.user.key, 'content-type': 'application/x-tar' },
    body: archive,
  });
  assert.equal(restored.status, 200, await restored.text());
  await call('DELETE', '/volumes/data');
  await ended(await call('POST', '/start'));
  const { history } = await call('GET', '/history?limit=100');
  const operations = history.map(({ operation }: Line) => operation).toReversed();
  assert.deepEqual(operations.slice(operations.indexOf('run')), [
    'run',
    'cancelRun',
    'restart',
    'rollBack',
    'stopSite',
    'emptyVolume',
    'restoreVolume',
    'removeVolume',
    'startSite',
  ]);
});
