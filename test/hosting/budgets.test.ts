import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { newApplication, versionSite, visitSite } from '../support/deployed.ts';
import { newDeveloper } from '../support/developers.ts';
import { createRepository } from '../support/git.ts';
import { queryDatabase } from '../support/server.ts';
import { newServerGroup } from '../support/server-group.ts';
import { testInLane } from '../support/test-in-lane.ts';
import { until } from '../support/until.ts';

const ENV = {
  APPS_GIT_PROTOCOLS: 'file',
  OWNER_REPLICAS: '3',
  APPS_MEMORY_MB: '128',
  OWNER_APPLICATIONS: '4',
};

test('all applications of a developer share one budget, in whatever way a replica comes to run', async () => {
  await using repository = await createRepository(versionSite('v'));
  await using files = await createRepository({ 'index.html': 'here' });
  await using fleet = await newServerGroup();
  const server = await fleet.start(ENV);
  const { call } = server;
  const email = 'noa@example.com';
  const other = await newDeveloper(server, { verified: false });
  await queryDatabase(fleet.databaseUrl, 'update users set verified = true');
  const newOne = (address = repository.address) => newApplication(call, server.url, address);
  const budget = async () => (await call('GET', '/api/v1/budget')).body;

  const first = await newOne();
  await first.deploy();
  assert.equal((await first.call('PATCH', '/processes', { web: 2 })).status, 200);
  const refused = await first.call('PATCH', '/processes', { web: 4 });
  assert.equal(refused.status, 409);
  assert.equal(refused.body.code, 'over_budget');
  assert.match(
    refused.body.error,
    /may use 3 running replicas; this would make it 4\. In use now: 2 \(applications: 1\)\./,
  );
  const [web] = (await first.call('GET', '/processes')).body.processes;
  assert.equal(web.wanted, 2);

  // A deployment counts its site once, and a site of files nothing.
  await first.deploy();
  const still = await newOne(files.address);
  await still.deploy();
  const second = await newOne();
  await second.deploy();
  const { budget: most, used, applications } = await budget();
  assert.deepEqual([most.replicas, used.replicas, used.memory_mb, used.applications], [3, 3, 384, 3]);
  assert.equal(applications.length, 3);

  // Two requests at once for the last place: one has it.
  assert.equal((await first.call('PATCH', '/processes', { web: 1 })).status, 200);
  const both = await Promise.all([first, second].map((app) => app.call('PATCH', '/processes', { web: 2 })));
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409]);

  const third = await newOne();
  const failed = await third.ask();
  await third.expect(failed, 'failed');
  assert.equal((await third.record(failed)).reason_code, 'over_budget');
  assert.equal(
    (await call('POST', '/api/v1/applications', { body: { name: 'x', repository: files.address } })).body
      .code,
    'over_budget',
  );
  // People of one application read how many others there are, never their names.
  assert.match((await third.record(failed)).reason, /In use now: 3 \(applications: 2\)\./);
  assert.doesNotMatch(`${(await third.record(failed)).reason}${await third.log(failed)}`, /Site/);
  const run = await first.call('POST', '/runs', { command: 'true' });
  assert.deepEqual([run.status, run.body.code], [409, 'over_budget']);

  // What is stopped makes room, and has to find it again.
  await second.call('POST', '/stop');
  await third.deploy();
  const start = await second.call('POST', '/start');
  assert.deepEqual([start.status, start.body.code], [409, 'over_budget']);

  // Others have a budget of their own, and an operator may give more.
  const theirs = await newApplication(other.call, server.url, repository.address);
  await theirs.deploy();
  const command = (...args: string[]) =>
    spawnSync(process.execPath, ['commands/budget.ts', ...args], {
      env: { ...process.env, ...ENV, DATABASE_URL: fleet.databaseUrl, DATA_DIR: server.dataDir },
      encoding: 'utf8',
    });
  assert.match(command(email, '--replicas', '5').stdout, /^replicas +[23] of 5$/m);
  assert.equal((await second.call('POST', '/start')).status, 202);
  assert.match(command('nobody@example.com').stderr, /^There is no user with the verified address/);
  assert.match(command(email, '--replicas', 'default').stdout, /^replicas +\d of 3$/m);
});

testInLane(
  'a preview that may not wake is stopped and says why; a job of a schedule is left out',
  async () => {
    await using repository = await createRepository(versionSite('v'));
    await using fleet = await newServerGroup();
    const server = await fleet.start({ ...ENV, OWNER_REPLICAS: '2' });
    const { call } = server;
    const app = await newApplication(call, server.url, repository.address);
    await app.deploy();
    const made = await app.call('POST', '/previews', { branch: 'main' });
    assert.equal(made.status, 201);
    const { name, domain } = made.body;
    const shown = async () => (await app.call('GET', `/previews/${name}`)).body;
    await until(async () => (await shown()).status === 'live');
    await queryDatabase(
      fleet.databaseUrl,
      `update sites set state = 'asleep' from previews where previews.environment_id = sites.environment_id`,
    );
    assert.equal((await app.call('PATCH', '/processes', { web: 2 })).status, 200);
    const visited = visitSite(server.url, new URL(domain).hostname).catch(() => undefined);
    await until(async () => (await shown()).status === 'stopped');
    await visited;
  },
);

testInLane(
  'nothing more is built for a developer whose applications fill their share of the disk',
  async () => {
    await using repository = await createRepository({
      'index.html': 'large',
      'simcha.json': '{"build": "head -c 6000000 /dev/urandom > large", "publish": "."}',
    });
    await using fleet = await newServerGroup();
    const server = await fleet.start({ ...ENV, OWNER_DISK_MB: '5' });
    const first = await newApplication(server.call, server.url, repository.address);
    await first.deploy();
    // An application is measured once its deployment has ended.
    await until(async () => (await server.call('GET', '/api/v1/budget')).body.used.disk_mb > 5);
    const second = await newApplication(server.call, server.url, repository.address);
    const refused = await second.expect(await second.ask(), 'failed');
    assert.equal(refused.reason_code, 'disk_budget_full');
    assert.match(refused.reason, /\(applications: 1\); the limit is 5 MiB/);
    assert.doesNotMatch(refused.reason, /Site/);
    assert.equal((await first.visit()).status, 200);

    await first.call('DELETE');
    await second.deploy();
  },
);
