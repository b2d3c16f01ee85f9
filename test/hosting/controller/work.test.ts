import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { fillSleepingSites } from '../../../bench/support/fill.ts';
import { findEnvironmentsWithWork } from '../../../server/hosting/controller/work-queries.ts';
import { readConfig } from '../../../server/kernel/config.ts';
import { openDatabase } from '../../../server/kernel/database/open.ts';
import { migrations } from '../../../server/migrations/migrations.ts';
import { ANY_DATABASE, queryDatabase, temporaryDatabase } from '../../support/server.ts';

test('a sleeping site is work only while an instance of it exists, and a live one always is', async () => {
  await using place = await temporaryDatabase(ANY_DATABASE);
  const config = readConfig(place.env);
  const { databaseUrl = '' } = config;
  await queryDatabase(databaseUrl, fillSleepingSites(3));
  const sites = await queryDatabase(databaseUrl, 'select environment_id as id, deployment_uuid from sites');
  const database = openDatabase(config, migrations, pino({ level: 'silent' }));
  const workIn = async () => (await findEnvironmentsWithWork(database.sql)).sort();
  try {
    assert.deepEqual(await workIn(), []);
    await queryDatabase(databaseUrl, `update sites set state = 'live' where environment_id = $1`, [
      sites[0].id,
    ]);
    assert.deepEqual(await workIn(), [sites[0].id]);
    await queryDatabase(
      databaseUrl,
      `insert into instances (instance_id, environment_id, deployment_uuid, process, number, generation, state, started_at)
       values (gen_random_uuid(), $1, $2, 'web', 1, 1, 'draining', now())`,
      [sites[1].id, sites[1].deployment_uuid],
    );
    assert.deepEqual(await workIn(), [sites[0].id, sites[1].id].sort());
  } finally {
    await database.close();
  }
});
