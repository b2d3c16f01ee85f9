import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  mkdtempDisposable,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { networkInterfaces, release, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import type { RunningInstance } from '../../server/hosting/controller/supervision/running-instance.ts';
import { describeReason, type Reason } from '../../server/hosting/model/reasons/reason.ts';
import { siteFolders } from '../../server/hosting/model/site-folders.ts';
import { openControlGroups } from '../../server/hosting/sandbox/cgroups.ts';
import { createWarden, openWardens } from '../../server/hosting/sandbox/limits.ts';
import { processName, readProcesses, signalProcess } from '../../server/hosting/sandbox/processes.ts';
import { newId } from '../../server/kernel/identifiers.ts';
import { newApplication, verifiedUser } from '../support/deployed.ts';
import { createRepository } from '../support/git.ts';
import { spawnReadyServer, spawnServer } from '../support/process.ts';
import {
  answerOf,
  buildAndStart,
  buildSite,
  FACTS,
  openRuntime,
  SETTINGS,
  serverCode,
  serverSite,
  startBuilt,
} from '../support/runtime.ts';
import { ISOLATION } from '../support/sandbox.ts';
import { startServer, temporaryDatabase } from '../support/server.ts';
import { testInLane } from '../support/test-in-lane.ts';
import { type UnprivilegedUser, unprivilegedUser } from '../support/unprivileged-user.ts';
import { until } from '../support/until.ts';

/** This machine's, as a network knows it. */
const OWN = Object.values(networkInterfaces())
  .flatMap((one) => one ?? [])
  .filter(({ internal, scopeid }) => !internal && !scopeid)
  .map(({ address }) => address);

/** A server on every address of this machine that counts who comes. */
async function listenEverywhere() {
  let visits = 0;
  const listener = createServer((socket) => {
    visits += 1;
    socket
      .resume()
      .on('error', () => {})
      .end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nin');
  }).listen(0, '::');
  await once(listener, 'listening');
  return {
    port: (listener.address() as AddressInfo).port,
    visits: () => visits,
    [Symbol.asyncDispose]: async () => {
      listener.close();
      await once(listener, 'close');
    },
  };
}

/** As a server has them that can make no control groups. */
const withoutGroups = () => ({ warden: createWarden(), groups: undefined });

const inUrl = (address: string) => (address.includes(':') ? `[${address}]` : address);

/** Tries to connect, as anybody would and bound to the network's device, which goes around routes. */
const TRY = `
use strict; use Socket qw(:all);
my ($port, @hosts) = @ARGV;
for my $host (@hosts) { for my $device ('', 'eth0') {
  my ($error, @found) = getaddrinfo($host, $port, { socktype => SOCK_STREAM, flags => AI_NUMERICHOST });
  die $error if $error;
  socket(my $socket, $found[0]{family}, SOCK_STREAM, 0) or die $!;
  setsockopt($socket, SOL_SOCKET, 25, "eth0\\0") or die "no device: $!" if $device;
  eval { local $SIG{ALRM} = sub { die "late" }; alarm 3; print "REACHED $host $device\\n" if connect($socket, $found[0]{addr}); alarm 0 };
} }
print "tried\\n";`;

function reachable({ targets: [target] }: Pick<RunningInstance, 'targets'>, host: string): Promise<boolean> {
  const port = Number(new URL(target?.kind === 'server' ? target.origin : '').port);
  return new Promise((resolve) => {
    const socket = connect(port, host, () => resolve(true));
    socket.on('connect', () => socket.destroy()).on('error', () => resolve(false));
  });
}

testInLane('whatever a site may write to has a size', async () => {
  await using at = await openRuntime({ appsMemoryMb: 1024, appsDiskMb: 1024 });
  const fill = (folder: string) =>
    `head -c 300000000 /dev/zero > ${folder}/big 2>/dev/null && echo filled ${folder}; rm -f ${folder}/big`;
  const folders = ['/', '/dev', '/dev/shm', '/tmp', '/etc', '/home', '/runtime', '/run', '/var/tmp'];
  const { instance, lines } = await buildAndStart(at, {
    files: {
      'try.sh': [...folders.map(fill), 'echo x > /tmp/x && echo x > /dev/shm/x && echo tried'].join('\n'),
    },
    settings: { start: 'sh try.sh 2>/dev/null' },
  });
  await instance.ended;
  assert.deepEqual(lines, ['tried']);
});

/**
 * What a site prints that runs with `at` as the platform's working folder and its data in there, by whoever is `user`.
 */
async function printedWithin(
  at: string,
  dataDir: string,
  command: string,
  { groups, ...user }: UnprivilegedUser & { groups?: string } = {},
) {
  const from = (name: string) => new URL(`../../server/hosting/sandbox/${name}`, import.meta.url).href;
  const program = `
    import { createWarden } from '${from('limits.ts')}';
    import { openSandbox } from '${from('sandbox.ts')}';
    const settings = ${JSON.stringify({ ...ISOLATION, dataDir })};
    const folder = ${JSON.stringify(join(dataDir, 'sites'))};
    const sandbox = await openSandbox(settings, folder, { warden: createWarden(), groups: undefined });
    for (const warning of sandbox.isolation.warnings) console.error(warning);
    const home = await sandbox.ownFolder(folder + '/home');
    const confined = { command: ${JSON.stringify(command)}, folder: home, below: '', writable: false, home, variables: {} };
    const limits = { memoryMb: 256, processes: 100, diskMb: 64 };
    const output = (lines) => console.log(lines.join('\\n'));
    const end = { mostMs: 30_000, lateReason: { code: 'stopped', params: {} }, signal: new AbortController().signal };
    await sandbox.run({ confined, limits, diskLimits: [], output }, end);
    await sandbox.close();`;
  const node = [process.execPath, '--input-type=module', '-e', program];
  const ids = ['--reuid', `${user.uid}`, '--regid', `${user.gid}`, '--groups', `${groups}`];
  const [file = '', ...args] = groups === undefined ? node : ['setpriv', ...ids, ...node];
  const child = spawn(file, args, { ...(groups === undefined && user), cwd: at });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
    });
  }
  await once(child, 'close');
  return said;
}

