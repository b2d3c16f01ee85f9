import assert from 'node:assert/strict';
import { mkdtempDisposable } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { type Answer, createClient } from '../support/client.ts';
import {
  DATABASES,
  KEY,
  SECRET,
  startServer,
  type TestServer,
  temporaryDatabase,
} from '../support/server.ts';
import { newSession } from '../support/sessions.ts';
import { startInProcess } from '../support/several-servers.ts';

const DEVICE = '/api/auth/device';
const START = Temporal.Instant.from('2027-01-01T10:00:00Z');

type Server = Pick<TestServer, 'call'>;

const start = async ({ call }: Server, fields: object = {}) => {
  const started = await call('POST', DEVICE, { body: { client: 'simcha on laptop', ...fields } });
  assert.equal(started.status, 200, started.text);
  return started.body as { device_code: string; user_code: string; verification_uri_complete: string };
};
const poll = ({ call }: Server, { device_code }: { device_code: string }) =>
  call('POST', `${DEVICE}/token`, { body: { device_code } });
const verdictOf = ({ status, body }: Answer) => [status, body?.code];
/** Another code than the one given. */
const other = (code: string) => (code.startsWith('A') ? `B${code.slice(1)}` : `A${code.slice(1)}`);

test('one server signs in a device that another one confirms, and a revoked token ends on both', async () => {
  await using database = await temporaryDatabase('postgres');
  const folder = await mkdtempDisposable(join(tmpdir(), 'simcha-test-'));
  const env = { ...database.env, PORT: '0', JWT_SECRET: SECRET, ENCRYPTION_KEY: KEY, LOG_LEVEL: 'silent' };
  const open = async (dataDir: string) => {
    const simcha = await startInProcess({ ...env, DATA_DIR: dataDir });
    const url = `http://127.0.0.1:${(simcha.app.server.address() as AddressInfo).port}`;
    return { url, dataDir, call: createClient(url), [Symbol.asyncDispose]: () => simcha.close() };
  };
  await using _folder = folder;
  await using one = await open(database.env.DATA_DIR);
  // The other server would send the code into its own outbox.
  const page = await newSession(one);
  await using other = await open(folder.path);
  const device = await start(other);
  const decision = { user_code: device.user_code, allow: true };
  assert.equal((await page.call('POST', `${DEVICE}/decision`, { body: decision })).status, 204);
  const { token } = (await poll(other, device)).body;
  assert.deepEqual(verdictOf(await poll(one, device)), [400, 'expired_token']);
  for (const { call } of [one, other])
    assert.equal((await call('GET', '/api/events', { token })).status, 200);
  assert.equal((await one.call('DELETE', '/api/v1/users/me/tokens/current', { token })).status, 204);
  for (const { call } of [one, other])
    assert.equal((await call('GET', '/api/events', { token })).status, 401);
});

