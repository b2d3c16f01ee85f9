import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newApplication, versionSite } from '../../support/deployed.ts';
import { newFleet } from '../../support/fleet.ts';
import { createRepository } from '../../support/git.ts';
import { query } from '../../support/server.ts';

test('how many of each process should run, and which runs, stands in the database', async () => {
  await using repository = await createRepository(versionSite('v'));
  await using fleet = await newFleet();
  const { call, url } = await fleet.start();
  const app = await newApplication(call, url, repository.address);
  const ask = (text: string) => query(fleet.databaseUrl, text);
  await app.deploy();
  assert.deepEqual(await ask('select processes from environments'), [{ processes: { web: 1 } }]);
  assert.deepEqual(await ask('select process, state from instances'), [{ process: 'web', state: 'serving' }]);

  // More than this runtime can.
  await ask(`update environments set processes = '{"web": 2}'`);
  const refused = await app.deploy('failed');
  assert.equal(refused.reason_code, 'runtime_lacks');
  assert.equal((await app.visit()).text, 'v ');
  await ask(`update environments set processes = '{"web": 1}'`);
  await app.deploy();
});
