import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'node:test';
import { versionSite } from '../support/deployed.ts';
import { newSite } from '../support/new-site.ts';
import { repeatUntilEnded } from '../support/repeat.ts';
import { ANY_DATABASE, DATABASES_OF_SLOW_TESTS } from '../support/server.ts';
import { testInLane } from '../support/test-in-lane.ts';
import { until } from '../support/until.ts';

const SETTINGS = { APPS_GIT_PROTOCOLS: 'file', APPS_HEALTH_SECONDS: '10' };

async function world(kind: 'embedded' | 'postgres', files: Record<string, string>, settings = {}) {
  const site = await newSite(SETTINGS, files, { kind, settings });
  const { app } = site;
  const processes = async () => (await app.call('GET', '/processes')).body.processes;
  const replicas = async (name: string) =>
    (await processes()).find((one: { name: string }) => one.name === name)?.replicas ?? [];
  return {
    ...site,
    processes,
    replicas,
    /** Until so many of a process run. */
    running: (name: string, count: number) =>
      until(async () => {
        const all = await replicas(name);
        return all.length === count && all.every(({ state }: { state: string }) => state === 'running');
      }),
  };
}

type World = Awaited<ReturnType<typeof world>>;

/** One request, on a connection of its own. */
function ask(
  { app, server }: World,
  path: string,
  { method = 'GET', cookie }: { method?: string; cookie?: string } = {},
): Promise<{ status: number | undefined; text: string; cookie: string | undefined }> {
  return new Promise((resolve, reject) => {
    const headers = { host: app.host, ...(cookie && { cookie }) };
    const asked = request(new URL(path, server.url), { method, headers, agent: false }, async (response) => {
      let text = '';
      for await (const chunk of response.setEncoding('utf8')) text += chunk;
      resolve({
        status: response.statusCode,
        text,
        cookie: response.headers['set-cookie']?.[0]?.split(';')[0],
      });
    });
    asked.on('error', reject).end();
  });
}

/** The processes that answer a number of visits. */
async function answering({ app }: World, visits = 12): Promise<Set<string>> {
  const seen = new Set<string>();
  for (let i = 0; i < visits; i += 1) seen.add((await app.visit('/who')).text);
  return seen;
}

/** How often each of those that take requests ended by itself, in order. */
async function restarts({ replicas }: World): Promise<number[]> {
  return (await replicas('web')).map((one: { restarts: number }) => one.restarts).toSorted();
}

for (const kind of DATABASES_OF_SLOW_TESTS) {
  test(`a site is run several times, and scaled while it is visited (${kind})`, async () => {
    await using at = await world(kind, versionSite('v'));
    assert.deepEqual(await at.processes(), []);
    await at.app.deploy();
    const [web] = await at.processes();
    assert.deepEqual(
      { ...web, replicas: web.replicas.map(({ since: _, ...one }: { since: string }) => one) },
      {
        name: 'web',
        command: 'node server.js',
        wanted: 1,
        replicas: [{ number: 1, state: 'running', restarts: 0, reason: null }],
      },
    );
    const visits = repeatUntilEnded(async () => {
      assert.deepEqual(await at.app.visit('/'), { status: 200, text: 'v ' });
    });
    const asked = await at.app.call('PATCH', '/processes', { web: 3 });
    assert.equal(asked.body.processes[0].wanted, 3, asked.text);
    await at.running('web', 3);
    await until(async () => (await answering(at)).size === 3);

    // A new version comes up three times, too.
    await at.repository.commit(versionSite('v'), 'again');
    const before = await answering(at);
    await at.app.deploy();
    assert.equal((await answering(at)).isDisjointFrom(before), true);
    assert.equal((await answering(at)).size, 3);

    await at.app.call('PATCH', '/processes', { web: 1 });
    await until(async () => (await answering(at)).size === 1);
    await at.running('web', 1);
    await visits.end();

    // None is like a stopped site; null is one again.
    await at.app.call('PATCH', '/processes', { web: 0 });
    await until(async () => (await at.app.visit()).status === 503);
    await at.app.call('PATCH', '/processes', { web: null });
    await until(async () => (await at.app.visit()).status === 200);
  });
}