for (const who of ['root', 'an ordinary user'] as const) {
  test(`a site sees nothing of a platform that lies below /usr, nor what lies beside it (${who})`, async (t) => {
    if (process.getuid?.() !== 0) return t.skip('only root can write below /usr');
    const user = who === 'root' ? {} : unprivilegedUser();
    if (!user) return t.skip('an ordinary user can’t reach the server');
    await using links = await mkdtempDisposable(join(tmpdir(), 'simcha-links-'));
    await chmod(links.path, 0o755);
    for (const above of ['/usr/local/share', '/usr/local', '/usr/src', '/usr/lib']) {
      const at = join(above, `simcha-test-${newId()}`);
      const data = join(at, 'data');
      try {
        await mkdir(data, { recursive: true });
        for (const file of ['.env', 'backup', 'data/jwt-secret']) await writeFile(join(at, file), 'secret');
        spawnSync('chown', ['-R', `${user.uid ?? 0}:${user.gid ?? 0}`, at]);
        const link = join(links.path, basename(at));
        await symlink(data, link);
        const look = `find ${at} -mindepth 1; cat ${at}/.env ${data}/jwt-secret; echo x > ${at}/x; perl -e 'print "runs\n"'`;
        const { stdout, stderr } = await printedWithin(at, link, `(${look}) 2>/dev/null`, user);
        assert.equal(stdout, 'runs\n', stderr);
      } finally {
        await rm(at, { recursive: true, force: true });
      }
    }
  });
}

testInLane('a sandbox that would have to hide what programs need stops the start', async (t) => {
  if (process.getuid?.() !== 0) return t.skip('only root can write below /usr');
  const needs = spawnSync('ldd', ['/bin/sh'], { encoding: 'utf8' }).stdout;
  const [, libraries = ''] = /=> (\/\S+)\/libc\.so/.exec(needs) ?? [];
  const at = join(realpathSync(libraries), `simcha-test-${newId()}`);
  try {
    await mkdir(join(at, 'data'), { recursive: true });
    const { stderr } = await printedWithin('/', join(at, 'data'), 'true');
    assert.match(stderr, /ConfigError: A sandbox has to hide .*programs do not run where/);
  } finally {
    await rm(at, { recursive: true, force: true });
  }
});

testInLane(
  'an ordinary user’s other groups, which a site keeps, are told of at the start; those of root it has not',
  async (t) => {
    const user = process.getuid?.() === 0 ? unprivilegedUser() : undefined;
    if (!user) return t.skip('only root can choose the groups of others');
    for (const [who, groups, said] of [
      [user, '4242', /^sites and builds have this server’s other groups \(4242\)/],
      [{ uid: 0, gid: 0 }, '4242', /^$/],
    ] as const) {
      await using folder = await mkdtempDisposable(join(tmpdir(), 'simcha-groups-'));
      spawnSync('chown', [`${who.uid}:${who.gid}`, folder.path]);
      const { stdout, stderr } = await printedWithin('/', folder.path, 'id -G', { ...who, groups });
      assert.match(stderr, said);
      assert.equal(stdout, who.uid === 0 ? '1000\n' : '1000 65534\n');
    }
  },
);

testInLane('of the machine’s certificates a site sees no private keys, and can check others', async () => {
  await using at = await openRuntime();
  const { instance, lines } = await buildAndStart(at, {
    files: { 'x.js': '' },
    settings: {
      start:
        'ls -A /etc/ssl; ls /etc/ssl/private 2>/dev/null; test -s /etc/ssl/certs/ca-certificates.crt && echo trusts',
    },
  });
  await instance.ended;
  assert.equal(lines.at(-1), 'trusts');
  assert.deepEqual(
    lines.slice(0, -1).filter((name) => !['cert.pem', 'certs', 'openssl.cnf'].includes(name)),
    [],
  );
});

test('a site that fills its home is ended, and told so', async () => {
  await using at = await openRuntime({ appsDiskMb: 16 });
  const { instance } = await buildAndStart(at, {
    files: { 'x.js': '' },
    settings: { start: 'for i in 1 2 3; do head -c 9000000 /dev/zero > ~/$i; done; sleep 60' },
  });
  assert.match(describeReason(await instance.ended, 'en'), /its home folder uses more than 16 MiB of disk/);
});

test('a site reaches nothing of this machine, by whichever address or device', async () => {
  await using everywhere = await listenEverywhere();
  await using at = await openRuntime();
  const hosts = [
    '127.0.0.1',
    '127.0.0.2',
    '0.0.0.0',
    '::1',
    '::ffff:127.0.0.1',
    '192.0.0.1',
    'fe80::1',
    ...OWN,
  ];
  const { instance, lines } = await buildAndStart(at, {
    files: { 'try.pl': TRY },
    settings: { start: `perl try.pl ${everywhere.port} ${hosts.join(' ')}` },
  });
  await instance.ended;
  assert.deepEqual(lines, ['tried']);
  assert.equal(everywhere.visits(), 0);
});

