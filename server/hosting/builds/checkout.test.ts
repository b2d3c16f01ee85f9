import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import {
  appendFile,
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { LOG } from '../../../test/support/runtime.ts';
import { openTestSandbox } from '../../../test/support/sandbox.ts';
import { until } from '../../../test/support/until.ts';
import type { RuntimeFailure } from '../model/reasons/failure.ts';
import type { SourceRef } from '../model/source-ref.ts';
import { type CheckoutSettings, Checkouts } from './checkout.ts';

const SETTINGS = {
  appsGitProtocols: ['file' as const],
  appsGitCaFile: undefined,
  appsAllowPrivateHosts: false,
  appsCheckoutSeconds: 20,
  appsDiskMb: 50,
  appsBuildMemoryMb: 1024,
};
const NEVER = new AbortController().signal;
const noHostKeys = { hostKeys: async () => '', keepHostKeys: async () => {} };

async function open(settings: Partial<CheckoutSettings> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'simcha-git-'));
  const origin = join(folder, 'origin');
  const dataDir = join(folder, 'data');
  await mkdir(dataDir);
  // Another account reads the folder.
  await chmod(folder, 0o755);
  // The same with control groups: test/faults/hosting/hostile-git.test.ts.
  const sandbox = await openTestSandbox(join(dataDir, 'sites'));
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', origin, '-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args], {
      stdio: ['ignore', 'pipe', 'ignore'],
    }).toString();
  await mkdir(origin);
  git('init', '--quiet', '--initial-branch=main');
  let made = 0;
  const another = () => new Checkouts({ dataDir, ...SETTINGS, ...settings }, sandbox, noHostKeys, LOG);
  const checkouts = another();
  const at = {
    folder,
    origin,
    git,
    checkouts,
    /** Checkouts of the server's next run. */
    another,
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
    /** Fetches the newest commit; returns it with the folder of its files. */
    async bring(changes: object = {}) {
      const into = await at.empty();
      const notes: string[] = [];
      const where = { into, note: (line: string) => void notes.push(line) };
      return {
        ...(await checkouts.checkOut('app', { ...at.repository, ...changes }, where, NEVER)),
        into,
        notes,
      };
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
    [Symbol.asyncDispose]: async () => {
      await Promise.all([sandbox.close(), checkouts.close()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
  return at;
}

test('the newest commit of the branch is fetched and its files are placed, without a .git', async () => {
  await using at = await open();
  for (const title of ['first', 'second']) {
    const hash = await at.commit({ 'index.html': title }, `${title} line\n\nmore`);
    const { into, notes, ...commit } = await at.bring();
    assert.deepEqual(commit, { hash, message: `${title} line`, author: 'T' });
    assert.deepEqual(notes, []);
    assert.deepEqual(await readdir(into), ['index.html']);
    assert.equal(await readFile(join(into, 'index.html'), 'utf8'), title);
  }
});

test('a history that was rewritten, and a kept repository that broke, are no obstacle', async () => {
  await using at = await open();
  await at.commit({ 'index.html': 'a' }, 'a');
  await at.bring();
  at.git('commit', '--quiet', '--amend', '-m', 'b');
  assert.equal((await at.bring()).message, 'b');
  await rm(join(at.folder, 'data/repositories/app/objects'), { recursive: true });
  assert.equal((await at.bring()).message, 'b');
});

test('a repository that has come to lie in the server’s own data is not fetched', async () => {
  await using at = await open();
  await at.commit({ 'index.html': 'a' }, 'a');
  await rename(at.origin, join(at.folder, 'data', 'moved'));
  await symlink('data/moved', at.origin);
  await assert.rejects(at.bring(), { message: /is inside this server’s data folder/ });
});

test('what a git that was killed left locked keeps no commit from being brought, nor brought again', async () => {
  await using at = await open();
  const first = await at.commit({ 'index.html': 'a' }, 'a');
  await at.bring();
  await at.commit({ 'index.html': 'b' }, 'b');
  const kept = join(at.folder, 'data/repositories/app');
  const lock = async () => {
    for (const name of ['shallow.lock', 'refs/site/checkout.lock']) await writeFile(join(kept, name), '');
  };
  await lock();
  const into = await at.empty();
  await at.checkouts.checkOut('app', at.repository, { ref: { type: 'commit', name: first }, into }, NEVER);
  assert.equal(await readFile(join(into, 'index.html'), 'utf8'), 'a');
  await lock();
  assert.equal((await at.bring()).message, 'b');
});

test('a commit is brought by its hash, also an abbreviated one, a branch and a tag by their names', async () => {
  await using at = await open();
  const first = await at.commit({ 'index.html': 'first' }, 'first');
  at.git('tag', '-a', 'v1/β', '-m', 'annotated');
  at.git('tag', 'plain');
  await at.commit({ 'index.html': 'second' }, 'second');
  at.git('switch', '--quiet', '--create', 'other');
  const other = await at.commit({ 'index.html': 'other' }, 'other');
  const bring = async (type: SourceRef['type'], name: string) => {
    const into = await at.empty();
    const commit = await at.checkouts.checkOut('app', at.repository, { ref: { type, name }, into }, NEVER);
    return [commit.hash, await readFile(join(into, 'index.html'), 'utf8')];
  };
  for (const [type, name, hash, text] of [
    ['commit', first, first, 'first'],
    ['commit', other.slice(0, 7), other, 'other'],
    ['commit', first.slice(0, 12), first, 'first'],
    ['branch', 'other', other, 'other'],
    ['tag', 'v1/β', first, 'first'],
    ['tag', 'plain', first, 'first'],
  ] as const)
    assert.deepEqual(await bring(type, name), [hash, text], `${type} ${name}`);

  const prefix = twoCommitsAlike(at.git('rev-parse', 'HEAD^{tree}').trim(), (commit, branch) => {
    const file = join(at.folder, 'commit');
    writeFileSync(file, commit);
    at.git('update-ref', `refs/heads/${branch}`, at.git('hash-object', '-t', 'commit', '-w', file).trim());
  });
  for (const [type, name, code] of [
    ['commit', 'c0ffee'.padEnd(40, '0'), 'no_commit'],
    ['commit', 'c0ffee0', 'no_commit'],
    ['commit', prefix, 'ambiguous_commit'],
    ['branch', 'v1/β', 'no_branch'],
    ['tag', 'other', 'no_tag'],
  ] as const)
    await assert.rejects(bring(type, name), (error: RuntimeFailure) => {
      assert.equal(error.reason.code, code, `${type} ${name}: ${error.message}`);
      assert.match(error.message, new RegExp(name.slice(0, 7)));
      return true;
    });
  assert.deepEqual((await readdir(join(at.folder, 'data/repositories'))).sort(), ['app', 'trash']);
});

/** Stores two commits whose hashes begin with the same seven digits, which are returned. */
function twoCommitsAlike(tree: string, store: (commit: string, branch: string) => void): string {
  const seen = new Map<string, string>();
  for (let nonce = 0; ; nonce += 1) {
    const commit = `tree ${tree}\nauthor T <t@example.com> 1 +0000\ncommitter T <t@example.com> 1 +0000\n\n${nonce}\n`;
    const start = createHash('sha1').update(`commit ${commit.length}\0${commit}`).digest('hex').slice(0, 7);
    const alike = seen.get(start);
    if (alike !== undefined) {
      store(alike, 'one');
      store(commit, 'two');
      return start;
    }
    seen.set(start, commit);
  }
}

test('what can’t be fetched is said in a sentence that names nothing of this machine', async () => {
  await using at = await open();
  await at.commit({ 'index.html': 'a' }, 'a');
  await assert.rejects(at.bring({ branch: 'gone' }), {
    message: /^The repository has no branch "gone"\. Push it/,
  });
  await assert.rejects(at.bring({ address: `file://${at.folder}/none` }), /can’t be read: it does not exist/);
  await assert.rejects(at.bring({ address: 'ext::touch /tmp/x' }), /not allowed|could not/);
  await assert.rejects(
    at.bring({
      protocol: 'https',
      host: 'x.example',
      address: 'https://x.example/y.git',
      pinned: '127.0.0.1',
    }),
    /not allowed here/,
  );
});

test('submodules are fetched with theirs, by addresses beside the repository’s own', async () => {
  await using at = await open();
  await using library = await open();
  await using inner = await open();
  await inner.commit({ 'deep.txt': 'deep' }, 'inner');
  await library.commit({ 'lib.txt': 'one' }, 'library');
  const add = (to: typeof at, url: string, path: string) =>
    to.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '--quiet', url, path);
  add(library, inner.repository.address, 'inner');
  const pinned = await library.commit({}, 'with inner');
  await at.commit({ 'index.html': 'a' }, 'a');
  add(at, library.repository.address, 'vendor/a lib');
  const away = (await readFile(join(at.origin, '.gitmodules'), 'utf8')).replace(
    /url = .*/,
    `url = ../../${library.folder.split('/').at(-1)}/origin`,
  );
  await at.commit({ '.gitmodules': away }, 'b');
  // The submodule has moved on; its commit stays the same.
  await library.commit({ 'lib.txt': 'two' }, 'later');
  const { into, notes } = await at.bring();
  const read = (path: string) => readFile(join(into, 'vendor/a lib', path), 'utf8');
  assert.deepEqual([await read('lib.txt'), await read('inner/deep.txt')], ['one', 'deep']);
  assert.deepEqual((await readdir(join(into, 'vendor/a lib'))).sort(), ['.gitmodules', 'inner', 'lib.txt']);
  assert.deepEqual(
    notes.map((note) => note.replace(/[0-9a-f]{12} from .*/, '…')),
    ['Submodule vendor/a lib: commit …', 'Submodule vendor/a lib/inner: commit …'],
  );
  assert.match(notes[0] ?? '', new RegExp(pinned.slice(0, 12)));

  // A permanent lock is no obstacle here either.
  const lock = join(at.folder, 'data/repositories/app/refs/submodules');
  await mkdir(lock, { recursive: true });
  await writeFile(join(lock, '1.lock'), '');
  await library.commit({ 'lib.txt': 'three' }, 'three');
  at.git(
    '-C',
    'vendor/a lib',
    '-c',
    'protocol.file.allow=always',
    'pull',
    '--quiet',
    library.repository.address,
    'main',
  );
  await at.commit({}, 'c');
  const again = await at.bring();
  assert.equal(await readFile(join(again.into, 'vendor/a lib/lib.txt'), 'utf8'), 'three');
});

test('a submodule that can’t be fetched is named with the reason', async () => {
  await using at = await open();
  await at.commit({ 'index.html': 'a' }, 'a');
  const link = (hash: string) => at.git('update-index', '--add', '--cacheinfo', `160000,${hash},lib`);
  const none = '1'.repeat(40);
  link(none);
  at.git('commit', '--quiet', '-m', 'b');
  assert.deepEqual((await at.bring()).notes, [
    'Submodule lib: no address in .gitmodules, so its folder stays empty',
  ]);
  for (const [url, why] of [
    ['https://127.0.0.1/x.git', /does not accept repositories by https\./],
    ['ext::touch x', /address is not allowed/],
    [`file://${at.folder}/data/repositories/app`, /inside this server’s data folder/],
    [at.repository.address, /has no commit 111111111111\. It may not have been pushed/],
  ] as const) {
    await writeFile(join(at.origin, '.gitmodules'), `[submodule "lib"]\n\tpath = lib\n\turl = ${url}\n`);
    at.git('add', '.gitmodules');
    at.git('commit', '--quiet', '-m', url);
    await assert.rejects(at.bring(), ({ message }: Error) => {
      assert.match(message, /^The submodule "lib" could not be fetched: /);
      assert.match(message, why);
      return true;
    });
  }
});

test('pointers of Git LFS are named', async () => {
  await using at = await open();
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 12\n`;
  const files = { '.gitattributes': '*.png filter=lfs diff=lfs merge=lfs -text\n', 'real.png': 'PNG' };
  await at.commit({ ...files, 'a.png': pointer, 'ä.png': pointer, 'page.txt': pointer }, 'pictures');
  assert.deepEqual((await at.bring()).notes, [
    'Git LFS: the content of 2 files was not fetched: a.png, ä.png. Commit such files without Git LFS.',
  ]);
});

test('neither hooks, nor filters, nor the machine’s configuration have a say', async () => {
  await using at = await open();
  const trap = join(at.folder, 'trap');
  await at.commit({ '.gitattributes': '*.html filter=trap', 'index.html': 'a' }, 'a');
  at.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '--quiet', at.repository.address, 'inner');
  await at.commit({}, 'with a submodule');
  await at.bring();
  const kept = join(at.folder, 'data/repositories/app');
  await mkdir(join(kept, 'hooks'), { recursive: true });
  for (const hook of ['post-checkout', 'reference-transaction', 'post-index-change']) {
    await writeFile(join(kept, 'hooks', hook), `#!/bin/sh\ntouch ${trap}\n`, { mode: 0o755 });
  }
  await writeFile(join(at.folder, '.gitconfig'), `[filter "trap"]\nsmudge = touch ${trap}\n`);
  process.env.HOME = at.folder;
  await at.commit({ 'index.html': 'b' }, 'b');
  const { into } = await at.bring();
  assert.equal(existsSync(trap), false);
  assert.deepEqual((await readdir(join(into, 'inner'))).sort(), ['.gitattributes', 'index.html']);
});

test('a repository that is too large or takes too long is given up', async () => {
  await using at = await open({ appsDiskMb: 2 });
  const noise = Array.from({ length: 200_000 }, () => Math.random()).join('\n');
  await at.commit({ 'index.html': 'a', noise, more: noise.replaceAll('0.', '1.') }, 'large');
  await assert.rejects(at.bring(), { message: 'The repository is larger than 2 MiB.' });

  await using slow = await open({ appsCheckoutSeconds: 0.001 });
  await slow.commit({ 'index.html': 'a' }, 'a');
  await assert.rejects(slow.bring(), /within 0.001 s/);
});

test('what a killed server left of keys is gone as the next one starts', async () => {
  await using at = await open();
  await at.commit({ 'index.html': 'x' }, 'first');
  const { into } = await at.bring();
  assert.deepEqual(await readdir(into), ['index.html']);
  const repositories = join(at.folder, 'data/repositories');
  const left = join(repositories, 'access-x1y2z3');
  await mkdir(left);
  await writeFile(join(left, 'key'), 'a deploy key');
  await at.checkouts.recover(NEVER);
  assert.deepEqual((await readdir(repositories)).sort(), ['app', 'trash']);
  await until(async () => (await readdir(join(repositories, 'trash'))).length === 0);
});

test('nobody waits for what is removed: its name is free at once, and the next life goes on with it', async () => {
  await using at = await open();
  await at.commit({ 'index.html': 'x' }, 'first');
  const repositories = join(at.folder, 'data/repositories');
  const kept = async (folder = '') => (await readdir(join(repositories, folder))).sort();
  // From here on it can't remove anything itself.
  await at.checkouts.close();
  await at.bring();
  assert.deepEqual(await kept(), ['app', 'trash'], 'where keys lay is out of the way');
  await at.checkouts.forget('app', NEVER);
  await mkdir(join(repositories, 'access-x1y2z3'));
  await at.checkouts.recover(NEVER);
  assert.deepEqual(await kept(), ['trash']);
  assert.equal((await kept('trash')).length, 3);
  const next = at.another();
  await next.recover(NEVER);
  await until(async () => (await kept('trash')).length === 0);
  await next.close();
});

test('whoever gets git to run a command sees the repository and the checkout, and nothing else of the machine', async () => {
  await using at = await open();
  await at.commit({ '.gitattributes': '*.html filter=trap', 'index.html': 'a' }, 'a');
  await at.bring();
  const data = join(at.folder, 'data');
  await writeFile(join(data, 'jwt-secret'), 'the secret');
  await mkdir(join(data, 'repositories/other'));
  process.env.SIMCHA_CANARY = 'a secret of the server';
  const attempts = [
    `cat ${data}/jwt-secret`,
    `ls ${data}/repositories/other`,
    'cat /etc/shadow',
    `kill -0 ${process.pid}`,
    'test $(ls -d /proc/[0-9]* | wc -l) -gt 20',
    'cat /proc/*/environ | grep CANARY',
    'test $(id -u) = 0',
    'ip route get 1.1.1.1',
  ];
  const script = attempts.map((attempt, n) => `if ${attempt}; then echo GOT ${n}; fi`).join('\n');
  const kept = join(data, 'repositories/app');
  await writeFile(join(kept, 'trap.sh'), `(${script}) 2>/dev/null; echo tried`);
  // Git may write to the stored repository, so a compromised git could leave anything there.
  await appendFile(join(kept, 'config'), '[filter "trap"]\n\tsmudge = sh $GIT_DIR/trap.sh\n');
  const { into } = await at.bring();
  assert.equal(await readFile(join(into, 'index.html'), 'utf8'), 'tried\n');
});

test('a repository’s host is reached by its own address alone', async () => {
  await using at = await open({ appsGitProtocols: ['git'] });
  await using theirs = await listening();
  await using ours = await listening();
  const kept = join(at.folder, 'data/repositories/app');
  await mkdir(kept, { recursive: true });
  execFileSync('git', ['init', '--quiet', '--bare', kept]);
  const own = Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address));
  const tries = own.flatMap((address) =>
    [theirs.port, ours.port].map(
      (port) => `timeout 2 bash -c 'echo ${address} > /dev/tcp/${address}/${port}'`,
    ),
  );
  // The address belongs to nobody: a closed network refuses at once.
  const far = `timeout 2 bash -c 'echo > /dev/tcp/192.0.2.1/443' 2>&1 | grep -q 'not permitted'`;
  const tell = `timeout 2 bash -c 'echo closed > /dev/tcp/127.0.0.1/${theirs.port}'`;
  const script = ['#!/bin/sh', ...tries, `${far} && ${tell}`, ''];
  await writeFile(join(kept, 'proxy'), script.join('\n'), { mode: 0o755 });
  await appendFile(join(kept, 'config'), '[core]\n\tgitProxy = /repository/proxy\n');
  const { port } = theirs;
  const address = `git://127.0.0.1:${port}/site.git`;
  const repository = { ...at.repository, protocol: 'git' as const, host: '127.0.0.1', port, address };
  await assert.rejects(at.bring({ ...repository, pinned: '127.0.0.1' }));
  // The stored repository is then discarded, and git itself connects.
  assert.deepEqual(theirs.heard.slice(0, -1), ['127.0.0.1\n', 'closed\n']);
  assert.match(theirs.heard.at(-1) ?? '', /git-upload-pack/);
  assert.deepEqual(ours.heard, []);
});

/** A server on this machine, with the first data of each connection. */
async function listening() {
  const heard: string[] = [];
  const server = createServer((socket) => {
    let said = '';
    socket
      .on('error', () => {})
      .on('data', (bytes) => {
        said += bytes;
        if (/[\n\0]/.test(said)) socket.end();
      })
      .on('close', () => heard.push(said));
  }).listen(0, '0.0.0.0');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    heard,
    [Symbol.asyncDispose]: async () => {
      server.close();
    },
  };
}
