import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { get, type IncomingHttpHeaders } from 'node:http';
import { test } from 'node:test';
import { pino } from 'pino';
import { PreviewStore } from '../../server/hosting/previews/store.ts';
import { readConfig } from '../../server/kernel/config.ts';
import { openDatabase } from '../../server/kernel/database/open.ts';
import { newId } from '../../server/kernel/identifiers.ts';
import { migrations } from '../../server/migrations/migrations.ts';
import { IN_CLUSTER } from '../support/campaign.ts';
import { createClient } from '../support/client.ts';
import {
  applicationClient,
  newAddress,
  newApplication,
  verifiedUser,
  visitSite,
} from '../support/deployed.ts';
import { createRepository } from '../support/git.ts';
import { ANY_DATABASE, homesOf, postgresDatabase, queryDatabase, startServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { testInLane } from '../support/test-in-lane.ts';
import { until } from '../support/until.ts';

const SETTINGS = { APPS_GIT_PROTOCOLS: 'file', APPS_HEALTH_SECONDS: '20', APPS_PREVIEWS: '3' };

/** Tells its version and what it was given, and keeps a count at home and in a volume. */
const site = (version: string) => ({
  'package.json': '{"scripts":{"start":"node server.js"}}',
  'server.js': `
const { createServer } = require('node:http');
const { appendFileSync, readFileSync, existsSync } = require('node:fs');
const { TITLE = '', COLOR = '', SIMCHA_PREVIEW = 'none', HOME } = process.env;
createServer((request, response) => {
  appendFileSync(HOME + '/visits', request.url === '/page' ? '.' : '');
  response.end(['${version}', TITLE, COLOR, SIMCHA_PREVIEW, readFileSync(HOME + '/visits', 'utf8').length].join(' '));
}).listen(process.env.PORT, process.env.HOST);
`,
});

async function deployed(previews: string, server?: { url: string; dataDir: string }) {
  await using opened = new AsyncDisposableStack();
  const at = server ?? opened.use(await sharedServer(ANY_DATABASE, SETTINGS));
  const repository = opened.use(await createRepository(site('main')));
  const user = await verifiedUser(at.url, at.dataDir, newAddress());
  const app = await newApplication(user.call, at.url, repository.address, { branch: 'main', previews });
  const { secret } = (await app.call('GET', '/hook')).body;
  const deliveries = createClient(at.url);
  const all = opened.move();
  return {
    server: at,
    repository,
    user,
    app,
    ...hostsOf(deliveries, app.uuid, secret),
    /** What a user does with a preview, as with an application. */
    preview(name: string) {
      const of = applicationClient(
        user.call,
        at.url,
        app.uuid,
        `${app.host.replace('.localhost', '')}-${name}.localhost`,
      );
      return {
        ...of,
        call: (method: string, path: string, body?: unknown) =>
          app.call(method, `${path}?preview=${name}`, body),
        read: async () => (await app.call('GET', `/previews/${name}`)).body,
        /** Waits for its newest deployment. */
        async live() {
          const [newest] = (await app.call('GET', `/deployments?preview=${name}`)).body.deployments;
          assert.equal(newest.preview, name);
          await app.expect(newest.deployment_uuid, 'live');
        },
      };
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

/** The three hosts, as they deliver. */
function hostsOf(call: ReturnType<typeof createClient>, uuid: string, secret: string) {
  const deliver = async (headers: Record<string, string>, payload: object) => {
    // Each is another one, as those of today have times in them.
    const body = JSON.stringify({ ...payload, delivery: newId() });
    const hmac = createHmac('sha256', secret).update(body).digest('hex');
    const signed = { github: `sha256=${hmac}`, gitea: hmac, gitlab: secret }[headers.by ?? ''] ?? '';
    const names = { github: 'x-hub-signature-256', gitea: 'x-gitea-signature', gitlab: 'x-gitlab-token' };
    const { by = 'github', ...rest } = headers;
    const answer = await call('POST', `/api/v1/hooks/${uuid}`, {
      body,
      headers: { ...rest, [names[by as keyof typeof names]]: signed, 'content-type': 'application/json' },
    });
    if (answer.status !== 202) return [answer.status, answer.body.code];
    return answer.body.status === 'ignored' ? answer.body.reason : answer.body;
  };
  const github = (event: string, payload: object) =>
    deliver({ by: 'github', 'x-github-event': event }, payload);
  const pull = (action: string, branch: string, { number = 12, from = 1 } = {}) => ({
    action,
    number,
    pull_request: {
      number,
      state: action === 'closed' ? 'closed' : 'open',
      head: { ref: branch, sha: 'ab', repo: { id: from, full_name: 'noa/site' } },
      base: { ref: 'main', repo: { id: 1, full_name: 'noa/site' } },
    },
    repository: { id: 1, default_branch: 'main' },
  });
  return {
    push: (branch: string, more = {}) =>
      github('push', {
        ref: `refs/heads/${branch}`,
        after: 'ab',
        repository: { default_branch: 'main' },
        ...more,
      }),
    github: (action: string, branch: string, more = {}) => github('pull_request', pull(action, branch, more)),
    gitea: (action: string, branch: string) =>
      deliver(
        { by: 'gitea', 'x-gitea-event': 'pull_request', 'x-github-event': 'pull_request' },
        pull(action, branch),
      ),
    gitlab: (action: string, branch: string, more = {}) =>
      deliver(
        { by: 'gitlab', 'x-gitlab-event': 'Merge Request Hook' },
        {
          object_kind: 'merge_request',
          project: { id: 1, default_branch: 'main' },
          object_attributes: {
            action,
            iid: 12,
            source_branch: branch,
            target_branch: 'main',
            source_project_id: 1,
            target_project_id: 1,
            ...more,
          },
        },
      ),
    gitlabPush: (branch: string, after = 'ab') =>
      deliver(
        { by: 'gitlab', 'x-gitlab-event': 'Push Hook' },
        { ref: `refs/heads/${branch}`, after, project: { default_branch: 'main' } },
      ),
  };
}

function heads(base: string, host: string): Promise<IncomingHttpHeaders> {
  return new Promise((resolve, reject) => {
    get(base, { headers: { host }, agent: false }, (response) => resolve(response.resume().headers)).on(
      'error',
      reject,
    );
  });
}

const doing = (status: string, preview: string | null) => ({ status, preview, reason: null, message: null });

/** Of one that says how often its home has seen it start: in a cluster each machine has a home of its own. */
const startedAgain = (text: string) => new RegExp(`^${text} ${IN_CLUSTER ? '[12]' : '2'}$`);

test('a pull request gets a site of its own beside production’s, with its own variables, and ends with it', async () => {
  await using at = await deployed('pull_requests');
  await at.app.call('PATCH', '/env', { TITLE: 'Noa', COLOR: 'blue' });
  await at.app.deploy();
  at.repository.turnTo('feature/Seats');
  await at.repository.commit(site('seats'));

  assert.equal(await at.push('feature/Seats'), 'other_branch', 'its pull request tells');
  assert.deepEqual(await at.github('opened', 'feature/Seats'), doing('deploying', 'feature-seats'));
  const preview = at.preview('feature-seats');
  await preview.live();
  assert.equal((await preview.visit('/page')).text, 'seats Noa blue feature-seats 1');
  assert.equal((await at.app.visit('/page')).text, 'main Noa blue none 1');
  const robots = async (host: string) => (await heads(at.server.url, host))['x-robots-tag'];
  assert.deepEqual([await robots(preview.host), await robots(at.app.host)], ['noindex', undefined]);
  const shown = await preview.read();
  assert.deepEqual(
    { ...shown, created_at: '', deployed_at: '', last_updated: '', visited_at: '' },
    {
      name: 'feature-seats',
      application_uuid: at.app.uuid,
      branch: 'feature/Seats',
      pull_request: 12,
      domain: shown.domain,
      status: 'live',
      created_at: '',
      deployed_at: '',
      last_updated: '',
      visited_at: '',
    },
  );
  assert.equal(new URL(shown.domain).hostname, preview.host);

  // Its own variables go over production's, which it goes on seeing.
  assert.deepEqual((await preview.call('PATCH', '/env', { COLOR: 'red' })).body.env, { COLOR: 'red' });
  assert.deepEqual((await preview.call('GET', '/env')).body.env, { COLOR: 'red' });
  assert.deepEqual((await at.app.call('GET', '/env')).body.env, { COLOR: 'blue', TITLE: 'Noa' });
  await at.repository.commit(site('seats2'));
  assert.deepEqual(await at.github('synchronize', 'feature/Seats'), doing('deploying', 'feature-seats'));
  await preview.live();
  assert.match((await preview.visit('/page')).text, startedAgain('seats2 Noa red feature-seats'));
  assert.match((await at.app.visit('/page')).text, startedAgain('main Noa blue none'));

  // Production's deployments are its own, and so are its logs.
  const { deployments } = (await at.app.call('GET', '/deployments')).body;
  assert.deepEqual(
    deployments.map((one: { preview: null }) => one.preview),
    [null],
  );
  assert.match((await preview.call('POST', '/restart')).text, /"preview":"feature-seats"/);
  await preview.live();

  const homes = () => homesOf(at.server, at.app.uuid);
  assert.equal((await homes()).length, 2);
  assert.equal(await at.github('closed', 'feature/Seats', { number: 13 }), 'no_preview', 'another one');
  assert.deepEqual(await at.github('closed', 'feature/Seats'), doing('removed', 'feature-seats'));
  assert.equal(await at.github('closed', 'feature/Seats'), 'no_preview');
  await until(async () => (await preview.visit()).status === 404);
  await until(async () => (await homes()).length === 1);
  assert.equal((await at.app.call('GET', '/previews/feature-seats')).status, 404);
  assert.equal((await preview.call('POST', '/deploy')).status, 404);
  assert.equal((await preview.call('GET', '/env')).status, 404);
  assert.equal((await at.app.visit('/page')).text, 'main Noa blue none 3');
});

/** Tells what its build and its process were given, and how often its release command ran. */
const builtSite = (version: string) => ({
  'package.json': '{"scripts":{"build":"node build.js","start":"node server.js"}}',
  'build.js': `require('node:fs').writeFileSync('built.txt', '${version} ' + process.env.TITLE);`,
  Procfile: `web: node server.js\nrelease: node -e "require('node:fs').appendFileSync(process.env.HOME + '/released', '.')"\n`,
  'server.js': `
const { createServer } = require('node:http');
const { existsSync, readFileSync } = require('node:fs');
const released = process.env.HOME + '/released';
createServer((request, response) => response.end([
  readFileSync('built.txt', 'utf8'), process.env.TITLE, process.env.SIMCHA_PREVIEW ?? 'none',
  existsSync(released) ? readFileSync(released, 'utf8').length : 0,
].join(' '))).listen(process.env.PORT, process.env.HOST);
`,
});

test('a preview’s release is promoted to production without a build, and a rollback leaves it again', async () => {
  await using at = await deployed('off');
  await at.repository.commit(builtSite('main'));
  await at.app.call('PATCH', '/env', { TITLE: 'production' });
  const first = await at.app.deploy();
  assert.equal((await at.app.visit()).text, 'main production production none 1');
  at.repository.turnTo('seats');
  const hash = await at.repository.commit(builtSite('seats'));
  const refused = async (body: unknown) => {
    const answer = await at.app.call('POST', '/promote', body);
    return [answer.status, answer.body.code, answer.body.field];
  };
  assert.deepEqual(await refused({ preview: 'seats' }), [404, 'not_found', undefined]);
  await at.app.call('POST', '/previews', { branch: 'seats', env: { TITLE: 'preview' } });
  const preview = at.preview('seats');
  assert.deepEqual(await refused({ preview: 'seats' }), [409, 'no_release', undefined], 'not live yet');
  await preview.live();
  assert.equal((await preview.visit()).text, 'seats preview preview seats 1');

  assert.deepEqual(await refused({}), [400, 'invalid_field', 'preview']);
  assert.deepEqual(await refused({ preview: 'seats', to: 'x' }), [400, 'invalid_field', 'to']);
  assert.deepEqual(await refused({ preview: 'production' }), [404, 'not_found', undefined]);
  assert.deepEqual(await refused({ deployment_uuid: newId() }), [404, 'not_found', undefined]);
  const ofProduction = { deployment_uuid: first.deployment_uuid };
  assert.deepEqual(await refused(ofProduction), [400, 'invalid_field', 'deployment_uuid']);
  assert.deepEqual(await refused({ preview: 'seats', ...ofProduction }), [404, 'not_found', undefined]);

  const promoted = await at.app.expect(await at.app.ask('promote', { preview: 'seats' }), 'live');
  const { action, promoted_from, preview: environment, commit_hash, history } = promoted;
  assert.deepEqual([action, promoted_from, environment, commit_hash], ['promote', 'seats', null, hash]);
  assert.ok(!history.some(({ status }: { status: string }) => status === 'building'));
  assert.equal(
    (await at.app.visit()).text,
    'seats preview production none 2',
    'built with the preview’s title',
  );
  const log = await at.app.log(promoted.deployment_uuid);
  assert.match(log, /promoted from the preview seats: what its build took from variables/);
  assert.ok(!log.includes('[build]'), log);

  // The preview's end takes nothing away from production.
  const [ofPreview] = (await preview.call('GET', '/deployments')).body.deployments;
  await at.app.expect(await at.app.ask('rollback'), 'live');
  assert.equal((await at.app.visit()).text, 'main production production none 2');
  const again = await at.app.ask('promote', { deployment_uuid: ofPreview.deployment_uuid });
  await at.app.expect(again, 'live');
  assert.equal((await at.app.call('DELETE', '/previews/seats')).status, 204);
  await at.app.expect(await at.app.ask('restart'), 'live');
  assert.equal((await at.app.visit()).text, 'seats preview production none 3');
  assert.equal((await at.app.record(again)).promoted_from, 'seats');
});

testInLane(
  'a merge request of GitLab’s, a pull request of Gitea’s, and only those of the repository itself',
  async () => {
    await using at = await deployed('pull_requests');
    at.repository.turnTo('seats');
    await at.repository.commit(site('seats'));
    assert.equal(await at.gitlab('open', 'seats', { source_project_id: 2 }), 'fork');
    assert.equal(await at.github('opened', 'seats', { from: 2 }), 'fork', 'a fork of a stranger');
    assert.deepEqual((await at.app.call('GET', '/previews')).body, { previews: [] });

    assert.deepEqual(await at.gitlab('open', 'seats'), doing('deploying', 'seats'));
    assert.equal(await at.gitlab('update', 'seats'), 'other_change', 'its title');
    assert.deepEqual(await at.gitlab('update', 'seats', { oldrev: 'ab' }), doing('deploying', 'seats'));
    await at.preview('seats').live();
    assert.equal((await at.preview('seats').visit('/page')).text, 'seats   seats 1');
    assert.equal(await at.github('closed', 'seats', { from: 2 }), 'fork', 'a stranger ends nothing');
    assert.deepEqual(await at.gitlab('merge', 'seats'), doing('removed', 'seats'));

    assert.deepEqual(await at.gitea('opened', 'seats'), doing('deploying', 'seats'));
    assert.deepEqual(await at.gitea('synchronized', 'seats'), doing('deploying', 'seats'));
    assert.deepEqual(await at.gitea('closed', 'seats'), doing('removed', 'seats'));
  },
);

testInLane('each pushed branch gets a site, as many as may be, and goes with its branch', async () => {
  await using at = await deployed('branches');
  for (const branch of ['one', 'ONE', 'עברית']) {
    at.repository.turnTo(branch);
    await at.repository.commit(site(branch));
  }
  assert.equal(await at.github('opened', 'one'), 'previews_off', 'its push tells');
  assert.equal(await at.push('one', { head_commit: { message: 'Draft [no ci]' } }), 'skip_ci');
  assert.deepEqual((await at.app.call('GET', '/previews')).body, { previews: [] });
  assert.deepEqual(await at.push('one'), doing('deploying', 'one'));
  const other = await at.push('ONE');
  assert.match(other.preview, /^one-[a-z0-9]{5}$/, 'two branches, two names');
  const hebrew = await at.gitlabPush('עברית');
  assert.match(hebrew.preview, /^branch/);
  assert.deepEqual(await at.push('four'), [403, 'too_many_previews']);
  const { previews } = (await at.app.call('GET', '/previews')).body;
  assert.deepEqual(
    previews.map(({ branch }: { branch: string }) => branch),
    ['עברית', 'ONE', 'one'],
  );
  await at.preview(other.preview).live();
  assert.match((await at.preview(other.preview).visit()).text, /^ONE /);

  assert.deepEqual(await at.push('one', { deleted: true }), doing('removed', 'one'));
  assert.deepEqual(await at.gitlabPush('עברית', '0'.repeat(40)), doing('removed', hebrew.preview));
  assert.equal(await at.gitlabPush('עברית', '0'.repeat(40)), 'no_preview');
  for (const none of ['..', 'a\0b', '\ud800'])
    assert.equal(await at.push(none), 'other_branch', 'no branch of git’s');
  const forged = createClient(at.server.url);
  const unsigned = await forged('POST', `/api/v1/hooks/${at.app.uuid}`, {
    body: { ref: 'refs/heads/two' },
    headers: { 'x-github-event': 'push', 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` },
  });
  assert.equal(unsigned.status, 401);
});

testInLane(
  'a preview is made and removed by hand, and follows its branch where the application makes none',
  async () => {
    await using at = await deployed('off');
    at.repository.turnTo('seats');
    await at.repository.commit(site('seats'));
    assert.equal(await at.push('seats'), 'other_branch');
    const refused = async (body: unknown) => {
      const { status, body: said } = await at.app.call('POST', '/previews', body);
      return [status, said.code, said.field];
    };
    assert.deepEqual(await refused({ branch: 'main' }), [400, 'invalid_field', 'branch']);
    assert.deepEqual(await refused({ branch: '--upload-pack=x' }), [400, 'invalid_field', 'branch']);
    assert.deepEqual(await refused({}), [400, 'invalid_field', 'branch']);
    assert.deepEqual(await refused({ branch: 'seats', pull_request: 3 }), [
      400,
      'invalid_field',
      'pull_request',
    ]);
    for (const [env, field] of [
      ['COLOR=red', 'env'],
      [{ '1': 'x' }, '1'],
      [{ COLOR: null }, 'COLOR'],
      [Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`V${index}`, ''])), 'env'],
    ])
      assert.deepEqual(await refused({ branch: 'seats', env }), [400, 'invalid_field', field]);
    assert.deepEqual((await at.app.call('GET', '/previews')).body, { previews: [] });
    const made = await at.app.call('POST', '/previews', { branch: 'seats', env: { COLOR: 'red' } });
    assert.equal(made.status, 201, made.text);
    assert.equal(made.headers.get('location'), `${at.app.at}/previews/seats`);
    assert.deepEqual([made.body.status, made.body.pull_request], ['deploying', null]);
    assert.deepEqual(await refused({ branch: 'seats' }), [409, 'preview_exists', undefined]);
    const preview = at.preview('seats');
    await preview.live();
    // From its first version on.
    assert.equal((await preview.visit('/page')).text, 'seats  red seats 1');
    assert.deepEqual((await preview.call('GET', '/env')).body.env, { COLOR: 'red' });
    await at.repository.commit(site('seats2'));
    assert.deepEqual(await at.push('seats'), doing('deploying', 'seats'));
    await preview.live();
    assert.match((await preview.visit('/page')).text, startedAgain('seats2  red seats'));
    const [pushed, asked] = (await preview.call('GET', '/deployments')).body.deployments;
    assert.deepEqual([pushed.triggered_by, asked.triggered_by], ['push', 'request']);

    // What is about all of the application takes no preview, whatever it is.
    for (const [method, path] of [
      ['DELETE', ''],
      ['GET', ''],
      ['GET', '/domains'],
      ['GET', '/volumes'],
      ['DELETE', '/previews/seats'],
    ] as const)
      assert.equal((await preview.call(method, path)).status, 400, `${method} ${path}`);
    assert.equal((await at.app.call('POST', '/deploy?preview=seats&preview=main')).status, 400);
    assert.equal((await at.app.call('POST', '/deploy?preview=production')).status, 404);
    const stranger = await verifiedUser(at.server.url, at.server.dataDir, newAddress());
    for (const [method, path] of [
      ['GET', '/previews'],
      ['POST', '/deploy?preview=seats'],
      ['DELETE', '/previews/seats'],
    ] as const)
      assert.equal((await stranger.call(method, at.app.at + path)).status, 403);

    assert.equal((await preview.call('POST', '/stop')).status, 200);
    assert.equal((await preview.read()).status, 'stopped');
    assert.equal((await at.app.call('DELETE', '/previews/seats')).status, 204);
    assert.equal((await preview.visit()).status, 404, 'on this server at once');
    assert.equal((await at.app.call('DELETE', '/previews/seats')).status, 404);
  },
);

testInLane(
  'a preview that nobody visits falls asleep, and the next visit wakes it and is answered',
  async () => {
    const database = await postgresDatabase('simcha_template');
    const env = { ...SETTINGS, DATABASE_URL: database.url };
    const opened = openDatabase(
      readConfig({ DATABASE_URL: database.url }),
      migrations,
      pino({ level: 'silent' }),
    );
    try {
      await opened.prepare();
      await using server = await startServer('postgres', { env });
      await using at = await deployed('branches', server);
      at.repository.turnTo('seats');
      await at.repository.commit({ ...site('seats'), Procfile: 'web: node server.js\nworker: sleep 1000\n' });
      await at.push('seats');
      const preview = at.preview('seats');
      await preview.live();
      const store = new PreviewStore(opened.sql, 3);
      const now = Temporal.Now.instant();
      const sleep = (hours: number) => store.putToSleep(now.add({ hours }).subtract({ hours: 24 }), now);
      assert.equal(await sleep(23), 0, 'it has been a day since it was deployed at least');
      assert.equal(await sleep(25), 1);
      assert.equal(await sleep(25), 0);
      assert.equal((await preview.read()).status, 'asleep');
      const running = () => queryDatabase(database.url, 'select from instances');
      await until(async () => (await running()).length === 0);

      const [one, other] = await Promise.all([preview.visit(), visitSite(server.url, preview.host, '/more')]);
      assert.deepEqual([one.status, other.status], [200, 200]);
      assert.match(one.text, /^seats {3}seats \d$/);
      assert.equal((await preview.read()).status, 'live');
      await until(async () => (await running()).length === 2);

      // A visit is noted once a minute: this one, so soon after it was woken, is not.
      await queryDatabase(database.url, `update previews set visited_at = visited_at - interval '2 days'`);
      await queryDatabase(
        database.url,
        `update environments set deployed_at = deployed_at - interval '2 days'`,
      );
      await preview.visit();
      assert.equal(await sleep(0), 1, 'noted once a minute');
      await until(async () => (await running()).length === 0);
      assert.equal((await preview.call('POST', '/restart')).status, 202);
      await preview.live();
      assert.equal((await preview.visit()).status, 200);
    } finally {
      await opened.close();
      await database.drop();
    }
  },
);

test('a preview’s address is none that software looks up by itself', async () => {
  await using server = await startServer('postgres', { env: SETTINGS });
  await using repository = await createRepository(site('main'));
  const user = await verifiedUser(server.url, server.dataDir, newAddress());
  const app = await newApplication(user.call, server.url, repository.address, { subdomain: 'mta' });
  const { status, body } = await app.call('POST', '/previews', { branch: 'sts' });
  assert.equal(status, 201);
  assert.match(body.name, /^sts-[a-z0-9]{5}$/);
  // Nothing of it is live yet, and there will be.
  const restart = await app.call('POST', `/restart?preview=${body.name}`);
  assert.deepEqual([restart.status, restart.body.code], [409, 'no_release']);
  assert.match(restart.body.error, /its first deployment is in progress/);
});