test('a private network is closed at once, not merely far away', async () => {
  await using at = await openRuntime();
  const inner = ['10.1.2.3', '172.16.0.1', '192.168.77.1', '169.254.169.254', '100.64.0.1', 'fd00::1'];
  const attempt = `for (const host of ${JSON.stringify(inner)})
    require('net').connect(80, host).on('error', ({ code }) => console.log(host, code)).setTimeout(5000, () => process.exit())`;
  const { instance, lines } = await buildAndStart(at, {
    files: { 'try.js': attempt },
    settings: { start: 'node try.js' },
  });
  await instance.ended;
  assert.deepEqual(lines.sort(), inner.map((host) => `${host} EPERM`).sort());
});

testInLane(
  'an address of a private network or of this machine is reached when a setting allows it, and no other',
  async (t) => {
    if (OWN.length === 0) return t.skip('this machine has no address but the loopback one');
    await using everywhere = await listenEverywhere();
    for (const family of ['IPv4', 'IPv6'] as const) {
      const allowed = OWN.find((address) => address.includes(':') === (family === 'IPv6'));
      if (!allowed) continue;
      const attempt = OWN.map(
        (address) => `curl -sm 3 http://${inUrl(address)}:${everywhere.port}/ && echo ' at ${address}';`,
      ).join(' ');
      const site = { files: { 'index.html': 'x' }, settings: { build: `${attempt} echo tried` } };
      await using closed = await openRuntime();
      assert.deepEqual((await buildSite(closed, site)).lines.slice(1), ['tried']);
      // A wide network that the machine stands in opens its neighbours, and not the machine.
      await using wide = await openRuntime({
        appsAllowNetworks: [`${allowed}/${family === 'IPv6' ? 64 : 24}`],
      });
      assert.deepEqual((await buildSite(wide, site)).lines.slice(1), ['tried']);
      await using open = await openRuntime({ appsAllowNetworks: [allowed] });
      assert.deepEqual((await buildSite(open, site)).lines.slice(1), [`in at ${allowed}`, 'tried']);
    }
  },
);

testInLane('a site’s own host name resolves, to itself', async () => {
  await using at = await openRuntime();
  const { lines } = await buildSite(at, {
    files: { 'index.html': 'x' },
    settings: {
      build: `node -e "require('dns').lookup(require('os').hostname(), 4, (error, found) => console.log(error?.code ?? found))"`,
    },
  });
  assert.deepEqual(lines.slice(1), ['127.0.0.1']);
});

testInLane('names resolve in a sandbox as they do outside of it', async (t) => {
  await using at = await openRuntime();
  const name = new URL(process.env.npm_config_registry ?? 'https://registry.npmjs.org').hostname;
  const outside = await lookup(name).catch(() => undefined);
  if (!outside) return t.skip('no name resolves here');
  const { lines } = await buildSite(at, {
    files: { 'index.html': 'x' },
    settings: { build: `node -e "require('dns').lookup('${name}', (_, found) => console.log(found))"` },
  });
  assert.deepEqual(lines.slice(1), [outside.address]);
});

test('sites have a network each: the same port, ports in sight of nobody, and one way in', async () => {
  await using at = await openRuntime();
  const ignoring = (text: string) => ({
    files: { 'server.js': `require('http').createServer((_, r) => r.end('${text}')).listen(8080)` },
    settings: { start: 'node server.js' },
  });
  const one = (await buildAndStart(at, ignoring('one'))).instance;
  const two = (await buildAndStart(at, ignoring('two'))).instance;
  assert.deepEqual(await Promise.all([answerOf(one), answerOf(two)]), ['one', 'two']);
  for (const address of OWN) {
    for (const site of [one, two]) assert.equal(await reachable(site, address), false);
  }
  const ports = [one, two].map(
    ({ targets: [target] }) => new URL((target as { origin: string }).origin).port,
  );
  const spy = await buildAndStart(at, {
    files: { 'try.pl': TRY },
    settings: {
      start: `for p in 8080 ${ports.join(' ')}; do perl try.pl $p 127.0.0.1 ${OWN.join(' ')}; done`,
    },
  });
  await spy.instance.ended;
  assert.deepEqual(spy.lines, ['tried', 'tried', 'tried']);
});

testInLane('a site that listens on the loopback address alone is reached too', async () => {
  await using at = await openRuntime();
  const { instance } = await buildAndStart(at, {
    files: { 'server.js': `${serverCode('1').replace('process.env.HOST', "'127.0.0.1'")}` },
    settings: { start: 'node server.js' },
  });
  assert.equal(await answerOf(instance), '1');
});

for (const appsIsolation of ['sandbox', 'none'] as const) {
  test(`sites and builds run under an account that is not the server’s, which alone owns their folders (${appsIsolation})`, async (t) => {
    if (process.getuid?.() !== 0) return t.skip('only root may choose');
    await using at = await openRuntime({ appsIsolation, appsUid: 58_123 });
    const made = await buildSite(at, {
      files: {
        'package.json':
          '{"scripts":{"build":"cat /proc/self/status; echo made > made; echo kept > ~/kept","start":"node server.js"}}',
        'server.js': serverCode(
          "(require('fs').writeFileSync(process.env.HOME + '/x', 'x'), process.getuid() + require('os').userInfo().username)",
        ),
      },
    });
    const { instance } = await startBuilt(at, made);
    const number = { sandbox: 1000, none: 58_123 }[appsIsolation];
    assert.equal(await answerOf(instance), `${number}site`);
    const status = made.lines.join('\n');
    for (const name of ['Uid', 'Gid']) assert.match(status, new RegExp(`^${name}:(\\s+${number}){4}$`, 'm'));
    assert.match(status, /^CapEff:\s+0+$/m);
    if (appsIsolation === 'none') assert.match(status, /^Groups:\s*$/m);
    const sites = join(at.dataDir, 'sites');
    const [application = ''] = (await readdir(sites)).filter((name) => name.length === 36);
    const inside = await readdir(join(sites, application), { recursive: true });
    for (const path of inside.filter((name) => /(made|kept|x|server\.js|home|cache)$/.test(name))) {
      assert.equal((await lstat(join(sites, application, path))).uid, 58_123, path);
    }
    // What leads there stays closed to it.
    assert.equal((await lstat(join(sites, application))).uid, 0);
    const owners = await Promise.all(
      (await readdir('/proc'))
        .filter((name) => /^\d+$/.test(name))
        .map(async (pid) => {
          const home = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
          return home.includes(`HOME=${sites}`) ? (await lstat(`/proc/${pid}`)).uid : undefined;
        }),
    );
    assert.deepEqual([...new Set(owners.filter((uid) => uid !== undefined))], [58_123]);
  });
}

