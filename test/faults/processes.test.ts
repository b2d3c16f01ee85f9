import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { campaign } from '../support/campaign.ts';
import { createClient } from '../support/client.ts';
import { applicationClient, newApplication, verifiedUser } from '../support/deployed.ts';
import { createRepository } from '../support/git.ts';
import { spawnReadyServer } from '../support/process.ts';
import { randomMoments, SEED } from '../support/random-moments.ts';
import { commandsMarked } from '../support/sandbox.ts';
import { queryDatabase, temporaryDatabase } from '../support/server.ts';
import { until } from '../support/until.ts';

const SETTINGS = {
  APPS_GIT_PROTOCOLS: 'file',
  APPS_HEALTH_SECONDS: '10',
  APPS_ISOLATION: 'sandbox',
  RATE_LIMIT: '1000000',
};

/** All that a release can have: each process writes to the volume what it did, and takes a moment for it. */
const site = (version: number) => ({
  'simcha.json': JSON.stringify({
    processes: {
      web: 'node server.js',
      worker: `echo worker ${version} >> /data/log; exec sleep 100000`,
    },
    release: `echo begins ${version} >> /data/log; sleep 0.25; echo released ${version} >> /data/log`,
    cron: [{ name: 'tidy', schedule: '* * * * *', command: 'sleep 0.3; echo tidied >> /data/log' }],
  }),
  'server.js': `
const { createServer } = require('node:http');
const { readFileSync } = require('node:fs');
createServer((request, response) => response.end('${version}\\n' + readFileSync('/data/log', 'utf8')))
  .listen(process.env.PORT, process.env.HOST);
`,
});

/** From the request on: fetching, releasing, standing aside, starting, live; and a run beside it. */
const CYCLE_MS = 1_600;
const KILLS = campaign(3, 60);

test(`killed at any moment, the server brings back workers, jobs, release commands, runs and volumes (CRASH_SEED=${SEED})`, async (t) => {
  await using database = await temporaryDatabase('postgres');
  await using repository = await createRepository(site(0));
  const env = { ...database.env, ...SETTINGS };
  const { DATABASE_URL = '', DATA_DIR } = database.env;
  const sites = `${DATA_DIR}/sites/`;
  let server = await spawnReadyServer(env);
  try {
    const user = await verifiedUser(server.url, DATA_DIR);
    const made = await newApplication(user.call, server.url, repository.address);
    await made.call('POST', '/volumes', { name: 'data', path: '/data' });
    await made.deploy();
    const clientOf = (url: string) =>
      applicationClient(createClient(url, { headers: { 'x-api-key': user.key } }), url, made.uuid, made.host);
    const runs: string[] = [];
    let said = '';
    let twice = 0;

    for (const [turn, moment] of randomMoments(KILLS, CYCLE_MS).entries()) {
      const version = turn + 1;
      await repository.commit(site(version));
      const before = clientOf(server.url);
      const id = await before.ask();
      // What the site writes while it is backed up takes nothing from it.
      const asked = await before.call('POST', '/runs', {
        command: `sleep 0.5; echo ran ${version} >> /data/log`,
      });
      runs.push(asked.body.run_uuid);
      const backup = before.call('GET', '/volumes/data/backup').catch(() => undefined);
      // A time has come while nobody was there: one that nothing was run for, or the next minute would begin with it
      // once more.
      await queryDatabase(
        DATABASE_URL,
        `lock table schedules in exclusive mode;
         update schedules set seen_at = seen_at - interval '1 minute'
         where not exists (select from runs where due_at > schedules.seen_at - interval '1 minute')`,
      );
      await sleep(moment);
      server.child.kill('SIGKILL');
      await server.ended;
      await backup;
      const [noted] = await queryDatabase(
        DATABASE_URL,
        'select released from deployments where deployment_uuid = $1',
        [id],
      );
      await until(() => commandsMarked(sites).length === 0);

      server = await spawnReadyServer(env);
      const app = clientOf(server.url);
      await app.expect(id, 'live');
      // Nothing runs twice, and nothing is missing.
      await until(async () => {
        const { processes } = (await app.call('GET', '/processes')).body;
        const states = processes.flatMap(({ replicas }: { replicas: { state: string }[] }) =>
          replicas.map(({ state }) => state),
        );
        return states.join() === 'running,running';
      });
      await until(async () => (await app.visit()).text.includes(`worker ${version}\n`));
      const { text } = await app.visit();
      assert.ok(text.startsWith(`${version}\n`), text);
      assert.ok(text.slice(text.indexOf('\n') + 1).startsWith(said), 'nothing of the volume is lost');
      const count = (line: string) => text.split(`${line}\n`).length - 1;
      // One whose end a kill kept from being written down is begun again; once it is known to have succeeded it is not.
      const released = count(`released ${version}`);
      assert.ok(released === 1 || (released === 2 && !noted?.released), text);
      twice += released - 1;
      assert.ok(count(`begins ${version}`) <= 2, text);
      assert.ok(count(`worker ${version}`) <= 2, text);
      said = text.slice(text.indexOf('\n') + 1);
    }

    const app = clientOf(server.url);
    // Each ends, once: what nobody knows the end of is said to have failed.
    await until(async () => {
      const all = (await app.call('GET', '/runs?limit=100')).body.runs as { ended_at: string | null }[];
      return all.every(({ ended_at }) => ended_at !== null);
    });
    const { text } = await app.visit();
    for (const [turn, id] of runs.entries()) {
      const { status, reason_code: why } = (await app.call('GET', `/runs/${id}`)).body;
      const ran = text.split(`ran ${turn + 1}\n`).length - 1;
      if (status === 'succeeded') assert.equal(ran, 1);
      else assert.deepEqual([status, why, ran <= 1], ['failed', 'server_ended', true]);
    }
    const rows = await queryDatabase(
      DATABASE_URL,
      `select due_at, count(*)::integer as times from runs where kind = 'cron' group by due_at having count(*) > 1`,
    );
    assert.deepEqual(rows, [], 'a time comes once');
    const jobs = await queryDatabase(
      DATABASE_URL,
      `select status, reason ->> 'code' as why from runs where kind = 'cron'`,
    );
    assert.ok(jobs.length > 0);
    for (const { status, why } of jobs)
      assert.ok(status === 'succeeded' || why === 'server_ended' || status === 'skipped', `${status} ${why}`);
    t.diagnostic(
      `${KILLS} kills: ${twice} release commands run twice, ${runs.length} runs, ${jobs.length} jobs at their times, each told of once`,
    );
  } finally {
    server.child.kill('SIGTERM');
    await server.ended;
  }
});
