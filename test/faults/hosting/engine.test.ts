import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { newApplication, verifiedUser, versionSite, visitSite } from '../../support/deployed.ts';
import { engineOfFile, settingsFor } from '../../support/engine.ts';
import { createRepository } from '../../support/git.ts';
import { startServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';

const NEVER = new AbortController().signal;
const { withEngine } = engineOfFile(async () => {});

withEngine(
  'an engine that is killed, away and back costs a server nothing but the time',
  async (engine, daemon) => {
    const env = { ...(await settingsFor(daemon)), APPS_GIT_PROTOCOLS: 'file', APPS_HEALTH_SECONDS: '20' };
    await using server = await startServer('embedded', { env });
    await using repository = await createRepository(versionSite('v'));
    const user = await verifiedUser(server.url, server.dataDir);
    const app = await newApplication(user.call, server.url, repository.address);
    await app.deploy();
    const is = (text: string) => async () =>
      (await visitSite(server.url, app.host).catch(() => ({ text: '' }))).text === text;
    assert.ok(await is('v ')());

    const containers = () => engine.containers({ 'simcha.application': app.uuid }, NEVER);
    for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
      const run = await app.call('POST', '/runs', { command: 'sleep 600' });
      await until(async () => (await containers()).some(({ Labels }) => Labels['simcha.kind'] === 'task'));
      await daemon.stop(signal);
      const ended = async () => (await app.call('GET', `/runs/${run.body.run_uuid}`)).body.status;
      await until(async () => (await ended()) === 'failed');
      await sleep(1_000);
      assert.equal((await server.call('GET', '/readyz')).status, 200);
      // What is asked for meanwhile is told why it can't be.
      await repository.commit(versionSite(signal));
      const failed = await app.deploy('failed');
      assert.equal(failed.reason_code, 'engine_away');
      await daemon.start();
      await until(is('v '), 60_000);
    }
    await app.deploy();
    assert.ok(await is('SIGTERM ')());
    // Nothing of before is left to run beside it.
    await until(async () => (await containers()).length === 1);
  },
);