for (const appsIsolation of ['sandbox', 'none'] as const) {
  test(`variables say what they said, whatever is in them (${appsIsolation})`, async () => {
    await using at = await openRuntime({ appsIsolation });
    const variables = {
      QUOTED: `it's "so"; $HOME \\ \n\`id\`\n}`,
      OPTIND: 'x',
      IFS: 'a',
      PPID: '1',
      BASH_ENV: '/app/x',
      ENV: '/app/x',
      PS4: '$(id)',
      SHELLOPTS: 'xtrace',
      LONG: 'x'.repeat(64 * 1024),
    };
    const { instance } = await buildAndStart(at, serverSite('JSON.stringify(process.env)', variables));
    const seen = JSON.parse(await answerOf(instance));
    for (const name of ['QUOTED', 'BASH_ENV', 'ENV', 'PS4', 'LONG'] as const) {
      assert.equal(seen[name], variables[name], name);
    }
  });

  testInLane(
    `an application’s variables reach nothing that runs before its limits hold (${appsIsolation})`,
    async (t) => {
      if (!existsSync('/etc/ld.so.cache')) return t.skip('no glibc, whose loader tells what it loads for');
      await using at = await openRuntime({ appsIsolation });
      const { lines } = await buildSite(at, {
        files: { 'index.html': 'x' },
        variables: { LD_DEBUG: 'files' },
        settings: { build: 'ulimit -f' },
      });
      const programs = lines.filter((line) => /initialize program:/.test(line));
      assert.deepEqual(
        programs.map((line) => line.trim().split(/\s+/).at(-1)),
        ['/bin/sh'],
        'the shell of the command, and none that sets its limits',
      );
      assert.ok(lines.includes(String((SETTINGS.appsDiskMb * 2 ** 20) / 512)), lines.join('\n'));
    },
  );
}

testInLane('what was made under another account is given to the one of today', async (t) => {
  if (process.getuid?.() !== 0) return t.skip('only root may choose');
  await using at = await openRuntime();
  const name = { applicationId: newId(), buildId: newId() };
  const { applicationId } = name;
  const home = siteFolders(at.dataDir).home({ applicationId, environmentId: applicationId });
  await mkdir(home, { recursive: true, mode: 0o700 });
  await writeFile(join(home, 'old'), 'of root', { mode: 0o600 });
  const made = await buildSite(at, serverSite("require('fs').readFileSync('/home/site/old', 'utf8')"), name);
  const { instance } = await startBuilt(at, made);
  assert.equal(await answerOf(instance), 'of root');
});

test('a deployed site reaches neither the platform, nor its figures, nor its database', async () => {
  await using platform = await startServer('postgres', {
    env: { APPS_GIT_PROTOCOLS: 'file', APPS_ISOLATION: 'sandbox' },
  });
  const database = new URL(process.env.SIMCHA_TEST_POSTGRES ?? '');
  const { port } = new URL(platform.url);
  const tries = OWN.concat('127.0.0.1').flatMap((address) => [
    `http://${inUrl(address)}:${port}/metrics`,
    `http://${inUrl(address)}:${database.port}/`,
  ]);
  await using repository = await createRepository({
    'package.json': '{"scripts":{"start":"node server.js"}}',
    'server.js': serverCode(
      `(await Promise.all(${JSON.stringify(tries)}.map((one) => fetch(one).then(() => one, (e) => e.cause.code)))).join()`,
    ).replace('async (request, response) =>', 'async (_, response) =>'),
  });
  const { call } = await verifiedUser(platform.url, platform.dataDir);
  const app = await newApplication(call, platform.url, repository.address);
  await app.deploy();
  const { text } = await app.visit();
  assert.match(text, /^((ECONNREFUSED|EPERM|UND_ERR_SOCKET),?)+$/);
  assert.doesNotMatch(text, /http/);
});

test('a site has nothing of what whoever started the server had open', async () => {
  await using repository = await createRepository({
    'server.js': `
const { readdirSync, readlinkSync } = require('node:fs');
const link = (one) => { try { return readlinkSync('/proc/self/fd/' + one) } catch { return '' } };
require('node:http')
  .createServer((request, response) => response.end(readdirSync('/proc/self/fd').map(link).join(' ')))
  .listen(process.env.PORT, process.env.HOST);`,
    'package.json': '{"scripts":{"start":"node server.js"}}',
  });
  for (const APPS_ISOLATION of ['sandbox', 'none']) {
    await using database = await temporaryDatabase('postgres');
    const open = join(database.env.DATA_DIR, 'what-is-open');
    await writeFile(open, 'a secret of the operator');
    const server = await spawnReadyServer(
      { ...database.env, APPS_GIT_PROTOCOLS: 'file', APPS_ISOLATION },
      { open },
    );
    try {
      const { call } = await verifiedUser(server.url, database.env.DATA_DIR);
      const app = await newApplication(call, server.url, repository.address);
      await app.deploy();
      const { text } = await app.visit();
      assert.match(text, /eventpoll/);
      assert.doesNotMatch(text, /what-is-open/, APPS_ISOLATION);
    } finally {
      server.child.kill('SIGTERM');
      await server.ended;
    }
  }
});

