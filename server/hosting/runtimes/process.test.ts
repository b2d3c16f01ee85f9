import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtempDisposable, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  answerOf,
  buildAndStart,
  buildSite,
  openRuntime,
  openRuntimeParts,
  originsOf,
  SETTINGS,
  type Site,
  serverCode,
  serverSite,
} from '../../../test/support/runtime.ts';
import { commandsMarked } from '../../../test/support/sandbox.ts';
import { until } from '../../../test/support/until.ts';
import { newId } from '../../kernel/identifiers.ts';
import type { Builder } from '../builds/builder.ts';
import { readSource } from '../detection/source.ts';
import { describeReason } from '../model/reasons/reason.ts';
import { siteFolders } from '../model/site-folders.ts';
import { openControlGroups } from '../sandbox/cgroups.ts';
import { createWarden } from '../sandbox/limits.ts';
import { processesMarked } from '../sandbox/processes.ts';

for (const appsIsolation of ['sandbox', 'none'] as const) {
  test(`a site with a build step is built and answers (${appsIsolation})`, async () => {
    await using at = await openRuntime({ appsIsolation });
    const { instance } = await buildAndStart(at, {
      files: {
        'package.json': '{"scripts":{"build":"echo $GREETING > greeting","start":"node server.js"}}',
        'server.js': serverCode(`require('fs').readFileSync('greeting', 'utf8')`),
      },
      variables: { GREETING: 'שלום' },
    });
    assert.equal(await answerOf(instance), 'שלום\n');
  });

  test(`a site has a clean environment: its variables and what it needs (${appsIsolation})`, async () => {
    process.env.SIMCHA_CANARY = 'a secret of the server';
    await using at = await openRuntime({ appsIsolation });
    const { instance } = await buildAndStart(
      at,
      serverSite('JSON.stringify(Object.keys(process.env))', { TITLE: 'x', PORT: '1', HOME: '/etc' }),
    );
    const names = JSON.parse(await answerOf(instance)) as string[];
    const ours = ['SIMCHA_COMMIT', 'SIMCHA_DEPLOYMENT', 'SIMCHA_URL'];
    const frameworks = ['AUTH_URL', 'HOSTNAME', 'NEXTAUTH_URL', 'NODE_ENV', 'NODE_OPTIONS', 'ORIGIN'];
    const known = [
      'HOME',
      'HOST',
      'PATH',
      'PORT',
      'TITLE',
      'PYTHONUNBUFFERED',
      ...frameworks,
      ...ours,
    ].sort();
    // What the shell itself sets.
    assert.deepEqual(names.filter((name) => !['PWD', 'OLDPWD', 'SHLVL', '_'].includes(name)).sort(), known);
  });

  test(`a stopped site gets SIGTERM and ends; a deaf one is killed after its grace (${appsIsolation})`, async () => {
    await using at = await openRuntime({ appsIsolation });
    const polite = await buildAndStart(at, {
      files: {
        'server.js': `process.on('SIGTERM', () => { console.log('bye'); site.close() }); const site = ${serverCode('1')}`,
      },
      settings: { start: 'node server.js' },
    });
    await answerOf(polite.instance);
    await polite.instance.stop(10_000);
    assert.deepEqual(polite.lines, ['bye']);

    const deaf = await buildAndStart(at, {
      files: { 'server.js': `process.on('SIGTERM', () => {}); ${serverCode('1')}` },
      settings: { start: 'node server.js' },
    });
    await answerOf(deaf.instance);
    const began = performance.now();
    await deaf.instance.stop(300);
    assert.ok(performance.now() - began >= 290);
    assert.equal(describeReason(await deaf.instance.ended, 'en'), 'was stopped');
  });

  test(`what an earlier life left running is found and ended (${appsIsolation})`, async () => {
    await using at = await openRuntime({ appsIsolation });
    const { instance } = await buildAndStart(at, serverSite('1'));
    await answerOf(instance);
    assert.notEqual(commandsMarked(join(at.dataDir, 'sites/')).length, 0);
    await rm(join(at.dataDir, 'sites/lock'));
    const next = await openRuntimeParts({ ...SETTINGS, dataDir: at.dataDir, appsIsolation }, at.wardens);
    await next.runtime.recover();
    assert.deepEqual(commandsMarked(join(at.dataDir, 'sites/')), []);
    assert.deepEqual(await next.runtime.list(), []);
    await next.runtime.close();
  });
}

