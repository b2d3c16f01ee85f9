import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { campaign } from '../../support/campaign.ts';
import { newApplication, verifiedUser, versionSite, visitSite } from '../../support/deployed.ts';
import { createRepository, type TestRepository } from '../../support/git.ts';
import { craftRepository } from '../../support/git-objects.ts';
import { spawnReadyServer } from '../../support/process.ts';
import { repeatUntilEnded } from '../../support/repeat.ts';
import { commandsMarked } from '../../support/sandbox.ts';
import { type DatabaseKind, temporaryDatabase } from '../../support/server.ts';
import { type UnprivilegedUser, unprivilegedUser } from '../../support/unprivileged-user.ts';
import { until } from '../../support/until.ts';

const SETTINGS = {
  APPS_GIT_PROTOCOLS: 'file',
  APPS_ISOLATION: 'sandbox',
  APPS_BUILD_MEMORY_MB: '256',
  APPS_BUILD_SECONDS: '30',
  APPS_CHECKOUT_SECONDS: '60',
  APPS_DISK_MB: '32',
  RATE_LIMIT: '1000000',
};

/** How a deployment of it ends: `live`, or the codes that say why not. */
interface Kind {
  repository?: () => Promise<TestRepository>;
  build?: string;
  ends: 'live' | readonly string[];
}

const many = (count: number) => Array.from({ length: count }, (_, n) => String(n));

const KINDS: Record<string, Kind> = {
  'links that lead out': {
    repository: () =>
      craftRepository(({ blob, tree }) => {
        const page = { file: blob('up') };
        return tree([
          ['a', { link: '/etc/passwd' }],
          ['b', { link: '../../../../encryption-key' }],
          ['index.html', page],
        ]);
      }),
    ends: ['link_outside'],
  },
  'links in circles': {
    repository: () =>
      craftRepository(({ blob, tree }) => {
        const page = { file: blob('up') };
        return tree([
          ['a', { link: 'b' }],
          ['b', { link: 'a' }],
          ['c', { link: '.' }],
          ['index.html', page],
        ]);
      }),
    ends: 'live',
  },
  'deeper than any path': {
    repository: () =>
      craftRepository(({ blob, tree }) => {
        const page = { file: blob('up') };
        let inner = tree([['x', page]]);
        for (const _ of many(100)) inner = tree([['d'.repeat(200), { tree: inner }]]);
        return tree([
          ['deep', { tree: inner }],
          ['index.html', page],
        ]);
      }),
    ends: ['repository_unreachable'],
  },
  'fifty thousand files in a folder': {
    repository: () =>
      craftRepository(({ blob, tree }) => {
        const nothing = { file: blob('') };
        return tree([
          ['index.html', { file: blob('up') }],
          ['wide', { tree: tree(many(50_000).map((name) => [name, nothing])) }],
        ]);
      }),
    ends: 'live',
  },
  'a few objects that are ten thousand million files': {
    repository: () =>
      craftRepository(({ blob, tree }) => {
        const page = { file: blob('up') };
        let inner = tree(many(10).map((name) => [name, page]));
        for (const _ of many(9)) inner = tree(many(10).map((name) => [name, { tree: inner }]));
        return tree([
          ['bomb', { tree: inner }],
          ['index.html', page],
        ]);
      }),
    ends: ['fetch_ended', 'repository_too_large'],
  },
  'a huge file that is packed small': {
    repository: () =>
      craftRepository(({ blob, tree }) =>
        tree([['index.html', { file: blob(Buffer.alloc(200 * 2 ** 20)) }]]),
      ),
    ends: ['fetch_ended', 'repository_too_large'],
  },
  'pipes in the place of files': {
    build: 'mkfifo pipe .npmrc package.json ~/.npmrc',
    ends: 'live',
  },
  sockets: {
    build: `node -e "require('net').createServer().listen('socket', () => process.kill(process.pid, 'SIGKILL'))" || test -S socket`,
    ends: 'live',
  },
  devices: {
    build: '! mknod memory c 1 1 && ! mknod null c 1 3 && ! mknod disk b 8 0 && ! mknod ~/zero c 1 5',
    ends: 'live',
  },
  'unreadable files and folders': {
    build: 'for m in 000 300 555; do mkdir -p $m/a; touch $m/a/b; chmod 000 $m/a/b; chmod $m $m/a $m; done',
    ends: 'live',
  },
  'deep folders': {
    build: `node -e "for (let i = 0; i < 100; i++) { fs.mkdirSync('d'.repeat(200)); process.chdir('d'.repeat(200)) }"`,
    ends: ['too_deep'],
  },
  'wide folders': {
    build: `node -e "fs.mkdirSync('wide'); for (let i = 0; i < 50000; i++) fs.writeFileSync('wide/' + i, '')"`,
    ends: 'live',
  },
  'sparse files': {
    build: 'for i in $(seq 1000); do truncate -s 32M $i; done',
    ends: 'live',
  },
  'a sparse file larger than any disk': { build: 'truncate -s 1E sparse', ends: ['command_failed'] },
  'a huge file': { build: 'head -c 4G /dev/zero > huge', ends: ['command_failed', 'release_exceeds'] },
  'huge files in a row': {
    build: 'for i in $(seq 100); do head -c 30M /dev/zero > $i; done; sleep 60',
    ends: ['command_failed'],
  },
  'a bomb of processes': { build: 'f() { f | f & }; f; sleep 60', ends: ['command_failed'] },
  'a bomb of threads': {
    build: `UV_THREADPOOL_SIZE=1024 node -e "fs.readFile('/dev/null', () => {}); setInterval(() => {}, 1000)"`,
    ends: ['command_failed'],
  },
  'a bomb of memory': {
    build: `node -e "const all = []; for (;;) all.push(Buffer.alloc(2 ** 20, 1))"`,
    ends: ['command_failed'],
  },
  'a bomb of lines': { build: 'yes', ends: ['command_failed'] },
  'a bomb of one line': { build: "tr '\\\\0' x < /dev/zero", ends: ['command_failed'] },
  'daemons that stay behind': { build: 'for i in 1 2 3; do env -i setsid sleep 1000 & done', ends: 'live' },
};