testInLane(
  'a site knows its user, its address, its commit and its deployment; its own variables go first',
  async () => {
    await using at = await openRuntime();
    const made = await buildSite(at, {
      files: {},
      variables: { SIMCHA_COMMIT: 'mine' },
      settings: {
        build: 'echo $CI $ORIGIN $SIMCHA_URL $SIMCHA_COMMIT $SIMCHA_DEPLOYMENT; id -un; getent passwd site',
        start: `node -p "require('os').userInfo().username; " && echo $CI $ORIGIN $SIMCHA_COMMIT`,
      },
    });
    const { address, commit, deploymentId } = FACTS;
    assert.deepEqual(made.lines.slice(1), [
      `true ${address} ${address} mine ${deploymentId}`,
      'site',
      'site:x:1000:1000:site:/home/site:/bin/sh',
    ]);
    const site = await startBuilt(at, made);
    await site.instance.ended;
    assert.deepEqual(site.lines, ['site', `${address} ${commit}`]);
  },
);

/** Shared memory that no process has mapped once it is written. */
const SHARE = `
my $id = shmget(0, 400 << 20, 0600) // die $!;
for my $i (0 .. 19) { shmwrite($id, 'x' x (20 << 20), $i * (20 << 20), 20 << 20) or die $! }
sleep 60;`;
/**
 * What is shared by nobody: large and small segments, a queue of messages, a file in memory, a program of other
 * numbers.
 */
const NOBODYS = `
sub told { my ($name, $made) = @_; print $name, ' ', (defined $made && $made >= 0 ? 'made' : $!), "\\n" }
told('segment', shmget(0, 400 << 20, 0600));
told('huge segment', shmget(0, (1 << 32) + 1, 0600));
told('page', shmget(0, 4096, 0600));
told('queue', msgget(0, 0600));
told('file', syscall(FILE, my $name = 'x', 0));
told('second', syscall(0x40000000 + 39));`;
const THREADS = `UV_THREADPOOL_SIZE=900 exec node -e "fs.readFile('/dev/null', () => {}); setInterval(() => {}, 1000)"`;

test('memory of every kind counts, and threads do', async (t) => {
  if (!openControlGroups(tmpdir())) return t.skip('no control groups can be made here');
  await using at = await openRuntime({ appsMemoryMb: 128, appsDiskMb: 1024 });
  const end = async (command: string) => {
    const { instance } = await buildAndStart(at, {
      files: { 'share.pl': SHARE },
      settings: { start: command },
    });
    return describeReason(await instance.ended, 'en');
  };
  const tooMuch = 'exceeded its memory limit of 128 MiB and was stopped';
  assert.equal(await end('head -c 200000000 /dev/zero > /tmp/x; sleep 60'), tooMuch);
  assert.equal(await end('perl share.pl'), tooMuch);
  assert.equal(await end(THREADS), 'exceeded its limit of 500 processes and was stopped');
});

testInLane(
  'all sites together have a limit of memory, by which the largest is ended and told so',
  async (t) => {
    if (!openControlGroups(tmpdir())) return t.skip('no control groups can be made here');
    await using at = await openRuntime({ appsMemoryMb: 256 }, (owner) => openWardens(owner, 260));
    const holding = (mebibytes: number) =>
      buildAndStart(at, {
        files: {
          'hold.pl': `my $all = ''; $all .= 'x' x (1 << 20) for 1 .. ${mebibytes}; $| = 1; print "held\\n"; sleep 60;`,
        },
        settings: { start: 'perl hold.pl' },
      });
    const small = await holding(80);
    await until(() => small.lines.length > 0);
    const { instance } = await holding(230);
    assert.match(
      describeReason(await instance.ended, 'en'),
      /^was stopped: all sites and builds of this server together used up/,
    );
    await small.instance.stop(0);
    assert.equal(describeReason(await small.instance.ended, 'en'), 'was stopped');
  },
);

for (const appsIsolation of ['sandbox', 'none'] as const) {
  for (const groups of ['with', 'without'] as const) {
    testInLane(
      `sites are ended and wait before the server, and builds before sites (${appsIsolation}, ${groups} control groups)`,
      async () => {
        await using at = await openRuntime(
          { appsIsolation },
          groups === 'without' ? withoutGroups : undefined,
        );
        const own = Number(spawnSync('nice', { encoding: 'utf8' }).stdout);
        const look = 'echo $(cat /proc/self/oom_score_adj) $(nice)';
        const made = await buildSite(at, { files: { 'x.js': '' }, settings: { build: look, start: look } });
        const { instance, lines } = await startBuilt(at, made);
        await instance.ended;
        assert.deepEqual([made.lines[1], ...lines], [`500 ${own + 10}`, `500 ${own + 5}`]);
      },
    );
  }
}

/** What Node.js knows of its memory, in MiB. */
const KNOWN = `
const mebibytes = (bytes) => Math.round(bytes / 2 ** 20);
console.log(mebibytes(require('v8').getHeapStatistics().heap_size_limit), mebibytes(process.constrainedMemory()));`;

