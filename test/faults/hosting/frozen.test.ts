import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { WebSocket } from 'ws';
import { processesMarked } from '../../../server/hosting/sandbox/processes.ts';
import { applicationClient, newApplication, versionSite, visitSite } from '../../support/deployed.ts';
import { askGateway } from '../../support/gateway.ts';
import { createRepository } from '../../support/git.ts';
import { spawnReadyServer } from '../../support/process.ts';
import { KEY, queryDatabase, SECRET } from '../../support/server.ts';
import { newServerGroup } from '../../support/server-group.ts';
import { settingsAmongServers } from '../../support/several-servers.ts';
import { until } from '../../support/until.ts';

test('what was passed on to a server that freezes is answered by the next one, whenever it was asked', async () => {
  await using repository = await createRepository(versionSite('here'));
  await using fleet = await newServerGroup();
  const folder = await mkdtemp(join(tmpdir(), 'simcha-member-'));
  const holder = await spawnReadyServer(
    await settingsAmongServers({
      DATA_DIR: folder,
      DATABASE_URL: fleet.databaseUrl,
      JWT_SECRET: SECRET,
      ENCRYPTION_KEY: KEY,
      APPS_GIT_PROTOCOLS: 'file',
      LOG_LEVEL: 'info',
    }),
  );
  try {
    const leases = () => queryDatabase(fleet.databaseUrl, 'select generation::integer from hosting_lease');
    await until(async () => (await leases()).length > 0);
    const door = await fleet.start({ HOSTING: 'off' });
    const next = await fleet.start();
    const app = await newApplication(door.call, door.url, repository.address);
    await app.deploy();
    for (const { url } of [door, next])
      await until(async () => (await visitSite(url, app.host)).text === 'here ');
    assert.deepEqual(await leases(), [{ generation: 1 }]);
    const ofHolder = () => processesMarked(`${folder}/sites/`);
    assert.notDeepEqual(ofHolder(), []);

    holder.child.kill('SIGSTOP');
    // Until the next one has taken over: on a slow machine that may be before the last request.
    const unheard = until(async () => (await door.call('GET', '/readyz')).body.hosting === 'starting');
    const hello = new WebSocket(`ws://127.0.0.1:${door.port}/`, { headers: { host: app.host } });
    const closed = new Promise((resolve) => hello.on('error', () => {}).on('close', resolve));
    const body = askGateway(door.port, app.host, '/', { method: 'POST', body: 'once' });
    const asked = [];
    for (const pause of [0, 3_000, 4_000]) {
      await sleep(pause);
      asked.push(visitSite(door.url, app.host), visitSite(next.url, app.host));
    }
    await unheard;
    for (const answer of await Promise.all(asked)) assert.deepEqual(answer, { status: 200, text: 'here ' });
    assert.equal((await body).status, 502, 'what may have been heard is not said twice');
    await closed;
    assert.notDeepEqual(await leases(), [{ generation: 1 }]);
    // It can't end them itself, nor run on beside the next one's.
    await until(() => ofHolder().length === 0);
    assert.equal((await applicationClient(next.call, next.url, app.uuid, app.host).visit()).status, 200);
  } finally {
    holder.child.kill('SIGCONT');
    holder.child.kill('SIGTERM');
    await holder.ended;
    await rm(folder, { recursive: true, force: true });
  }
});

test('a server that was frozen amid a deployment neither goes on with it nor writes into its log', async () => {
  await using repository = await createRepository({ 'package.json': '{}' });
  await using fleet = await newServerGroup();
  const folder = await mkdtemp(join(tmpdir(), 'simcha-member-'));
  const holder = await spawnReadyServer(
    await settingsAmongServers({
      DATA_DIR: folder,
      DATABASE_URL: fleet.databaseUrl,
      JWT_SECRET: SECRET,
      ENCRYPTION_KEY: KEY,
      APPS_GIT_PROTOCOLS: 'file',
      LOG_LEVEL: 'info',
    }),
  );
  try {
    const leases = () => queryDatabase(fleet.databaseUrl, 'select generation::integer from hosting_lease');
    await until(async () => (await leases()).length > 0);
    const next = await fleet.start();
    const app = await newApplication(next.call, next.url, repository.address, {
      install: 'echo installs; sleep 3',
      build: 'echo x >> "$HOME/built"; echo built > index.html',
    });
    const id = await app.ask();
    await until(async () => /installs$/m.test(await app.log(id)));
    holder.child.kill('SIGSTOP');
    await app.expect(id, 'live');
    const log = await app.log(id);

    holder.child.kill('SIGCONT');
    await until(() => holder.output().includes('has lost the lease'));
    await until(async () => (await fetch(`${holder.url}/readyz`)).ok);
    assert.equal(await app.log(id), log);
    assert.match(log, /starting over[\s\S]*live at [^\n]*\n$/);
    const { stdout } = await promisify(execFile)('find', [folder, '-name', 'built']);
    assert.equal(stdout, '', 'its next command was not begun');
  } finally {
    holder.child.kill('SIGCONT');
    holder.child.kill('SIGTERM');
    await holder.ended;
    await rm(folder, { recursive: true, force: true });
  }
});
