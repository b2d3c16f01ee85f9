import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { pack } from 'tar-stream';
import { ROLE_OPERATIONS, requiredRole } from '../../server/hosting/applications/roles.ts';
import {
  accountsWithAccess,
  ROLES,
  type Role,
  SHARED_ROLES,
  type SharedRole,
} from '../../server/hosting/model/people.ts';
import { OPERATIONS } from '../../server/identity/access-tokens/operations.ts';
import { findListeners } from '../../server/webhooks/outbox.ts';
import type { Answer } from '../support/client.ts';
import { newDeveloper, type TestDeveloper } from '../support/developers.ts';
import { codeTo, mailTo } from '../support/outbox.ts';
import { operationsOf } from '../support/reference.ts';
import { ANY_DATABASE, DATABASES, startServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { sendSlowly } from '../support/slow-request.ts';
import { testInLane } from '../support/test-in-lane.ts';

const APPS = '/api/v1/applications';
const NOWHERE = '01980a3c-7b1e-7c1a-9c55-3f0b8d1f2a44';
const NOT_YOURS = 'This API key does not belong to the owner of the application.';

const verdictOf = ({ status, body }: Answer) => [status, body?.code];

async function newApplication({ call }: TestDeveloper, fields: object = {}) {
  const body = { name: 'Shop', repository: 'https://git.example.com/noa/shop.git', ...fields };
  const made = await call('POST', APPS, { body });
  assert.equal(made.status, 201, made.text);
  return made.body;
}

async function share(owner: TestDeveloper, uuid: string, { email }: { email: string }, role: SharedRole) {
  const shared = await owner.call('POST', `${APPS}/${uuid}/people`, { body: { email, role } });
  assert.equal(shared.status, 201, shared.text);
  return shared.body;
}

for (const kind of DATABASES) {
  describe(`people of an application on ${kind}`, () => {
    test('a person who is removed while an upload arrives deploys nothing', async () => {
      await using server = await sharedServer(kind);
      const owner = await newDeveloper(server);
      const { application_uuid: uuid } = await newApplication(owner, {
        repository: undefined,
        source: 'upload',
      });
      const itai = await newDeveloper(server);
      await share(owner, uuid, itai, 'deploy');
      const source = `${APPS}/${uuid}/source`;
      const archive = pack();
      archive.entry({ name: 'index.html' }, 'x');
      archive.finalize();
      const slow = {
        method: 'PUT',
        headers: { 'x-api-key': itai.apiKey, 'content-type': 'application/x-tar' },
        body: await buffer(archive),
      };
      const remove = async () => {
        const removed = await owner.call('DELETE', `${APPS}/${uuid}/people/${itai.email}`);
        assert.equal(removed.status, 204, removed.text);
      };
      assert.equal(await sendSlowly(`${server.url}${source}?deploy=true`, slow, remove), 403);
      assert.equal((await owner.call('GET', `${APPS}/${uuid}/deployments`)).body.total, 0);
    });

    test('an application is shared with an address before and after somebody registers it', async () => {
      await using server = await sharedServer(kind);
      const owner = await newDeveloper(server);
      const { application_uuid: uuid } = await newApplication(owner);
      const email = `Itai-${uuid}@example.com`;
      const shared = await share(owner, uuid, { email }, 'deploy');
      assert.deepEqual(
        { ...shared, id: '', created_at: '', updated_at: '' },
        { id: '', email: email.toLowerCase(), role: 'deploy', pending: true, created_at: '', updated_at: '' },
      );
      const { text } = await mailTo(server.dataDir, email.toLowerCase());
      assert.match(text.replaceAll(/\s+/g, ' '), new RegExp(`${owner.email} shared the site Shop with you`));
      assert.match(text, new RegExp(`/sites/${uuid}`));

      const itai = await newDeveloper(server, { email, verified: false });
      assert.equal((await itai.call('GET', `${APPS}/${uuid}`)).status, 403);
      assert.equal((await itai.call('GET', APPS)).body.total, 0);
      const code = await codeTo(server.dataDir, email);
      assert.equal((await itai.call('POST', '/api/v1/users/verify', { body: { code, email } })).status, 200);
      const { body: read } = await itai.call('GET', `${APPS}/${uuid}`);
      assert.deepEqual([read.role, read.owner], ['deploy', owner.email]);
      assert.deepEqual((await itai.call('GET', APPS)).body.applications, [read]);
      const { body } = await itai.call('GET', `${APPS}/${uuid}/people`);
      assert.deepEqual(body.people, [{ ...shared, pending: false }]);
    });

    test('a role that is changed or withdrawn has its effect at once', async () => {
      await using server = await sharedServer(kind);
      const [owner, itai] = [await newDeveloper(server), await newDeveloper(server)];
      const { application_uuid: uuid } = await newApplication(owner);
      const { id } = await share(owner, uuid, itai, 'look');
      const person = `${APPS}/${uuid}/people/${id}`;
      const readVariables = async () => verdictOf(await itai.call('GET', `${APPS}/${uuid}/env`));
      assert.deepEqual(await readVariables(), [403, 'role_missing']);
      const changed = await owner.call('PATCH', person, { body: { role: 'administer' } });
      assert.deepEqual([changed.status, changed.body.role], [200, 'administer'], changed.text);
      assert.deepEqual(await readVariables(), [200, undefined]);
      assert.equal((await owner.call('DELETE', person)).status, 204);
      const refused = await itai.call('GET', `${APPS}/${uuid}/env`);
      assert.deepEqual([refused.status, refused.body.error], [403, NOT_YOURS]);
      assert.equal((await itai.call('GET', APPS)).body.total, 0);
      assert.deepEqual(verdictOf(await owner.call('DELETE', person)), [404, 'not_found']);
    });

    test('a person is named by their mail address', async () => {
      await using server = await sharedServer(kind);
      const [owner, itai] = [await newDeveloper(server), await newDeveloper(server)];
      const { application_uuid: uuid } = await newApplication(owner);
      const { application_uuid: other } = await newApplication(owner);
      await share(owner, uuid, itai, 'look');
      const person = (of: string) => `${APPS}/${of}/people/${encodeURIComponent(itai.email.toUpperCase())}`;
      const changed = await owner.call('PATCH', person(uuid), { body: { role: 'deploy' } });
      assert.deepEqual([changed.status, changed.body.role], [200, 'deploy'], changed.text);
      assert.deepEqual(verdictOf(await owner.call('DELETE', person(other))), [404, 'not_found']);
      assert.equal((await owner.call('DELETE', person(uuid))).status, 204);
      assert.equal((await itai.call('GET', `${APPS}/${uuid}`)).status, 403);
    });

    test('people remove themselves, and nobody else', async () => {
      await using server = await sharedServer(kind);
      const [owner, itai, dana] = [
        await newDeveloper(server),
        await newDeveloper(server),
        await newDeveloper(server),
      ];
      const { application_uuid: uuid } = await newApplication(owner);
      const people = `${APPS}/${uuid}/people`;
      const mine = await share(owner, uuid, itai, 'administer');
      const other = await share(owner, uuid, dana, 'look');
      const removed = await itai.call('DELETE', `${people}/${other.id}`);
      assert.deepEqual(verdictOf(removed), [403, 'role_missing']);
      assert.equal((await itai.call('DELETE', `${people}/${mine.id}`)).status, 204);
      assert.equal((await itai.call('GET', `${APPS}/${uuid}`)).status, 403);
      assert.equal((await dana.call('GET', `${APPS}/${uuid}`)).status, 200);
    });

    test('invitations are refused that are wrong, repeated or too many', async () => {
      await using server = await startServer(kind, { env: { STRICT_RATE_LIMIT: '60' } });
      const [owner, waiting] = [await newDeveloper(server), await newDeveloper(server, { verified: false })];
      const { application_uuid: uuid } = await newApplication(owner);
      const invite = (body: object) => owner.call('POST', `${APPS}/${uuid}/people`, { body });
      for (const [field, body] of [
        ['email', {}],
        ['email', { email: 'nobody' }],
        ['email', { email: owner.email.toUpperCase() }],
        ['role', { email: 'a@example.com', role: 'owner' }],
      ] as const) {
        const refused = await invite(body);
        assert.deepEqual([refused.status, refused.body.field], [400, field], JSON.stringify(body));
      }
      const early = await newApplication(waiting);
      const unverified = await waiting.call('POST', `${APPS}/${early.application_uuid}/people`, {
        body: { email: 'a@example.com' },
      });
      assert.deepEqual(verdictOf(unverified), [403, 'unverified']);
      const ids = new Set<string>();
      for (let number = 0; number < 50; number++) {
        const { status, body, text } = await invite({ email: `p${number}@example.com` });
        assert.deepEqual([status, body.role], [201, 'look'], text);
        ids.add(body.id);
      }
      assert.equal(ids.size, 50);
      assert.deepEqual(verdictOf(await invite({ email: 'p0@example.com' })), [400, 'too_many']);
      await owner.call('DELETE', `${APPS}/${uuid}/people/${[...ids][1]}`);
      assert.deepEqual(verdictOf(await invite({ email: 'p0@example.com' })), [409, 'duplicate']);
      let last = await invite({ email: 'p0@example.com' });
      for (let tries = 0; tries < 10 && last.status !== 429; tries++) {
        last = await invite({ email: 'p0@example.com' });
      }
      assert.equal(last.status, 429);
    });

    test('a name means an own application first, then a shared one', async () => {
      await using server = await sharedServer(kind);
      const [owner, itai] = [await newDeveloper(server), await newDeveloper(server)];
      const shared = await newApplication(owner, { name: 'Family Blog' });
      await share(owner, shared.application_uuid, itai, 'look');
      const named = async (name: string) => {
        const { body } = await itai.call('GET', `${APPS}/${encodeURIComponent(name)}`);
        return body.application_uuid ?? body.code;
      };
      assert.equal(await named('Family Blog'), shared.application_uuid);
      assert.equal(await named(shared.subdomain), shared.application_uuid);
      const second = await newApplication(owner, { name: 'Family Blog' });
      await share(owner, second.application_uuid, itai, 'look');
      assert.equal(await named('Family Blog'), 'ambiguous_name');
      const own = await newApplication(itai, { name: 'Family Blog' });
      assert.equal(await named('Family Blog'), own.application_uuid);
      await newApplication(itai, { name: 'Family Blog' });
      assert.equal(await named('Family Blog'), 'ambiguous_name');
      assert.equal(await named('Shop'), 'not_found');
    });

    test('a token for a shared application allows what both its scopes and the role allow', async () => {
      await using server = await sharedServer(kind);
      const [owner, itai] = [await newDeveloper(server), await newDeveloper(server)];
      const { application_uuid: uuid } = await newApplication(owner);
      const { application_uuid: other } = await newApplication(owner);
      const { id } = await share(owner, uuid, itai, 'look');
      await share(owner, other, itai, 'look');
      const body = { name: 'CI', scopes: ['read', 'env'], application_id: uuid };
      const headers = { 'x-api-key': itai.apiKey, 'idempotency-key': 'ci' };
      const made = await itai.call('POST', '/api/v1/users/me/tokens', { body, headers });
      assert.equal(made.status, 201, made.text);
      const call = async (path: string) =>
        verdictOf(await server.call('GET', path, { token: made.body.token }));
      assert.deepEqual(await call(`${APPS}/${uuid}`), [200, undefined]);
      assert.deepEqual(await call(`${APPS}/${uuid}/env`), [403, 'role_missing']);
      assert.deepEqual(await call(`${APPS}/${other}`), [403, 'token_restricted']);
      await owner.call('DELETE', `${APPS}/${uuid}/people/${id}`);
      assert.deepEqual(await call(`${APPS}/${uuid}`), [403, 'forbidden']);
    });

    test('messages about a shared application reach the webhooks of those who may read it', async () => {
      await using server = await sharedServer(kind);
      const [owner, itai, stranger] = [
        await newDeveloper(server),
        await newDeveloper(server),
        await newDeveloper(server),
      ];
      const { application_uuid: uuid } = await newApplication(owner);
      const { id } = await share(owner, uuid, itai, 'look');
      const body = { url: 'https://hooks.example.com/', kinds: ['deployment.started', 'deployment.failed'] };
      const webhooks = '/api/v1/users/me/webhooks';
      const ids: string[] = [];
      for (const one of [owner, itai, stranger]) {
        const made = await one.call('POST', webhooks, { body: { ...body, enabled: true } });
        assert.equal(made.status, 201, made.text);
        ids.push(made.body.id);
      }
      const restricted = { ...body, application_id: uuid };
      assert.equal((await stranger.call('POST', webhooks, { body: restricted })).status, 400);
      assert.equal((await itai.call('POST', webhooks, { body: restricted })).status, 201);
      const listeners = async () => {
        const audience = accountsWithAccess(uuid);
        const found = await findListeners(
          server.simcha.database.sql,
          { application: uuid },
          ['deployment.failed'],
          audience,
        );
        return found.map((listener) => listener.id).filter((one) => ids.includes(one));
      };
      assert.deepEqual(await listeners(), ids.slice(0, 2));
      await owner.call('DELETE', `${APPS}/${uuid}/people/${id}`);
      assert.deepEqual(await listeners(), ids.slice(0, 1));
    });

    testInLane('a stream ends when access is withdrawn', async () => {
      await using server = await sharedServer(kind);
      const [owner, itai] = [await newDeveloper(server), await newDeveloper(server)];
      const { application_uuid: uuid } = await newApplication(owner);
      const { id } = await share(owner, uuid, itai, 'look');
      const stream = await fetch(`${server.url}${APPS}/${uuid}/logs/stream`, {
        headers: { 'x-api-key': itai.apiKey },
      });
      assert.equal(stream.status, 200);
      await owner.call('DELETE', `${APPS}/${uuid}/people/${id}`);
      // The stream checks the access with each of its comments.
      for await (const _ of stream.body ?? []);
    });
  });
}

describe('roles', () => {
  test('every operation about an application is refused to a role that does not include it', async () => {
    await using server = await sharedServer(ANY_DATABASE);
    const owner = await newDeveloper(server);
    const { application_uuid: uuid } = await newApplication(owner);
    const { body: reference } = await server.call('GET', '/openapi.json');
    const operations = operationsOf(reference).filter(({ path }) => path.startsWith(`${APPS}/{uuid}`));
    const named = operations.map(({ operation }) => operation.operationId);
    assert.deepEqual(named.toSorted(), Object.values(ROLE_OPERATIONS).flat().toSorted());
    const stranger = await newDeveloper(server);
    const callers: [Role | undefined, TestDeveloper][] = [[undefined, stranger]];
    for (const role of SHARED_ROLES) {
      const person = await newDeveloper(server);
      await share(owner, uuid, person, role);
      callers.push([role, person]);
    }
    for (const [role, { call }] of callers) {
      for (const { method, path, operation } of operations) {
        const address = path.replace('{uuid}', uuid).replaceAll(/\{\w+\}/g, NOWHERE);
        // A stream that is allowed would not end.
        const isStream = path.endsWith('/stream');
        const required = requiredRole(operation.operationId) as Role;
        const isAllowed = role !== undefined && ROLES.indexOf(role) >= ROLES.indexOf(required);
        if (isStream && isAllowed) continue;
        const answer = await call(method.toUpperCase(), address);
        const expected = role === undefined ? 'forbidden' : 'role_missing';
        const isRefused = answer.status === 403 && answer.body?.code === expected;
        assert.equal(isRefused, !isAllowed, `${role}: ${method} ${path}: ${answer.status} ${answer.text}`);
      }
    }
  });

  test('the role deploy includes what the scope deploy allows, and look what the scope read allows', () => {
    const isAbout = (operation: string) => requiredRole(operation) !== undefined;
    const upTo = (role: Role) =>
      ROLES.slice(0, ROLES.indexOf(role) + 1).flatMap((one) => ROLE_OPERATIONS[one]);
    for (const [scope, role] of [
      ['deploy', 'deploy'],
      ['read', 'look'],
    ] as const) {
      const missing = OPERATIONS[scope].filter((one) => isAbout(one) && !upTo(role).includes(one));
      assert.deepEqual(missing, [], scope);
    }
  });
});
