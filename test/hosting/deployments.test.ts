import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { get } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { WebSocket } from 'ws';
import { LINES_A_SECOND, MOST_LINES_SAVED } from '../../server/hosting/sandbox/log-rate-limit.ts';
import { newId } from '../../server/kernel/identifiers.ts';
import { IN_CLUSTER, SERVERS } from '../support/campaign.ts';
import {
  type ApplicationClient,
  codeInOutbox,
  newAddress,
  newApplication,
  verifiedUser,
  versionSite,
  visitSite,
} from '../support/deployed.ts';
import { createRepository } from '../support/git.ts';
import { startPostgres } from '../support/postgres.ts';
import { repeatUntilEnded } from '../support/repeat.ts';
import { commandsMarked } from '../support/sandbox.ts';
import {
  ANY_DATABASE,
  DATABASES_OF_SLOW_TESTS,
  type DatabaseKind,
  postgresDatabase,
  startServer,
} from '../support/server.ts';
import { type SharedServer, sharedServer } from '../support/shared-server.ts';
import { testInLane } from '../support/test-in-lane.ts';
import { until } from '../support/until.ts';

/** What is the server's own doing where sites are on its machine alone. */
const ofServers = {
  skip: IN_CLUSTER && 'a cluster starts sites again by itself, and serves files from copies',
};
const SETTINGS = { APPS_GIT_PROTOCOLS: 'file', APPS_HEALTH_SECONDS: '10' };

const page = (text: string) => ({ 'index.html': text });

/** An application of a new user on the folder's server. */
const world = async (kind: DatabaseKind, files: Record<string, string>) =>
  openWorld(await sharedServer(kind, SETTINGS), files);

/** One on a server of its own, with these settings. */
const ownWorld = async (kind: DatabaseKind, files: Record<string, string>, env = {}, stays = false) =>
  openWorld(await startServer(kind, { env: { ...SETTINGS, ...env }, stays }), files);