test('a site and its build can read neither the platform’s data, nor its environment, nor each other', async () => {
  process.env.SIMCHA_CANARY = 'a secret of the server';
  await using at = await openRuntime();
  await writeFile(join(at.dataDir, 'encryption-key'), 'the key');
  const other = await buildSite(at, { files: { 'index.html': 'x', 'secret.txt': 'theirs' } });
  const attempts = [
    `cat ${at.dataDir}/encryption-key`,
    `ls ${at.dataDir}/sites/${other.name.applicationId}`,
    `cat /proc/${process.pid}/environ /proc/1/environ | tr '\\0' '\\n' | grep CANARY`,
    `kill -0 ${process.pid}`,
    'cat /etc/shadow',
    'ls /root',
    'ls /home | grep -v site',
    'test $(ls -d /proc/[0-9]* | wc -l) -gt 20',
    'test $(id -u) = 0',
    'unshare -U true',
  ];
  const script = attempts.map((attempt, i) => `if ${attempt}; then echo GOT ${i}; fi`).join('\n');
  const built = await buildSite(at, {
    files: { 'try.sh': script, 'index.html': 'x' },
    settings: { build: 'sh try.sh 2>/dev/null; echo tried' },
  });
  assert.deepEqual(built.lines.slice(1), ['tried']);

  const site = await buildAndStart(at, {
    files: { 'try.sh': script },
    settings: { start: 'sh try.sh 2>/dev/null; echo tried; touch /runtime/bin/x || echo read-only' },
  });
  await site.instance.ended;
  assert.deepEqual(
    site.lines.filter((line) => !line.includes('touch')),
    ['tried', 'read-only'],
  );
});

test('variables stand in no list of processes, and none of them reaches what stands outside the sandbox', async () => {
  await using at = await openRuntime();
  const { instance } = await buildAndStart(
    at,
    serverSite(`require('fs').readFileSync('/proc/1/cmdline', 'latin1')`, {
      PASSWORD: 'hunter2-hunter2',
      LD_PRELOAD: '/app/evil.so',
    }),
  );
  assert.doesNotMatch(await answerOf(instance), /hunter2/);
});

test('a static site is what its build left, and nothing else is kept', async () => {
  await using at = await openRuntime();
  const { name, artifact } = await buildSite(at, {
    files: {
      'index.html': 'source',
      'package.json': '{"scripts":{"build":"mkdir dist && echo built > dist/index.html"}}',
    },
  });
  assert.deepEqual(artifact, { kind: 'files' });
  const folder = siteFolders(at.dataDir).site(name);
  assert.deepEqual(await readdir(folder), ['index.html']);
  assert.deepEqual(await readdir(join(folder, '..')), ['site']);
});

test('a release of which nothing is left is none', async () => {
  await using at = await openRuntime();
  for (const site of [{ files: { 'index.html': 'x' } }, serverSite('1')]) {
    const { name, artifact } = await buildSite(at, site);
    assert.ok(await at.builder.has(name, artifact));
    const release = siteFolders(at.dataDir);
    const folder = artifact.kind === 'files' ? release.site(name) : release.source(name);
    for (const left of await readdir(folder)) await rm(join(folder, left));
    assert.ok(!(await at.builder.has(name, artifact)));
    await rm(folder, { recursive: true });
    assert.ok(!(await at.builder.has(name, artifact)));
  }
});

test('a cancelled deployment gets no workspace', async () => {
  await using at = await openRuntime();
  const name = { applicationId: newId(), buildId: newId() };
  await assert.rejects(at.builder.workspace(name, AbortSignal.abort('cancelled')), /^cancelled$/);
});

test('a static site can’t lead out of its folder', async () => {
  await using at = await openRuntime();
  const attempt = (target: string, path: string) =>
    buildSite(at, {
      files: { 'index.html': 'x' },
      prepare: (folder) => symlink(target, join(folder, path)),
    });
  await assert.rejects(attempt('/etc/passwd', 'page.html'), /link "page.html" leads out/);
  await assert.rejects(attempt('../../..', 'up'), /link "up" leads out/);
  await attempt('index.html', 'same.html');
  // None of them is gone through: the whole machine would be, and no end of paths.
  await assert.rejects(attempt('/', 'all'), /link "all" leads out/);
  await attempt('.', 'again');
  await attempt('gone', 'nowhere');
});

