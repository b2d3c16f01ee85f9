import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { removeTree } from '../../../server/hosting/sandbox/disk.ts';
import { newId } from '../../../server/kernel/identifiers.ts';
import { campaign } from '../../support/campaign.ts';
import { newApplication, verifiedUser } from '../../support/deployed.ts';
import { createRepository } from '../../support/git.ts';
import { spawnReadyServer } from '../../support/process.ts';
import { temporaryDatabase } from '../../support/server.ts';
import { type UnprivilegedUser, unprivilegedUser } from '../../support/unprivileged-user.ts';
import { until } from '../../support/until.ts';

const SETTINGS = {
  APPS_GIT_PROTOCOLS: 'file',
  APPS_ISOLATION: 'sandbox',
  APPS_DISK_MB: '32',
  APPS_HEALTH_SECONDS: '10',
  RATE_LIMIT: '1000000',
};

/** Folders within folders, to paths some 20,000 characters long. */
const DEEP = `node -e "for (let i = 0; i < 100; i++) { fs.mkdirSync('d'.repeat(200)); process.chdir('d'.repeat(200)); }"`;
/** Folders nobody may look into, or add to. */
const CLOSED =
  'for m in 000 300 555; do mkdir -p $m/a/b; touch $m/a/b/c; chmod $m $m/a/b; chmod $m $m/a; chmod $m $m; done';
const everywhere = (script: string) => `(${script}); cd ~; (${script})`;
const fill = (folder: string) =>
  `mkdir -m 300 ${folder}; for i in 1 2 3; do head -c 20000000 /dev/zero > ${folder}/$i; done; sleep 60`;

const PAGE = 'mkdir dist; cp index.html dist; cd dist';

const BUILDS: { root?: string; build: string; status: 'live' | 'failed'; log?: RegExp }[] = [
  { build: everywhere(DEEP), status: 'live' },
  { build: everywhere(CLOSED), status: 'live' },
  { build: fill('d'), status: 'failed', log: /its output uses more than 32 MiB of disk/ },
  { build: fill('~/d'), status: 'failed', log: /its home folder uses more than 32 MiB of disk/ },
  { build: `${everywhere(CLOSED)}; chmod 000 /app ~; exit 1`, status: 'failed', log: /exited with code 1/ },
  { root: 'static', build: `${PAGE}; ${CLOSED}; chmod 000 ../dist`, status: 'live' },
  { root: 'static', build: `${PAGE}; ${DEEP}`, status: 'failed', log: /nested too deeply/ },
];

const USERS: [string, UnprivilegedUser | undefined][] = [
  ['the user of the tests', {}],
  ['an ordinary user', unprivilegedUser()],
];
/** What is closed to its user is harder to remove than what is closed to root. */
const hardest = USERS.filter(([, user]) => user).slice(-1);

for (const [who, user] of campaign(hardest, USERS)) {
  test(`whatever a build leaves behind, the server goes on, removes it, and starts again (${who})`, async (t) => {
    if (!user) return t.skip('no ordinary user can run node from here');
    await using database = await temporaryDatabase('postgres');
    await using repository = await createRepository({
      'static/index.html': 'up',
      'package.json': '{"scripts":{"start":"node server.js"}}',
      'server.js': 'require("http").createServer((_, r) => r.end("up")).listen(process.env.PORT)',
    });
    const { DATA_DIR } = database.env;
    const own = (folder: string) =>
      user.uid && execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, folder]);
    for (const folder of [DATA_DIR, new URL(repository.address).pathname]) own(folder);
    const sites = join(DATA_DIR, 'sites');
    const env = { ...database.env, ...SETTINGS };
    let server = await spawnReadyServer(env, user);
    try {
      const developer = await verifiedUser(server.url, DATA_DIR);
      for (const { status, log, ...settings } of BUILDS) {
        const app = await newApplication(developer.call, server.url, repository.address, settings);
        const { deployment_uuid } = await app.deploy(status);
        if (status === 'live') assert.equal((await app.visit()).text, 'up');
        if (log) assert.match(await app.log(deployment_uuid), log);
        // What the build left is in the way of the next one, too.
        await app.call('PATCH', '', { build: 'true' });
        await app.deploy();
        assert.equal((await app.call('DELETE')).status, 204);
        await until(() => !existsSync(join(sites, app.uuid)));
      }
      await until(async () => (await readdir(join(sites, 'trash'))).length === 0);

      server.child.kill('SIGTERM');
      assert.equal(await server.ended, 0, server.output());
      const left = join(sites, newId());
      for (const folder of [left, join(sites, 'trash', 'left')]) {
        execFileSync('mkdir', ['-p', folder]);
        execFileSync('/bin/sh', ['-c', DEEP], { cwd: folder, env: { PATH: process.env.PATH } });
        execFileSync('/bin/sh', ['-c', CLOSED], { cwd: folder });
        own(folder);
      }
      server = await spawnReadyServer(env, user);
      await until(() => !existsSync(left));
      await until(async () => (await readdir(join(sites, 'trash'))).length === 0);
      assert.doesNotMatch(server.output(), /could not be removed/);
    } finally {
      server.child.kill('SIGKILL');
      await server.ended;
      await removeTree(sites);
    }
  });
}
