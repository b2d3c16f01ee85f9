import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { sql } from 'kysely';
import { type Client, createClient } from '../support/client.ts';
import { newAddress, newApplication, verifiedUser, versionSite } from '../support/deployed.ts';
import { newDeveloper } from '../support/developers.ts';
import { startNameServer } from '../support/dns.ts';
import { createRepository } from '../support/git.ts';
import { type ServerProcess, spawnReadyServer } from '../support/process.ts';
import {
  DATABASES,
  DATABASES_OF_SLOW_TESTS,
  SECRET,
  startServer,
  type TestServer,
  temporaryDatabase,
} from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { testInLane } from '../support/test-in-lane.ts';

const APPS = '/api/v1/applications';
const SETTINGS = { APPS_GIT_PROTOCOLS: 'https,file' };
const body = { name: 'Our Site', repository: 'https://git.example.com/noa/site.git' };

/** POSTs with an `Idempotency-Key`, as the user of an API key. */
function poster(call: Client, apiKey: string) {
  return (path: string, key: string, sent?: unknown) =>
    call('POST', path, {
      headers: { 'x-api-key': apiKey, 'idempotency-key': key },
      ...(sent !== undefined && { body: sent }),
    });
}

async function keptAnswers({ simcha }: TestServer): Promise<string> {
  const { rows } = await sql<{ row: string }>`select k::text as row from idempotency_keys k`.execute(
    simcha.database.sql,
  );
  return rows.map(({ row }) => row).join('\n');
}

