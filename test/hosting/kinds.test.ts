import assert from 'node:assert/strict';
import { request } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { WebSocket } from 'ws';
import { campaign, IN_CLUSTER } from '../support/campaign.ts';
import type { ApplicationClient } from '../support/deployed.ts';
import { filesOf } from '../support/git.ts';
import { type LanguageName, lackOf, uvLock } from '../support/language-registries.ts';
import { newSite } from '../support/new-site.ts';
import { testInLane } from '../support/test-in-lane.ts';

// What people have: each folder of kinds/ goes live as it is, and does what it is for. Those whose packages take long
// to install or build, or that are much like another, do so in `npm run test:long`. Nothing but the package registries
// is reached.

const SETTINGS = { APPS_GIT_PROTOCOLS: 'file', APPS_HEALTH_SECONDS: '60' };
/** Installing and building takes minutes where a machine is slow. */
const LONGEST_MS = 900_000;

interface Site {
  app: ApplicationClient;
  socket(path: string): WebSocket;
  /** In how many pieces an answer comes, and what it is. */
  pieces(path: string): Promise<{ text: string; pieces: number }>;
  /** As a browser sends it. */
  form(path: string, fields: Record<string, string>): Promise<string>;
}

interface Kind {
  settings?: object;
  env?: Record<string, string>;
  /** Registry and programs of the kind's language; without them the kind is skipped. */
  language?: LanguageName;
  /** Makes files that no repository should contain, such as a lockfile with addresses of this machine's registry. */
  prepare?(files: Record<string, string>): Promise<Record<string, string>>;
  does(site: Site): Promise<void>;
}

const json = async ({ app }: Site, path: string, body: unknown) => {
  const headers = { 'content-type': 'application/json' };
  const { text } = await app.visit(path, { method: 'POST', headers, body: JSON.stringify(body) });
  return JSON.parse(text);
};
const shows = async ({ app }: Site, path: string, text: RegExp, status = 200) => {
  const answer = await app.visit(path);
  assert.equal(answer.status, status, answer.text);
  assert.match(answer.text, text);
};

const SOME: Readonly<Record<string, Kind>> = {
  static: {
    async does(site) {
      await shows(site, '/about', /<h1>About us/);
      await shows(site, '/nowhere', /Not here/, 404);
    },
  },
  express: {
    async does(site) {
      await site.form('/answers', { name: 'נועה' });
      await shows(site, '/answers', /^\["נועה"\]$/);
      // What it wrote into its own folder goes with the release; nothing of it reaches the next one.
      await site.app.expect(await site.app.ask('restart'), 'live');
      await shows(site, '/answers', /^\[\]$/);
    },
  },
  eleventy: {
    does: (site) => shows(site, '/posts/first/', /The first of <em>many<\/em>/),
  },
  workspaces: {
    settings: { root: 'apps/web' },
    does: (site) => shows(site, '/Noa', /^Shalom Noa$/),
  },
  'pnpm-workspace': {
    settings: { root: 'apps/web' },
    does: (site) => shows(site, '/Noa', /^Shalom Noa$/),
  },
  'socket-io': {
    async does(site) {
      // https://socket.io/docs/v4/engine-io-protocol/, https://socket.io/docs/v4/socket-io-protocol/
      const socket = site.socket('/socket.io/?EIO=4&transport=websocket');
      const heard = Promise.withResolvers<string>();
      socket.on('error', heard.reject);
      socket.on('message', (message) => {
        const text = String(message);
        if (text.startsWith('0')) socket.send('40');
        if (text.startsWith('40')) socket.send('420["say","shalom"]');
        if (text.startsWith('43')) heard.resolve(text);
      });
      assert.equal(await heard.promise, '430["heard shalom"]');
      socket.close();
    },
  },
  events: {
    async does(site) {
      const { text, pieces } = await site.pieces('/');
      assert.equal(text.match(/^data: /gm)?.length, 4);
      assert.ok(pieces >= 3, 'they come one by one');
    },
  },
  native: {
    async does(site) {
      const visit = async () => JSON.parse((await site.app.visit('/visits')).text);
      assert.deepEqual(await visit(), { here: 1, kept: 1, fits: true });
      await site.app.expect(await site.app.ask('restart'), 'live');
      const { kept, ...others } = await visit();
      assert.deepEqual(others, { here: 1, fits: true });
      // Each machine of a cluster has a home of its own.
      if (!IN_CLUSTER) assert.equal(kept, 2);
    },
  },
  python: {
    async does(site) {
      assert.equal(await site.form('/', { name: 'נועה' }), 'Shalom נועה');
    },
  },
};

/** Kinds in other languages, whose packages come from the registries of these languages. */
const IN_LANGUAGES: Readonly<Record<string, Kind>> = {
  flask: {
    language: 'python',
    async does(site) {
      assert.match(
        await site.form('/answers', { name: 'נועה' }),
        /^Shalom נועה by http from http:\/\/[^/]+\/$/,
      );
      await shows(site, '/', /href="\/static\/site\.css"/);
      await shows(site, '/static/site.css', /margin/);
    },
  },
  django: {
    language: 'python',
    env: { SECRET_KEY: 'only-for-tests' },
    async does(site) {
      await site.form('/guests', { name: 'noa' });
      await shows(site, '/guests', /^{"guests": \["noa"\]}$/);
      const page = (await site.app.visit('/admin/login/')).text;
      const [, style = ''] = /href="(\/static\/admin\/css\/base\.[0-9a-f]+\.css)"/.exec(page) ?? [];
      await shows(site, style, /./);
    },
  },
  fastapi: {
    language: 'python',
    prepare: uvLock,
    async does(site) {
      await shows(site, '/guests/noa', /^{"name":"noa","address":"127\.0\.0\.1"}$/);
      assert.deepEqual(await json(site, '/answers', { yes: 2 }), { got: { yes: 2 } });
      const { pieces } = await site.pieces('/events');
      assert.ok(pieces >= 3, 'they come one by one');
    },
  },
  rust: {
    language: 'rust',
    async does(site) {
      await shows(site, '/guests/noa', /^GET \/guests\/noa $/);
      assert.equal(await site.form('/', { name: 'noa' }), 'POST / name=noa');
    },
  },
};