for (const kind of DATABASES) {
  describe(`device login on ${kind}`, () => {
    test('a device that its user confirms gets a named token, once', async () => {
      let now = START;
      await using server = await startServer(kind, { clock: () => now });
      const page = await newSession(server);
      const device = await start(server);
      assert.match(device.user_code, /^[A-HJKMNP-TV-Z2-9]{4}-[A-HJKMNP-TV-Z2-9]{4}$/);
      assert.match(device.verification_uri_complete, new RegExp(`/device\\?code=${device.user_code}$`));
      assert.deepEqual(verdictOf(await poll(server, device)), [400, 'authorization_pending']);

      const user_code = device.user_code.toLowerCase().replace('-', ' ');
      const found = await page.call('POST', `${DEVICE}/find`, { body: { user_code } });
      assert.deepEqual(found.body, {
        client: 'simcha on laptop',
        scopes: ['full'],
        address: '127.0.0.1',
        same_network: true,
        requested_at: '2027-01-01T10:00:00.000Z',
        expires_at: '2027-01-01T10:10:00.000Z',
      });
      const decision = { body: { user_code, allow: true } };
      assert.equal((await page.call('POST', `${DEVICE}/decision`, decision)).status, 204);
      assert.deepEqual(verdictOf(await page.call('POST', `${DEVICE}/decision`, decision)), [
        400,
        'wrong_code',
      ]);

      now = now.add({ seconds: 5 });
      const got = await poll(server, device);
      assert.equal(got.status, 200, got.text);
      const { token, access_token, user } = got.body;
      assert.deepEqual(
        [access_token.name, access_token.scopes, access_token.expires_at, user.email],
        ['simcha on laptop', ['full'], '2028-01-02T10:00:05.000Z', page.email],
      );
      assert.equal((await server.call('GET', '/api/events', { token })).status, 200);
      assert.equal((await server.call('GET', '/api/v1/applications', { token })).status, 200);
      assert.deepEqual(verdictOf(await poll(server, device)), [400, 'expired_token']);
      const { rows } = await sql`select 1 from device_logins`.execute(server.simcha.database.sql);
      assert.equal(rows.length, 0);
    });

    test('a device is signed in with the scopes that it asked for', async () => {
      await using server = await startServer(kind);
      const page = await newSession(server);
      const device = await start(server, { scopes: ['read'] });
      const { user_code } = device;
      const found = await page.call('POST', `${DEVICE}/find`, { body: { user_code } });
      assert.deepEqual(found.body.scopes, ['read']);
      await page.call('POST', `${DEVICE}/decision`, { body: { user_code, allow: true } });
      const { token } = (await poll(server, device)).body;
      const created = await server.call('POST', '/api/v1/users/me/tokens', { token, body: { name: 'x' } });
      assert.deepEqual(verdictOf(created), [403, 'scope_missing']);
    });

    test('a refused device gets no token, and an expired one neither', async () => {
      let now = START;
      await using server = await startServer(kind, { clock: () => now });
      const page = await newSession(server);
      const [refused, late] = [await start(server), await start(server)];
      const decide = (user_code: string, allow: boolean) =>
        page.call('POST', `${DEVICE}/decision`, { body: { user_code, allow } });
      assert.equal((await decide(refused.user_code, false)).status, 204);
      assert.deepEqual(verdictOf(await decide(refused.user_code, true)), [400, 'wrong_code']);
      assert.deepEqual(verdictOf(await poll(server, refused)), [400, 'access_denied']);
      now = now.add({ seconds: 600 });
      assert.deepEqual(verdictOf(await decide(late.user_code, true)), [400, 'wrong_code']);
      assert.deepEqual(verdictOf(await poll(server, late)), [400, 'expired_token']);
      assert.deepEqual(verdictOf(await poll(server, { device_code: 'x' })), [400, 'expired_token']);
    });

    test('a device that asks too often is told to slow down', async () => {
      let now = START;
      await using server = await startServer(kind, { clock: () => now });
      const device = await start(server);
      const after = async (seconds: number) => {
        now = now.add({ seconds });
        return (await poll(server, device)).body.code;
      };
      assert.equal(await after(0), 'authorization_pending');
      assert.equal(await after(4), 'slow_down');
      assert.equal(await after(9), 'slow_down');
      assert.equal(await after(15), 'authorization_pending');
    });

    test('codes can’t be guessed: wrong ones count against the user and the network, for all servers', async () => {
      await using server = await startServer(kind);
      const [page, neighbour] = [await newSession(server), await newSession(server)];
      const device = await start(server);
      const find = ({ call }: Server, user_code: string) =>
        call('POST', `${DEVICE}/find`, { body: { user_code } });
      for (let tries = 0; tries < 20; tries += 1) {
        assert.equal((await find(page, device.user_code)).status, 200);
        assert.deepEqual(verdictOf(await find(page, other(device.user_code))), [400, 'wrong_code']);
      }
      for (const one of [page, neighbour]) {
        const refused = await find(one, device.user_code);
        assert.deepEqual(verdictOf(refused), [429, 'too_many_tries']);
        assert.ok(Number(refused.headers.get('retry-after')) > 0);
      }
    });

    test('only a session of the server’s own pages finds and confirms a device', async () => {
      await using server = await startServer(kind);
      const page = await newSession(server);
      const { user_code } = await start(server);
      const token = await server.token(page.userId);
      for (const [path, body] of [
        [`${DEVICE}/find`, { user_code }],
        [`${DEVICE}/decision`, { user_code, allow: true }],
      ] as const) {
        assert.equal((await server.call('POST', path, { body })).status, 401);
        assert.equal((await server.call('POST', path, { body, token })).status, 401);
        const forged = await page.call('POST', path, { body, headers: { 'x-csrf-token': 'x' } });
        assert.deepEqual(verdictOf(forged), [403, 'csrf_token']);
      }
      assert.equal((await page.call('POST', `${DEVICE}/find`, { body: { user_code } })).status, 200);
    });

    test('neither code is in the database as it is', async () => {
      await using server = await startServer(kind);
      const { device_code, user_code } = await start(server);
      const { rows } = await sql`select row_to_json(t)::text as row from device_logins t`.execute(
        server.simcha.database.sql,
      );
      assert.equal(rows.length, 1);
      for (const secret of [device_code, user_code, user_code.replace('-', '')]) {
        assert.ok(!JSON.stringify(rows).includes(secret));
      }
    });
  });
}