test('a build that fails, takes too long, too much memory, or too much disk ends with the reason', async () => {
  await using roomy = await openRuntime();
  const attempt = (command: string, works: { builder: Builder }) =>
    buildSite(works, { files: { 'index.html': 'x', 'eat.js': EAT }, settings: { build: command } });
  await assert.rejects(attempt('exit 3', roomy), /`exit 3` exited with code 3/);
  await using short = await openRuntime({ appsBuildSeconds: 1 });
  await assert.rejects(attempt('sleep 60', short), /exceeded its time limit of 1 s/);

  await using small = await openRuntime({ appsBuildMemoryMb: 128, appsDiskMb: 16 });
  await assert.rejects(attempt('node eat.js', small), /memory limit for builds of 128 MiB/);
  await assert.rejects(
    attempt('for i in 1 2 3; do head -c 9000000 /dev/urandom > $i; done; sleep 60', small),
    /16 MiB of disk/,
  );
  await assert.rejects(attempt('head -c 20000000 /dev/zero > big', small), /SIGXFSZ|exited with code/);
  // So many take more memory than a small build may have.
  await assert.rejects(
    attempt('for i in $(seq 1100); do sleep 60 & done; wait', roomy),
    /its limit of 1000 processes/,
  );
});

test('each build has the whole time, whatever the one before it took', async () => {
  await using at = await openRuntime({ appsBuildSeconds: 10 });
  for (let turn = 1; turn <= 2; turn += 1) {
    await buildSite(at, { files: { 'index.html': 'x' }, settings: { build: 'sleep 5.5' } });
  }
});

const EAT = 'const kept = []; setInterval(() => kept.push(Buffer.alloc(2e7, 1)), 50);';

test('a cancelled build ends at once, and nothing of it goes on', async () => {
  await using at = await openRuntime();
  const cancel = new AbortController();
  const building = buildSite(at, {
    files: { 'index.html': 'x' },
    settings: { build: 'sleep 60 & sleep 60' },
    signal: cancel.signal,
  });
  const running = () => commandsMarked(`${at.dataDir}/sites/`);
  await until(() => running().length > 0);
  cancel.abort(new Error('cancelled'));
  await assert.rejects(building, /cancelled/);
  assert.deepEqual(running(), []);
});

for (const appsIsolation of ['sandbox', 'none'] as const) {
  test(`whoever waits for a site can be told where it listens instead (${appsIsolation})`, async () => {
    await using at = await openRuntime({ appsIsolation });
    const listen = (...ports: string[]) =>
      buildAndStart(at, {
        files: { 'x.js': `for (const port of [${ports}]) require('net').createServer().listen(port)` },
        settings: { start: 'node x.js' },
      });
    // Below those that the system gives out: without a sandbox they are this machine's, and others may hold them.
    const [right, wrong] = [await listen('process.env.PORT'), await listen('23671', '23672')];
    const heard = async ({ instance }: typeof right) => at.instances.listening(instance.id);
    await until(async () => (await heard(right))?.length === 1 && (await heard(wrong))?.length === 2);
    assert.deepEqual(await heard(right), [right.instance.port]);
    assert.deepEqual(await heard(wrong), [23671, 23672]);
  });
}

for (const appsIsolation of ['sandbox', 'none'] as const) {
  test(`a build’s temporary files are on the disk, count as what it makes, and go with it (${appsIsolation})`, async () => {
    await using at = await openRuntime({ appsIsolation, appsDiskMb: 400 });
    const builds = async ({ applicationId, buildId }: { applicationId: string; buildId: string }) =>
      readdir(join(at.dataDir, 'sites', applicationId, 'builds', buildId));
    const name = { applicationId: newId(), buildId: newId() };
    // As mktemp(1) finds it.
    const fill = 'head -c 300000000 /dev/zero > "$(mktemp)" && echo fits';
    const { lines } = await buildSite(
      at,
      {
        files: { 'x.js': '' },
        settings: { install: fill, build: 'cat $(dirname "$(mktemp)")/* | wc -c', start: 'true' },
      },
      name,
    );
    assert.deepEqual(lines.slice(1), ['fits', lines[2], '300000000']);
    assert.deepEqual((await builds(name)).sort(), ['source', 'whole']);
    await assert.rejects(
      buildSite(at, { files: { 'index.html': '' }, settings: { build: `${fill}; ${fill}; sleep 60` } }),
      /was stopped: its output uses more than 400 MiB of disk/,
    );
  });
}

