import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createWarden } from '../walls/limits.ts';
import { type CheckoutSettings, createCheckouts } from './checkout.ts';

const SETTINGS = {
  appsGitProtocols: ['file' as const],
  appsGitCaFile: undefined,
  appsCheckoutSeconds: 20,
  appsDiskMb: 50,
  appsBuildMemoryMb: 1024,
};
/** With control groups: test/hosting/hostile-git.test.ts. */
const WARDENS = { warden: createWarden(), groups: undefined };
const NEVER = new AbortController().signal;
const noHostKeys = { hostKeys: async () => '', keepHostKeys: async () => {} };

async function open(settings: Partial<CheckoutSettings> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'simcha-git-'));
  const origin = join(folder, 'origin');
  const dataDir = join(folder, 'data');
  await mkdir(dataDir);
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', origin, '-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args], {
      stdio: ['ignore', 'pipe', 'ignore'],
    }).toString();
  await mkdir(origin);
  git('init', '--quiet', '--initial-branch=main');
  let made = 0;
  return {
    folder,
    origin,
    git,
    checkouts: createCheckouts({ dataDir, ...SETTINGS, ...settings }, WARDENS, noHostKeys),
    repository: {
      protocol: 'file' as const,
      host: '',
      port: undefined,
      address: `file://${origin}`,
      branch: 'main',
      pinned: undefined,
      credentials: undefined,
      privateKey: undefined,
    },
    async commit(files: Record<string, string>, message: string) {
      for (const [path, text] of Object.entries(files)) await writeFile(join(origin, path), text);
      git('add', '-A');
      git('commit', '--quiet', '-m', message);
      return git('rev-parse', 'HEAD').trim();
    },
    async empty() {
      made += 1;
      const into = join(folder, `checkout-${made}`);
      await mkdir(into);
      return into;
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

test('the newest commit of the branch is fetched and its files are placed, without a .git', async () => {
  await using at = await open();
  for (const title of ['first', 'second']) {
    const hash = await at.commit({ 'index.html': title }, `${title} line\n\nmore`);
    const commit = await at.checkouts.fetch('app', at.repository, NEVER);
    assert.deepEqual(commit, { hash, message: `${title} line` });
    const into = await at.empty();
    await at.checkouts.place('app', commit, into, NEVER);
    assert.deepEqual(await readdir(into), ['index.html']);
    assert.equal(await readFile(join(into, 'index.html'), 'utf8'), title);
  }
});

test('a history that was rewritten, and a kept repository that broke, are no obstacle', async () => {
  await using at = await open();
  await at.commit({ 'index.html': 'a' }, 'a');
  await at.checkouts.fetch('app', at.repository, NEVER);
  at.git('commit', '--quiet', '--amend', '-m', 'b');
  assert.equal((await at.checkouts.fetch('app', at.repository, NEVER)).message, 'b');
  await rm(join(at.folder, 'data/repositories/app/objects'), { recursive: true });
  assert.equal((await at.checkouts.fetch('app', at.repository, NEVER)).message, 'b');
});

test('what can’t be fetched is said in a sentence that names nothing of this machine', async () => {
  await using at = await open();
  await at.commit({ 'index.html': 'a' }, 'a');
  const fetch = (changes: object) => at.checkouts.fetch('app', { ...at.repository, ...changes }, NEVER);
  await assert.rejects(fetch({ branch: 'gone' }), { message: 'The repository has no branch "gone".' });
  await assert.rejects(
    fetch({ address: `file://${at.folder}/none` }),
    /could not be read: it does not exist/,
  );
  await assert.rejects(fetch({ address: 'ext::touch /tmp/x' }), /not allowed|could not/);
  await assert.rejects(
    fetch({ protocol: 'https', host: 'x.example', address: 'https://x.example/y.git', pinned: '127.0.0.1' }),
    /not allowed here/,
  );
});

test('neither hooks, nor filters, nor submodules, nor the machine’s configuration have a say', async () => {
  await using at = await open();
  const trap = join(at.folder, 'trap');
  await at.commit({ '.gitattributes': '*.html filter=trap', 'index.html': 'a' }, 'a');
  at.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '--quiet', at.repository.address, 'inner');
  await at.commit({}, 'with a submodule');
  await at.checkouts.fetch('app', at.repository, NEVER);
  const kept = join(at.folder, 'data/repositories/app');
  await mkdir(join(kept, 'hooks'), { recursive: true });
  for (const hook of ['post-checkout', 'reference-transaction', 'post-index-change']) {
    await writeFile(join(kept, 'hooks', hook), `#!/bin/sh\ntouch ${trap}\n`, { mode: 0o755 });
  }
  await writeFile(join(at.folder, '.gitconfig'), `[filter "trap"]\nsmudge = touch ${trap}\n`);
  process.env.HOME = at.folder;
  await at.commit({ 'index.html': 'b' }, 'b');
  const commit = await at.checkouts.fetch('app', at.repository, NEVER);
  const into = await at.empty();
  await at.checkouts.place('app', commit, into, NEVER);
  assert.equal(existsSync(trap), false);
  assert.deepEqual(await readdir(join(into, 'inner')), []);
});

test('a repository that is too large or takes too long is given up', async () => {
  await using at = await open({ appsDiskMb: 2 });
  const noise = Array.from({ length: 200_000 }, () => Math.random()).join('\n');
  await at.commit({ 'index.html': 'a', noise, more: noise.replaceAll('0.', '1.') }, 'large');
  const into = await at.empty();
  const whole = (async () => {
    const commit = await at.checkouts.fetch('app', at.repository, NEVER);
    await at.checkouts.place('app', commit, into, NEVER);
  })();
  await assert.rejects(whole, { message: 'The repository is larger than 2 MiB.' });

  await using slow = await open({ appsCheckoutSeconds: 0.001 });
  await slow.commit({ 'index.html': 'a' }, 'a');
  await assert.rejects(slow.checkouts.fetch('app', slow.repository, NEVER), /within 0.001 s/);
});

test('what a killed server left of a checkout is gone after the next one', async () => {
  await using at = await open();
  await at.commit({ 'index.html': 'x' }, 'first');
  const commit = await at.checkouts.fetch('app', at.repository, NEVER);
  const repository = join(at.folder, 'data/repositories/app');
  const clean = await readdir(repository);
  for (const name of ['index-1-abc', 'index-1-abc.lock']) await writeFile(join(repository, name), 'x');
  const into = await at.empty();
  await at.checkouts.place('app', commit, into, NEVER);
  assert.deepEqual(await readdir(into), ['index.html']);
  assert.deepEqual(await readdir(repository), clean);
});
