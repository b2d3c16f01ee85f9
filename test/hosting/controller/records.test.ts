import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Budgets } from '../../../server/hosting/budgets/store.ts';
import { createRecords } from '../../../server/hosting/controller/records/records.ts';
import {
  Cancelled,
  type DeploymentRow,
  type SiteRow,
} from '../../../server/hosting/model/deployment-rows.ts';
import { LeaseLost } from '../../../server/hosting/model/lease-fence.ts';
import { reason } from '../../../server/hosting/model/reasons/reason.ts';
import { readConfig } from '../../../server/kernel/config.ts';
import { newId } from '../../../server/kernel/identifiers.ts';
import { applicationClient, newApplication } from '../../support/deployed.ts';
import { createRepository } from '../../support/git.ts';
import { queryDatabase } from '../../support/server.ts';
import { newServerGroup } from '../../support/server-group.ts';
import { until } from '../../support/until.ts';

test('only who holds the lease writes down what becomes of a site, and may say twice that it is live', async () => {
  await using fleet = await newServerGroup();
  await using repository = await createRepository({ 'index.html': 'here' });
  const { call, url, simcha } = await fleet.start();
  const { sql } = simcha.database;
  const app = await newApplication(call, url, repository.address);
  await app.deploy();
  const state = () =>
    queryDatabase(
      fleet.databaseUrl,
      `select generation, instances.instance_id as serving, instances.state as instance, sites.*,
          (select jsonb_agg(deployments) from deployments) as deployments,
          (select jsonb_agg(releases) from releases) as releases
        from sites join instances using (environment_id) join environments using (environment_id)`,
    );
  const before = await state();
  const [{ serving, generation }] = before;
  const deployments: DeploymentRow[] = before[0].deployments;
  const row = deployments[0] as DeploymentRow;
  const site = { ...before[0], ...row } as SiteRow;
  const now = Temporal.Now.instant();
  const slot = { environmentId: row.environment_id, process: 'web', number: 1 };
  const release = {
    release_id: newId(),
    application_uuid: app.uuid,
    commit_hash: 'f',
    upload_id: null,
    built_by: null,
    commit_message: 'late',
    commit_author: null,
    build_id: newId(),
    artifact: { kind: 'files' } as const,
    plan: { processes: {} },
    recipe: { root: '', plan: { kind: 'static', steps: [], publish: [] } } as const,
  };

  const made = { release: Buffer.alloc(32), build: Buffer.alloc(32) };
  const budgets = new Budgets(sql, readConfig({}));
  const records = (number: number) =>
    createRecords({ db: sql, generation: number, budgets, gatewayGoneMs: 10_000 });
  const earlier = records(Number(generation) - 1);
  const late: Record<string, () => Promise<unknown>> = {
    claim: () => earlier.deployments.claim(row.environment_id, now),
    noteCommit: () =>
      earlier.deployments.noteCommit(row.deployment_uuid, { hash: 'late', message: 'late', author: null }),
    moveToStarting: () => earlier.deployments.moveToStarting(row, { release, made }, now),
    goLive: () => earlier.deployments.goLive(row, [serving], 'late', now),
    finish: () => earlier.deployments.finish(row, 'failed', reason('internal'), now),
    noteServing: () => earlier.instances.noteServing(site, slot, serving, now),
    noteDown: () => earlier.instances.noteDown(site, slot, { note: reason('internal'), soon: false }, now),
    begin: () =>
      earlier.instances.begin({ ...row, instance_id: newId(), process: 'web', number: 1, numbers: [1] }, now),
    noteTargets: () =>
      earlier.instances.noteTargets(serving, [{ kind: 'server', origin: 'http://127.0.0.1:1' }]),
    noteReplicas: () =>
      earlier.instances.noteReplicas(
        { instanceId: serving, site, slot },
        { targets: [], numbers: [], changes: [], note: null, down: true },
        now,
      ),
    runEffect: () => earlier.fence.runEffect(async () => assert.fail('it was done')),
    noteDraining: () => earlier.instances.noteDraining(serving),
    takeOver: () => earlier.instances.takeOver([], [], now),
    noteArtifact: () => earlier.builds.noteArtifact(row.release_id ?? '', release.artifact),
    pruneReleases: () => earlier.builds.pruneReleases(app.uuid, 0),
    pruneDeployments: () => earlier.deployments.prune(app.uuid, 1),
  };
  for (const [name, write] of Object.entries(late)) await assert.rejects(write, LeaseLost, name);
  assert.deepEqual(await state(), before);

  // Who did not hear the answer asks again.
  const holder = records(Number(generation));
  await holder.deployments.goLive(row, [serving], 'again', now);
  await assert.rejects(holder.deployments.goLive(row, [newId()], 'another', now), Cancelled);
  assert.deepEqual(await state(), before);
});

test('what is said to run and has no release is stopped at the start, and says so', async () => {
  await using fleet = await newServerGroup();
  await using repository = await createRepository({ 'index.html': 'here' });
  const first = await fleet.start();
  const [kept, lost, none] = [
    await newApplication(first.call, first.url, repository.address),
    await newApplication(first.call, first.url, repository.address),
    await newApplication(first.call, first.url, repository.address),
  ];
  for (const app of [kept, lost, none]) await app.deploy();
  await first.close();
  const of = (uuid: string) => `application_uuid = '${uuid}'`;
  await queryDatabase(fleet.databaseUrl, `delete from releases where ${of(lost.uuid)}`);
  // As by an upgrade that forgets the site itself.
  await queryDatabase(
    fleet.databaseUrl,
    `delete from sites where environment_id = (select environment_id from environments where ${of(none.uuid)})`,
  );
  const next = await fleet.start();
  const statusOf = async ({ at }: typeof kept) => (await next.call('GET', at)).body.status;
  for (const app of [lost, none]) {
    await until(async () => (await statusOf(app)) === 'stopped');
    await until(async () =>
      /its release was removed; deploy it again/.test((await next.call('GET', `${app.at}/logs`)).text),
    );
    const answer = await next.call('POST', `${app.at}/start`);
    assert.deepEqual([answer.status, answer.body.code], [409, 'no_release']);
  }
  assert.equal(await statusOf(kept), 'live');
  const again = applicationClient(next.call, next.url, lost.uuid, lost.host);
  await again.deploy();
  assert.equal((await again.visit()).text, 'here');
});