test('a build that has too little memory says how much there is and who can change it; any says how much it took', async (t) => {
  if (!openControlGroups(tmpdir())) return t.skip('no control groups can be made here');
  await using at = await openRuntime({ appsBuildMemoryMb: 128 });
  const of = (command: string, variables = {}) =>
    buildSite(at, { files: { 'index.html': '' }, settings: { build: command }, variables });
  const whole = `perl -e '$x = "x" x (20 << 20); print "done\n"'`;
  const { memory } = await of(whole);
  const [, peak] = /^Peak memory: (\d+) of 128 MiB, /.exec(memory.join()) ?? [];
  assert.ok(Number(peak) > 20 && Number(peak) <= 128, memory.join());
  await assert.rejects(of(whole.replace('20 <<', '200 <<')), {
    message: /exceeded the memory limit for builds of 128 MiB and was stopped \(.* APPS_BUILD_MEMORY_MB\)/,
  });
  const SMALL = { NODE_OPTIONS: '--max-old-space-size=30' };
  await assert.rejects(of(`node -e 'for (const all = []; ; ) all.push({ at: all.length })'`, SMALL), {
    message: /ran out of memory: Node.js gets three quarters of a build’s 128 MiB, .* APPS_BUILD_MEMORY_MB\)/,
  });
});

test('what a killed server had just begun ends with it, however far its sandbox stood', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'simcha-begun-'));
  const home = join(folder.path, 'sites/begun');
  await mkdir(home, { recursive: true });
  const from = (name: string) => new URL(`../sandbox/${name}`, import.meta.url).href;
  const server = `
    import { chooseIsolation } from '${from('isolation.ts')}';
    import { NetworkPool } from '${from('network-pool.ts')}';
    const place = { folder: '${folder.path}', below: '', home: '${home}', writable: false, variables: {} };
    const settings = ${JSON.stringify({ ...SETTINGS, appsIsolation: 'sandbox', dataDir: folder.path })};
    const isolation = await chooseIsolation(settings, '${folder.path}');
    const networkPool = new NetworkPool({ isolation, home: '${home}/grounds' });
    const all = await Promise.all(Array.from({ length: 8 }, () => networkPool.open({})));
    for (const { network: { joins }, parked } of all) {
      parked.becomeCommand(isolation.confine({ ...place, command: 'sleep 60', joins, mostFileBytes: 1e6 }));
      parked.child.stdout.resume();
      networkPool.open({ target: { address: '127.0.0.1', port: 9 } }).catch(() => {});
    }
    process.stdout.write('begun');`;
  for (let ms = 0; ms < 12; ms += 4) {
    const child = spawn(process.execPath, ['--input-type=module', '-e', server], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    await sleep(ms);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await until(() => commandsMarked(`${home}/`).length === 0, 10_000);
  }
  const settings = { dataDir: folder.path, ...SETTINGS, appsIsolation: 'sandbox' } as const;
  const { runtime } = await openRuntimeParts(settings, { warden: createWarden(), groups: undefined });
  await runtime.recover();
  assert.deepEqual(processesMarked(home), []);
  await runtime.close();
});

for (const appsIsolation of ['sandbox', 'none'] as const) {
  test(`npm has its settings, and a build’s own go before them (${appsIsolation})`, async () => {
    await using at = await openRuntime({ appsIsolation });
    const tell = 'npm config get fund; npm config get prefer-offline';
    const { lines } = await buildSite(at, {
      files: { 'index.html': 'x', '.npmrc': 'prefer-offline=false' },
      settings: { build: `${tell}; echo fund=true > ~/.npmrc; ${tell}` },
    });
    assert.deepEqual(lines.slice(1), ['false', 'false', 'true', 'false']);
  });
}

