import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { Budgets } from '../../server/hosting/budgets/store.ts';
import { createRecords } from '../../server/hosting/controller/records/records.ts';
import type { ScheduledJob } from '../../server/hosting/controller/records/runs.ts';
import { readConfig } from '../../server/kernel/config.ts';
import { IN_CLUSTER } from '../support/campaign.ts';
import { type ApplicationClient, newApplication, versionSite } from '../support/deployed.ts';
import { createRepository } from '../support/git.ts';
import { newSite } from '../support/new-site.ts';
import { queryDatabase } from '../support/server.ts';
import { newServerGroup } from '../support/server-group.ts';
import { testInLane } from '../support/test-in-lane.ts';
import { until } from '../support/until.ts';

const SETTINGS = { APPS_GIT_PROTOCOLS: 'file', APPS_HEALTH_SECONDS: '10', APPS_TASK_SECONDS: '60' };

async function deployed(files = versionSite('v')) {
  const site = await newSite(SETTINGS, files);
  return { ...site, ...runsOf(site.app) };
}

/** What a user does with an application's runs. */
function runsOf(app: ApplicationClient) {
  const ask = async (body: unknown): Promise<string> => {
    const answer = await app.call('POST', '/runs', body);
    assert.equal(answer.status, 202, answer.text);
    assert.equal(answer.headers.get('location'), `${app.at}/runs/${answer.body.run_uuid}`);
    return answer.body.run_uuid;
  };
  const read = async (id: string) => (await app.call('GET', `/runs/${id}`)).body;
  const log = async (id: string) => (await app.call('GET', `/runs/${id}/logs`)).text;
  const ended = async (id: string) => {
    await until(async () => (await read(id)).ended_at !== null);
    return read(id);
  };
  return { ask, read, log, ended, run: async (body: unknown) => ended(await ask(body)) };
}

testInLane('a site of files alone has no process to run a command beside', async () => {
  await using at = await newSite({ APPS_GIT_PROTOCOLS: 'file' }, { 'index.html': 'x' });
  await at.app.deploy();
  const refused = await at.app.call('POST', '/runs', { command: 'ls' });
  assert.deepEqual([refused.status, refused.body.code], [409, 'only_files']);
});

