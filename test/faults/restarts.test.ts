import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { signToken } from '../../server/identity/tokens.ts';
import { campaign } from '../support/campaign.ts';
import { createClient } from '../support/client.ts';
import { FINAL, newApplication, verifiedUser, versionSite, visitSite } from '../support/deployed.ts';
import { createRepository } from '../support/git.ts';
import { keepLedger } from '../support/ledger.ts';
import { serverOnOwnPostgres } from '../support/own-postgres.ts';
import type { Postgres } from '../support/postgres.ts';
import { randomMoments, SEED } from '../support/random-moments.ts';
import { readinessOf } from '../support/readiness.ts';
import { repeatUntilEnded } from '../support/repeat.ts';
import { queryDatabase, SECRET } from '../support/server.ts';
import { until } from '../support/until.ts';

const RESTARTS = campaign(2, 50);
const MODES = ['fast', 'immediate'] as const;
const token = await signToken(SECRET, { id: 'me', role: 'organizer' }, '1d');

/** The version that an application's site is to serve, by the database. */
async function recorded(postgres: Postgres, application: string): Promise<string> {
  const [row] = await queryDatabase(
    postgres.url('postgres'),
    `select releases.commit_message as version
     from sites join deployments using (deployment_uuid) join releases using (release_id)
     where deployments.application_uuid = $1`,
    [application],
  );
  return row.version;
}

test(`over ${RESTARTS} restarts of PostgreSQL under load nothing acknowledged is lost and every site stands, CRASH_SEED=${SEED}`, async (t) => {
  await using own = await serverOnOwnPostgres();
  const { postgres, server, dataDir } = own;
  const gateway = await own.startGateway();
  await using steady = await createRepository(versionSite('steady'));
  await using moving = await createRepository({});
  const user = await verifiedUser(server.url, dataDir);
  const still = await newApplication(user.call, server.url, steady.address);
  const app = await newApplication(user.call, server.url, moving.address);
  await moving.commit(versionSite('v0'), 'v0');
  await still.deploy();
  await app.deploy();

  const ledger = keepLedger(createClient(server.url, { token }));
  const site = repeatUntilEnded(async () => {
    assert.deepEqual(await visitSite(server.url, still.host), { status: 200, text: 'steady ' });
  });
  const apart = repeatUntilEnded(async () => {
    assert.deepEqual(await visitSite(gateway.url, still.host), { status: 200, text: 'steady ' });
  });
  const readinesses = { 200: 0, 503: 0 };
  const health = repeatUntilEnded(async () => {
    readinesses[await readinessOf(server.url)] += 1;
  });
  /** Final states of the requested deployments. */
  const ends: string[] = [];
  for (const [restart, moment] of randomMoments(RESTARTS, 1_000).entries()) {
    const goal = ledger.acknowledged() + 20;
    await until(() => ledger.acknowledged() >= goal);
    const version = `v${restart + 1}`;
    await moving.commit(versionSite(version), version);
    const id = await app.ask(restart % 3 === 2 ? 'restart' : 'deploy');
    await sleep(moment);
    const refusedBefore = ledger.refused();
    await postgres.stop(MODES[restart % MODES.length]);
    await until(() => ledger.refused() > refusedBefore);
    await postgres.start();

    await until(async () => {
      const { status, reason_code: why } = await app.record(id);
      if (!FINAL.includes(status)) return false;
      ends.push(why ?? status);
      return true;
    }, 60_000);
    const served = async (url: string) => (await visitSite(url, app.host)).text;
    await until(async () => (await served(server.url)) === `${await recorded(postgres, app.uuid)} `);
    await until(async () => (await served(gateway.url)) === `${await recorded(postgres, app.uuid)} `);
    assert.equal(server.child.exitCode, null);
  }
  await ledger.stop();
  const visits = (await site.end()) + (await apart.end());
  const looks = await health.end();
  await ledger.check();
  const unfinished = await queryDatabase(
    postgres.url('postgres'),
    `select from deployments where status not in (${FINAL.map((status) => `'${status}'`)})`,
  );
  assert.equal(unfinished.length, 0);
  for (const one of [still, app]) assert.equal((await one.call('GET')).body.status, 'live');
  for (const { child, ended } of [server, gateway]) {
    child.kill('SIGTERM');
    assert.equal(await ended, 0);
  }
  assert.deepEqual(new Set(ends), new Set(['live']));
  t.diagnostic(
    `${RESTARTS} restarts of PostgreSQL: ${ledger.acknowledged()} acknowledged events, ${ledger.refused()} writes ` +
      `answered 503, ${ends.length} deployments live, ${visits} visits to a site through the server and a gateway of its own, ${looks} looks at ` +
      `readiness (${readinesses[503]} times 503), 0 lost, 0 failed`,
  );
});
