import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { newDeployKey } from '../../server/hosting/applications/deploy-key.ts';
import { judgeRepository } from '../../server/hosting/applications/repository.ts';
import { Checkouts } from '../../server/hosting/builds/checkout.ts';
import type { Client } from '../support/client.ts';
import { newApplication, verifiedUser } from '../support/deployed.ts';
import { createShared, startHttpsGit, startSsh } from '../support/git-servers.ts';
import { spawnReadyServer } from '../support/process.ts';
import { openReconfigurableSite } from '../support/reconfigurable-site.ts';
import { LOG } from '../support/runtime.ts';
import { openTestSandbox } from '../support/sandbox.ts';
import { startServer, temporaryDatabase } from '../support/server.ts';
import { testInLane } from '../support/test-in-lane.ts';
import { until } from '../support/until.ts';

const NEVER = new AbortController().signal;
const page = (text: string) => ({ 'index.html': text });

testInLane(
  'by ssh: the deploy key opens a private repository, and a host with another key is refused',
  async () => {
    await using shared = await createShared(page('one'));
    await using ssh = await startSsh();
    await using server = await startServer('postgres', {
      env: { APPS_GIT_PROTOCOLS: 'ssh', APPS_ALLOW_PRIVATE_HOSTS: 'true', APPS_CHECKOUT_SECONDS: '20' },
      stays: true,
    });
    const user = await verifiedUser(server.url, server.dataDir);
    const address = `ssh://${ssh.user}@127.0.0.1:${ssh.port}${shared.bare}`;
    const app = await newApplication(user.call, server.url, address);
    const newKey = async () => (await app.call('POST', '/deploy-key')).body.deploy_key as string;

    const began = Date.now();
    assert.match((await app.deploy('failed')).reason, /does not exist, or it is private.* has no deploy key/);
    const key = await newKey();
    assert.match((await app.deploy('failed')).reason, /does not exist, or the deploy key has no access/);
    assert.ok(Date.now() - began < 15_000, 'nothing was waited for');

    await ssh.authorize(key);
    const live = await app.deploy();
    assert.equal((await app.visit()).text, 'one');
    assert.doesNotMatch(await app.log(live.deployment_uuid), /PRIVATE KEY|ssh-ed25519/);
    const hash = await shared.commit(page('two'));
    assert.equal((await app.deploy()).commit_hash, hash);
    assert.equal((await app.visit()).text, 'two');

    await ssh.changeHostKey();
    assert.match((await app.deploy('failed')).reason, /has changed, so nothing was fetched/);
    assert.equal((await app.visit()).text, 'two');
    const second = await newApplication(user.call, server.url, address);
    await ssh.authorize(key, (await second.call('POST', '/deploy-key')).body.deploy_key);
    await second.deploy();
    assert.match((await app.deploy('failed')).reason, /has changed, so nothing was fetched/);

    await ssh.authorize(await newKey());
    await app.deploy();
    const repositories = join(server.dataDir, 'repositories');
    assert.deepEqual(
      (await readdir(repositories)).filter((name) => name.startsWith('access-')),
      [],
      'no private key is left behind',
    );
    await until(async () => (await readdir(join(repositories, 'trash'))).length === 0);
  },
);

