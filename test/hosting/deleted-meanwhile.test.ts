import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newApplication } from '../support/deployed.ts';
import { createRepository } from '../support/git.ts';
import { newServerGroup } from '../support/server-group.ts';

const ROUNDS = 12;

test('an application is deleted while it is deployed and stopped: each is done, or it is gone', async () => {
  await using repository = await createRepository({ 'index.html': 'here' });
  await using fleet = await newServerGroup();
  const { call, url } = await fleet.start();
  const answers = new Map<string, number>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const app = await newApplication(call, url, repository.address);
    await app.ask();
    const asked = await Promise.all([
      ...['deploy', 'deploy', 'deploy', 'stop'].map((action) => app.call('POST', `/${action}`)),
      app.call('DELETE'),
    ]);
    for (const { status } of asked) answers.set(String(status), (answers.get(String(status)) ?? 0) + 1);
  }
  const expected = new Set(['200', '202', '204', '404', '409']);
  assert.deepEqual(new Set(answers.keys()).difference(expected), new Set(), JSON.stringify([...answers]));
  assert.equal(answers.get('204'), ROUNDS);
});