async function openWorld(opening: SharedServer, files: Record<string, string>) {
  await using opened = new AsyncDisposableStack();
  const server = opened.use(opening);
  const repository = opened.use(await createRepository(files));
  const user = await verifiedUser(server.url, server.dataDir, newAddress());
  const app = await newApplication(user.call, server.url, repository.address);
  const all = opened.move();
  return { repository, server, user, app, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

for (const kind of DATABASES_OF_SLOW_TESTS) {
  test(`a commit becomes a site, the next one takes its place, and rolling back brings it again (${kind})`, async () => {
    await using at = await world(kind, versionSite('one'));
    const first = await at.app.deploy();
    assert.equal((await at.app.visit()).text, 'one ');
    const statuses = first.history.map(({ status }: { status: string }) => status);
    // Of several servers the one that builds may be killed meanwhile, and the next one builds again.
    assert.deepEqual(SERVERS > 1 ? [...new Set(statuses)] : statuses, [
      'queued',
      'building',
      'starting',
      'live',
    ]);
    assert.deepEqual([first.commit_message, first.commit_author], ['The first', 'Noa']);
    assert.ok(first.is_current && first.ended_at >= first.requested_at);

    const nowhere = await at.app.call('POST', '/rollback');
    assert.deepEqual([nowhere.status, nowhere.body.code], [409, 'no_release']);
    assert.match(nowhere.body.error, /No other release was live before/);

    const hash = await at.repository.commit(versionSite('two'), 'Say two');
    const second = await at.app.deploy();
    assert.equal((await at.app.visit()).text, 'two ');
    assert.deepEqual([second.commit_hash, second.commit_message], [hash, 'Say two']);

    const named = async (name: string) => (await at.app.record(name)).deployment_uuid;
    const { deployments: listed } = (await at.app.call('GET', '/deployments')).body;
    assert.equal(await named('latest'), listed[0].deployment_uuid);
    assert.equal(
      await named('current'),
      listed.find((one: { is_current: boolean }) => one.is_current).deployment_uuid,
    );
    assert.equal(await named(first.commit_hash.slice(0, 9).toUpperCase()), first.deployment_uuid);
    for (const name of ['last', first.commit_hash.slice(0, 6), 'f'.repeat(40)])
      assert.equal((await at.app.call('GET', `/deployments/${name}`)).status, 404, name);
    const back = await at.app.ask('rollback', { deployment_uuid: first.deployment_uuid });
    const rolled = await at.app.expect(back, 'live');
    assert.equal((await at.app.visit()).text, 'one ');
    assert.deepEqual([rolled.commit_hash, rolled.commit_author], [first.commit_hash, 'Noa']);
    assert.deepEqual([rolled.release_uuid, rolled.triggered_by], [first.release_uuid, 'request']);
    assert.ok(first.release_uuid && first.release_uuid !== second.release_uuid);
    const { deployments: last } = (await at.user.call('GET', '/api/v1/deployments/last')).body;
    assert.deepEqual(last, [rolled]);
    assert.deepEqual(
      rolled.history.map(({ status }: { status: string }) => status),
      ['queued', 'starting', 'live'],
    );

    const list = await at.app.call('GET', '/deployments?limit=2');
    assert.equal(list.body.total, 3);
    assert.deepEqual(
      list.body.deployments.map((one: { deployment_uuid: string }) => one.deployment_uuid),
      [back, second.deployment_uuid],
    );
    const replaced = [hash, first.commit_hash].map(
      (one) => `the version of commit ${one.slice(0, 12)} serves now`,
    );
    await until(async () => {
      const log = (await at.app.call('GET', '/logs')).text;
      return replaced.every((line) => log.includes(line));
    });
    const record = (await at.app.call('GET')).body;
    assert.equal(record.status, 'live');
    assert.equal(record.deployed_at, rolled.ended_at);

    // Without a target it is one back from what is live, restarts apart.
    await at.app.expect(await at.app.ask('restart'), 'live');
    const forth = await at.app.expect(await at.app.ask('rollback'), 'live');
    assert.equal(forth.commit_hash, hash);
    assert.equal((await at.app.visit()).text, 'two ');
    const again = await at.app.expect(await at.app.ask('rollback', {}), 'live');
    assert.equal(again.commit_hash, first.commit_hash);
  });

  test(`a deployment ships what its request names, and says so (${kind})`, async () => {
    await using at = await world(kind, page('one'));
    const tested = (await at.app.deploy()).commit_hash;
    at.repository.turnTo('next');
    const next = await at.repository.commit(page('two'), 'Two');
    at.repository.turnTo('main');
    const newest = await at.repository.commit(page('three'), 'Three');
    for (const [body, hash, text] of [
      [{ commit: tested }, tested, 'one'],
      [{ branch: 'next' }, next, 'two'],
      [{ commit: newest.slice(0, 8).toUpperCase() }, newest, 'three'],
      [{ commit: next }, next, 'two'],
      [undefined, newest, 'three'],
    ] as const) {
      const record = await at.app.expect(await at.app.ask('deploy', body), 'live');
      const [type, name] = Object.entries(body ?? {})[0] ?? [];
      assert.equal(record.commit_hash, hash);
      assert.deepEqual(record.requested_ref, type ? { type, name: name?.toLowerCase() } : null);
      assert.equal((await at.app.visit()).text, text);
      const from = type ? `${type} ${name?.toLowerCase()} of` : 'the default branch of';
      assert.match(await at.app.log(record.deployment_uuid), new RegExp(`${from} file:`));
    }
    const missing = await at.app.expect(
      await at.app.ask('deploy', { commit: 'c0ffee'.padEnd(40, '0') }),
      'failed',
    );
    assert.deepEqual([missing.reason_code, missing.commit_hash], ['no_commit', null]);
    assert.equal((await at.app.visit()).text, 'three', 'the previous version keeps serving');
  });

  test(`what a deployment can’t name is refused, and deploys nothing (${kind})`, async () => {
    await using at = await world(kind, page('one'));
    const hash = 'c0ffee'.padEnd(40, '0');
    for (const [body, field] of [
      [{ commit: 'c0ffee' }, 'commit'],
      [{ commit: '' }, 'commit'],
      [{ commit: null }, 'commit'],
      [{ commit: 'HEAD~1' }, 'commit'],
      [{ branch: '' }, 'branch'],
      [{ branch: '--upload-pack=x' }, 'branch'],
      [{ tag: 'a..b' }, 'tag'],
      [{ commit: hash, branch: 'main' }, 'branch'],
      [{ sha: hash }, 'sha'],
      [[hash], 'body'],
    ] as const) {
      const refused = await at.app.call('POST', '/deploy', body);
      assert.deepEqual(
        [refused.status, refused.body.code, refused.body.field],
        [400, 'invalid_field', field],
        refused.text,
      );
    }
    assert.equal((await at.app.call('GET', '/deployments')).body.total, 0);
  });

  test(`a static site is served, and a redeploy of the same commit builds nothing (${kind})`, async () => {
    await using at = await world(kind, {
      'package.json':
        '{"scripts":{"build":"mkdir dist && echo built > dist/index.html && cp _redirects dist"}}',
      _redirects: '/old /index.html 200\n/il /he 302 Country=il\n',
    });
    const first = await at.app.deploy();
    assert.deepEqual(await at.app.visit('/old'), { status: 200, text: 'built\n' });
    assert.match(
      await at.app.log(first.deployment_uuid),
      /_redirects, line 2 is ignored: conditions such as Country=/,
    );
    assert.deepEqual(await at.app.visit(), { status: 200, text: 'built\n' });
    assert.match(await at.app.log(first.deployment_uuid), /\$ npm run build/);
    const again = await at.app.deploy();
    assert.match(await at.app.log(again.deployment_uuid), /Nothing has changed/);
    assert.equal((await at.app.visit()).text, 'built\n');
  });

  test(`a version that does not come up is failed, its log says why, and the old one goes on (${kind})`, async () => {
    await using at = await ownWorld(kind, versionSite('good'), { APPS_HEALTH_SECONDS: '3' });
    await at.app.deploy();
    const bad: [Record<string, string | null>, RegExp][] = [
      [
        { 'server.js': 'console.log("connecting to the database"); setInterval(() => {}, 1000)' },
        /waiting up to 3 s for an answer at \/ on port (\d+) [\s\S]*The site did not listen on port \1 \(the variable PORT\) within 3 s\. Output: “connecting to the database”\./,
      ],
      [
        {
          'server.js': "require('http').createServer().listen(45678, '127.0.0.1')",
          'simcha.json': '{"port":4567}',
        },
        /The site did not listen on port 4567 .* within 3 s, but on port 45678\./,
      ],
      [
        {
          'simcha.json': null,
          'server.js': 'require("net").createServer((one) => one.destroy()).listen(process.env.PORT)',
        },
        /did not answer at \/ .* within 3 s \(no answer: \w+\)/,
      ],
      [
        {
          'package.json': '{"scripts":{"start":"node --max-old-space-size=20 server.js"}}',
          'server.js': 'for (const all = []; ; ) all.push({ at: all.length })',
        },
        /failed: The site did not start: it ran out of memory \(JavaScript heap out of memory\); a process has \d+ MiB/,
      ],
      [{ 'package.json': '{"scripts":{"build":"echo burnt; exit 4"}}' }, /burnt[\s\S]*exited with code 4/],
      [{ 'package.json': '{' }, /package\.json can’t be read/],
      [{ 'package.json': null, 'server.js': null }, /Looked for: .*Procfile.* a server\.js, .*index\.html/],
    ];
    for (const [files, why] of bad) {
      await at.repository.commit(files);
      const { deployment_uuid: id, reason, is_current } = await at.app.deploy('failed');
      const log = await at.app.log(id);
      assert.match(log, why);
      assert.ok(reason && log.includes(reason) && !is_current);
      assert.equal((await at.app.visit()).text, 'good ');
    }
    assert.equal((await at.app.call('GET')).body.status, 'live');
  });

  testInLane(
    `why a deployment failed is stored as a code and said in the language preferred (${kind})`,
    async () => {
      await using at = await ownWorld(kind, {
        'package.json': '{"scripts":{"build":"exit 4"}}',
        'index.html': 'x',
      });
      const { deployment_uuid: id, reason, reason_code } = await at.app.deploy('failed');
      assert.deepEqual([reason, reason_code], ['`npm run build` exited with code 4.', 'command_failed']);
      const read = async (language: string, path = `/deployments/${id}`) =>
        (
          await at.server.call('GET', at.app.at + path, {
            headers: { 'accept-language': language, 'x-api-key': at.user.key },
          })
        ).body;
      const hebrew = await read('he, en;q=0.5');
      assert.deepEqual(
        [hebrew.reason, hebrew.reason_code],
        ['הפקודה `npm run build` נכשלה: יציאה עם קוד 4.', 'command_failed'],
      );
      assert.match((await read('ar', '/deployments')).deployments[0].reason, /فشل الأمر `npm run build`/);
      assert.equal((await read('fr')).reason, reason);

      const db = at.server.simcha.database.sql;
      const stored = await sql<{ reason: unknown }>`select reason from deployments`.execute(db);
      assert.deepEqual(stored.rows[0]?.reason, {
        code: 'command_failed',
        params: { command: 'npm run build', how: { code: 'exited', params: { code: 4 } } },
      });

      await sql`update deployments set reason = '{"code":"eaten_by_mice","params":{}}'`.execute(db);
      const unknown = await read('he');
      assert.deepEqual([unknown.reason, unknown.reason_code], ['eaten_by_mice', 'eaten_by_mice']);
    },
  );

  testInLane(`what became of a site is stored as a code (${kind})`, ofServers, async () => {
    await using at = await ownWorld(kind, {
      'package.json': '{"scripts":{"start":"node server.js"}}',
      'server.js': `
const { existsSync, writeFileSync } = require('node:fs');
const mark = process.env.HOME + '/dead';
const die = () => process.exit(7);
if (existsSync(mark)) die();
require('node:http')
  .createServer((request, response) => {
    if (request.url !== '/die') return response.end('alive');
    writeFileSync(mark, '');
    die();
  })
  .listen(process.env.PORT, process.env.HOST);
`,
    });
    const { reason, reason_code } = await at.app.deploy();
    assert.deepEqual([reason, reason_code], [null, null]);
    await at.app.visit('/die').catch(() => {});
    const db = at.server.simcha.database.sql;
    const note = async () => (await sql<{ note: unknown }>`select note from sites`.execute(db)).rows[0]?.note;
    const exited = { code: 'exited', params: { code: 7 } };
    const why = { code: 'ended_before_healthy', params: { how: exited } };
    const how = { code: 'did_not_come_back', params: { why } };
    await until(async () => isDeepStrictEqual(await note(), { code: 'site_ended', params: { how } }));
    const log = async () => (await at.app.call('GET', '/logs')).text;
    const said =
      /the site could not be started again: The site did not start: it exited with code 7; starting/;
    await until(async () => said.test(await log()));
    await at.app.call('POST', '/stop');
    assert.deepEqual(await note(), { code: 'site_stopped', params: {} });
  });

  test(`new variables take effect by a restart, and their values stand in no log (${kind})`, async () => {
    await using at = await world(kind, {
      ...versionSite('v'),
      'package.json':
        '{"scripts":{"build":"echo building with $TITLE; node -p process.env.TITLE", "start":"node server.js"}}',
    });
    const title = 'Noa & Itai "forever"';
    assert.equal((await at.app.call('PATCH', '/env', { TITLE: title })).status, 200);
    const first = await at.app.deploy();
    assert.equal((await at.app.visit()).text, `v ${title}`);
    const log = await at.app.log(first.deployment_uuid);
    assert.match(log, /building with ••••••/);
    assert.doesNotMatch(log, /forever/);

    await at.app.call('PATCH', '/env', { TITLE: 'second' });
    assert.equal((await at.app.visit()).text, `v ${title}`);
    await at.app.expect(await at.app.ask('restart'), 'live');
    assert.equal((await at.app.visit()).text, 'v second');
    await at.app.visit('/second-to-none');
    await until(async () => /asked for \/••••••-to-none/.test((await at.app.call('GET', '/logs')).text));
    assert.equal((await at.app.call('GET', '/logs?lines=1')).text.split('\n').length, 2);
  });

  testInLane(
    `a restart that is asked for while another version comes up is of that one (${kind})`,
    async () => {
      await using at = await world(kind, versionSite('old'));
      await at.app.deploy();
      const { 'server.js': server = '', ...others } = versionSite('new');
      const slow = `setTimeout(() => {${server}}, 1500);`;
      const commit = await at.repository.commit({ ...others, 'server.js': slow }, 'another');
      const deployment = await at.app.ask();
      await until(async () => (await at.app.record(deployment)).status === 'starting');
      const restart = await at.app.ask('restart');
      await at.app.expect(deployment, 'live');
      const { commit_hash: hash } = await at.app.expect(restart, 'live');
      assert.equal((await at.app.visit()).text, 'new ');
      assert.equal(hash, commit);
    },
  );

  test(`a stopped site stays stopped until it is started (${kind})`, async () => {
    await using at = await world(kind, versionSite('v'));
    assert.equal((await at.app.call('POST', '/stop')).status, 409);
    assert.equal((await at.app.call('POST', '/start')).status, 409);
    assert.equal((await at.app.call('POST', '/restart')).status, 409);
    await at.app.deploy();
    assert.equal((await at.app.call('POST', '/start')).body.code, 'already_running');
    const stopped = await at.app.call('POST', '/stop');
    assert.deepEqual([stopped.status, stopped.body.status], [200, 'stopped']);
    assert.equal((await at.app.visit()).status, 503);
    assert.equal((await at.app.call('GET')).body.status, 'stopped');
    await until(async () => (await at.app.call('GET', '/logs')).text.includes(' the site is stopped\n'));
    const { body: refused } = await at.app.call('POST', '/restart');
    assert.equal(refused.code, 'not_running');
    assert.match(refused.error, /POST …\/start/);
    await at.app.expect(await at.app.ask('start'), 'live');
    assert.equal((await at.app.visit()).text, 'v ');
  });

  test(`of many requests at once one deployment is worked on and one waits; the others are superseded (${kind})`, async () => {
    await using at = await world(kind, versionSite('v'));
    const asked = await Promise.all(Array.from({ length: 8 }, () => at.app.ask()));
    const ends = await Promise.all(
      asked.map(async (id) => {
        await until(async () => (await at.app.record(id)).ended_at !== null, 60_000);
        return (await at.app.record(id)).status as string;
      }),
    );
    const live = ends.filter((status) => status === 'live').length;
    assert.ok(live >= 1 && live <= 3, ends.join());
    assert.equal(ends.filter((status) => status === 'superseded').length, 8 - live);
    const { deployments } = (await at.app.call('GET', '/deployments')).body;
    assert.equal(deployments[0].status, 'live');
    assert.equal(deployments.filter((one: { is_current: boolean }) => one.is_current).length, 1);
  });

  test(`a waiting deployment of a commit is not requested twice, and a later request takes its place (${kind})`, async () => {
    await using at = await world(kind, {
      'package.json': '{"scripts":{"build":"echo begun; sleep 60"}}',
      'index.html': 'x',
    });
    const building = await at.app.ask();
    await until(async () => /begun/.test(await at.app.log(building)));
    const { commit_hash: commit } = await at.app.record(building);
    const named = await at.app.ask('deploy', { commit });
    assert.equal(await at.app.ask('deploy', { commit }), named);
    assert.equal(await at.app.ask('deploy', { commit }), named);
    const waiting = at.app.call('GET', `/deployments/${named}?wait=20`);
    const head = await at.app.ask();
    assert.notEqual(head, named);
    // Whoever waits for the named deployment learns that it was not deployed.
    const { body: ended } = await waiting;
    assert.deepEqual([ended.status, ended.requested_ref.name], ['superseded', commit]);
    assert.equal((await at.app.record(head)).requested_ref, null);
    for (const id of [head, building]) await at.app.call('POST', `/deployments/${id}/cancel`);
  });

  test(`a request waits for the end of a deployment, and delays no other request (${kind})`, async () => {
    await using at = await world(kind, {
      'package.json': '{"scripts":{"build":"echo begun; sleep 60"}}',
      'index.html': 'x',
    });
    const id = await at.app.ask();
    const wait = (seconds: string) => at.app.call('GET', `/deployments/${id}?wait=${seconds}`);
    const began = performance.now();
    assert.equal((await wait('1')).body.ended_at, null);
    assert.ok(performance.now() - began >= 1_000);
    for (const seconds of ['0', '61', '1.5', '30s', ''])
      assert.equal((await wait(seconds)).status, 400, seconds);

    let refused = 0;
    const all = Array.from({ length: 25 }, async () => {
      const answer = await wait('60');
      if (answer.status === 429) refused += 1;
      return answer;
    });
    await until(() => refused === 5);
    assert.equal((await wait('1')).status, 429);
    assert.equal((await at.app.call('GET')).status, 200);
    await until(async () => /begun/.test(await at.app.log(id)));
    assert.equal((await at.app.call('POST', `/deployments/${id}/cancel`)).status, 202);
    const waited = (await Promise.all(all)).filter(({ status }) => status === 200);
    assert.deepEqual(
      waited.map(({ body }) => body.status),
      Array(20).fill('cancelled'),
    );
  });

  test(`a deployment is cancelled while it waits and while it builds (${kind})`, async () => {
    await using at = await world(kind, {
      'package.json': '{"scripts":{"build":"echo begun; sleep 60"}}',
      'index.html': 'x',
    });
    const building = await at.app.ask();
    await until(async () => /begun/.test(await at.app.log(building)));
    const waiting = await at.app.ask();
    const cancelled = await at.app.call('POST', `/deployments/${waiting}/cancel`);
    assert.deepEqual([cancelled.status, cancelled.body.status], [202, 'cancelled']);
    assert.equal((await at.app.call('POST', `/deployments/${building}/cancel`)).status, 202);
    const { reason } = await at.app.expect(building, 'cancelled', 5_000);
    assert.equal(reason, 'Cancelled.');
    assert.match(await at.app.log(building), /\[build\] ended after [\d.]+ s\n/);
    assert.equal((await at.app.call('POST', `/deployments/${building}/cancel`)).body.code, 'finished');
    assert.equal((await at.app.visit()).status, 404);
  });

  test(`a site that dies is started again, and its record says so (${kind})`, async () => {
    await using at = await world(kind, versionSite('v'));
    await at.app.deploy();
    await at.app.visit('/die').catch(() => {});
    await until(() => at.server.simcha.sites.find(at.app.host)?.state !== 'live');
    // Whoever comes meanwhile waits.
    const visits = await Promise.all(Array.from({ length: 10 }, () => at.app.visit()));
    assert.deepEqual(
      visits.map(({ status }) => status),
      visits.map(() => 200),
    );
    const log = async () => (await at.app.call('GET', '/logs')).text;
    const said = IN_CLUSTER
      ? /the site exited with code 7; it is started again/
      : /the site exited with code 7; starting it again in 0\.5 s/;
    await until(async () => said.test(await log()));
    await until(async () => (await at.app.call('GET')).body.status === 'live');
  });

  test(`an application that is deleted takes its site and files along (${kind})`, async () => {
    await using at = await world(kind, versionSite('v'));
    await at.app.deploy();
    assert.equal((await at.app.call('DELETE')).status, 204);
    await until(async () => (await at.app.visit()).status === 404);
    assert.equal((await at.app.call('POST', '/deploy')).status, 404);
  });
}

/** Works on when it answers with an error; hangs when it is told to. */
const hangingSite = {
  'package.json': '{"scripts":{"start":"node server.js"}}',
  'server.js': `
let status = 200;
const life = crypto.randomUUID();
require('node:http').createServer((request, response) => {
  if (request.url === '/fail') status = 500;
  response.writeHead(status).end(life);
  if (request.url === '/hang') response.on('close', () => { for (;;); });
}).listen(process.env.PORT, process.env.HOST);
`,
};

testInLane('a site that hangs is started again, one that answers with errors is left alone', async () => {
  await using at = await ownWorld(ANY_DATABASE, hangingSite, { APPS_SILENT_SECONDS: '1' });
  const failing = await newApplication(at.user.call, at.server.url, at.repository.address);
  await failing.deploy();
  await at.app.deploy();
  const running = () => commandsMarked(join(at.server.dataDir, 'sites/')).length;
  const usual = running();
  const { text: failed } = await failing.visit('/fail');
  const { text: hung } = await at.app.visit('/hang');
  await until(async () => {
    const { status, text } = await at.app.visit();
    return status === 200 && text !== hung;
  });
  const { text: log } = await at.app.call('GET', '/logs');
  assert.match(log, /the site did not respond for 1 s; starting it again in 0\.5 s/);
  await until(async () => (await at.app.call('GET')).body.status === 'live');
  await until(() => running() === usual);
  assert.deepEqual(await failing.visit(), { status: 500, text: failed });
});

test('a static site whose files were removed by hand is made again', ofServers, async () => {
  await using at = await ownWorld('embedded', { 'index.html': 'here' }, { APPS_SILENT_SECONDS: '1' });
  await at.app.deploy();
  const sites = join(at.server.dataDir, 'sites');
  // With what the sandbox needs there.
  const builds = join(sites, at.app.uuid, 'builds');
  for (const gone of [builds, sites]) {
    await rm(gone, { recursive: true });
    await until(() => existsSync(builds));
    await until(async () => (await at.app.visit()).text === 'here');
  }
  await at.app.deploy();
  const { text: log } = await at.app.call('GET', '/logs');
  assert.match(log, /the site lost its files on disk; starting it again/);
});

test('who may deploy: the owner, with a verified address', async () => {
  await using at = await world(ANY_DATABASE, versionSite('v'));
  const { app, server } = at;
  const { deployment_uuid: id } = await app.deploy();
  const stranger = await verifiedUser(server.url, server.dataDir, 'stranger@example.com');
  const register = { body: { email: 'new@example.com' } };
  const { body: unverified } = await server.call('POST', '/api/v1/users/register', register);
  const newcomer = { headers: { 'x-api-key': unverified.api_key } };
  const own = await server.call('POST', '/api/v1/applications', {
    ...newcomer,
    body: { name: 'mine', repository: at.repository.address },
  });
  const refused = await server.call(
    'POST',
    `/api/v1/applications/${own.body.application_uuid}/deploy`,
    newcomer,
  );
  assert.deepEqual([refused.status, refused.body.code], [403, 'unverified']);
  await codeInOutbox(server.dataDir, 'new@example.com');

  const routes: [string, string][] = [
    ['POST', '/deploy'],
    ['POST', '/rollback'],
    ['POST', '/restart'],
    ['POST', '/start'],
    ['POST', '/stop'],
    ['GET', '/logs'],
    ['GET', '/deployments'],
    ['GET', `/deployments/${id}`],
    ['GET', `/deployments/${id}/logs`],
    ['POST', `/deployments/${id}/cancel`],
  ];
  for (const [method, path] of routes) {
    const where = `${method} ${path}`;
    assert.equal((await server.call(method, app.at + path)).status, 401, where);
    assert.equal((await stranger.call(method, app.at + path)).status, 403, where);
    const nowhere = `/api/v1/applications/${newId()}${path}`;
    assert.equal((await at.user.call(method, nowhere)).status, 404, where);
    assert.equal((await at.user.call(method, `/api/v1/applications/x${path}`)).status, 404, where);
  }
  for (const unknown of [newId(), 'x', '%00']) {
    assert.equal((await app.call('GET', `/deployments/${unknown}`)).status, 404);
    assert.equal((await app.call('GET', `/deployments/${unknown}/logs`)).status, 404);
    assert.equal((await app.call('POST', `/deployments/${unknown}/cancel`)).status, 404);
  }
});

test('a wrong body or query is refused with what is accepted', async () => {
  await using at = await world(ANY_DATABASE, versionSite('v'));
  const { app } = at;
  for (const body of [undefined, {}, { deployment_uuid: null }]) {
    const { status, body: answer } = await app.call('POST', '/rollback', body);
    assert.deepEqual([status, answer.code], [409, 'no_release'], JSON.stringify(body));
  }
  for (const body of [{ deployment_uuid: 5 }, { deployment_uuid: 'x' }, [], 'x']) {
    const { status, body: answer } = await app.call('POST', '/rollback', body);
    assert.equal(status, 400, JSON.stringify(body));
    assert.match(answer.error, /deployment_uuid|JSON|object/);
  }
  assert.equal((await app.call('POST', '/rollback', { deployment_uuid: newId() })).status, 404);
  for (const lines of ['0', '-1', 'x', '10001', '1.5']) {
    assert.match((await app.call('GET', `/logs?lines=${lines}`)).body.error, /from 1 to 10,000/);
  }
  for (const path of ['/logs', '/logs/stream', '/access-log', '/access-log/stream']) {
    for (const since of ['', 'yesterday', '2027-06-15', '2027-06-15T19:30:00', '2027-02-31T19:30:00Z']) {
      const { status, body } = await app.call('GET', `${path}?since=${since}`);
      assert.equal(status, 400, path + since);
      assert.match(body.error, /^since: must be a time .*RFC 3339.*such as 2027-06-15T19:30:00Z/, path);
    }
  }
  const offset = encodeURIComponent('2027-06-15T19:30:00+03:00');
  assert.deepEqual(
    await app.call('GET', `/logs?since=${offset}`).then(({ status, text }) => [status, text]),
    [200, ''],
  );
});

/** A stream without what only keeps it open while nothing is written. */
function told(stream: string): string {
  return stream.replaceAll(/^:\n\n/gm, '');
}

test('a log streams from its first line, goes on from where a client lost it, and ends', async () => {
  await using at = await world(ANY_DATABASE, {
    'package.json': '{"scripts":{"build":"for i in 1 2 3 4 5; do echo line $i; sleep 0.05; done"}}',
    'index.html': 'x',
  });
  const id = await at.app.ask();
  const address = `${at.server.url}${at.app.at}/deployments/${id}/logs`;
  const follow = (headers: Record<string, string> = {}) =>
    fetch(address, { headers: { accept: 'text/event-stream', 'x-api-key': at.user.key, ...headers } });
  const stream = told(await (await follow()).text());
  const events = stream.split('\n\n').filter((event) => event.startsWith('id: '));
  const lines = events.map((event) => event.replace(/^id: \d+\ndata: /, ''));
  assert.equal(`${lines.join('\n')}\n`, await at.app.log(id));
  assert.match(stream, /event: end\nid: end\ndata: \{"status":"live"\}\n\n$/);
  assert.match(lines.join('\n'), /\[build\] line 1\n.*\[build\] line 2/);

  const rest = await (await follow({ 'last-event-id': '3' })).text();
  assert.equal(
    rest.split('\n\n').find((event) => event.startsWith('id: ')),
    events[3],
  );
  assert.equal((await follow({ 'last-event-id': 'end' })).status, 204);
  const own = await fetch(`${address}/stream`, { headers: { 'x-api-key': at.user.key } });
  assert.equal(own.headers.get('content-type'), 'text/event-stream; charset=utf-8');
  assert.equal(told(await own.text()), stream);
});

test('what the site writes is followed live', async () => {
  await using at = await world(ANY_DATABASE, versionSite('v'));
  await at.app.deploy();
  const follow = (path: string, accept: string) => {
    const headers = { accept, 'x-api-key': at.user.key };
    const stream = { seen: '', end: () => request.destroy() };
    const request = get(`${at.server.url}${at.app.at}${path}`, { headers }, (response) => {
      response.setEncoding('utf8').on('data', (text) => {
        stream.seen += text;
      });
    });
    return stream;
  };
  const streams = [follow('/logs', 'text/event-stream'), follow('/logs/stream', '*/*')];
  await at.app.visit('/hello');
  await until(() => streams.every(({ seen }) => /data: \S+ asked for \/hello\n\n/.test(seen)));
  for (const stream of streams) stream.end();
});

testInLane('a log is followed by ten at most for an application, and by twenty for a developer', async () => {
  await using at = await world(ANY_DATABASE, { 'package.json': '{"scripts":{"build":"sleep 60"}}' });
  const another = () => newApplication(at.user.call, at.server.url, at.repository.address);
  const [second, third] = [await another(), await another()];
  const stop = new AbortController();
  const headers = { accept: 'text/event-stream', 'x-api-key': at.user.key };
  const follow = (app: { at: string }, log: string, { signal } = stop) =>
    fetch(`${at.server.url}${app.at}${log}`, { headers, signal });
  // Kept, for an answer that nobody holds is closed whenever the garbage is collected.
  const answers: Response[] = [];
  // What a site writes and what its deployments say count together.
  const asked: [app: ApplicationClient, id: string][] = [];
  const all = async (app: ApplicationClient) => {
    const id = await app.ask();
    asked.push([app, id]);
    const logs = ['/logs', `/deployments/${id}/logs/stream`];
    const those = await Promise.all(
      Array.from({ length: 15 }, (_, one) => follow(app, logs[one % 2] ?? '', stop)),
    );
    answers.push(...those);
    return those.map(({ status }) => status).sort();
  };
  const told = (open: number) => Array.from({ length: 15 }, (_, one) => (one < open ? 200 : 429));
  assert.deepEqual(await all(at.app), told(10));
  assert.deepEqual(await all(second), told(10));
  assert.deepEqual(await all(third), told(0));
  assert.equal(answers.filter(({ status }) => status === 200).length, 20);
  stop.abort();
  const later = new AbortController();
  await until(async () => (await follow(at.app, '/logs', later)).status === 200);
  later.abort();
  // The next tests' builds would wait for them.
  for (const [app, id] of asked) await app.call('POST', `/deployments/${id}/cancel`);
});

test('no request fails while versions follow one another', async () => {
  await using at = await world(ANY_DATABASE, versionSite('0'));
  await at.app.deploy();
  const answers = new Set<string>();
  const load = () =>
    repeatUntilEnded(async () => {
      const { status, text } = await at.app.visit();
      assert.equal(status, 200, text);
      answers.add(text);
    }, 0);
  const slow = at.app.visit('/slow=1500');
  const visitors = [load(), load(), load(), load()];
  try {
    for (let version = 1; version <= 3; version += 1) {
      await at.repository.commit(versionSite(String(version)));
      await at.app.deploy();
      await until(() => answers.has(`${version} `));
    }
  } finally {
    await Promise.all(visitors.map((one) => one.end()));
  }
  assert.deepEqual([...answers].sort(), ['0 ', '1 ', '2 ', '3 ']);
  assert.equal((await slow).text, 'slow 0');
});

test('releases beyond the limit are removed, and can’t be rolled back to', async () => {
  await using at = await ownWorld('postgres', { 'index.html': '0' }, { APPS_RELEASES_KEPT: '2' });
  const first = await at.app.deploy();
  for (const version of ['1', '2', '3']) {
    await at.repository.commit({ 'index.html': version });
    await at.app.deploy();
  }
  const gone = await at.app.call('POST', '/rollback', { deployment_uuid: first.deployment_uuid });
  assert.deepEqual([gone.status, gone.body.code], [409, 'no_release']);
  const { body: record } = await at.app.call('GET', `/deployments/${first.deployment_uuid}`);
  assert.equal(record.release_uuid, null);
});

/** Takes WebSockets, and writes its version to each; `onTerm` is what it does once it is asked to end. */
const speaking = (version: string, onTerm = '') => ({
  'package.json': '{"scripts":{"start":"node server.js"}}',
  'server.js': `
    const { createHash } = require('node:crypto');
    const open = new Set();
    const server = require('node:http').createServer((_, response) => response.end('${version}'));
    server.on('upgrade', ({ headers }, socket) => {
      const key = headers['sec-websocket-key'] + '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
      const accept = createHash('sha1').update(key).digest('base64');
      socket.write('HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\nSec-WebSocket-Accept: ' + accept + '\\r\\n\\r\\n');
      socket.write(Buffer.from([0x81, ${version.length}, ...Buffer.from('${version}')]));
      open.add(socket.on('error', () => {}));
    });
    server.listen(process.env.PORT);
    ${onTerm}`,
});

test('WebSockets outlive the switch until their version ends, which may close them by itself', async () => {
  const goodbye = `process.on('SIGTERM', () => {
    for (const socket of open) socket.end(Buffer.from([0x88, 2, 1001 >> 8, 1001 & 255]));
    server.close();
    setTimeout(() => process.exit(), 500);
  });`;
  await using at = await ownWorld('postgres', speaking('one', goodbye));
  await at.app.deploy();
  const dial = async () => {
    const { port } = new URL(at.server.url);
    const socket = new WebSocket(`ws://127.0.0.1:${port}/`, { headers: { host: at.app.host } });
    const closed = once(socket, 'close');
    const [hello] = await once(socket, 'message');
    return { hello: String(hello), closed };
  };
  const first = await dial();
  await at.repository.commit(speaking('two'));
  await at.app.deploy();
  assert.deepEqual([first.hello, (await first.closed)[0]], ['one', 1001]);
  const second = await dial();
  await at.app.expect(await at.app.ask('restart'), 'live');
  assert.deepEqual([second.hello, (await second.closed)[0]], ['two', 1012]);
});

testInLane('several applications of an owner are built side by side, on all places but one', async () => {
  const build = 'date +begins-%s%3N; sleep 1; date +ends-%s%3N';
  const slow = { 'package.json': JSON.stringify({ scripts: { build } }), 'index.html': 'x' };
  await using at = await ownWorld('postgres', slow, { APPS_CONCURRENCY: '3' });
  const others = await Promise.all(
    [1, 2].map(() => newApplication(at.user.call, at.server.url, at.repository.address)),
  );
  const apps = [at.app, ...others];
  const asked = await Promise.all(apps.map((app) => app.ask()));
  await Promise.all(apps.map((app, i) => app.expect(asked[i] ?? '', 'live')));
  const logs = await Promise.all(apps.map((app, i) => app.log(asked[i] ?? '')));
  // Whoever was killed while they built, builds no more: what counts is the last beginning.
  const momentIn = (log: string, what: string) =>
    Number([...log.matchAll(new RegExp(`${what}-(\\d+)`, 'g'))].at(-1)?.[1]);
  const times = logs.map((log) => ({ begin: momentIn(log, 'begins'), end: momentIn(log, 'ends') }));
  const sideBySide = (one: number) => times.filter(({ begin, end }) => begin <= one && one < end).length;
  assert.equal(Math.max(...times.map(({ begin }) => sideBySide(begin))), 2);
});

testInLane('a build goes on while the database is away, and its log is whole', async () => {
  const postgres = await startPostgres();
  try {
    await using at = await ownWorld(
      'postgres',
      {
        'index.html': 'here',
        'package.json':
          '{"scripts":{"build":"for i in $(seq 400); do echo another line $i; sleep 0.02; done"}}',
      },
      { DATABASE_URL: postgres.url('postgres') },
      true,
    );
    const id = await at.app.ask();
    const lines = async () => (await at.app.log(id)).split('another line').length - 1;
    await until(async () => (await lines()) > 1);
    await postgres.stop();
    await until(async () => (await at.server.call('GET', '/readyz')).status === 503);
    await postgres.start();
    const before = await lines();
    await until(async () => (await lines()) > before + 5);
    await at.app.expect(id, 'live');
    assert.equal((await at.app.visit()).text, 'here');
    const stream = await (
      await fetch(`${at.server.url}${at.app.at}/deployments/${id}/logs/stream`, {
        headers: { 'x-api-key': at.user.key },
      })
    ).text();
    const ids = [...stream.matchAll(/^id: (\d+)$/gm)].map(([, number]) => Number(number));
    assert.deepEqual(
      ids,
      ids.map((_, i) => i + 1),
    );
    assert.match(stream, /\[source\] …[\s\S]*another line[\s\S]*live at http[^\n]*\n\nevent: end/);
    // What was written while there was no database is there too.
    const written = [...stream.matchAll(/another line (\d+)$/gm)].map(([, number]) => Number(number));
    assert.deepEqual(
      written,
      written.map((_, i) => i + 1),
    );
  } finally {
    await postgres.remove();
  }
});

testInLane(
  'a deployment is followed and read on every server, live and afterwards, and so is what its site writes',
  async () => {
    const database = await postgresDatabase('simcha_template');
    const env = { DATABASE_URL: database.url };
    try {
      await using at = await ownWorld(
        'postgres',
        {
          ...versionSite('v'),
          'package.json':
            '{"scripts":{"build":"for i in 1 2 3 4 5; do echo line $i; sleep 0.1; done","start":"node server.js"}}',
        },
        env,
      );
      // It can't reach the sites, and lets nobody wait for them.
      const apart = { ...SETTINGS, ...env, APPS_WAIT_SECONDS: '0' };
      await using other = await startServer('postgres', { env: apart });
      const servers = [at.server, other];
      const id = await at.app.ask();
      const path = `${at.app.at}/deployments/${id}/logs`;
      const headers = { 'x-api-key': at.user.key };
      const streams = () =>
        Promise.all(
          servers.map(async ({ url }) =>
            told(await (await fetch(`${url}${path}/stream`, { headers })).text()),
          ),
        );
      const [here, there] = await streams();
      assert.match(here ?? '', /line 1\n[\s\S]*line 5\n[\s\S]*live at http[^\n]*\n\nevent: end\nid: end\n/);
      assert.equal(there, here);
      assert.deepEqual(await streams(), [here, here]);
      const texts = await Promise.all(servers.map((server) => server.call('GET', path, { headers })));
      assert.match(texts[0]?.text ?? '', /live at/);
      assert.equal(texts[1]?.text, texts[0]?.text);

      const leaving = new AbortController();
      const seen = ['', ''];
      const following = servers.map(async ({ url }, i) => {
        const answer = await fetch(`${url}${at.app.at}/logs/stream`, { headers, signal: leaving.signal });
        for await (const text of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) seen[i] += text;
      });
      // Whichever of them serves it.
      for (const { url } of servers) await visitSite(url, at.app.host, '/hello').catch(() => {});
      await until(() => seen.every((text) => /^data: \S+ asked for \/hello\n\n/m.test(text)));
      leaving.abort();
      await Promise.allSettled(following);
    } finally {
      await database.drop();
    }
  },
);

testInLane(
  'nobody waits for sites that write without end, and most of it is not even looked at',
  async () => {
    await using at = await ownWorld('postgres', {
      'package.json': '{"scripts":{"start":"node server.js"}}',
      'server.js': `
require('node:http')
  .createServer((request, response) => response.end('here'))
  .listen(process.env.PORT, process.env.HOST);
const flood = Buffer.alloc(65536, '\\n');
const write = () => process.stdout.write(flood, () => setImmediate(write));
write();
`,
    });
    const more = () => newApplication(at.user.call, at.server.url, at.repository.address);
    const apps = [at.app, await more()];
    const began = performance.now();
    for (const app of apps) await app.deploy();
    let turns = 0;
    let over = false;
    const turn = () => {
      turns += 1;
      if (!over) setImmediate(turn);
    };
    turn();
    const notes = async (app: ApplicationClient) => [
      ...(await app.call('GET', '/logs?lines=10000')).text.matchAll(/… (\d+) lines left out/g),
    ];
    for (const app of apps) {
      let answers = 0;
      await until(async () => {
        assert.equal((await at.server.call('GET', '/healthz')).status, 200);
        assert.equal((await app.visit()).text, 'here');
        answers += 1;
        return answers > 5 && (await notes(app)).length > 2;
      });
    }
    over = true;
    const seconds = (performance.now() - began) / 1_000;
    assert.ok(turns > 1_000, `${turns} turns`);
    for (const app of apps) {
      const { rows } = await sql<{ lines: number }>`
      select lines::float8 as lines from logs where log_id = ${app.uuid}`.execute(
        at.server.simcha.database.sql,
      );
      const written = rows[0]?.lines ?? 0;
      assert.ok(written <= MOST_LINES_SAVED + LINES_A_SECOND * (seconds + 1) + seconds + 1, String(written));
      const leftOut = (await notes(app)).reduce((sum, [, count]) => sum + Number(count), 0);
      assert.ok(leftOut > 10 * written, `${leftOut} left out, ${written} written`);
    }
  },
);

testInLane(
  'a visitor writes no line of their own into a site’s log, and moves nobody’s terminal',
  async () => {
    await using at = await world(ANY_DATABASE, {
      ...versionSite('v'),
      'server.js': `
require('node:http')
  .createServer((request, response) => {
    console.log('asked for ' + decodeURIComponent(request.url));
    response.end('v');
  })
  .listen(process.env.PORT, process.env.HOST);
`,
    });
    await at.app.deploy();
    await at.app.visit(
      `/${encodeURIComponent('a\x1b[31m\x1b]52;c;ZXZpbA==\x07\x1b[2Jb\rc\u202ed\x85e\u2028f')}`,
    );
    await until(async () => /^\S+ asked for \/abcdef$/m.test((await at.app.call('GET', '/logs')).text));
    const { text: colored } = await at.app.call('GET', '/logs?colors=true');
    assert.ok(colored.includes(' asked for /a\x1b[31mbcdef\n'), colored);
    const signal = AbortSignal.timeout(10_000);
    const stream = async (query: string) => {
      const headers = { 'x-api-key': at.user.key };
      const { body } = await fetch(`${at.server.url}${at.app.at}/logs/stream${query}`, { headers, signal });
      let received = '';
      for await (const chunk of body ?? []) {
        received += Buffer.from(chunk).toString();
        if (received.includes('bcdef\n')) break;
      }
      return received;
    };
    assert.match(await stream(''), /asked for \/abcdef\n/);
    assert.ok((await stream('?colors=true')).includes(' asked for /a\x1b[31mbcdef\n'));
  },
);

test('what fails before anything is fetched stands in the log like any other failure', async () => {
  await using at = await ownWorld('postgres', { 'index.html': 'here' });
  await at.app.call('PATCH', '/env', { TITLE: 'a title' });
  await sql`update environment_variables set value_sealed = 'not ours'`.execute(
    at.server.simcha.database.sql,
  );
  const { deployment_uuid: id, reason } = await at.app.deploy('failed');
  assert.match(await at.app.log(id), new RegExp(`failed: ${reason}`));
});
