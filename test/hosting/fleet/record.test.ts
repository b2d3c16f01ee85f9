import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBudgets } from '../../../server/hosting/budgets/store.ts';
import { Cancelled, type DeploymentRow, type SiteRow } from '../../../server/hosting/deployments/rows.ts';
import { LeaseLost } from '../../../server/hosting/fleet/lease.ts';
import { createRecord } from '../../../server/hosting/fleet/record.ts';
import { reason } from '../../../server/hosting/reasons/reason.ts';
import { readConfig } from '../../../server/kernel/config.ts';
import { newId } from '../../../server/kernel/identifiers.ts';
import { newApplication } from '../../support/deployed.ts';
import { newFleet } from '../../support/fleet.ts';
import { createRepository } from '../../support/git.ts';
import { query } from '../../support/server.ts';

test('only who holds the lease writes down what becomes of a site, and may say twice that it is live', async () => {
  await using fleet = await newFleet();
  await using repository = await createRepository({ 'index.html': 'here' });
  const { call, url, simcha } = await fleet.start();
  const { sql } = simcha.database;
  const app = await newApplication(call, url, repository.address);
  await app.deploy();
  const state = () =>
    query(
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
    ...{ release_id: newId(), application_uuid: app.uuid, commit_hash: 'f', commit_message: 'late' },
    ...{ build_id: newId(), artifact: { kind: 'files' } as const, plan: { processes: {} } },
    recipe: { root: '', plan: { kind: 'static', steps: [], publish: [] } } as const,
  };

  const made = { release: Buffer.alloc(32), build: Buffer.alloc(32) };
  const budgets = createBudgets(sql, readConfig({}));
  const earlier = createRecord(sql, Number(generation) - 1, budgets);
  const late: Record<string, () => Promise<unknown>> = {
    claim: () => earlier.claim(row.environment_id, now),
    noteCommit: () => earlier.noteCommit(row.deployment_uuid, { hash: 'late', message: 'late' }),
    moveToStarting: () => earlier.moveToStarting(row, { release, made }, now),
    goLive: () => earlier.goLive(row, [serving], 'late', now),
    finish: () => earlier.finish(row, 'failed', reason('internal'), now),
    cameBack: () => earlier.cameBack(site, slot, serving, now),
    wentDown: () => earlier.wentDown(site, slot, { note: reason('internal'), soon: false }, now),
    begin: () =>
      earlier.begin({ ...row, instance_id: newId(), process: 'web', number: 1, numbers: [1] }, now),
    answers: () => earlier.answers(serving, [{ kind: 'server', origin: 'http://127.0.0.1:1' }]),
    noteStanding: () =>
      earlier.noteStanding(
        { instanceId: serving, site, slot },
        { targets: [], numbers: [], news: [], note: null, down: true },
        now,
      ),
    effect: () => earlier.effect(async () => assert.fail('it was done')),
    retire: () => earlier.retire(serving),
    takeOver: () => earlier.takeOver([], [], now),
    madeAgain: () => earlier.madeAgain(row.release_id ?? '', release.artifact),
    pruneReleases: () => earlier.pruneReleases(app.uuid, 0),
    pruneDeployments: () => earlier.pruneDeployments(app.uuid, 1),
  };
  for (const [name, write] of Object.entries(late)) await assert.rejects(write, LeaseLost, name);
  assert.deepEqual(await state(), before);

  // Who did not hear the answer asks again.
  const holder = createRecord(sql, Number(generation), budgets);
  await holder.goLive(row, [serving], 'again', now);
  await assert.rejects(holder.goLive(row, [newId()], 'another', now), Cancelled);
  assert.deepEqual(await state(), before);
});
