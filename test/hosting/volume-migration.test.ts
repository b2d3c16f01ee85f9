import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { LeaseLost } from '../../server/hosting/model/lease-fence.ts';
import type { OpenedRuntime } from '../../server/hosting/volumes/opened-runtime.ts';
import { VolumeMigration, type VolumeMigrationParts } from '../../server/hosting/volumes/volume-migration.ts';
import { newApplication } from '../support/deployed.ts';
import { LOG } from '../support/runtime.ts';
import { queryDatabase } from '../support/server.ts';
import { newServerGroup } from '../support/server-group.ts';

/** Contents of a single volume, in memory; `meanwhile` runs while it is read. */
function place(name: string, meanwhile = async () => {}) {
  let content: string | undefined;
  return {
    content: () => content,
    async where() {
      return content === undefined ? undefined : name;
    },
    async make() {
      content ??= '';
    },
    async fill(_volume: unknown, archive: Readable) {
      content = (await buffer(archive)).toString();
    },
    async backup() {
      await meanwhile();
      return Readable.from([content]);
    },
    async empty() {
      content = undefined;
    },
  };
}

test('who loses the lease while it moves a volume neither says where it is nor removes it', async () => {
  await using fleet = await newServerGroup();
  const { call, url, simcha } = await fleet.start();
  const app = await newApplication(call, url, 'file:///nothing');
  const rows = (statement: string) => queryDatabase(fleet.databaseUrl, statement);
  const [{ environment_id: environmentId }] = await rows('select environment_id from environments');
  await rows(`insert into kept_contents select environment_id, 'data.1', 'process' from environments`);
  const taken = async () => {
    await rows('update hosting_lease set generation = generation + 1');
  };
  const before = place('before', taken);
  const now = place('now');
  await before.fill(undefined, Readable.from(['kept']));
  const runtime = { list: async () => [], capabilities: new Set(), close: async () => {} };
  const there = {
    runtime,
    contents: { ...before, close: async () => {} },
    builder: { close: async () => {} },
  };
  const volumeMigration = new VolumeMigration({
    db: simcha.database.sql,
    kind: 'docker',
    log: LOG,
    current: { runtime, contents: now } as unknown as VolumeMigrationParts['current'],
    openRuntime: async () => there as unknown as OpenedRuntime,
  });
  const labels = { applicationId: app.uuid, environmentId };
  const order = { labels, mounts: [{ volume: 'data.1', at: '/data' }] } as unknown as Parameters<
    ReturnType<typeof volumeMigration.forLease>['bring']
  >[0];
  const signal = new AbortController().signal;
  const [{ generation }] = await rows('select generation::integer from hosting_lease');

  await assert.rejects(
    volumeMigration.forLease(generation).bring(order, signal, () => {}),
    LeaseLost,
  );
  assert.equal(before.content(), 'kept');
  assert.deepEqual(await rows('select runtime from kept_contents'), [{ runtime: 'process' }]);
  // A second attempt does not begin.
  await assert.rejects(
    volumeMigration.forLease(generation).bring(order, signal, () => {}),
    LeaseLost,
  );
  assert.equal(now.content(), 'kept');
});
