import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { newApplication, verifiedUser, versionSite, visitSite } from '../../support/deployed.ts';
import { createRepository } from '../../support/git.ts';
import { freePort } from '../../support/postgres.ts';
import { spawnServer } from '../../support/process.ts';
import { repeatUntilEnded } from '../../support/repeat.ts';
import { temporaryDatabase } from '../../support/server.ts';
import { until } from '../../support/until.ts';

test('the platform is restarted beside its gateways, and no request to a site fails', async () => {
  await using database = await temporaryDatabase('postgres');
  await using repository = await createRepository(versionSite('v'));
  await using files = await createRepository({ 'index.html': 'here' });
  const env = {
    ...database.env,
    APPS_GIT_PROTOCOLS: 'file',
    APPS_PORT: String(await freePort()),
    // Longer than a restart takes on a slow and busy machine.
    APPS_WAIT_SECONDS: '300',
    RATE_LIMIT: '1000000',
  };
  const startPlatform = async () => {
    const server = await spawnServer(env, { args: ['platform'] });
    await until(async () => (await fetch(`${server.url}/readyz`)).ok);
    return server;
  };
  let platform = await startPlatform();
  const gateway = await spawnServer(env, { args: ['gateway'] });
  const other = await spawnServer(env, { args: ['gateway'] });
  try {
    assert.equal(other.url, gateway.url);
    await until(async () => (await fetch(`${gateway.url}/readyz`)).ok);
    const user = await verifiedUser(platform.url, database.env.DATA_DIR);
    const app = await newApplication(user.call, platform.url, repository.address);
    const still = await newApplication(user.call, platform.url, files.address);
    const { port } = new URL((await app.call('GET')).body.domain);
    assert.equal(port, env.APPS_PORT, 'at the gateway');
    await app.deploy();
    await still.deploy();

    const answers = new Set<string>();
    const asking = [app.host, app.host, app.host, still.host].map((host) =>
      repeatUntilEnded(async () => {
        const { status, text } = await visitSite(gateway.url, host).catch((error) => ({
          status: 0,
          text: String(error),
        }));
        answers.add(`${status} ${text}`);
      }, 5),
    );
    for (let restart = 0; restart < 2; restart += 1) {
      await sleep(300);
      platform.child.kill('SIGTERM');
      assert.equal(await platform.ended, 0, platform.output());
      platform = await startPlatform();
      await until(async () => (await visitSite(platform.url, app.host)).status === 200);
    }
    await sleep(300);
    for (const one of asking) await one.end();
    assert.deepEqual([...answers].sort(), ['200 here', '200 v ']);

    gateway.child.kill('SIGTERM');
    assert.equal(await gateway.ended, 0);
    for (let turn = 0; turn < 20; turn += 1) assert.equal((await visitSite(other.url, app.host)).status, 200);
  } finally {
    for (const { child, ended } of [platform, gateway, other]) {
      child.kill('SIGTERM');
      await ended;
    }
  }
});

test('a part that there is not, or that lacks what it takes, is told', async () => {
  await using database = await temporaryDatabase('embedded');
  for (const [part, said] of [
    ['door', /There is no part "door"; expected gateway or platform, or nothing for both\./],
    ['gateway', /set DATABASE_URL/],
    ['platform', /set DATABASE_URL/],
  ] as const) {
    const server = await spawnServer(database.env, { args: [part] });
    assert.equal(await server.ended, 1);
    assert.match(server.output(), said);
  }
});