test('by https: credentials in the address open a private repository, and are never shown', async () => {
  const password = 'p@ss/wörd:7Kq2';
  const credentials = `noa:${encodeURIComponent(password)}`;
  const wrong = 'noa:wr0ng-7Kq2';
  await using shared = await createShared(page('one'));
  await using https = await startHttpsGit(shared.folder, `noa:${password}`);
  await using database = await temporaryDatabase('postgres');
  const server = await spawnReadyServer({
    ...database.env,
    LOG_LEVEL: 'trace',
    APPS_ALLOW_PRIVATE_HOSTS: 'true',
    APPS_GIT_CA_FILE: https.caFile,
  });
  const answers: string[] = [];
  try {
    const { DATA_DIR: dataDir } = database.env;
    const user = await verifiedUser(server.url, dataDir);
    const call: Client = async (...request) => {
      const answer = await user.call(...request);
      answers.push(answer.text);
      return answer;
    };
    const at = (path: string, login = '') =>
      `https://${login && `${login}@`}localhost:${https.port}${path}/site.git`;

    const app = await newApplication(call, server.url, at('/open'));
    await app.deploy();
    assert.equal((await app.visit()).text, 'one');

    const outcome = async (repository: string, status: string) => {
      const changed = await app.call('PATCH', '', { repository });
      assert.equal(changed.status, 200, changed.text);
      return app.deploy(status);
    };
    assert.match((await outcome(at('/private'), 'failed')).reason, /or it is private\. Add a token/);
    assert.match((await outcome(at('/private', wrong), 'failed')).reason, /name and password .* no access/);
    const hash = await shared.commit(page('two'));
    assert.equal((await outcome(at('/private', credentials), 'live')).commit_hash, hash);
    assert.equal((await app.visit()).text, 'two');
    assert.equal((await app.call('GET')).body.repository, at('/private'));

    const before = https.asked.length;
    assert.match((await outcome(at('/moved', credentials), 'failed')).reason, /it has moved/);
    const since = https.asked.slice(before);
    assert.ok(since.length > 0 && since.every((path) => path.startsWith('/moved/')), since.join());

    for (const repository of [`${at('/open', credentials)}?`, `ssh://${credentials}@localhost/site.git`]) {
      assert.equal((await app.call('PATCH', '', { repository })).status, 400);
    }
    await app.call('GET', '/deployments');

    const basic = (login: string) => Buffer.from(login).toString('base64');
    const secrets = ['7Kq2', basic(`noa:${password}`), basic(wrong)];
    for (const secret of secrets) {
      assert.ok(!answers.join('\n').includes(secret), 'in an answer');
      assert.ok(!server.output().includes(secret), 'in the server’s log');
      const { stdout } = spawnSync('grep', ['-rFl', '--', secret, dataDir], { encoding: 'utf8' });
      assert.equal(stdout, '', 'in the data folder');
    }
  } finally {
    server.child.kill('SIGTERM');
    await server.ended;
  }
});

