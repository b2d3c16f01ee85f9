import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { campaign } from '../../support/campaign.ts';
import { createClient } from '../../support/client.ts';
import {
  type ApplicationClient,
  applicationClient,
  newApplication,
  versionSite,
} from '../../support/deployed.ts';
import { createRepository, type TestRepository } from '../../support/git.ts';
import { type ServerProcess, spawnReadyServer } from '../../support/process.ts';
import { KEY, postgresDatabase, queryDatabase, SECRET } from '../../support/server.ts';
import { settingsAmongServers } from '../../support/several-servers.ts';
import { until } from '../../support/until.ts';

// Three servers on one PostgreSQL, each on a machine of its own as far as it knows: one runs the sites, all answer.

const KILLS = campaign(1, 20);

interface Member {
  env: Record<string, string>;
  server: ServerProcess;
}

describe('three servers', () => {
  let database: Awaited<ReturnType<typeof postgresDatabase>>;
  let repository: TestRepository;
  const members: Member[] = [];
  let key: string;

  before(async () => {
    database = await postgresDatabase('simcha_template');
    repository = await createRepository(versionSite('1'));
    for (let n = 0; n < 3; n += 1) {
      const env = await settingsAmongServers({
        DATA_DIR: await mkdtemp(join(tmpdir(), 'simcha-member-')),
        DATABASE_URL: database.url,
        JWT_SECRET: SECRET,
        ENCRYPTION_KEY: KEY,
        APPS_GIT_PROTOCOLS: 'file',
        RATE_LIMIT: '1000000',
      });
      members.push({ env, server: await spawnReadyServer(env) });
    }
    const registered = await createClient(urlOf(0))('POST', '/api/v1/users/register', {
      body: { email: 'noa@example.com' },
    });
    key = registered.body.api_key;
    await queryDatabase(database.url, 'update users set verified = true');
  });
  after(async () => {
    for (const { server } of members) server.child.kill('SIGTERM');
    for (const { server, env } of members) {
      await server.ended;
      await rm(env.DATA_DIR ?? '', { recursive: true, force: true });
    }
    await repository[Symbol.asyncDispose]();
    await database.drop();
  });

  const urlOf = (n: number) => members[n]?.server.url ?? '';
  const clientOf = (n: number) => createClient(urlOf(n), { headers: { 'x-api-key': key } });
  /** The same application, seen through each server. */
  const everywhere = ({ uuid, host }: ApplicationClient): ApplicationClient[] =>
    members.map((_, n) => applicationClient(clientOf(n), urlOf(n), uuid, host));
  const holder = async (): Promise<number> => {
    const [lease] = await queryDatabase(
      database.url,
      'select address from hosting_lease where held_until > clock_timestamp()',
    );
    return members.findIndex(({ env }) => env.INTERNAL_URL === lease?.address);
  };

  test('whichever is asked, all do, see and serve the same', async () => {
    await until(async () => (await holder()) >= 0);
    const app = await newApplication(clientOf(0), urlOf(0), repository.address);
    const [first, second, third] = everywhere(app) as [
      ApplicationClient,
      ApplicationClient,
      ApplicationClient,
    ];

    const id = await second.ask();
    await third.expect(id, 'live');
    // Whoever has seen that it is live finds it so, wherever they ask.
    for (const one of everywhere(app)) assert.deepEqual(await one.visit(), { status: 200, text: '1 ' });
    const logs = await Promise.all(everywhere(app).map((one) => one.log(id)));
    assert.match(logs[0] ?? '', /live at/);
    assert.deepEqual(logs, [logs[0], logs[0], logs[0]]);

    await repository.commit(versionSite('2'));
    await first.expect(await third.ask(), 'live');
    await until(async () => {
      const texts = await Promise.all(everywhere(app).map(async (one) => (await one.visit()).text));
      return texts.every((text) => text === '2 ');
    });
    await until(async () => {
      const outputs = await Promise.all(
        everywhere(app).map(async (one) => (await one.call('GET', '/logs')).text),
      );
      return outputs.every((text) => /asked for \//.test(text));
    });

    assert.equal((await first.call('POST', '/stop')).status, 200);
    assert.equal((await first.visit()).status, 503);
    await until(async () => (await second.visit()).status === 503 && (await third.visit()).status === 503);
    await second.expect(await second.ask('start'), 'live');
    for (const one of everywhere(app)) assert.deepEqual(await one.visit(), { status: 200, text: '2 ' });

    assert.equal((await third.call('DELETE')).status, 204);
    for (const one of everywhere(app)) await until(async () => (await one.visit()).status === 404);
  });

  test(`the one that runs the sites is killed in the middle of a deployment, ${KILLS} times: the next one brings all to its end`, async (t) => {
    const app = await newApplication(clientOf(0), urlOf(0), repository.address);
    await app.deploy();
    let last = '2';
    for (let kill = 0; kill < KILLS; kill += 1) {
      const version = `k${kill}`;
      await repository.commit({
        ...versionSite(version),
        'package.json': '{"scripts":{"build":"sleep 1","start":"node server.js"}}',
      });
      const at = await holder();
      const [other, another] = everywhere(app).filter((_, n) => n !== at) as [
        ApplicationClient,
        ApplicationClient,
      ];
      const id = await other.ask();
      await until(async () => (await another.record(id)).status === 'building');
      await sleep((kill * 97) % 1_000);
      members[at]?.server.child.kill('SIGKILL');
      // Its site is asked for all the while, and waited for.
      const { text } = await other.visit();
      const why = `${(await other.call('GET', '/logs')).text} ${await other.log(id)}`;
      assert.ok([`${last} `, `${version} `].includes(text), `${text}\n${why}`);
      assert.notEqual(await holder(), at);
      await another.expect(id, 'live');
      for (const one of [other, another]) assert.equal((await one.visit()).text, `${version} `);

      const back = members[at] as Member;
      await back.server.ended;
      back.server = await spawnReadyServer(back.env);
      const again = everywhere(app)[at] as ApplicationClient;
      assert.equal((await again.visit()).text, `${version} `);
      assert.equal((await again.record(id)).status, 'live');
      last = version;
    }
    t.diagnostic(`the holder of the lease killed ${KILLS} times in a deployment, each live on the next one`);
  });
});
