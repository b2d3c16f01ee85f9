import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newAddress, newApplication, verifiedUser } from '../support/deployed.ts';
import { newSite } from '../support/new-site.ts';
import { DATABASES_OF_SLOW_TESTS, startServer } from '../support/server.ts';
import { testInLane } from '../support/test-in-lane.ts';

const SETTINGS = { APPS_GIT_PROTOCOLS: 'file', APPS_HEALTH_SECONDS: '30' };
/** Of nobody else here, and below those that the system gives out. */
const PORT = 4737;

/** A server that listens where it likes. */
const stubborn = (port: number) => `
require('node:http').createServer((request, response) => response.end('here ' + process.env.PORT)).listen(${port});
`;

for (const kind of DATABASES_OF_SLOW_TESTS) {
  test(`a single-page site is there at every path, and what is missing is missing (${kind})`, async () => {
    const files = {
      'index.html': '<p>the page</p>',
      'old/index.html': '<p>theirs</p>',
      'simcha.json': '{"spa": true}',
    };
    await using at = await newSite(SETTINGS, files, { kind });
    await at.app.deploy();
    const page = { status: 200, text: '<p>the page</p>' };
    assert.deepEqual(await at.app.visit('/guests/7'), page);
    assert.deepEqual(await at.app.visit('/guests/v1.2', { headers: { 'sec-fetch-dest': 'document' } }), page);
    assert.equal((await at.app.visit('/old/')).text, '<p>theirs</p>');
    for (const [path, headers] of [
      ['/assets/app.js', {}],
      ['/assets/app', { 'sec-fetch-dest': 'script' }],
      ['/api/guests', { accept: 'application/json' }],
      ['/.env', {}],
    ] as const) {
      assert.equal((await at.app.visit(path, { headers })).status, 404, path);
    }

    // A setting of the application goes before what stands in the repository; what is built stays.
    assert.equal((await at.app.call('PATCH', '', { spa: false })).body.spa, false);
    await at.app.deploy();
    assert.equal((await at.app.visit('/guests/7')).status, 404);
  });

  testInLane(`a site that listens where it likes is found, and not looked for again (${kind})`, async () => {
    const files = { 'package.json': '{"scripts":{"start":"node server.js"}}', 'server.js': stubborn(PORT) };
    await using at = await newSite(SETTINGS, files, { kind });
    const { deployment_uuid: first } = await at.app.deploy();
    assert.deepEqual(await at.app.visit('/'), { status: 200, text: `here ${PORT}` });
    assert.match(await at.app.log(first), new RegExp(`listens on port ${PORT}, not on .* starting it again`));
    const again = await at.app.expect(await at.app.ask('restart'), 'live');
    assert.doesNotMatch(await at.app.log(again.deployment_uuid), /starting it again/);
    assert.equal((await at.app.visit('/')).status, 200);
  });

  testInLane(`a port that is said is where the site is asked (${kind})`, async () => {
    const files = {
      'server.js': stubborn(PORT + 1),
      'simcha.json': JSON.stringify({ start: 'node server.js', port: PORT + 1, health: '/up' }),
    };
    await using at = await newSite(SETTINGS, files, { kind });
    const { deployment_uuid: id } = await at.app.deploy();
    const log = await at.app.log(id);
    assert.match(log, new RegExp(`waiting .* at /up on port ${PORT + 1}`));
    assert.match(log, /port: 4738 \(simcha\.json\)/);
    assert.equal((await at.app.visit('/')).text, `here ${PORT + 1}`);
  });

  testInLane(`the repository’s own branch is deployed where none is named (${kind})`, async () => {
    await using at = await newSite(SETTINGS, { 'index.html': 'trunk' }, { kind, branch: 'trunk' });
    await at.app.deploy();
    assert.equal((await at.app.visit('/')).text, 'trunk');
    assert.equal((await at.app.call('GET')).body.branch, null);
  });

  testInLane(`a folder is published although the package starts a development server (${kind})`, async () => {
    const files = {
      'package.json': JSON.stringify({
        scripts: { start: 'vite', build: 'mkdir -p web && cp page web/index.html' },
      }),
      page: 'built',
    };
    await using at = await newSite(SETTINGS, files, { kind, settings: { publish: './web/' } });
    const { deployment_uuid: id } = await at.app.deploy();
    assert.equal((await at.app.visit('/')).text, 'built');
    await at.app.call('PATCH', '', { publish: 'site' });
    const elsewhere = await at.app.deploy('failed');
    assert.match(
      elsewhere.reason,
      /no index\.html in site\. There is an index\.html in web: set publish, .* "web"\.$/,
    );
    await at.app.call('PATCH', '', { publish: './web/' });
    assert.match(await at.app.log(id), /publish: web \(the application’s settings\)/);

    const wrong = await at.app.call('PATCH', '', { publish: '../up' });
    assert.deepEqual([wrong.status, /publish/.test(wrong.text)], [400, true]);
    await at.repository.commit({ 'simcha.json': '{"ports": 1}' });
    const failed = await at.app.deploy('failed');
    assert.match(failed.reason, /unknown field, "ports"\. Known fields: type,/);
  });

  testInLane(
    `a package of a workspace is installed by the lockfile above it, and finds its neighbours (${kind})`,
    async () => {
      const files = {
        'package.json': '{"workspaces":["apps/*","libs/*"]}',
        'package-lock.json': JSON.stringify({
          lockfileVersion: 3,
          packages: {
            '': { workspaces: ['apps/*', 'libs/*'] },
            'apps/web': { name: 'web', version: '1.0.0', dependencies: { greeting: '1.0.0' } },
            'libs/greeting': { name: 'greeting', version: '1.0.0', bin: { greet: 'greet.js' } },
            'node_modules/greeting': { resolved: 'libs/greeting', link: true },
            'node_modules/web': { resolved: 'apps/web', link: true },
          },
        }),
        'libs/greeting/package.json': '{"name":"greeting","version":"1.0.0","bin":{"greet":"greet.js"}}',
        'libs/greeting/index.js': "module.exports = 'shalom';",
        'libs/greeting/greet.js': `#!/usr/bin/env node
require('node:http').createServer((request, response) => response.end(require('greeting'))).listen(process.env.PORT, process.env.HOST);`,
        'apps/web/package.json':
          '{"name":"web","version":"1.0.0","scripts":{"start":"greet"},"dependencies":{"greeting":"1.0.0"}}',
      };
      await using at = await newSite(SETTINGS, files, { kind, settings: { root: 'apps/web' } });
      await at.app.deploy();
      assert.deepEqual(await at.app.visit('/'), { status: 200, text: 'shalom' });
    },
  );

  test(`a build that fails says why, without what is secret (${kind})`, async () => {
    const build = 'console.log("begin"); throw new Error("no key " + process.env.TOKEN + " here");';
    const files = { 'package.json': '{"scripts":{"build":"node build.js"}}', 'build.js': build };
    await using at = await newSite(SETTINGS, files, { kind });
    await at.app.call('PATCH', '/env', { TOKEN: 'very-secret-token' });
    const { reason, reason_code: code } = await at.app.deploy('failed');
    assert.equal(code, 'command_failed');
    assert.equal(reason, '`npm run build` exited with code 1. Output: “Error: no key •••••• here”.');
  });

  testInLane(`a server.js alone is a site (${kind})`, async () => {
    const server = `require('http').createServer((_, to) => to.end('alone')).listen(process.env.PORT, process.env.HOST)`;
    await using at = await newSite(SETTINGS, { 'server.js': server }, { kind });
    await at.app.deploy();
    assert.equal((await at.app.visit()).text, 'alone');
  });

  testInLane(`a site that ends before it answers says why, without what is secret (${kind})`, async () => {
    const server = 'console.log("begin"); throw new Error("no key " + process.env.TOKEN + " here");';
    await using at = await newSite(SETTINGS, { 'package.json': '{}', 'server.js': server }, { kind });
    await at.app.call('PATCH', '/env', { TOKEN: 'very-secret-token' });
    const { reason, reason_code: code, deployment_uuid: id } = await at.app.deploy('failed');
    assert.equal(code, 'ended_before_healthy');
    assert.equal(
      reason,
      'The site did not start: it exited with code 1. Output: “Error: no key •••••• here”.',
    );
    assert.match(await at.app.log(id), /No version of Node\.js is set.* set node/);
    await at.repository.commit({ 'server.js': "require('express')" });
    const lacking = await at.app.deploy('failed');
    assert.match(lacking.reason, /Cannot find module 'express'/);
    assert.doesNotMatch(await at.app.log(lacking.deployment_uuid), /No version of Node\.js/);
    await at.repository.commit({ '.tool-versions': `nodejs ${process.versions.node}` });
    const again = await at.app.deploy('failed');
    assert.doesNotMatch(await at.app.log(again.deployment_uuid), /No version of Node\.js/);
  });

  test(`an unknown field is refused, except as a variable's name (${kind})`, async () => {
    await using at = await newSite(SETTINGS, { 'index.html': 'x' }, { kind });
    const refused = await at.app.call('PATCH', '', { replicas: 2 });
    assert.equal(refused.status, 400);
    assert.match(refused.text, /replicas.*health_path/);
    const forced = await at.app.call('POST', '/deploy', { force: true });
    assert.equal(forced.status, 400);
    assert.match(forced.text, /force.*commit/);
    assert.equal((await at.app.call('PATCH', '/env', { ANY_NAME: 'value' })).status, 200);
    assert.equal((await at.app.call('POST', '/rollback', { to: 'x' })).status, 400);
  });

  test(`what a deployment would do is said before it, and why (${kind})`, async () => {
    const files = {
      'package.json': '{"scripts":{"start":"node server.js"},"dependencies":{"express":"5.1.0"}}',
      'package-lock.json': '{}',
      Procfile: 'worker: node worker.js',
    };
    await using at = await newSite(SETTINGS, files, { kind });
    const asked = await Promise.all([at.app.call('GET', '/plan'), at.app.call('GET', '/plan')]);
    for (const { status, body, text } of asked) {
      assert.equal(status, 200, text);
      assert.deepEqual(body.plan, {
        type: 'server',
        node: null,
        steps: [{ name: 'install', command: 'npm ci --include=dev', folder: '' }],
        publish: [],
        caches: [],
        processes: { web: 'node server.js', worker: 'node worker.js' },
        release: null,
        cron: [],
        port: null,
        health_path: '/',
        spa: null,
        dockerfile: null,
        image: null,
        programs: [],
        variables: {},
      });
      assert.equal(body.commit_message, 'The first');
      assert.deepEqual(
        body.findings.map(
          ({ kind, line, by }: { kind: string; line: string; by: string }) => line ?? `${kind} ${by}`,
        ),
        ['framework express', 'type', 'install', 'start', 'processes'],
      );
    }
    assert.equal((await at.app.call('GET')).body.status, 'created');

    await at.app.call('PATCH', '', { root: 'nowhere' });
    const { body } = await at.app.call('GET', '/plan');
    assert.deepEqual([body.plan, body.reason_code, body.branches], [null, 'no_root', ['main']]);
  });

  test(`the plan of a named commit, branch or tag is told, each its own (${kind})`, async () => {
    await using at = await newSite(SETTINGS, { 'index.html': 'first' }, { kind });
    const { app, repository } = at;
    const first = (await app.call('GET', '/plan')).body.commit_hash;
    repository.turnTo('next');
    const next = await repository.commit({ Procfile: 'web: ./serve' });
    repository.turnTo('main');
    const newest = await repository.commit({ 'index.html': 'second' });
    const queries = ['', '?branch=next', `?commit=${first.slice(0, 9)}`];
    const answers = await Promise.all(queries.map((query) => app.call('GET', `/plan${query}`)));
    assert.deepEqual(
      answers.map(({ body }) => [body.commit_hash, body.plan?.type]),
      [
        [newest, 'static'],
        [next, 'server'],
        [first, 'static'],
      ],
    );
    const { body } = await app.call('GET', '/plan?tag=none');
    assert.deepEqual([body.plan, body.reason_code], [null, 'no_tag']);
    for (const query of ['commit=', 'branch=', 'tag=a&branch=b', 'commit=xyz', 'commits=abcdef1']) {
      assert.equal((await app.call('GET', `/plan?${query}`)).status, 400, query);
    }
    await app.call('PATCH', '', { source: 'upload' });
    const refused = await app.call('GET', '/plan?branch=next');
    assert.deepEqual([refused.status, /no repository/.test(refused.text)], [400, true], refused.text);
  });

  testInLane(`nobody says what a deployment would do where nobody runs sites (${kind})`, async () => {
    await using server = await startServer(kind, { env: { ...SETTINGS, HOSTING: 'off' } });
    const user = await verifiedUser(server.url, server.dataDir, newAddress());
    const app = await newApplication(user.call, server.url, 'file:///nowhere');
    const { status, body } = await app.call('GET', '/plan');
    assert.deepEqual([status, body.code], [503, 'no_host']);
  });
}