for (const groups of ['with', 'without'] as const) {
  testInLane(`builds and sites know the memory that they have (${groups} control groups)`, async (t) => {
    if (groups === 'with' && !openControlGroups(tmpdir()))
      return t.skip('no control groups can be made here');
    await using at = await openRuntime(
      { appsMemoryMb: 512, appsBuildMemoryMb: 1024 },
      groups === 'without' ? withoutGroups : undefined,
    );
    const site = {
      files: { 'known.js': KNOWN },
      settings: { build: 'node known.js', start: 'node known.js' },
    };
    const heapOf = ([line = '']: readonly string[], memoryMb: number): number => {
      const [heap = 0, constrained] = line.split(' ').map(Number);
      if (groups === 'with') assert.equal(constrained, memoryMb);
      return heap / memoryMb;
    };
    const made = await buildSite(at, site);
    const { instance, lines } = await startBuilt(at, made);
    await instance.ended;
    for (const share of [heapOf(made.lines.slice(1), 1024), heapOf(lines, 512)]) {
      // The young generation comes on top, by the memory that Node.js finds.
      assert.ok(share >= 0.75 && share < (groups === 'with' ? 0.9 : 1), `${share}`);
    }
    const own = await buildSite(at, { ...site, variables: { NODE_OPTIONS: '--max-old-space-size=300' } });
    assert.ok(heapOf(own.lines.slice(1), 1024) < 0.4, own.lines.join());
  });
}

testInLane('nothing of a command is left in its control groups, nor of an earlier life', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'simcha-groups-'));
  const groups = openControlGroups(dataDir);
  if (!groups) return t.skip('no control groups can be made here');
  const { folders } = groups.make();
  const enter = folders.map((folder) => `echo $$ > ${folder}/cgroup.procs`).join('; ');
  const left = spawn('/bin/sh', ['-c', `${enter}; exec sleep 600`], { stdio: 'ignore' });
  await until(() => folders.every((folder) => readFileSync(`${folder}/cgroup.procs`, 'utf8') !== ''));
  await openControlGroups(dataDir)?.sweep();
  if (left.signalCode === null) await once(left, 'exit');
  assert.equal(left.signalCode, 'SIGKILL');
  assert.deepEqual(
    folders.filter((folder) => existsSync(folder)),
    [],
  );
  groups.close();
  assert.deepEqual(
    folders.filter((folder) => existsSync(dirname(folder))),
    [],
  );
  await rm(dataDir, { recursive: true });
});

testInLane(
  'a server moves nobody out of the control group that it is started in, itself neither where others stand in it',
  async (t) => {
    const mounts = readFileSync('/proc/self/mounts', 'utf8').split('\n');
    const [, root = ''] = mounts.find((line) => line.split(' ')[2] === 'cgroup2')?.split(' ') ?? [];
    const folder = join(root, `simcha-test-${newId()}`);
    try {
      await mkdir(folder);
    } catch {
      return t.skip('no control group of version 2 can be made here');
    }
    try {
      const groups = join(import.meta.dirname, '../../server/hosting/sandbox/cgroups.ts');
      const open = `import { readFileSync } from 'node:fs';
      import { openControlGroups } from '${groups}';
      openControlGroups('${folder}')?.close();
      console.log(readFileSync('/proc/self/cgroup', 'utf8'));`;
      const script = 'echo 0 > "$0"/cgroup.procs; sleep 600 & "$@"; cat /proc/$!/cgroup; kill $!';
      const server = [process.execPath, '--input-type=module', '-e', open];
      const { stdout } = spawnSync('/bin/sh', ['-c', script, folder, ...server], { encoding: 'utf8' });
      const standing = stdout.split('\n').filter((line) => line.startsWith('0::'));
      assert.deepEqual(
        standing.map((line) => basename(line)),
        [basename(folder), basename(folder)],
      );
      assert.deepEqual(
        (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isDirectory()),
        [],
      );
    } finally {
      spawnSync('find', [folder, '-depth', '-type', 'd', '-exec', 'rmdir', '{}', ';']);
    }
  },
);

/** Memory without a file that it shares with its children, written to; by the numbers of mmap(2) and read(2). */
const SHARED = `
my $at = syscall(MMAP, 0, 300 << 20, 3, 0x21, -1, 0);
open(my $zeros, '<', '/dev/zero') or die $!;
syscall(READ, fileno($zeros), $at, 300 << 20) > 0 or die $!;
sleep 60;`;

testInLane('a command that ends with a helper of its sandbox is not blamed for that', async () => {
  await using at = await openRuntime();
  // By the name of its program, which is one that the processor takes.
  for (const [program, name] of [
    [/^pas/, 'pasta'],
    [/^bwrap/, 'bwrap'],
  ] as const) {
    const { instance } = await buildAndStart(at, serverSite("'here'"));
    let first: number | undefined;
    await until(() => {
      const tree = readProcesses().treeOf(process.pid);
      first = tree.find(({ pid }) => program.test(processName(pid)))?.pid;
      return first !== undefined;
    });
    signalProcess(first ?? 0, 'SIGKILL');
    const how = await instance.ended;
    assert.equal(
      describeReason(how, 'en'),
      `was stopped because the server’s helper process ${name} was killed by SIGKILL`,
    );
  }
});