for (const kind of DATABASES) {
  test(`an application is created once for a key on ${kind}`, async () => {
    await using server = await sharedServer(kind, SETTINGS);
    const developer = await newDeveloper(server);
    const post = poster(server.call, developer.apiKey);
    const first = await post(APPS, 'k', body);
    const again = await post(APPS, 'k', body);
    assert.deepEqual([first.status, again.status, again.text], [201, 201, first.text]);
    assert.equal(again.headers.get('location'), first.headers.get('location'));
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    assert.equal(first.headers.get('idempotent-replayed'), null);

    const other = await post(APPS, 'k', { ...body, name: 'Another' });
    assert.deepEqual([other.status, other.body.code], [422, 'key_reused']);
    const wrong = await post(APPS, 'has space', body);
    assert.deepEqual([wrong.status, wrong.body.code], [400, 'invalid_field']);
    assert.equal((await post(APPS, 'taken', { ...body, subdomain: first.body.subdomain })).status, 409);
    assert.equal((await post(APPS, 'taken', body)).status, 201, 'a failure leaves the key free');
    assert.equal((await developer.call('GET', APPS)).body.total, 2);

    const stranger = await newDeveloper(server);
    const theirs = await poster(server.call, stranger.apiKey)(APPS, 'k', body);
    assert.equal(theirs.status, 201);
    assert.notEqual(theirs.body.application_uuid, first.body.application_uuid, 'keys belong to their caller');
    const token = await server.token(developer.userId);
    const event = { title: 'חתונה', event_date: '2099-06-15T19:30', venue_name: 'עדן' };
    const headers = { 'idempotency-key': 'k' };
    const organized = await server.call('POST', '/api/events', { token, body: event, headers });
    assert.equal(organized.status, 201, 'an organizer’s keys are not a developer’s, whose id they may share');
  });

  test(`of twenty requests with one key at once, one makes an application on ${kind}`, async () => {
    await using server = await sharedServer(kind, SETTINGS);
    const { apiKey, call } = await newDeveloper(server);
    const post = poster(server.call, apiKey);
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(APPS, 'same', body)));
    const made = answers.filter(({ status }) => status === 201);
    assert.equal(new Set(made.map(({ text }) => text)).size, 1);
    for (const { status, body } of answers.filter((one) => one.status !== 201)) {
      assert.deepEqual([status, body.code], [409, 'key_running']);
    }
    assert.equal((await call('GET', APPS)).body.total, 1);
  });

  test(`secrets are given again by their key, and kept sealed, on ${kind}`, async () => {
    await using server = await startServer(kind);
    const { apiKey, call } = await newDeveloper(server);
    const post = poster(server.call, apiKey);
    const repository = 'https://noa:hunter2@git.example.com/noa/site.git';
    const withPassword = { ...body, repository };
    const { application_uuid: uuid } = (await post(APPS, 'create', withPassword)).body;

    const key = await post('/api/v1/users/me/tokens', 'key', { name: 'CI' });
    const keyAgain = await post('/api/v1/users/me/tokens', 'key', { name: 'CI' });
    assert.deepEqual([key.status, keyAgain.status, keyAgain.text], [201, 201, key.text]);
    assert.match(key.body.token, /^sk_/);
    assert.equal((await call('GET', '/api/v1/users/me/tokens')).body.tokens.length, 2);
    const me = await server.call('GET', '/api/v1/users/me', { headers: { 'x-api-key': key.body.token } });
    assert.equal(me.status, 200);

    const hook = await post(`${APPS}/${uuid}/hook`, 'hook');
    const hookAgain = await post(`${APPS}/${uuid}/hook`, 'hook');
    assert.deepEqual([hook.status, hookAgain.status, hookAgain.text], [201, 201, hook.text]);
    assert.equal((await call('GET', `${APPS}/${uuid}/hook`)).body.secret, hook.body.secret);

    const deployKey = await post(`${APPS}/${uuid}/deploy-key`, 'deploy-key');
    const deployKeyAgain = await post(`${APPS}/${uuid}/deploy-key`, 'deploy-key');
    assert.deepEqual([deployKey.status, deployKeyAgain.text], [201, deployKey.text]);
    assert.equal((await call('GET', `${APPS}/${uuid}`)).body.deploy_key, deployKey.body.deploy_key);

    const kept = await keptAnswers(server);
    assert.match(kept, /ssh-ed25519/, 'what is public is kept as it is');
    assert.doesNotMatch(kept, /sk_[0-9A-Za-z]{43}|hunter2/);
    assert.ok(!kept.includes(hook.body.secret));
    const guess = JSON.stringify(['POST', APPS, withPassword]);
    assert.ok(
      !kept.includes(createHash('sha256').update(guess).digest('base64url')),
      'nobody who reads the database can try passwords',
    );
  });

  test(`a domain is claimed once for a key, also when it is gone again, on ${kind}`, async () => {
    await using names = await startNameServer();
    await using server = await startServer(kind, { env: { APPS_DNS_SERVERS: names.address } });
    const { apiKey, call } = await newDeveloper(server);
    const post = poster(server.call, apiKey);
    const { application_uuid: uuid } = (await call('POST', APPS, { body })).body;
    const domains = `${APPS}/${uuid}/domains`;
    const add = () => post(domains, 'k', { hostname: 'shop.example' });
    const [first, again] = [await add(), await add()];
    assert.deepEqual([first.status, again.status, again.text], [201, 201, first.text]);
    assert.equal(first.body.problem, 'record_missing');
    assert.equal((await post(domains, 'k', { hostname: 'other.example' })).status, 422);

    names.records.set('_simcha.shop.example', { txt: [first.body.records[1].value] });
    const check = () => post(`${domains}/shop.example/check`, 'check');
    const [checked, checkedAgain] = [await check(), await check()];
    assert.deepEqual([checked.body.status, checkedAgain.text], ['proved', checked.text]);
    assert.equal((await server.call('GET', '/tls/ask?domain=shop.example')).status, 200);

    assert.equal((await call('DELETE', `${domains}/shop.example`)).status, 204);
    assert.equal((await add()).text, first.text);
    assert.deepEqual((await call('GET', domains)).body.domains, []);
  });

  test(`a deployment is asked for, cancelled, and a site stopped once for a key on ${kind}`, async () => {
    await using repository = await createRepository(versionSite('v'));
    await using server = await sharedServer(kind, SETTINGS);
    const user = await verifiedUser(server.url, server.dataDir, newAddress());
    const app = await newApplication(user.call, server.url, repository.address);
    const post = (path: string, key: string, sent?: unknown) =>
      poster(server.call, user.key)(app.at + path, key, sent);
    const total = async () => (await app.call('GET', '/deployments')).body.total;

    const asked = await post('/deploy', 'deploy');
    const again = await post('/deploy', 'deploy');
    assert.deepEqual([asked.status, again.status, again.text], [202, 202, asked.text]);
    assert.equal(again.headers.get('location'), asked.headers.get('location'));
    const { deployment_uuid } = asked.body;
    await app.expect(deployment_uuid, 'live');
    assert.equal((await post('/deploy', 'deploy')).text, asked.text, 'as it was answered, not as it is');
    assert.equal(await total(), 1);

    const restarted = await post('/restart', 'restart');
    await app.expect(restarted.body.deployment_uuid, 'live');
    assert.equal((await post('/restart', 'restart')).text, restarted.text);
    const back = await post('/rollback', 'back', { deployment_uuid });
    await app.expect(back.body.deployment_uuid, 'live');
    assert.equal((await post('/rollback', 'back', { deployment_uuid })).text, back.text);
    const { deployment_uuid: another } = restarted.body;
    assert.equal((await post('/rollback', 'back', { deployment_uuid: another })).status, 422);
    assert.equal(await total(), 3);

    const stopped = await post('/stop', 'stop');
    assert.deepEqual([stopped.status, stopped.body.status], [200, 'stopped']);
    assert.equal((await app.visit()).status, 503);
    const started = await post('/start', 'start');
    await app.expect(started.body.deployment_uuid, 'live');
    assert.equal((await post('/start', 'start')).text, started.text);
    assert.equal((await post('/stop', 'stop')).text, stopped.text);
    assert.equal((await app.visit()).text, 'v ', 'what was stopped once is not stopped again');

    await repository.commit({ 'package.json': '{"scripts":{"build":"sleep 60","start":"node server.js"}}' });
    const slow = await app.ask();
    const cancel = () => post(`/deployments/${slow}/cancel`, 'cancel');
    const cancelled = await cancel();
    assert.equal(cancelled.status, 202, cancelled.text);
    await app.expect(slow, 'cancelled');
    assert.equal((await cancel()).text, cancelled.text);
    assert.equal((await app.call('POST', `/deployments/${slow}/cancel`)).status, 409);
  });

  test(`of ten requests to deploy with one key at once, one is heard on ${kind}`, async () => {
    await using repository = await createRepository({ 'index.html': 'x' });
    await using server = await sharedServer(kind, SETTINGS);
    const user = await verifiedUser(server.url, server.dataDir, newAddress());
    const app = await newApplication(user.call, server.url, repository.address);
    const post = poster(server.call, user.key);
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(`${app.at}/deploy`, 'same')));
    const made = answers.filter(({ status }) => status === 202);
    assert.equal(new Set(made.map(({ text }) => text)).size, 1);
    assert.ok(answers.every(({ status }) => status === 202 || status === 409));
    assert.equal((await app.call('GET', '/deployments')).body.total, 1);
    await app.expect(made[0]?.body.deployment_uuid, 'live');
  });
}

for (const kind of DATABASES_OF_SLOW_TESTS) {
  testInLane(`a developer’s key outlives a kill -9 on ${kind}`, async () => {
    await using place = await temporaryDatabase(kind);
    const env = { ...place.env, JWT_SECRET: SECRET, LOG_LEVEL: 'info' };
    const first = await spawnReadyServer(env);
    const registered = await createClient(first.url)('POST', '/api/v1/users/register', {
      body: { email: 'noa@example.com' },
    });
    const { api_key: apiKey } = registered.body;
    const ask = async ({ url }: ServerProcess) => {
      const post = poster(createClient(url), apiKey);
      return [await post(APPS, 'a', body), await post('/api/v1/users/me/tokens', 'b', { name: 'CI' })];
    };
    const before = await ask(first);
    first.child.kill('SIGKILL');
    await first.ended;
    const second = await spawnReadyServer(env);
    try {
      const after = await ask(second);
      assert.deepEqual(
        after.map(({ status, text }) => [status, text]),
        before.map(({ text }) => [201, text]),
      );
    } finally {
      second.child.kill('SIGTERM');
      await second.ended;
    }
  });
}