test('what a build puts into its home is never written to, and never waited for', async () => {
  await using at = await openRuntime();
  const secret = join(at.dataDir, 'jwt-secret');
  await writeFile(secret, 'the secret');
  const name = newId();
  const attempt = (command: string) =>
    buildSite(
      at,
      { files: { 'index.html': 'x' }, settings: { build: command } },
      { applicationId: name, buildId: newId() },
    );
  await attempt('ln -sf ../../../jwt-secret ~/.npmrc');
  assert.equal(await readFile(join(at.dataDir, 'sites', name, 'cache/.npmrc'), 'utf8'), 'the secret');
  const socket = `perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new(Local => "$ENV{HOME}/a/socket", Listen => 1) or die'`;
  await attempt(
    `rm ~/.npmrc; mkfifo ~/.npmrc; mkdir ~/a; mkfifo ~/a/.yarnrc; ln -s .yarnrc ~/a/link; ${socket}; touch ~/a/file`,
  );
  const left = 'cd ~; find . ! -type d | grep -v _logs | sort; npm config get fund';
  assert.deepEqual((await attempt(left)).lines.slice(1), ['./a/file', './a/link', 'false']);
  assert.equal(await readFile(secret, 'utf8'), 'the secret');
});

test('a source is read through no link that leads out of it, and no pipe is waited for', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'simcha-source-'));
  const at = (...names: string[]) => join(folder.path, ...names);
  await mkdir(at('outside'));
  await writeFile(at('outside/index.html'), 'theirs');
  await writeFile(at('outside/package.json'), '{"scripts":{"start":"theirs"}}');
  await mkdir(at('source/build'), { recursive: true });
  await writeFile(at('source/build/index.html'), 'ours');
  await symlink('../outside/package.json', at('source/package.json'));
  execFileSync('mkfifo', [at('source/Procfile')]);
  await symlink('../outside', at('source/dist'));
  await symlink('build', at('source/public'));
  const { files, texts } = await readSource(at('source'));
  assert.deepEqual([...files].sort(), ['build/index.html', 'public/index.html']);
  assert.deepEqual(texts, { 'build/index.html': 'ours', 'public/index.html': 'ours' });
});

const ORDER = {
  labels: {
    applicationId: newId(),
    environmentId: newId(),
    deploymentId: newId(),
    releaseId: newId(),
    process: 'web',
    number: 1,
  },
  variables: {},
  limits: { memoryMb: 256, processes: 500, diskMb: 64 },
  mounts: [{ volume: 'home', at: 'home' }],
  replicas: 1,
  listens: true,
} as const;

async function built(at: { builder: Builder }, site: Site) {
  const { name, artifact, plan } = await buildSite(at, site);
  const labels = { ...ORDER.labels, ...name };
  return { ...ORDER, labels, artifact, command: plan.processes.web ?? '', instance: newId() };
}

test('what runs is told by its name and its labels, what has ended until it is stopped', async () => {
  await using at = await openRuntime();
  const { runtime } = at;
  const order = await built(at, serverSite('process.pid'));
  const signal = AbortSignal.timeout(30_000);
  const events = runtime.events(signal)[Symbol.asyncIterator]();
  const [one, same] = await Promise.all([runtime.start(order), runtime.start(order)]);
  assert.deepEqual(one, same);
  assert.deepEqual(await runtime.list(), [one]);
  assert.deepEqual([one.instance, one.labels], [order.instance, order.labels]);
  const [origin = ''] = originsOf(one);
  const pid = await answerOf({ targets: [{ kind: 'server', origin }] });
  assert.deepEqual(originsOf(await runtime.start(order)), [origin]);
  assert.equal(await answerOf({ targets: [{ kind: 'server', origin }] }), pid);

  const short = { ...order, instance: newId(), command: 'echo first; echo second >&2; exit 3' };
  await runtime.start(short);
  const { value } = await events.next();
  assert.deepEqual([value.instance, value.replicas], [short.instance, []]);
  assert.deepEqual(value.ended, { code: 'exited', params: { code: 3 } });
  assert.equal((await runtime.list()).length, 2);
  const written = await Array.fromAsync(runtime.logs(short.instance, { signal }));
  assert.deepEqual(written.flatMap(({ lines }) => lines).sort(), ['first', 'second']);
  const since = written.at(-1)?.at ?? 0;
  assert.deepEqual(await Array.fromAsync(runtime.logs(short.instance, { since, signal })), []);

  await runtime.stop(short.instance, 0);
  assert.deepEqual(await runtime.list(), [one]);
  assert.deepEqual(await Array.fromAsync(runtime.logs(short.instance, { signal })), []);
  await runtime.stop(newId(), 0);
  await runtime.stop(order.instance, 0);
  assert.deepEqual(await runtime.list(), []);
});