testInLane(
  'where there are no control groups, threads and what is shared are counted by looking',
  async () => {
    const warden = createWarden();
    const ended = async (memoryMb: number, file: string, args: string[]) => {
      const child = spawn(file, args, { env: { PATH: `${dirname(process.execPath)}:/usr/bin:/bin` } });
      const { pid = 0 } = child;
      const how = await new Promise<Reason>((resolve, reject) => {
        child.once('exit', () => reject(new Error('it ended by itself')));
        warden.watch([pid], { memoryMb, processes: 500 }, resolve);
      });
      child.kill('SIGKILL');
      return describeReason(how, 'en');
    };
    assert.equal(
      await ended(4_096, '/bin/sh', ['-c', THREADS]),
      'exceeded its limit of 500 processes and was stopped',
    );
    const numbers = { x64: ['9', '0'], arm64: ['222', '63'] }[process.arch as string];
    if (!numbers) return;
    const [mmap = '', read = ''] = numbers;
    const script = SHARED.replace('MMAP', mmap).replace('READ', read);
    assert.equal(
      await ended(128, 'perl', ['-e', script]),
      'exceeded its memory limit of 128 MiB and was stopped',
    );
  },
);

testInLane(
  'where there are no control groups, a site can have no memory that would be nobody’s',
  async (t) => {
    const number = { x64: 319, arm64: 279 }[process.arch as string];
    if (number === undefined) return t.skip('for x86-64 and arm64 alone');
    await using at = await openRuntime({ appsMemoryMb: 128, appsDiskMb: 1024 }, withoutGroups);
    const { instance, lines } = await buildAndStart(at, {
      files: { 'nobodys.pl': NOBODYS.replace('FILE', String(number)), 'share.pl': SHARE },
      settings: { start: 'perl nobodys.pl; perl share.pl' },
    });
    assert.equal(describeReason(await instance.ended, 'en'), 'exited with code 38');
    assert.deepEqual(lines.slice(0, 6), [
      'segment Function not implemented',
      'huge segment Function not implemented',
      'page made',
      'queue Function not implemented',
      'file Function not implemented',
      'second Function not implemented',
    ]);
  },
);

const SOCKETS = `
use Socket;
for (['unix', 1], ['inet', 2], ['inet6', 10], ['netlink', 16, SOCK_RAW], ['vsock', 40], ['alg', 38]) {
  my ($name, $family, $type) = @$_;
  print "$name ", (socket(my $one, $family, $type // SOCK_STREAM, 0) ? 'made' : $!), "\\n";
}
print 'ring ', (syscall(425, 1, 0) == -1 ? $! : 'made'), "\\n"`;

for (const groups of ['with', 'without'] as const) {
  testInLane(
    `a site has sockets of its own network alone, none of the machine’s (${groups} control groups)`,
    async (t) => {
      if (!['x64', 'arm64'].includes(process.arch)) return t.skip('for x86-64 and arm64 alone');
      await using at = await openRuntime({}, groups === 'without' ? withoutGroups : undefined);
      const { instance, lines } = await buildAndStart(at, {
        files: { 'sockets.pl': SOCKETS },
        settings: { start: 'perl sockets.pl' },
      });
      await instance.ended;
      assert.deepEqual(lines, [
        ...['unix', 'inet', 'inet6', 'netlink'].map((name) => `${name} made`),
        ...['vsock', 'alg'].map((name) => `${name} Address family not supported by protocol`),
        'ring Function not implemented',
      ]);
    },
  );
}

const WATCHES = `
use File::Find;
my ($init, $add) = (INIT, ADD);
my ($first, $instances, $watches) = (-1, 0, 0);
while ((my $made = syscall($init, 0)) >= 0) { $first = $made if $first < 0; $instances++ }
print "$instances instances\n";
find({ no_chdir => 1, wanted => sub {
  return if -l;
  syscall($add, $first, $_, 2) < 0 ? do { print "$watches watches\n"; exit } : $watches++;
} }, '/usr');
print "no end of watches\n";`;

testInLane('a site watches so many files, and leaves others as many', async (t) => {
  const numbers = { x64: [294, 254], arm64: [26, 27] }[process.arch as string];
  if (!numbers) return t.skip('for x86-64 and arm64 alone');
  const [init, add] = numbers;
  await using at = await openRuntime();
  const { instance, lines } = await buildAndStart(at, {
    files: { 'watches.pl': WATCHES.replace('INIT', `${init}`).replace('ADD', `${add}`) },
    settings: { start: 'perl watches.pl' },
  });
  await instance.ended;
  assert.deepEqual(lines, ['32 instances', '8192 watches']);
});

const FORKS = `
for (1 .. 3000) { my $child = fork; defined $child or do { print "refused after $_\\n"; last }; $child or sleep 600 }`;

testInLane('where there are no control groups, a bomb of processes stops between two looks', async (t) => {
  if (release().localeCompare('5.14', 'en', { numeric: true }) < 0) return t.skip('since Linux 5.14');
  const nobodyLooks = () => ({ warden: { watch: () => () => {} }, groups: undefined });
  await using at = await openRuntime({}, nobodyLooks);
  const { instance, lines } = await buildAndStart(at, {
    files: { 'forks.pl': FORKS },
    settings: { start: 'perl forks.pl; exit 0' },
  });
  await instance.ended;
  assert.match(lines.join(), /^refused after 5\d\d$/);
});

function processesOf(command: RegExp): string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return command.test(readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' '));
    } catch {
      // It has ended while it was looked for.
      return false;
    }
  });
}