const HOUSES: readonly (readonly [DatabaseKind, string, UnprivilegedUser | undefined])[] = campaign(
  [['postgres', 'the user of the tests', {}]],
  [
    // Without control groups.
    ['embedded', 'an ordinary user', unprivilegedUser()],
    ['postgres', 'the user of the tests', {}],
  ],
);
const NAMES = campaign(['links that lead out', 'devices', 'a bomb of processes'], Object.keys(KINDS));

for (const [kind, who, user] of HOUSES) {
  test(`whatever a repository is, its neighbour answers and nothing of it is left (${kind}, ${who})`, async (t) => {
    if (!user) return t.skip('no ordinary user can run node from here');
    await using database = await temporaryDatabase(kind);
    await using steady = await createRepository(versionSite('steady'));
    await using page = await createRepository({ 'index.html': 'up' });
    const { DATA_DIR } = database.env;
    const own = (folder: string) => {
      if (user.uid) execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, folder]);
    };
    for (const folder of [DATA_DIR, pathOf(steady), pathOf(page)]) own(folder);
    const server = await spawnReadyServer({ ...database.env, ...SETTINGS }, user);
    const sites = join(DATA_DIR, 'sites');
    try {
      const { call } = await verifiedUser(server.url, DATA_DIR);
      const neighbour = await newApplication(call, server.url, steady.address);
      await neighbour.deploy();
      const usual = commandsMarked(`${DATA_DIR}/sites/`).length;

      for (const name of NAMES) {
        const { repository, build, ends } = KINDS[name] as Kind;
        await using hostile = await repository?.();
        if (hostile) own(pathOf(hostile));
        const asking = askAllTheTime(server.url, neighbour.host);
        const began = performance.now();
        const app = await newApplication(call, server.url, (hostile ?? page).address, {
          ...(build && { build }),
        });
        const ended = await app.expect(await app.ask(), ends === 'live' ? 'live' : 'failed', 180_000);
        const seconds = (performance.now() - began) / 1_000;
        const code = ended.reason_code ?? 'live';
        assert.ok(code === ends || ends.includes(code), `${name}: ${JSON.stringify(ended)}`);

        await app.call('PATCH', '', { repository: page.address, build: 'true' });
        await app.deploy();
        assert.deepEqual(await app.visit(), { status: 200, text: 'up' }, name);
        assert.equal((await app.call('DELETE')).status, 204);
        const left = [join(sites, app.uuid), join(DATA_DIR, 'repositories', app.uuid)];
        await until(() => !left.some(existsSync));
        for (const folder of [sites, join(DATA_DIR, 'repositories')]) {
          await until(async () => (await readdir(join(folder, 'trash'))).length === 0, 120_000);
        }
        await until(() => commandsMarked(`${DATA_DIR}/sites/`).length === usual);
        const { asked, slowest } = await asking.end();
        t.diagnostic(
          `${name}: ${code} after ${seconds.toFixed(1)} s; ${asked} requests to its neighbour answered, within ${slowest.toFixed(0)} ms; nothing left`,
        );
      }
      assert.doesNotMatch(server.output(), /could not be removed|unexpected/);
    } finally {
      server.child.kill('SIGTERM');
      await server.ended;
    }
  });
}

const pathOf = ({ address }: TestRepository) => new URL(address).pathname;

/** Asks for the neighbour's page and how the server is, again and again until the end, which gives the figures. */
function askAllTheTime(url: string, host: string) {
  let slowest = 0;
  const asking = repeatUntilEnded(async () => {
    const began = performance.now();
    assert.deepEqual(await visitSite(url, host), { status: 200, text: 'steady ' });
    assert.equal((await fetch(`${url}/healthz`)).status, 200);
    slowest = Math.max(slowest, performance.now() - began);
  }, 0);
  return { end: async () => ({ asked: await asking.end(), slowest }) };
}
