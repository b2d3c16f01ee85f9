import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createClient } from '../support/client.ts';
import { applicationClient, newApplication, verifiedUser } from '../support/deployed.ts';
import { createRepository } from '../support/git.ts';
import { DATABASES_OF_SLOW_TESTS, queryDatabase, SECRET, temporaryDatabase } from '../support/server.ts';
import { newServerGroup } from '../support/server-group.ts';
import { startInProcess } from '../support/several-servers.ts';

const [OLD, NEW, OTHER] = ['old', 'new', 'other'].map(
  (name) => `the ${name} key of these tests is long enough`,
);
const isRefused = /^Error: The secrets in this database are encrypted with another ENCRYPTION_KEY\./;

/** By the command. */
function forgetSecrets(env: Record<string, string>, args: readonly string[]) {
  return spawnSync(process.execPath, ['commands/forget-secrets.ts', ...args], {
    cwd: new URL('../..', import.meta.url),
    env: { PATH: process.env.PATH, ...env },
    encoding: 'utf8',
  });
}

test('a server with another ENCRYPTION_KEY does not start beside those that share one; a key is replaced in one start', async () => {
  await using fleet = await newServerGroup();
  const first = await fleet.start({ ENCRYPTION_KEY: OLD ?? '' });
  const app = await newApplication(first.call, first.url, 'file:///nowhere');
  await app.call('PATCH', '/env', { TITLE: 'ours' });
  const reads = async (call: typeof first.call) => (await call('GET', `${app.at}/env`)).body.env?.TITLE;

  await assert.rejects(fleet.start({ ENCRYPTION_KEY: OTHER ?? '' }), isRefused);
  // One that makes a key of its own.
  await assert.rejects(fleet.start({ ENCRYPTION_KEY: '' }), isRefused);

  const second = await fleet.start({ ENCRYPTION_KEY: `${NEW},${OLD}` });
  assert.equal(await reads(second.call), 'ours');
  assert.equal(await reads(first.call), 'ours', 'who runs, runs on');
  await assert.rejects(fleet.start({ ENCRYPTION_KEY: OLD ?? '' }), isRefused);
  const third = await fleet.start({ ENCRYPTION_KEY: NEW ?? '' });
  await third.call('PATCH', `${app.at}/env`, { body: { TITLE: 'theirs' } });
  for (const { call } of [first, second, third]) assert.equal(await reads(call), 'theirs');

  const env = { DATABASE_URL: fleet.databaseUrl, DATA_DIR: third.dataDir, ENCRYPTION_KEY: OTHER ?? '' };
  const inUse = forgetSecrets(env, ['--yes']);
  assert.deepEqual([inUse.status, inUse.stdout], [1, '']);
  assert.match(inUse.stderr, /^A server runs on this database; stop every one of them, .*\n$/);
  assert.equal(await reads(third.call), 'theirs');
  await queryDatabase(fleet.databaseUrl, `update database_key set sealed = sealed || 'AAAA'`);
  await assert.rejects(
    fleet.start({ ENCRYPTION_KEY: NEW ?? '' }),
    /^Error: The key of this database .* is damaged;/,
  );
  await queryDatabase(fleet.databaseUrl, 'delete from database_key');
  await assert.rejects(
    fleet.start({ ENCRYPTION_KEY: NEW ?? '' }),
    /^Error: The key of this database .* is gone;/,
  );
});

for (const kind of DATABASES_OF_SLOW_TESTS) {
  test(`a key that is lost takes with it what it sealed, and nothing else, on ${kind}`, async () => {
    await using repository = await createRepository({ 'index.html': 'here' });
    await using database = await temporaryDatabase(kind);
    const env = {
      ...database.env,
      PORT: '0',
      JWT_SECRET: SECRET,
      LOG_LEVEL: 'silent',
      APPS_GIT_PROTOCOLS: 'file',
    };
    const forget = (key: string, ...args: string[]) => forgetSecrets({ ...env, ENCRYPTION_KEY: key }, args);
    const addressOf = ({ app }: Awaited<ReturnType<typeof startInProcess>>) =>
      `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;

    const before = await startInProcess({ ...env, ENCRYPTION_KEY: OLD ?? '' });
    const { key } = await verifiedUser(addressOf(before), env.DATA_DIR);
    const headers = { 'x-api-key': key };
    const old = createClient(addressOf(before), { headers });
    const app = await newApplication(old, addressOf(before), repository.address);
    await app.call('PATCH', '/env', { TITLE: 'ours' });
    const group = { name: 'shared', variables: { GROUP: { value: 'ours', preview_value: 'ours' } } };
    await old('POST', '/api/v1/variable-groups', { body: group });
    await app.call('PUT', '/variable-groups/shared');
    await app.call('POST', '/deploy-key');
    const secret = (await app.call('GET', '/hook')).body.secret;
    await app.deploy();
    await before.close();

    assert.equal(forget(NEW ?? '').status, 1, 'asks first');
    const unneeded = forget(OLD ?? '', '--yes');
    assert.equal(unneeded.status, 1);
    assert.match(unneeded.stderr, /^ENCRYPTION_KEY fits this database: no secret is lost, .*\n$/);
    await assert.rejects(startInProcess({ ...env, ENCRYPTION_KEY: NEW ?? '' }), isRefused);
    const done = forget(NEW ?? '', '--yes');
    assert.equal(done.status, 0, done.stderr);

    await using after = await startInProcess({ ...env, ENCRYPTION_KEY: NEW ?? '' }).then((server) => ({
      base: addressOf(server),
      [Symbol.asyncDispose]: () => server.close(),
    }));
    const call = createClient(after.base, { headers });
    const again = applicationClient(call, after.base, app.uuid, app.host);
    assert.deepEqual((await again.call('GET', '/env')).body.env, {});
    const { groups, variables } = (await again.call('GET', '/variables')).body;
    assert.deepEqual([groups, variables], [['shared'], []]);
    const { status, deploy_key } = (await again.call('GET')).body;
    assert.deepEqual([status, deploy_key], ['stopped', null]);
    const hook = await again.call('GET', '/hook');
    assert.equal(hook.status, 200);
    assert.notEqual(hook.body.secret, secret);
    assert.equal((await again.visit()).status, 503);
    await again.deploy();
    assert.deepEqual(await again.visit(), { status: 200, text: 'here' });
  });
}