test('a build is there once it is whole, also one that leaves nothing, and never before', async () => {
  await using at = await openRuntime();
  const name = { applicationId: newId(), buildId: newId() };
  const artifact = { kind: 'folder', below: '' } as const;
  const has = () => at.builder.has(name, artifact);
  const order = (command: string) =>
    buildSite(at, { ...serverSite('1'), settings: { build: command } }, name);
  const slowly = order('touch begun; sleep 1');
  await until(() => existsSync(join(siteFolders(at.dataDir).source(name), 'begun')));
  assert.equal(await has(), false);
  await slowly;
  assert.equal(await has(), true);
  // Made again, it is none until it is whole again; and what is emptied by hand is none.
  const again = order('touch begun; sleep 1; rm -rf ./*');
  await until(async () => !(await has()));
  await again;
  assert.equal(await has(), true);
  await order('true');
  await rm(siteFolders(at.dataDir).source(name), { recursive: true });
  assert.equal(await has(), false);
});

test('the signal of a start reaches what its folders wait for', async (t) => {
  if (process.getuid?.() !== 0) return t.skip('only root may give');
  await using at = await openRuntime();
  const order = await built(at, serverSite('1'));
  await assert.rejects(at.runtime.start(order, AbortSignal.abort('cancelled')), /^cancelled$/);
  assert.deepEqual(await at.runtime.list(), []);
});

test('what nobody attends to is ended, and what is gone is missed', async () => {
  await using at = await openRuntime();
  await at.runtime.start(await built(at, serverSite('1')));
  const { instance } = await buildAndStart(at, serverSite('2'));
  await at.instances.check();
  assert.deepEqual(
    (await at.runtime.list()).map((one) => one.instance),
    [instance.id],
  );
  await at.runtime.stop(instance.id, 0);
  await at.instances.check();
  assert.match(describeReason(await instance.ended, 'en'), /was stopped|disappeared/);
});

test('a command of a release is run to its end, or its time’s', async () => {
  await using at = await openRuntime();
  const order = await built(at, serverSite('1'));
  const run = async (command: string, seconds = 30) => {
    const stopping = new AbortController();
    const { signal } = stopping;
    const lines: string[] = [];
    const output = (some: readonly string[]) => {
      lines.push(...some);
      if (lines.includes('stop')) stopping.abort();
    };
    const { how, succeeded } = await at.runtime.run(
      { ...order, instance: newId(), command, seconds },
      { output, signal },
    );
    return [succeeded, describeReason(how, 'en'), ...lines];
  };
  assert.deepEqual(await run('ls server.js; echo kept > ~/note'), [true, 'exited with code 0', 'server.js']);
  assert.deepEqual(await run('cat ~/note; exit 4'), [false, 'exited with code 4', 'kept']);
  assert.deepEqual(await run('sleep 60', 1), [false, 'exceeded its time limit of 1 s and was stopped']);
  assert.deepEqual(await run('echo stop; sleep 60'), [false, 'was stopped', 'stop']);
  assert.deepEqual(await at.runtime.list(), []);
});

test('an order of what child processes can’t do is refused', async () => {
  // Only a sandbox shows a folder of the machine at another place.
  await using at = await openRuntime({ appsIsolation: 'none' });
  const order = await built(at, serverSite('1'));
  const image = { kind: 'image', image: 'registry/site:1', below: '' } as const;
  for (const [lacks, refused] of [
    ['replicas', { ...order, replicas: 2 }],
    ['images', { ...order, artifact: image }],
    ['volumes', { ...order, mounts: [{ volume: 'uploads', at: '/data' }] }],
  ] as const) {
    await assert.rejects(at.runtime.start(refused), new RegExp(`does not support \\(${lacks}\\)`));
  }
  assert.deepEqual(await at.runtime.list(), []);
});