/** Kinds in other languages that take long to install or to compile. */
const FURTHER_IN_LANGUAGES: Readonly<Record<string, Kind>> = {
  go: {
    language: 'go',
    async does(site) {
      await shows(site, '/guests/noa', /^Guest noa$/);
      assert.equal(await site.form('/answers', { name: 'נועה' }), 'Shalom נועה');
    },
  },
  streamlit: {
    language: 'python',
    async does(site) {
      await shows(site, '/', /<title>Streamlit/);
      await shows(site, '/_stcore/health', /^ok$/);
    },
  },
  'rust-workspace': {
    language: 'rust',
    does: (site) => shows(site, '/guests/noa', /^Guest noa$/),
  },
};

const FURTHER: Readonly<Record<string, Kind>> = {
  fastify: {
    async does(site) {
      await shows(site, '/guests/noa', /^{"name":"noa"}$/);
      assert.deepEqual(await json(site, '/answers', { yes: 2 }), { got: { yes: 2 } });
    },
  },
  hono: {
    does: (site) => shows(site, '/guests/noa', /^Guest noa$/),
  },
  koa: {
    async does(site) {
      await shows(site, '/deep/link', /^You came to \/deep\/link$/);
      assert.equal(await site.form('/', { name: 'Noa' }), '{"name":"Noa"}');
    },
  },
  vue: {
    async does(site) {
      await shows(site, '/users/7', /<div id="app">/);
      await shows(site, '/assets/none.js', /./, 404);
    },
  },
  astro: {
    async does(site) {
      await shows(site, '/', /Astro 42/);
      await shows(site, '/docs/first/', /The page first/);
    },
  },
  'astro-node': {
    async does(site) {
      await shows(site, '/?name=Noa', /Hello Noa/);
      assert.match(await site.form('/', { name: 'Dana' }), /Hello Dana/);
    },
  },
  next: {
    env: { NEXT_PUBLIC_WHO: 'Noa' },
    async does(site) {
      await shows(site, '/', /built by (<!-- -->)?Noa/);
      await shows(site, '/guests/dana', /Guest (<!-- -->)?dana/);
      assert.equal(await site.form('/answers', { answer: 'yes' }), '{"answer":"yes"}');
    },
  },
  nuxt: {
    async does(site) {
      await shows(site, '/guests/noa', /Guest noa/);
      assert.deepEqual(await json(site, '/api/answers', { yes: 2 }), { got: { yes: 2 } });
    },
  },
  sveltekit: {
    async does(site) {
      assert.match(await site.form('/', { name: 'Noa' }), /Hello Noa/);
    },
  },
  'react-router': {
    async does(site) {
      await shows(site, '/guests/noa', /Guest noa/);
      assert.match(await site.form('/?index', { name: 'Dana' }), /Hello Dana/);
    },
  },
  nest: {
    async does(site) {
      await shows(site, '/guests/noa', /^{"name":"noa"}$/);
      assert.deepEqual(await json(site, '/answers', { answer: 'yes' }), { got: 'yes' });
    },
  },
  vitepress: {
    does: (site) => shows(site, '/guide', /The guide/),
  },
};

const USUAL = { ...SOME, ...IN_LANGUAGES };
const KINDS = campaign(USUAL, { ...USUAL, ...FURTHER, ...FURTHER_IN_LANGUAGES });

for (const [name, { settings, env, language, prepare, does }] of Object.entries(KINDS)) {
  testInLane(`${name} goes live and does what it is for`, async (t) => {
    const lack = language && (await lackOf(language));
    if (lack !== undefined) return t.skip(lack);
    const given = await filesOf(join(import.meta.dirname, 'kinds', name));
    const files = { ...given, ...(await prepare?.(given)) };
    await using at = await newSite(SETTINGS, files, { settings });
    const { app, server } = at;
    if (env) await app.call('PATCH', '/env', env);
    await app.expect(await app.ask(), 'live', LONGEST_MS);
    await does(siteOf(app, server.url));
    assert.equal((await app.call('DELETE')).status, 204);
  });
}

function siteOf(app: ApplicationClient, base: string): Site {
  const { host } = app;
  return {
    app,
    socket: (path) => new WebSocket(new URL(path, base.replace('http', 'ws')), { headers: { host } }),
    pieces: (path) =>
      new Promise((resolve, reject) => {
        const asked = request(new URL(path, base), { headers: { host }, agent: false }, async (answer) => {
          let pieces = 0;
          answer.on('data', () => {
            pieces += 1;
          });
          resolve({ text: (await buffer(answer)).toString(), pieces });
        });
        asked.on('error', reject).end();
      }),
    async form(path, fields) {
      // Frameworks hold the one against the other, ports and all.
      const at = `${host}:${new URL(base).port}`;
      const headers = {
        host: at,
        origin: `http://${at}`,
        accept: 'text/html',
        'content-type': 'application/x-www-form-urlencoded',
      };
      const body = new URLSearchParams(fields).toString();
      return (await app.visit(path, { method: 'POST', headers, body })).text;
    },
  };
}
