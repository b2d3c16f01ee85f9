import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { OPERATIONS } from '../../server/identity/access-tokens/operations.ts';
import { refusalBeyond, SCOPES } from '../../server/identity/access-tokens/scopes.ts';
import type { Answer } from '../support/client.ts';
import { newDeveloper, type TestDeveloper } from '../support/developers.ts';
import { operationsOf } from '../support/reference.ts';
import { ANY_DATABASE, DATABASES, startServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { sendSlowly } from '../support/slow-request.ts';
import { until } from '../support/until.ts';

const TOKENS = '/api/v1/users/me/tokens';
const EVENT = { title: 'חתונה', event_date: '2099-06-15T19:30', venue_name: 'עדן' };
const APPLICATION = { name: 'Wedding', repository: 'https://example.com/wedding.git' };
const NOWHERE = '01980a3c-7b1e-7c1a-9c55-3f0b8d1f2a44';

async function newToken({ call }: Pick<TestDeveloper, 'call'>, fields: object = {}): Promise<string> {
  const made = await call('POST', TOKENS, { body: { name: 'CI', ...fields } });
  assert.equal(made.status, 201, made.text);
  return made.body.token;
}

async function newEvent({ call }: Pick<TestDeveloper, 'call'>): Promise<string> {
  const made = await call('POST', '/api/events', { body: EVENT });
  assert.equal(made.status, 201, made.text);
  return made.body.event.id;
}

async function newApplication({ call }: Pick<TestDeveloper, 'call'>): Promise<string> {
  const made = await call('POST', '/api/v1/applications', { body: APPLICATION });
  assert.equal(made.status, 201, made.text);
  return made.body.application_uuid;
}

/** Errors of events have a code for clients that name a language. */
const IN_ENGLISH = { 'accept-language': 'en' };

const verdictOf = ({ status, body }: Answer) => [status, body?.code];

for (const kind of DATABASES) {
  describe(`access tokens on ${kind}`, () => {
    test('a token that is revoked while the body of its request arrives does nothing', async () => {
      await using server = await sharedServer(kind);
      const developer = await newDeveloper(server);
      const token = await newToken(developer);
      const { tokens } = (await developer.call('GET', TOKENS)).body;
      const slow = {
        method: 'POST',
        headers: { 'x-api-key': token, 'content-type': 'application/json' },
        body: Buffer.from(JSON.stringify({ name: 'Heir' })),
      };
      const path = `${TOKENS}/${tokens.find(({ name }: { name: string }) => name === 'CI').id}`;
      const revoke = async () => assert.equal((await developer.call('DELETE', path)).status, 204);
      assert.equal(await sendSlowly(server.url + TOKENS, slow, revoke), 401);
    });

    test('a key and a token open both sides, by either header', async () => {
      await using server = await sharedServer(kind);
      const developer = await newDeveloper(server);
      const event = await newEvent(developer);
      const application = await newApplication(developer);
      for (const text of [developer.apiKey, await newToken(developer)]) {
        for (const headers of [{ 'x-api-key': text }, { authorization: `Bearer ${text}` }]) {
          for (const path of [`/api/events/${event}`, `/api/v1/applications/${application}`]) {
            assert.equal((await server.call('GET', path, { headers })).status, 200, path);
          }
        }
      }
    });

    test('a token is told apart by its fields, and its text is shown once', async () => {
      await using server = await sharedServer(kind);
      const developer = await newDeveloper(server);
      const application_id = await newApplication(developer);
      const expires_at = new Date(Date.now() + 86_400_000).toISOString();
      const body = { name: 'CI', scopes: ['deploy', 'read'], application_id, expires_at };
      const made = await developer.call('POST', TOKENS, { body });
      assert.equal(made.status, 201, made.text);
      const { token, ...record } = made.body;
      assert.match(token, /^sk_[0-9A-Za-z]{43}$/);
      assert.deepEqual(
        { ...record, id: '', created_at: '' },
        {
          ...body,
          id: '',
          event_id: null,
          hint: token.slice(0, 7),
          created_at: '',
          last_used_at: null,
        },
      );
      const { body: listed, text } = await developer.call('GET', TOKENS);
      assert.deepEqual(
        listed.tokens.map(({ name, scopes }: typeof record) => [name, scopes]),
        [
          ['registration', ['full']],
          ['CI', ['deploy', 'read']],
        ],
      );
      assert.ok(!text.includes(token));
      const { rows } = await sql`select row_to_json(t)::text as row from access_tokens t`.execute(
        server.simcha.database.sql,
      );
      assert.ok(!JSON.stringify(rows).includes(token));
    });

    test('a token reads and revokes itself; a session and a sign-in have none', async () => {
      await using server = await sharedServer(kind);
      const developer = await newDeveloper(server);
      const token = await newToken(developer, { name: 'laptop', scopes: ['door'] });
      const read = await server.call('GET', `${TOKENS}/current`, { token });
      assert.deepEqual([read.status, read.body.name, read.body.scopes], [200, 'laptop', ['door']]);
      assert.equal((await server.call('GET', '/api/v1/users/me', { token })).body.email, developer.email);
      assert.equal((await server.call('DELETE', `${TOKENS}/current`, { token })).status, 204);
      assert.equal((await server.call('GET', `${TOKENS}/current`, { token })).status, 401);
      const signedIn = { token: await server.token(developer.userId) };
      assert.equal((await server.call('GET', TOKENS, signedIn)).status, 200);
      assert.equal((await server.call('GET', `${TOKENS}/current`, signedIn)).status, 404);
    });

    test('a token is revoked by its name, as long as that names one', async () => {
      await using server = await sharedServer(kind);
      const developer = await newDeveloper(server);
      const revoke = async (name: string) => {
        const { status, body } = await developer.call('DELETE', `${TOKENS}/${encodeURIComponent(name)}`);
        return [status, body?.code];
      };
      const token = await newToken(developer, { name: 'CI של שמחה', scopes: ['door'] });
      assert.deepEqual(await revoke('ci של שמחה'), [404, 'not_found']);
      assert.deepEqual(await revoke('CI של שמחה'), [204, undefined]);
      assert.equal((await server.call('GET', '/api/v1/users/me', { token })).status, 401);
      await newToken(developer, { name: 'twin' });
      await newToken(developer, { name: 'twin' });
      assert.deepEqual(await revoke('twin'), [404, 'ambiguous_name']);
      const others = await newDeveloper(server);
      await newToken(others, { name: 'theirs' });
      assert.deepEqual(await revoke('theirs'), [404, 'not_found']);
    });

    test('a token for one event opens that event alone', async () => {
      await using server = await sharedServer(kind);
      const developer = await newDeveloper(server);
      const [mine, other] = [await newEvent(developer), await newEvent(developer)];
      const application = await newApplication(developer);
      const token = await newToken(developer, { scopes: ['read', 'guests', 'deploy'], event_id: mine });
      const call = (method: string, path: string, body?: object) =>
        server.call(method, path, { token, body, headers: IN_ENGLISH });
      const guest = { name: 'דנה' };
      assert.equal((await call('GET', `/api/events/${mine}`)).status, 200);
      assert.equal((await call('POST', `/api/events/${mine}/guests`, guest)).status, 201);
      assert.deepEqual(verdictOf(await call('GET', `/api/events/${other}`)), [403, 'forbidden']);
      assert.deepEqual(verdictOf(await call('POST', `/api/events/${other}/guests`, guest)), [
        404,
        'not_found',
      ]);
      for (const path of [
        '/api/events',
        '/api/today',
        '/api/vendors',
        '/api/shared-events',
        '/api/v1/applications',
      ]) {
        assert.deepEqual(verdictOf(await call('GET', path)), [403, 'token_restricted'], path);
      }
      const site = `/api/v1/applications/${application}`;
      assert.deepEqual(verdictOf(await call('POST', `${site}/deploy`)), [403, 'token_restricted']);
    });

    test('a token for one application opens that application alone', async () => {
      await using server = await sharedServer(kind);
      const developer = await newDeveloper(server);
      const [mine, other] = [await newApplication(developer), await newApplication(developer)];
      const event = await newEvent(developer);
      const token = await newToken(developer, { scopes: ['read', 'env'], application_id: mine });
      const call = (method: string, path: string, body?: object) =>
        server.call(method, path, { token, body, headers: IN_ENGLISH });
      assert.equal((await call('GET', `/api/v1/applications/${mine}/env`)).status, 200);
      assert.deepEqual(verdictOf(await call('GET', `/api/v1/applications/${other}/env`)), [
        403,
        'token_restricted',
      ]);
      assert.deepEqual(verdictOf(await call('PATCH', `/api/v1/applications/${other}/env`, { A: '1' })), [
        403,
        'token_restricted',
      ]);
      for (const path of ['/api/v1/applications', '/api/v1/budget', '/api/events', `/api/events/${event}`]) {
        assert.deepEqual(verdictOf(await call('GET', path)), [403, 'token_restricted'], path);
      }
    });

    test('a token for an event that others share with its user opens it as it opens for them', async () => {
      await using server = await sharedServer(kind);
      const [owner, helper] = [await newDeveloper(server), await newDeveloper(server)];
      const event = await newEvent(owner);
      const invited = await owner.call('POST', `/api/events/${event}/co-organizers`, {
        body: { email: helper.email, access: 'view' },
      });
      assert.equal(invited.status, 201, invited.text);
      const token = await newToken(helper, { scopes: ['guests'], event_id: event });
      assert.equal((await server.call('GET', `/api/events/${event}/guests`, { token })).status, 200);
      const added = await server.call('POST', `/api/events/${event}/guests`, {
        token,
        body: { name: 'א' },
        headers: IN_ENGLISH,
      });
      assert.deepEqual(verdictOf(added), [403, 'forbidden']);
    });

    test('the history of an event names the token', async () => {
      await using server = await sharedServer(kind);
      const developer = await newDeveloper(server);
      const event = await newEvent(developer);
      const token = await newToken(developer, { name: 'import', scopes: ['guests'] });
      await server.call('POST', `/api/events/${event}/guests`, { token, body: { name: 'דנה' } });
      const { body } = await developer.call('GET', `/api/events/${event}/history`);
      const { id, email, token: name } = body.history[0].by;
      assert.deepEqual([id, email, name], [developer.userId, developer.email, 'import']);
    });

    test('a revoked token ends an open stream', async () => {
      await using server = await sharedServer(kind);
      const developer = await newDeveloper(server);
      const event = await newEvent(developer);
      const made = await developer.call('POST', TOKENS, { body: { name: 'door', scopes: ['door'] } });
      const stream = await fetch(`${server.url}/api/events/${event}/stream`, {
        headers: { authorization: `Bearer ${made.body.token}` },
      });
      assert.equal(stream.status, 200);
      let text = '';
      const ended = (async () => {
        for await (const piece of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) text += piece;
        return true;
      })();
      await until(() => text.includes('event: counts'));
      assert.equal((await developer.call('DELETE', `${TOKENS}/${made.body.id}`)).status, 204);
      // The stream checks its credential again before an event, unless it did so in the last second.
      const changes = setInterval(
        () => developer.call('POST', `/api/events/${event}/guests`, { body: { name: 'late' } }),
        1_200,
      );
      try {
        assert.ok(await ended);
      } finally {
        clearInterval(changes);
      }
      assert.ok(!text.includes('late'));
    });

    test('a credential of the wrong kind is told what it is and what to send', async () => {
      await using server = await sharedServer(kind);
      const organizer = { token: await server.token('somebody of another system') };
      for (const path of ['/api/v1/applications', `/api/v1/applications/${NOWHERE}`]) {
        const refused = await server.call('GET', path, organizer);
        assert.deepEqual(verdictOf(refused), [401, 'not_a_user'], path);
        assert.match(refused.body.error, /X-API-Key/);
      }
      const waiting = await newDeveloper(server, { verified: false });
      const early = await server.call('GET', '/api/events', { token: waiting.apiKey, headers: IN_ENGLISH });
      assert.deepEqual(verdictOf(early), [403, 'unverified']);
      const unknown = `sk_${'x'.repeat(43)}`;
      assert.equal((await server.call('GET', '/api/events', { token: unknown })).status, 401);
      assert.equal((await server.call('GET', TOKENS, { token: unknown })).status, 401);
    });

    test('what a token may not be is refused before it is made', async () => {
      await using server = await sharedServer(kind);
      const [developer, stranger] = [await newDeveloper(server), await newDeveloper(server)];
      const [event, application] = [await newEvent(stranger), await newApplication(stranger)];
      const mine = await newEvent(developer);
      const in_ = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
      for (const [field, wrong] of [
        ['name', {}],
        ['name', { name: 'x'.repeat(101) }],
        ['scopes', { name: 'x', scopes: [] }],
        ['scopes[0]', { name: 'x', scopes: ['everything'] }],
        ['scopes', { name: 'x', event_id: mine }],
        ['scopes', { name: 'x', scopes: ['read', 'full'], event_id: mine }],
        ['event_id', { name: 'x', scopes: ['read'], event_id: event }],
        ['event_id', { name: 'x', scopes: ['read'], event_id: NOWHERE }],
        ['application_id', { name: 'x', scopes: ['read'], application_id: application }],
        ['event_id', { name: 'x', scopes: ['read'], application_id: application, event_id: mine }],
        ['expires_at', { name: 'x', expires_at: in_(-1) }],
        ['expires_at', { name: 'x', expires_at: in_(367) }],
      ] as const) {
        const { status, body } = await developer.call('POST', TOKENS, { body: wrong });
        assert.deepEqual([status, body.field], [400, field], JSON.stringify(wrong));
      }
    });
  });
}

test('an expired token opens nothing, makes none that outlives it, and its last use is written every ten minutes', async () => {
  let now = Temporal.Instant.from('2027-01-01T10:00:00Z');
  await using server = await startServer(ANY_DATABASE, { clock: () => now });
  const developer = await newDeveloper(server);
  const made = await developer.call('POST', TOKENS, {
    body: { name: 'short', expires_at: '2027-01-01T12:00:00Z' },
  });
  const { token, id } = made.body;
  const lastUse = async () =>
    (await developer.call('GET', TOKENS)).body.tokens.find((one: { id: string }) => one.id === id)
      .last_used_at;
  const use = () => server.call('GET', '/api/v1/users/me', { token });
  await use();
  assert.equal(await lastUse(), '2027-01-01T10:00:00.000Z');
  now = now.add({ minutes: 9 });
  await use();
  assert.equal(await lastUse(), '2027-01-01T10:00:00.000Z');
  now = now.add({ minutes: 1 });
  await use();
  assert.equal(await lastUse(), '2027-01-01T10:10:00.000Z');

  for (const expires_at of [null, '2027-06-01T00:00:00Z']) {
    const child = await server.call('POST', TOKENS, { token, body: { name: 'child', expires_at } });
    assert.equal(child.body.expires_at, '2027-01-01T12:00:00.000Z');
  }

  now = Temporal.Instant.from('2027-01-01T12:00:00Z');
  for (const path of ['/api/v1/users/me', `/api/v1/applications/${NOWHERE}`, '/api/events']) {
    const refused = await server.call('GET', path, { token, headers: IN_ENGLISH });
    assert.deepEqual(verdictOf(refused), [401, 'token_expired'], path);
  }
  assert.equal((await developer.call('GET', TOKENS)).body.tokens.length, 4);
});

describe('scopes', () => {
  test('every operation is refused to a token without its scope, and allowed to one with it', async () => {
    await using server = await sharedServer(ANY_DATABASE);
    const developer = await newDeveloper(server);
    const { body: reference } = await server.call('GET', '/openapi.json');
    const operations = operationsOf(reference)
      .filter(({ operation }) => takesOnlyUsers(operation))
      // The token revokes itself last.
      .sort((a, b) => Number(isLast(a)) - Number(isLast(b)));
    assert.ok(operations.length > 150, `${operations.length}`);
    const named = operations.map(({ operation }) => operation.operationId);
    for (const [scope, allowed] of Object.entries(OPERATIONS)) {
      assert.deepEqual(
        allowed.filter((one) => !named.includes(one)),
        [],
        `${scope} names no operation`,
      );
      const token = await newToken(developer, { name: scope, scopes: [scope] });
      for (const { method, path, operation } of operations) {
        const answer = await server.call(method.toUpperCase(), path.replaceAll(/\{\w+\}/g, NOWHERE), {
          token,
          headers: IN_ENGLISH,
        });
        const isOpen = [...allowed, ...OF_ANY_TOKEN].includes(operation.operationId);
        const isRefused = answer.status === 403 && answer.body?.code === 'scope_missing';
        assert.equal(isRefused, !isOpen, `${scope}: ${method} ${path}: ${answer.status} ${answer.text}`);
      }
    }
  });

  test('what concerns credentials, sharing and deleting whole events and sites is in no scope', () => {
    const scoped = new Set(Object.values(OPERATIONS).flat());
    for (const operation of [
      'createToken',
      'listTokens',
      'revokeToken',
      'inviteCoOrganizer',
      'changeCoOrganizer',
      'deleteEvent',
      'duplicateEvent',
      'eraseGuests',
      'openCalendarFeed',
      'readCalendarFeed',
      'createDeployKey',
      'readHook',
      'renewHook',
      'deleteApplication',
      'updateApplication',
      'backUpVolume',
    ]) {
      assert.ok(!scoped.has(operation), operation);
    }
  });

  test('a route that declares no scopes is refused to every scope but full', () => {
    const paths = { event: '/api/events/:id', application: '/api/v1/applications/:uuid' };
    const request = { routeOptions: { url: '/api/new', schema: {} } } as never;
    for (const scope of SCOPES) {
      const grant = {
        tokenId: '',
        name: '',
        scopes: [scope],
        eventId: null,
        applicationId: null,
        expiresAt: null,
      };
      assert.equal(
        refusalBeyond(grant, request, paths)?.code,
        scope === 'full' ? undefined : 'scope_missing',
      );
    }
  });
});

const OF_ANY_TOKEN = ['readMe', 'readCurrentToken', 'revokeCurrentToken'];

const isLast = ({ operation }: { operation: { operationId: string } }) =>
  operation.operationId === 'revokeCurrentToken';

/** True if an operation requires a credential and takes an API key for it. */
function takesOnlyUsers({ security = [] }: { security?: object[] }): boolean {
  const schemes = security.map((one) => Object.keys(one));
  return schemes.some((one) => one.includes('apiKey')) && schemes.every((one) => one.length > 0);
}
