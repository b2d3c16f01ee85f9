import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { campaign } from '../../support/campaign.ts';
import { openDatabaseProxy } from '../../support/database-proxy.ts';
import { newApplication, versionSite, visitSite } from '../../support/deployed.ts';
import { createRepository } from '../../support/git.ts';
import { commandsMarked } from '../../support/sandbox.ts';
import { queryDatabase } from '../../support/server.ts';
import { newServerGroup, type ServerGroupMember } from '../../support/server-group.ts';
import { until } from '../../support/until.ts';

const MOST_MS = 60_000;

const GOES_LIVE = ['while a new version goes live', `update deployments set status = 'live'`] as const;
const MOMENTS = campaign(
  [GOES_LIVE],
  [GOES_LIVE, ['once a new version answers', 'update instances set targets']],
);

/** Two servers that may run the sites, of which the first does, and reaches the database by way of a proxy. */
async function holderAndNext() {
  const fleet = await newServerGroup();
  const proxy = await openDatabaseProxy(fleet.databaseUrl);
  const holder = await fleet.start({ DATABASE_URL: proxy.url, APPS_WAIT_SECONDS: '0' });
  await until(async () => (await queryDatabase(fleet.databaseUrl, 'select from hosting_lease')).length > 0);
  const next = await fleet.start({ APPS_WAIT_SECONDS: '0' });
  const isHeard = `select wanted_at < held_until - interval '10 seconds' as answer from hosting_lease`;
  await until(async () => (await queryDatabase(fleet.databaseUrl, isHeard))[0].answer);
  return {
    proxy,
    holder,
    next,
    async [Symbol.asyncDispose]() {
      proxy.resume();
      await fleet[Symbol.asyncDispose]();
      await proxy[Symbol.asyncDispose]();
    },
  };
}

/** The processes that a server's sites and their deployments have now. */
const running = ({ dataDir }: ServerGroupMember): number[] => commandsMarked(join(dataDir, 'sites/'));

/** Resolves when the next server has begun to run sites; until then it looks whether the holder still did. */
async function noneRunsTwice(holder: ServerGroupMember, next: ServerGroupMember): Promise<void> {
  for (const deadline = Date.now() + MOST_MS; ; await sleep(100)) {
    const [those, these] = [running(next), running(holder)];
    if (those.length > 0) {
      assert.deepEqual(these, [], 'the holder before has ended what it ran');
      return;
    }
    assert.ok(Date.now() < deadline, 'the next server takes over');
  }
}

describe('a holder whose database falls silent ends its sites before the next server runs them', () => {
  test('while it looks at what should run; it serves none any more, and no files', async () => {
    await using program = await createRepository(versionSite('program'));
    await using files = await createRepository({ 'index.html': 'files' });
    await using servers = await holderAndNext();
    const { proxy, holder, next } = servers;
    const apps = [];
    for (const { address } of [program, files]) {
      const app = await newApplication(holder.call, holder.url, address);
      await app.deploy();
      apps.push(app);
    }
    assert.notDeepEqual(running(holder), []);
    proxy.freezeAt('union select environment_id from deployments');
    await noneRunsTwice(holder, next);
    for (const { host } of apps) {
      assert.equal((await visitSite(holder.url, host)).status, 503);
      await until(async () => (await visitSite(next.url, host)).status === 200);
    }
  });

  for (const [word, statement] of MOMENTS) {
    test(word, async () => {
      await using repository = await createRepository(versionSite('new'));
      await using servers = await holderAndNext();
      const { proxy, holder, next } = servers;
      const app = await newApplication(next.call, next.url, repository.address);
      proxy.freezeAt(statement);
      const id = await app.ask();
      await until(() => running(holder).length > 0);
      await noneRunsTwice(holder, next);
      await app.expect(id, 'live');
    });
  }

  test('as it stops', async () => {
    await using repository = await createRepository(versionSite('here'));
    await using servers = await holderAndNext();
    const { proxy, holder, next } = servers;
    const app = await newApplication(holder.call, holder.url, repository.address);
    await app.deploy();
    proxy.freeze();
    const closing = holder.close();
    await noneRunsTwice(holder, next);
    proxy.resume();
    await closing;
  });
});
