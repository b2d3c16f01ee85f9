import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { newApplication, verifiedUser, versionSite, visitSite } from '../../support/deployed.ts';
import { createRepository } from '../../support/git.ts';
import { endOutlivingProcesses } from '../../support/outliving-runtime.ts';
import { freePort } from '../../support/postgres.ts';
import { type ServerProcess, spawnReadyServer, spawnServer } from '../../support/process.ts';
import { repeatUntilEnded } from '../../support/repeat.ts';
import { queryDatabase, temporaryDatabase } from '../../support/server.ts';
import { until } from '../../support/until.ts';

const MAIN = new URL('../../support/outliving-server.ts', import.meta.url).pathname;

test('sites that outlive the platform serve on while it is away, and its next life goes on with them', async () => {
  await using database = await temporaryDatabase('postgres');
  await using repository = await createRepository(versionSite('v'));
  const { DATA_DIR, DATABASE_URL = '' } = database.env;
  const env = {
    ...database.env,
    APPS_GIT_PROTOCOLS: 'file',
    APPS_PORT: String(await freePort()),
    RATE_LIMIT: '1000000',
  };
  const startPlatform = (more = {}) =>
    spawnReadyServer({ ...env, ...more, PORT: String(port) }, { main: MAIN });
  const port = await freePort();
  let platform = await startPlatform();
  const gateway = await spawnServer(env, { args: ['gateway'] });
  const end = async ({ child, ended }: ServerProcess, signal: NodeJS.Signals) => {
    child.kill(signal);
    await ended;
  };
  const running = () => readdir(join(DATA_DIR, 'engine'));
  try {
    const user = await verifiedUser(platform.url, DATA_DIR);
    const stays = await newApplication(user.call, platform.url, repository.address);
    const goes = await newApplication(user.call, platform.url, repository.address);
    await stays.deploy();
    await goes.deploy();
    const through = async (path: string) => (await visitSite(gateway.url, stays.host, path)).text;
    const pid = await through('/pid');

    const answers = new Set<string>();
    let asked = 0;
    const asking = repeatUntilEnded(async () => {
      const one = await visitSite(gateway.url, stays.host, `/${asked}`).catch((error) => ({
        status: 0,
        text: String(error),
      }));
      asked += 1;
      answers.add(`${one.status} ${one.text}`);
      // No more, on any machine, than the log gives at once: a thousand lines.
    }, 50);

    await end(platform, 'SIGTERM');
    assert.equal((await running()).length, 2);
    assert.equal(await through('/pid'), pid, 'it serves while there is no platform');
    // As another server answers a stop, one that shall never host.
    await queryDatabase(
      DATABASE_URL,
      `update sites set state = 'stopped' where environment_id = (
      select environment_id from environments where application_uuid = '${goes.uuid}')`,
    );
    platform = await startPlatform();
    await until(async () => (await running()).length === 1);
    assert.equal(await through('/pid'), pid);

    await end(platform, 'SIGKILL');
    assert.equal(await through('/pid'), pid);
    await sleep(300);
    platform = await startPlatform();
    // Its lines of meanwhile are read, and those of before not again.
    const last = asked;
    await until(async () => (await stays.call('GET', '/logs?lines=1000')).text.includes(`/${last}\n`));
    await asking.end();
    assert.deepEqual([...answers], ['200 v ']);
    assert.equal(await through('/pid'), pid);
    await until(async () => (await stays.call('GET', '/logs?lines=1000')).text.includes(`/${asked - 1}\n`));
    const { text } = await stays.call('GET', '/logs?lines=1000');
    const lines = [...text.matchAll(/asked for \/(\d+)$/gm)].map(([, number]) => Number(number));
    assert.deepEqual(lines, [...Array(asked).keys()]);
    assert.equal((await stays.call('GET')).body.restarts ?? 0, 0);

    // One takes over that never gets to look at what there is, and ends.
    await end(platform, 'SIGKILL');
    const generation = async () =>
      (await queryDatabase(DATABASE_URL, 'select generation from hosting_lease'))[0]?.generation;
    const before = await generation();
    platform = await startPlatform({ OUTLIVING_HANGS: '1' });
    await until(async () => (await generation()) !== before);
    assert.equal(await through('/pid'), pid);
    await end(platform, 'SIGKILL');
    assert.equal(await through('/pid'), pid);
    platform = await startPlatform();
    assert.equal(await through('/pid'), pid);

    // It dies while somebody looks, and while nobody does.
    process.kill(Number(pid), 'SIGKILL');
    await until(async () => (await visitSite(gateway.url, stays.host)).status === 200);
    const second = await through('/pid');
    assert.notEqual(second, pid);
    await end(platform, 'SIGKILL');
    process.kill(Number(second), 'SIGKILL');
    platform = await startPlatform();
    await until(async () => (await visitSite(gateway.url, stays.host)).status === 200);
    assert.notEqual(await through('/pid'), second);
    assert.equal((await running()).length, 1);

    // What can't be read of it now can't bring it back either.
    const third = await through('/pid');
    await end(platform, 'SIGTERM');
    const kept = await queryDatabase(DATABASE_URL, 'select environment_id, variables_sealed from sites');
    await queryDatabase(DATABASE_URL, `update sites set variables_sealed = 'by another key'`);
    platform = await startPlatform();
    await goes.call('PATCH', '', { branch: 'gone' });
    await goes.deploy('failed');
    assert.equal(await through('/pid'), third);
    await end(platform, 'SIGTERM');
    for (const { environment_id, variables_sealed } of kept) {
      await queryDatabase(DATABASE_URL, 'update sites set variables_sealed = $1 where environment_id = $2', [
        variables_sealed,
        environment_id,
      ]);
    }

    // A database of before does not know it by its name; what it is says the labels that it carries.
    await queryDatabase(DATABASE_URL, 'delete from instances');
    platform = await startPlatform();
    await until(async () => (await visitSite(gateway.url, stays.host)).status === 200);
    assert.equal(await through('/pid'), third);

    // What is adopted is replaced as anything else.
    await repository.commit(versionSite('w'));
    await stays.deploy();
    // A gateway of another process hears of it a moment later.
    await until(async () => (await through('/')) === 'w ');
    await until(async () => (await running()).length === 1);
    assert.equal((await stays.call('DELETE')).status, 204);
    await until(async () => (await running()).length === 0);
  } finally {
    await end(platform, 'SIGTERM');
    await end(gateway, 'SIGTERM');
    await endOutlivingProcesses(DATA_DIR);
  }
});