testInLane(
  'a release goes live of a site of which nothing takes requests, and serves once something does',
  async () => {
    await using at = await world(ANY_DATABASE, {
      ...versionSite('v'),
      Procfile: 'web: node server.js\nworker: sleep 1000',
    });
    await at.app.call('POST', '/volumes', { name: 'data', path: '/data' });
    await at.app.call('PATCH', '/processes', { web: 0, worker: 1 });
    await at.app.deploy();
    await at.running('worker', 1);
    assert.equal((await at.app.visit()).status, 503);
    await at.repository.commit(versionSite('w'), 'another');
    await at.app.deploy();
    await at.app.call('PATCH', '/processes', { web: 1 });
    await until(async () => (await at.app.visit()).text === 'w ');
  },
);

testInLane('one of several that dies is gone around at once, and comes back', async () => {
  await using at = await world(ANY_DATABASE, versionSite('v'));
  await at.app.call('PATCH', '/processes', { web: 3 });
  await at.app.deploy();
  await until(async () => (await answering(at)).size === 3);
  assert.equal((await ask(at, '/die', { method: 'POST' })).status, 502);
  // Whoever comes next is answered by the others, from the first moment on.
  for (let i = 0; i < 20; i += 1) assert.equal((await at.app.visit()).status, 200);
  await until(async () => String(await restarts(at)) === '0,0,1');
  await at.running('web', 3);
  assert.equal((await at.app.call('GET')).body.status, 'live');
  const { text: log } = await at.app.call('GET', '/logs');
  assert.match(log, /web\.[123] \| exited with code 7; (starting it again in 0\.5 s|it is started again)/);
  assert.match(log, /web\.[123] \| asked for \//);
});

testInLane(
  'what a request broke at one of several is tried at one other, where that does nothing twice',
  async () => {
    await using at = await world(ANY_DATABASE, versionSite('v'));
    await at.app.call('PATCH', '/processes', { web: 3 });
    await at.app.deploy();
    assert.equal((await ask(at, '/die')).status, 502);
    await until(async () => String(await restarts(at)) === '0,1,1');
    await at.running('web', 3);
  },
);

testInLane('a visitor comes back to the one they had, where that is asked for', async () => {
  await using at = await world(ANY_DATABASE, versionSite('v'), { sticky: true });
  await at.app.call('PATCH', '/processes', { web: 3 });
  await at.app.deploy();
  const visitors = await Promise.all(Array.from({ length: 9 }, () => ask(at, '/who')));
  assert.equal(new Set(visitors.map(({ text }) => text)).size, 3);
  for (const { text, cookie } of visitors) {
    assert.match(cookie ?? '', /^simcha_replica=[\w-]{16}$/);
    for (let i = 0; i < 3; i += 1) {
      const again = await ask(at, '/who', { cookie: `a=b; ${cookie}; c=d` });
      assert.deepEqual(again, { status: 200, text, cookie: undefined });
    }
  }
  // Of one that is gone, or that nobody gave, another is given.
  const stranger = await ask(at, '/who', { cookie: 'simcha_replica=AAAAAAAAAAAAAAAA' });
  assert.match(stranger.cookie ?? '', /^simcha_replica=/);
  await at.app.call('PATCH', '', { sticky: false });
  await until(async () => (await ask(at, '/who')).cookie === undefined);
});

test('counts are checked, and files are not run at all', async () => {
  await using at = await world(ANY_DATABASE, { 'index.html': 'here' });
  const refused = async (body: unknown, error: RegExp) => {
    const answer = await at.app.call('PATCH', '/processes', body);
    assert.equal(answer.status, 400, answer.text);
    assert.match(answer.body.error, error);
  };
  await refused({ web: -1 }, /web: must be a whole number from 0 to 20/);
  await refused({ web: 1.5 }, /whole number/);
  await refused({ web: '2' }, /whole number/);
  await refused({ web: 21 }, /whole number/);
  await refused({ 'a b': 1 }, /name of a process/);
  await refused([], /object/);
  await at.app.deploy();
  assert.deepEqual(await at.processes(), []);
  const files = await at.app.call('PATCH', '/processes', { web: 2 });
  assert.deepEqual([files.status, files.body.code], [409, 'only_files']);

  await at.repository.commit(versionSite('v'), 'a server');
  await at.app.deploy();
  await refused({ worker: 1 }, /worker: is not a process of this application. It has: web/);
});