testInLane(
  'git connects to the address that was checked, whatever the name leads to, and trusts no unknown certificate',
  async () => {
    await using shared = await createShared(page('one'));
    await using https = await startHttpsGit(shared.folder, 'noa:x');
    await using ssh = await startSsh();
    const { publicKey, privateKey } = await newDeployKey('a test');
    await ssh.authorize(publicKey);
    const dataDir = await mkdtemp(join(tmpdir(), 'simcha-git-100%h '));
    const sandbox = await openTestSandbox(join(dataDir, 'sites'));
    let known = '';
    const bring = async (address: string, appsGitCaFile?: string) => {
      const judged = judgeRepository(address, ['https', 'ssh']);
      assert.ok('host' in judged);
      const settings = {
        dataDir,
        appsGitCaFile,
        appsGitProtocols: ['https' as const, 'ssh' as const],
        appsCheckoutSeconds: 20,
        appsDiskMb: 50,
        appsBuildMemoryMb: 256,
        appsAllowPrivateHosts: false,
      };
      const repository = { ...judged, branch: 'main', pinned: '127.0.0.1', privateKey };
      const met = {
        hostKeys: async () => known,
        async keepHostKeys(_: string, keys: string) {
          known = keys;
        },
      };
      const into = await mkdtemp(join(dataDir, 'checkout-'));
      return new Checkouts(settings, sandbox, met, LOG).checkOut('app', repository, { into }, NEVER);
    };
    try {
      const byHttps = `https://git.simcha.test:${https.port}/open/site.git`;
      assert.equal((await bring(byHttps, https.caFile)).message, 'The first');
      await assert.rejects(bring(byHttps), /the certificate of its host is not trusted/);
      const bySsh = `ssh://${ssh.user}@git.simcha.test:${ssh.port}${shared.bare}`;
      assert.equal((await bring(bySsh)).message, 'The first');
      assert.match(known, new RegExp(`^\\[git\\.simcha\\.test\\]:${ssh.port} ssh-`, 'm'));
    } finally {
      await sandbox.close();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
);

testInLane('a commit is brought from a host that sends none by its hash', async () => {
  await using shared = await createShared(page('0'));
  await using https = await startHttpsGit(shared.folder, 'noa:secret');
  const hashes: string[] = [];
  for (let i = 1; i <= 60; i += 1) hashes.push(await shared.commit(page(`${i}`)));
  const dataDir = await mkdtemp(join(tmpdir(), 'simcha-withheld-'));
  const sandbox = await openTestSandbox(join(dataDir, 'sites'));
  const settings = {
    dataDir,
    appsGitCaFile: https.caFile,
    appsGitProtocols: ['https' as const],
    appsCheckoutSeconds: 20,
    appsDiskMb: 50,
    appsBuildMemoryMb: 256,
    appsAllowPrivateHosts: true,
  };
  const met = { hostKeys: async () => '', keepHostKeys: async () => {} };
  const checkouts = new Checkouts(settings, sandbox, met, LOG);
  const main = judgeRepository(`https://127.0.0.1:${https.port}/withholding/site.git`, ['https']);
  assert.ok('host' in main);
  const repository = { ...main, branch: 'main', pinned: '127.0.0.1', privateKey: undefined };
  const bring = async (name: string) => {
    const into = await mkdtemp(join(dataDir, 'checkout-'));
    await checkouts.checkOut('app', repository, { ref: { type: 'commit', name }, into }, NEVER);
    return readFile(join(into, 'index.html'), 'utf8');
  };
  try {
    // The newest commit, one among the newest fifty, an abbreviated one and one before the newest fifty.
    for (const [index, digits] of [
      [60, 40],
      [30, 40],
      [20, 9],
      [2, 40],
    ] as const)
      assert.equal(await bring(hashes[index - 1]?.slice(0, digits) ?? ''), `${index}`);
    await assert.rejects(bring('c0ffee'.padEnd(40, '0')), { message: /has no commit c0ffee000000\./ });
  } finally {
    await sandbox.close();
    await rm(dataDir, { recursive: true, force: true });
  }
});

testInLane('a submodule gets the credentials of the repository on its server alone', async () => {
  await using shared = await createShared(page('one'));
  await using library = await createShared({ 'lib.txt': 'library' });
  await using https = await startHttpsGit(shared.folder, 'noa:secret');
  execFileSync('git', ['clone', '--quiet', '--bare', library.bare, join(shared.folder, 'lib.git')]);
  const hash = await library.commit({}, 'newest');
  execFileSync('git', ['-C', join(shared.folder, 'lib.git'), 'fetch', '--quiet', 'origin', 'main:main']);
  // A stranger's, whose submodule is the owner's, by its whole address.
  await using theme = await createShared({ 'theme.txt': 'theme' });
  const themeHash = theme.point('inner', hash, `https://127.0.0.1:${https.port}/private/lib.git`);
  execFileSync('git', ['clone', '--quiet', '--bare', theme.bare, join(shared.folder, 'theme.git')]);
  const dataDir = await mkdtemp(join(tmpdir(), 'simcha-submodules-'));
  const sandbox = await openTestSandbox(join(dataDir, 'sites'));
  const settings = {
    dataDir,
    appsGitCaFile: https.caFile,
    appsGitProtocols: ['https' as const],
    appsCheckoutSeconds: 20,
    appsDiskMb: 50,
    appsBuildMemoryMb: 256,
    appsAllowPrivateHosts: true,
  };
  const met = { hostKeys: async () => '', keepHostKeys: async () => {} };
  const checkouts = new Checkouts(settings, sandbox, met, LOG);
  const main = judgeRepository(`https://noa:secret@127.0.0.1:${https.port}/private/site.git`, ['https']);
  assert.ok('host' in main);
  const repository = { ...main, branch: 'main', pinned: '127.0.0.1', privateKey: undefined };
  const bring = async (url: string, commit = hash, file = 'lib/lib.txt') => {
    shared.point('lib', commit, url);
    const into = await mkdtemp(join(dataDir, 'checkout-'));
    await checkouts.checkOut('app', repository, { into }, NEVER);
    return readFile(join(into, file), 'utf8');
  };
  try {
    for (const url of ['../lib.git', 'git@127.0.0.1:private/lib.git']) {
      assert.equal(await bring(url), 'library');
    }
    const elsewhere = `https://localhost:${https.port}`;
    assert.equal(await bring(`${elsewhere}/open/lib.git`), 'library');
    await assert.rejects(bring(`${elsewhere}/private/lib.git`), {
      message: /^The submodule "lib" could not be fetched: .* or it is private\. Add a token/,
    });
    assert.equal(await bring('../theme.git', themeHash, 'lib/inner/lib.txt'), 'library');
    await assert.rejects(bring(`${elsewhere}/open/theme.git`, themeHash), {
      message: /^The submodule "lib\/inner" could not be fetched: .* or it is private\. Add a token/,
    });
  } finally {
    await sandbox.close();
    await rm(dataDir, { recursive: true, force: true });
  }
});

testInLane('a protocol that is not accepted any more is named, with those that are', async () => {
  await using site = await openReconfigurableSite(page('one'), {});
  await site.app.deploy();
  await site.move({ APPS_GIT_PROTOCOLS: 'https,ssh' });
  assert.match(
    (await site.app.deploy('failed')).reason,
    /does not accept repositories by file\. Use an address with one of: https, ssh\.$/,
  );
});