test('a command runs once in the release, and what it wrote and how it ended is kept', async () => {
  await using at = await deployed();
  await at.app.call('PATCH', '/env', { TITLE: 'שמחה', PASSWORD: 'correct-horse-battery' });
  const none = await at.app.call('POST', '/runs', { command: 'true' });
  assert.deepEqual([none.status, none.body.code], [409, 'no_release']);
  await at.app.deploy();

  const done = await at.run({
    command: 'echo "$TITLE of $SIMCHA_URL"; echo $PASSWORD; ls; echo kept > ~/kept',
  });
  assert.deepEqual(
    { ...done, run_uuid: '', deployment_uuid: '', requested_at: '', started_at: '', ended_at: '' },
    {
      run_uuid: '',
      application_uuid: at.app.uuid,
      kind: 'once',
      job: null,
      command: done.command,
      seconds: 60,
      status: 'succeeded',
      reason: 'exited with code 0',
      reason_code: 'exited',
      exit_code: 0,
      deployment_uuid: '',
      due_at: null,
      requested_at: '',
      started_at: '',
      ended_at: '',
    },
  );
  const { deployments } = (await at.app.call('GET', '/deployments')).body;
  assert.equal(done.deployment_uuid, deployments[0].deployment_uuid);
  const log = await at.log(done.run_uuid);
  assert.match(log, /^\S+ \[run\] \$ echo "\$TITLE/);
  assert.match(log, new RegExp(`\\[run\\] •+ of http://${at.app.host}`));
  assert.match(log, /\[run\] server\.js$/m);
  assert.doesNotMatch(log, /correct-horse/);

  // What it left at home is there for the next one; how that fails is told.
  const failed = await at.run({ command: 'cat ~/kept && exit 3' });
  assert.deepEqual([failed.status, failed.exit_code, failed.reason], ['failed', 3, 'exited with code 3']);
  assert.match(await at.log(failed.run_uuid), /\[run\] kept\n.*\[run\] exited with code 3\n$/);
  const late = await at.run({ command: 'sleep 30', seconds: 1 });
  assert.deepEqual([late.status, late.reason_code, late.exit_code], ['failed', 'too_slow', null]);
  const hebrew = await at.user.call('GET', `${at.app.at}/runs/${late.run_uuid}`, {
    headers: { 'x-api-key': at.user.key, 'accept-language': 'he' },
  });
  assert.match(hebrew.body.reason, /חריגה ממגבלת הזמן/);

  const { runs, total } = (await at.app.call('GET', '/runs')).body;
  assert.deepEqual(
    [runs.map((one: { status: string }) => one.status), total],
    [['failed', 'failed', 'succeeded'], 3],
  );
  const narrowed = await at.app.call('GET', '/runs?status=succeeded&kind=once');
  assert.deepEqual([narrowed.body.total, narrowed.body.runs[0].run_uuid], [1, done.run_uuid]);
  assert.equal((await at.app.visit()).status, 200);
});

testInLane('what a run writes is streamed as it comes, to its end', async () => {
  await using at = await deployed();
  await at.app.deploy();
  const wait = IN_CLUSTER ? 'sleep 5' : 'while [ ! -e ~/go ]; do sleep 0.05; done';
  const id = await at.ask({ command: `echo one; ${wait}; echo two` });
  const answer = await fetch(`${at.server.url}${at.app.at}/runs/${id}/logs/stream`, {
    headers: { 'x-api-key': at.user.key },
  });
  let told = '';
  const following = (async () => {
    for await (const piece of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) told += piece;
  })();
  await until(() => /\[run\] one\n/.test(told));
  assert.equal((await at.read(id)).status, 'running');
  await at.run({ command: 'touch ~/go' });
  await following;
  assert.match(told, /\[run\] two\n\n[\s\S]*event: end\n[\s\S]*\{"status":"succeeded"\}/);
});

test('a run is named by a part of its id, or as the latest', async () => {
  await using at = await deployed();
  await at.app.deploy();
  const [first, second] = [await at.run({ command: 'echo one' }), await at.run({ command: 'echo two' })];
  const named = async (name: string, path = '') => {
    const answer = await at.app.call('GET', `/runs/${name}${path}`);
    return answer.body?.run_uuid ?? answer.body?.code ?? answer.text;
  };
  assert.equal(await named('latest'), second.run_uuid);
  assert.match(await named('latest', '/logs'), /two/);
  assert.equal(await named(first.run_uuid.slice(-8)), first.run_uuid);
  assert.equal(await named(first.run_uuid.slice(0, -2).toUpperCase()), first.run_uuid);
  // Ids begin with the time at which they were made.
  const both = await at.app.call('GET', `/runs/${first.run_uuid.slice(0, 4)}`);
  assert.deepEqual([both.status, both.body.code], [404, 'ambiguous_name']);
  assert.ok(both.body.error.includes(`${second.run_uuid}, ${first.run_uuid}`), both.body.error);
  for (const none of ['ffffffff', 'fff', 'current', '%25'])
    assert.equal(await named(none), 'not_found', none);
});

test('a run is cancelled while it waits and while it runs; what is asked wrongly is told', async () => {
  await using at = await deployed();
  await at.app.deploy();
  const running = await at.ask({ command: 'trap "" TERM; sleep 50' });
  await until(async () => (await at.read(running)).status === 'running');
  assert.equal((await at.app.call('POST', `/runs/${running}/cancel`)).status, 202);
  assert.deepEqual(
    [(await at.ended(running)).status, (await at.read(running)).reason_code],
    ['cancelled', 'run_cancelled'],
  );
  const again = await at.app.call('POST', `/runs/${running}/cancel`);
  assert.deepEqual([again.status, again.body.code], [409, 'finished']);

  const many = [];
  for (let n = 0; n < 10; n += 1) many.push(await at.ask({ command: 'sleep 50' }));
  const more = await at.app.call('POST', '/runs', { command: 'true' });
  assert.deepEqual([more.status, more.body.code], [409, 'too_many_runs']);
  for (const id of many) await at.app.call('POST', `/runs/${id}/cancel`);
  for (const id of many) assert.equal((await at.ended(id)).status, 'cancelled');

  const refused = async (body: unknown, error: RegExp, status = 400) => {
    const answer = await at.app.call('POST', '/runs', body);
    assert.equal(answer.status, status, answer.text);
    assert.match(answer.body.error, error);
  };
  await refused({}, /command: must contain either command/);
  await refused({ command: 'true', job: 'x' }, /either command, the command to run, or job/);
  await refused({ command: 'true', seconds: 61 }, /60/);
  await refused({ command: 'true', second: 5 }, /second\b.*seconds/);
  await refused({ job: 'x' }, /no jobs/, 404);
  assert.equal((await at.app.call('GET', `/runs/${at.app.uuid}`)).status, 404);
  assert.equal((await at.app.call('GET', '/runs?state=failed')).status, 400);
});

testInLane('what runs of an application that is deleted ends with it', async () => {
  await using at = await deployed();
  await at.app.deploy();
  const seconds = 1_000 + Math.floor(Math.random() * 1_000_000);
  await at.ask({ command: `sleep ${seconds}` });
  const isThere = () => spawnSync('pgrep', ['-f', `^sleep ${seconds}$`]).status === 0;
  await until(isThere);
  assert.equal((await at.app.call('DELETE')).status, 204);
  await until(() => !isThere());
});

type Fleet = Awaited<ReturnType<typeof newServerGroup>>;

const job = (schedule: string, command: string, name = 'tidy') => ({ name, schedule, command });

/** Gives the current release these jobs, and puts back up to when their times are dealt with. */
async function scheduled(
  fleet: Fleet,
  app: ApplicationClient,
  jobs: readonly ReturnType<typeof job>[],
): Promise<void> {
  await queryDatabase(fleet.databaseUrl, `update releases set plan = plan || $1::jsonb`, [
    JSON.stringify({ cron: jobs }),
  ]);
  await nudge(app);
  const asked = jobs.map(({ name, schedule }) => ({ job: name, schedule }));
  // One of before that has the same name may still stand there.
  await until(async () =>
    isDeepStrictEqual(
      await queryDatabase(fleet.databaseUrl, 'select job, schedule from schedules order by job'),
      asked,
    ),
  );
}
const setBack = (fleet: Fleet, minutes: number) =>
  queryDatabase(fleet.databaseUrl, `update schedules set seen_at = now() - $1 * interval '1 minute'`, [
    minutes,
  ]);
/** Whoever runs the sites looks at this one. */
const nudge = (app: ApplicationClient) => app.call('PATCH', '/processes', { web: 1 });

testInLane(
  'a schedule’s times are run, one after the other, and what was missed is made up for within an hour',
  async () => {
    await using repository = await createRepository(versionSite('v'));
    await using fleet = await newServerGroup();
    const { call, url } = await fleet.start({ APPS_TASK_SECONDS: '60' });
    const app = await newApplication(call, url, repository.address);
    const at = runsOf(app);
    await app.deploy();
    const list = async () => (await app.call('GET', '/runs?kind=cron')).body.runs;
    const due = async (minutes: number, count: number) => {
      await setBack(fleet, minutes);
      await nudge(app);
      await until(async () => (await list()).length === count);
      return (await list())[0];
    };

    // None that comes by itself meanwhile.
    const [early, middle, late] = [23, 13, 3].map((ago) =>
      new Date(Date.now() - ago * 60_000).getUTCMinutes(),
    );
    const three = `${early},${middle},${late} * * * *`;
    await scheduled(fleet, app, [job(three, 'echo tidied; [ ! -e ~/wait ] || sleep 50')]);
    assert.deepEqual(await list(), []);
    const first = await at.ended((await due(6, 1)).run_uuid);
    assert.deepEqual([first.job, first.status, first.kind], ['tidy', 'succeeded', 'cron']);
    assert.equal(new Date(first.due_at).getUTCMinutes(), late);
    assert.equal(Date.parse(first.due_at) % 60_000, 0);
    assert.match(await at.log(first.run_uuid), /tidied/);

    // Of many that were missed one is made up for; one of long ago is told of.
    const madeUp = await at.ended((await due(50, 2)).run_uuid);
    assert.equal(madeUp.status, 'succeeded');
    await scheduled(fleet, app, [job(`${(new Date().getUTCMinutes() + 1) % 60} * * * *`, 'true')]);
    await queryDatabase(fleet.databaseUrl, `update applications set time_zone = 'UTC'`);
    await scheduled(fleet, app, [job('0 0 1 1 *', 'true')]);
    const missed = await due(60 * 24 * 366, 3);
    assert.deepEqual([missed.status, missed.reason_code], ['skipped', 'missed']);
    assert.equal(missed.due_at.slice(4), '-01-01T00:00:00.000Z');

    // One at a time: what comes meanwhile is passed over.
    await scheduled(fleet, app, [job(three, 'sleep 50')]);
    const long = await due(6, 4);
    await until(async () => (await at.read(long.run_uuid)).status === 'running');
    const over = await due(6, 5);
    assert.deepEqual([over.status, over.reason_code], ['skipped', 'still_running']);
    await app.call('POST', `/runs/${long.run_uuid}/cancel`);
    assert.equal((await at.ended(long.run_uuid)).status, 'cancelled');

    // By hand, too; and of a stopped site nothing is due.
    const byHand = await at.ask({ job: 'tidy' });
    await app.call('POST', `/runs/${byHand}/cancel`);
    assert.deepEqual([(await at.ended(byHand)).job, (await at.read(byHand)).kind], ['tidy', 'once']);
    await app.call('POST', '/stop');
    await until(async () => (await queryDatabase(fleet.databaseUrl, 'select from schedules')).length === 0);
  },
);

testInLane('a time that two looks see at once comes once', async () => {
  await using repository = await createRepository(versionSite('v'));
  await using fleet = await newServerGroup();
  const { call, url, simcha } = await fleet.start();
  const app = await newApplication(call, url, repository.address);
  await app.deploy();
  await scheduled(fleet, app, [job('0 0 1 1 *', 'true')]);
  const [{ environment_id: environment, generation }] = await queryDatabase(
    fleet.databaseUrl,
    'select environment_id, generation from sites join instances using (environment_id)',
  );
  const { runs: records } = createRecords({
    db: simcha.database.sql,
    generation: Number(generation),
    budgets: new Budgets(simcha.database.sql, readConfig({})),
    gatewayGoneMs: 10_000,
  });
  const seen = (await records.findJobs(environment)).jobs[0] as ScheduledJob;
  const due = Temporal.Now.instant().add({ minutes: 1 });
  const time = { ...seen, due: due.epochMilliseconds, missed: false, seconds: 60 };
  const looks = [due.add({ milliseconds: 50 }), due.add({ milliseconds: 20 }), due.add({ milliseconds: 80 })];
  await Promise.all(looks.map((now) => records.noteEvaluations(environment, [time], now)));
  // The last of them by the clock need not be the last to write.
  await records.noteEvaluations(
    environment,
    [{ ...time, due: undefined }],
    due.subtract({ milliseconds: 1 }),
  );
  await records.noteEvaluations(environment, [time], due.add({ seconds: 30 }));
  const { runs } = (await app.call('GET', '/runs?kind=cron')).body;
  assert.deepEqual(
    runs.map(({ due_at }: { due_at: string }) => Date.parse(due_at)),
    [due.epochMilliseconds],
  );
});

testInLane('what a killed server ran is told as failed, and not begun again', async () => {
  await using repository = await createRepository(versionSite('v'));
  await using fleet = await newServerGroup();
  const first = await fleet.start();
  const app = await newApplication(first.call, first.url, repository.address);
  await app.deploy();
  const id = await runsOf(app).ask({ command: 'echo once >> ~/count; echo counted; sleep 50' });
  await until(async () => (await runsOf(app).log(id)).includes('[run] counted'));
  await queryDatabase(fleet.databaseUrl, 'update hosting_lease set generation = generation + 1');
  await until(async () => (await runsOf(app).read(id)).status === 'failed', 60_000);
  const row = await runsOf(app).read(id);
  assert.equal(row.reason_code, 'server_ended');
  const count = await runsOf(app).run({ command: 'cat ~/count' });
  assert.match(await runsOf(app).log(count.run_uuid), /\[run\] once\n(?!.*once)/);
});

test('a release’s own command runs before it serves, once; where it fails the one before goes on', async () => {
  await using repository = await createRepository(versionSite('old'));
  await using fleet = await newServerGroup();
  const { call, url } = await fleet.start();
  const app = await newApplication(call, url, repository.address);
  await app.deploy();
  const releaseBy = (command: string) =>
    queryDatabase(fleet.databaseUrl, `update releases set plan = plan || $1::jsonb`, [
      JSON.stringify({ release: command }),
    ]);
  await releaseBy('echo migrated >> ~/migrations; echo no such table; exit 4');
  const failed = await app.deploy('failed');
  assert.equal(failed.reason_code, 'release_failed');
  assert.match(
    failed.reason,
    /The release command `echo migrated.*exited with code 4\. Output: “no such table”\.$/,
  );
  assert.equal((await app.visit()).text, 'old ');
  // What it was to do was not done: nobody goes back to it.
  const back = await app.call('POST', '/rollback', { deployment_uuid: failed.deployment_uuid });
  assert.deepEqual([back.status, back.body.code], [409, 'no_release']);
  await releaseBy('echo migrated >> ~/migrations; wc -l < ~/migrations');
  const live = await app.ask();
  await app.expect(live, 'live');
  assert.match(await app.log(live), /\[release\] 2\n.*\[release\] done/);
  // Neither a restart nor a rollback runs it.
  for (const [action, body] of [
    ['restart', {}],
    ['rollback', { deployment_uuid: live }],
  ] as const)
    await app.expect(await app.ask(action, body), 'live');
  const { run_uuid } = await runsOf(app).run({ command: 'wc -l < ~/migrations' });
  assert.match(await runsOf(app).log(run_uuid), /\[run\] 2\n/);
});