for (const groups of ['with', 'without'] as const) {
  testInLane(
    `a stopped site without a sandbox leaves no daemon behind, and takes nobody else along (${groups} control groups)`,
    async () => {
      await using at = await openRuntime(
        { appsIsolation: 'none' },
        groups === 'without' ? withoutGroups : undefined,
      );
      const daemon = `sleep 47${process.pid}`;
      const daemons = () => processesOf(new RegExp(`^${daemon}`));
      const site = {
        files: { 'server.js': serverCode('1') },
        settings: { start: `(env -i setsid ${daemon} &); node server.js` },
      };
      const made = await buildSite(at, site);
      const one = async () => (await startBuilt(at, made)).instance;
      const first = await one();
      await answerOf(first);
      await until(() => daemons().length === 1);
      await first.stop(1_000);
      await until(() => daemons().length === 0);
      const second = await one();
      const third = await one();
      await Promise.all([answerOf(second), answerOf(third)]);
      await third.stop(1_000);
      assert.equal(await answerOf(second), '1');
    },
  );
}

testInLane('a server that ends at once leaves no daemon of a site without a sandbox behind', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'simcha-sandbox-'));
  // Other accounts come through.
  await chmod(folder.path, 0o755);
  const daemon = `sleep 48${process.pid}`;
  const script = `echo up; exec ${daemon}`;
  const command = `(env -i setsid sh -c '${script}' &); sleep 1000`;
  const from = (name: string) => new URL(`../../server/hosting/sandbox/${name}`, import.meta.url).href;
  const program = `
    import { createWarden } from '${from('limits.ts')}';
    import { openSandbox } from '${from('sandbox.ts')}';
    const settings = ${JSON.stringify({ ...ISOLATION, appsIsolation: 'none', dataDir: folder.path })};
    const folder = ${JSON.stringify(folder.path)};
    const sandbox = await openSandbox(settings, folder + '/ours', { warden: createWarden(), groups: undefined });
    const home = await sandbox.ownFolder(folder + '/home');
    const confined = { command: ${JSON.stringify(command)}, folder: home, below: '', writable: true, home, variables: {} };
    const limits = { memoryMb: 256, processes: 100, diskMb: 64 };
    await sandbox.start({ confined, limits, diskLimits: [], output: () => process.exit(7) });`;
  const ended = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  assert.equal(ended.status, 7, ended.stderr);
  const left = new RegExp(`^(sh -c ${script}|${daemon})`);
  await until(() => processesOf(left).length === 0);
});

testInLane(
  'a trial of the sandbox that is killed says nothing of it: commands never run with less for that',
  async (t) => {
    if (process.getuid?.() !== 0) return t.skip('only root can put another program in place of bwrap');
    await using folder = await mkdtempDisposable(join(tmpdir(), 'simcha-trial-'));
    const bwrap = join(folder.path, 'bwrap');
    await writeFile(bwrap, '#!/bin/sh\nkill -9 $$\n', { mode: 0o755 });
    const from = (name: string) => new URL(`../../server/hosting/sandbox/${name}`, import.meta.url).href;
    const settings = { ...ISOLATION, appsIsolation: 'auto', dataDir: folder.path };
    const program = `
    import { chooseIsolation } from '${from('isolation.ts')}';
    const { endsDescendants, hasOverlays, warnings } = await chooseIsolation(${JSON.stringify(settings)}, '${folder.path}', false);
    console.log(JSON.stringify({ endsDescendants, hasOverlays, warnings }));`;
    const node = [process.execPath, '--input-type=module', '-e', program];
    const script = 'mount --bind "$0" /usr/bin/bwrap && exec "$@"';
    const { stdout, stderr } = spawnSync('unshare', ['--mount', 'sh', '-c', script, bwrap, ...node], {
      encoding: 'utf8',
    });
    const { endsDescendants, hasOverlays, warnings } = JSON.parse(stdout || stderr);
    assert.deepEqual([endsDescendants, hasOverlays], [true, true]);
    assert.match(warnings.at(-1), /could not be tried out and is taken to work: .+; if sites do not start/);
  },
);

test('where no sandbox works, sites are hosted only while nobody else can reach the server', async (t) => {
  if (process.getuid?.() !== 0) return t.skip('only root can hide a program');
  await using repository = await createRepository({ 'index.html': 'up' });
  const outcomes: Record<string, string> = {};
  for (const [HOST, APPS_ISOLATION, more, said] of [
    ['127.0.0.1', 'auto', [], /run as plain processes of the user 58000/],
    ['0.0.0.0', 'auto', [], /no site is built or run/],
    ['0.0.0.0', 'none', [], /run as plain processes of the user 58000/],
    ['::1', 'none', ['/usr/bin/setpriv'], /run as plain processes of this server’s user .* the user 58000/],
  ] as const) {
    await using database = await temporaryDatabase('postgres');
    const env = { ...database.env, APPS_GIT_PROTOCOLS: 'file', HOST, APPS_ISOLATION };
    const server = await spawnServer(env, { without: ['/usr/bin/bwrap', '/usr/bin/pasta', ...more] });
    try {
      await until(async () => (await fetch(`${server.url}/readyz`)).ok);
      const { call } = await verifiedUser(server.url, env.DATA_DIR);
      const app = await newApplication(call, server.url, repository.address);
      const id = await app.ask();
      const refused = HOST === '0.0.0.0' && APPS_ISOLATION === 'auto';
      const { reason } = await app.expect(id, refused ? 'failed' : 'live');
      outcomes[`${HOST} ${APPS_ISOLATION}`] = reason ?? 'live';
      await until(() => said.test(server.output()));
    } finally {
      server.child.kill('SIGTERM');
      await server.ended;
    }
  }
  assert.deepEqual(outcomes, {
    '127.0.0.1 auto': 'live',
    '0.0.0.0 auto':
      'This server has no sandbox to run sites in. The operator installs it with `apt-get install bubblewrap passt`.',
    '0.0.0.0 none': 'live',
    '::1 none': 'live',
  });
});
