import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposable, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { pack } from 'tar-stream';
import { NPM_CI } from '../../server/hosting/detection/managers.ts';
import { prefixOf } from '../../server/hosting/engine/networks.ts';
import { describeReason } from '../../server/hosting/model/reasons/reason.ts';
import { siteFolders } from '../../server/hosting/model/site-folders.ts';
import { newId } from '../../server/kernel/identifiers.ts';
import {
  buildStartOrder,
  CONNECT_PROGRAM,
  containersOfFile,
  type OpenedRuntime,
  openTestRuntime,
  runCommand,
} from '../support/containers.ts';
import { newApplication, verifiedUser, versionSite, visitSite } from '../support/deployed.ts';
import { ENGINE_KIND, imagesOf, NO_OOM, NODE, type TestEngine } from '../support/engine.ts';
import { createRepository } from '../support/git.ts';
import { freePort } from '../support/postgres.ts';
import { type ServerProcess, spawnReadyServer, spawnServer } from '../support/process.ts';
import { openReconfigurableSite } from '../support/reconfigurable-site.ts';
import { repeatUntilEnded } from '../support/repeat.ts';
import {
  answerOf,
  buildAndStart,
  buildSite,
  originsOf,
  SETTINGS,
  serverSite,
  withChanges,
} from '../support/runtime.ts';
import { runtimeContract, scriptedOrder } from '../support/runtime-contract.ts';
import { temporaryDatabase } from '../support/server.ts';
import { until } from '../support/until.ts';
import { openVolumeSite } from '../support/volume-site.ts';

const NEVER = new AbortController().signal;
const { withEngine, withAny } = containersOfFile();

withEngine(
  'a site is built and started in containers, whose image holds none of its variables',
  async (at, engine) => {
    const site = serverSite(
      '[process.env.WORD, require("fs").readFileSync("made", "utf8"), process.getuid(), process.env.NODE_OPTIONS, require("fs").readFileSync("/proc/self/oom_score_adj", "utf8").trim()]',
      {
        WORD: 'hush hush',
      },
    );
    const order = await buildStartOrder(at, {
      ...site,
      settings: {
        build: `test "$WORD" = "hush hush" && echo made > made
          test "$(stat -f -c %T /tmp)" != tmpfs && head -c 20000000 /dev/zero > /tmp/large`,
      },
    });
    assert.ok(order.artifact.kind === 'image');
    const image = await engine.image(order.artifact.image, NEVER);
    assert.doesNotMatch(JSON.stringify(image), /hush/);
    // A build’s temporary files were on its disk, and are no part of it.
    const base = await engine.image(NODE, NEVER);
    assert.ok((image?.Size ?? Number.NaN) - (base?.Size ?? 0) < 10_000_000);
    const started = await at.runtime.start(order);
    const { port } = started;
    assert.equal(port, 8080);
    const [origin = ''] = originsOf(started);
    assert.equal(
      await answerOf({ targets: [{ kind: 'server', origin }] }),
      'hush hush,made\n,1000,--max-old-space-size=96,500',
    );
    assert.deepEqual(await at.runtime.listening?.(order.instance), [8080]);
    const [found] = await engine.containers({ 'simcha.instance': order.instance }, NEVER);
    assert.doesNotMatch(JSON.stringify(found?.Labels), /hush/);
  },
);

withEngine('what is started is told of, found again by whoever comes after, and ended', async (at) => {
  const order = await buildStartOrder(at, serverSite('process.pid'));
  const signal = AbortSignal.timeout(60_000);
  const events = at.runtime.events(signal)[Symbol.asyncIterator]();
  const heard = events.next();
  const one = await at.runtime.start(order);
  assert.deepEqual(await at.runtime.start(order), one);
  assert.deepEqual(await at.runtime.list(), [one]);
  assert.deepEqual([one.instance, one.labels], [order.instance, order.labels]);

  const short = { ...order, instance: newId(), command: 'echo first; echo second >&2; printf third; exit 3' };
  await at.runtime.start(short);
  const { value } = await heard;
  assert.deepEqual([value.instance, value.replicas], [short.instance, []]);
  assert.deepEqual(value.ended, { code: 'exited', params: { code: 3 } });
  const written = await Array.fromAsync(at.runtime.logs(short.instance, { signal }));
  assert.deepEqual(written.flatMap(({ lines }) => lines).sort(), ['first', 'second', 'third']);
  const since = written.at(-1)?.at ?? 0;
  assert.deepEqual(await Array.fromAsync(at.runtime.logs(short.instance, { since, signal })), []);

  await at.runtime.stop(short.instance, 0);
  assert.deepEqual(await at.runtime.list(), [one]);
  await at.runtime.stop(newId(), 0);
  await at.runtime.stop(order.instance, 1_000);
  assert.deepEqual(await at.runtime.list(), []);
});

withAny('contract of runtimes: containers', async (_engine, daemon, t) => {
  const platform = newId();
  await using at = await openTestRuntime(daemon, {}, platform);
  const reopen = () => openTestRuntime(daemon, {}, platform);
  await runtimeContract(t, { ...at, order: await scriptedOrder(at), reopen });
});

withEngine(
  'what an earlier life of a server left runs on, and another platform knows nothing of it',
  async (at, _engine, daemon) => {
    const platform = newId();
    const order = await buildStartOrder(at, serverSite('1'));
    let origin = '';
    {
      await using earlier = await openTestRuntime(daemon, {}, platform);
      [origin = ''] = originsOf(await earlier.runtime.start(order));
      assert.equal(await answerOf({ targets: [{ kind: 'server', origin }] }), '1');
    }
    await using later = await openTestRuntime(daemon, {}, platform);
    assert.deepEqual(
      (await later.runtime.list()).map((one) => [one.instance, originsOf(one)]),
      [[order.instance, [origin]]],
    );
    assert.equal(await answerOf({ targets: [{ kind: 'server', origin }] }), '1');
    assert.deepEqual(await at.runtime.list(), []);
    await later.runtime.stop(order.instance, 0);
    for (const key of await later.runtime.retainedEnvironments()) await later.runtime.forget(key, NEVER);
  },
);

withEngine('who takes over from another server has its folder from then on', async (_at, _engine, daemon) => {
  const platform = newId();
  await using first = await openTestRuntime(daemon, {}, platform);
  const dataDir = first.dataDir;
  await using second = await openTestRuntime(daemon, { dataDir }, platform);
  assert.equal(second.runtime.claim(), false, 'the first one lives');
  await first.runtime.close();
  await second.runtime.recover();
  await using third = await openTestRuntime(daemon, { dataDir }, platform);
  assert.equal(third.runtime.claim(), false, 'the second one lives');
  await second.runtime.close();
  assert.equal(third.runtime.claim(), true);
});

withEngine('a command of a release is run to its end or its time’s, and its home stays', async (at) => {
  const order = await buildStartOrder(at, serverSite('1'));
  const lines: string[] = [];
  const run = async (command: string, seconds = 60) => {
    const { lines: some, ...end } = await runCommand(at, order, command, { seconds });
    lines.push(...some);
    return end;
  };
  assert.equal((await run('echo kept > ~/note; echo layer > note')).succeeded, true);
  assert.equal((await run('cat ~/note; test ! -e note')).succeeded, true);
  assert.deepEqual(lines, ['kept']);
  assert.deepEqual(await run('exit 4'), { succeeded: false, how: { code: 'exited', params: { code: 4 } } });
  assert.deepEqual((await run('sleep 60', 1)).how, { code: 'too_slow', params: { seconds: 1 } });
  const greedy = await run('node -e "const all = []; while (true) all.push(Buffer.alloc(1e7, 1))"');
  assert.deepEqual(
    greedy.how,
    NO_OOM
      ? { code: 'killed', params: { signal: 'SIGKILL' } }
      : { code: 'too_much_memory', params: { mebibytes: 128 } },
  );
  assert.deepEqual(await at.runtime.retainedEnvironments(), [
    { applicationId: order.labels.applicationId, environmentId: order.labels.environmentId },
  ]);
});

withEngine(
  'what is written last is told once, also to whoever reads more slowly than it ends',
  async (at) => {
    const order = await buildStartOrder(at, serverSite('1'));
    const count = 900;
    const write = `for (let n = 0; n < ${count}; n++) console.log(String(n).padEnd(1000, "."))`;
    const instance = newId();
    await at.runtime.start({ ...order, instance, command: `node -e '${write}'; printf last` });
    const told: string[] = [];
    for await (const { lines } of at.runtime.logs(instance, { signal: AbortSignal.timeout(60_000) })) {
      if (told.length === 0) await sleep(3_000);
      told.push(...lines);
    }
    const numbered = Array.from({ length: count }, (_, n) => String(n).padEnd(1_000, '.'));
    assert.deepEqual(told, [...numbered, 'last']);
  },
);

withEngine('what one says as it is asked to end is told before it goes', async (at) => {
  const order = await buildStartOrder(at, serverSite('1'));
  const command = `node -e 'process.on("SIGTERM", () => process.exit(console.log("bye"))); setInterval(() => {}, 1e6); console.log("there")'`;
  const ends = Array.from({ length: 8 }, async () => {
    const instance = newId();
    await at.runtime.start({ ...order, instance, command });
    const told: string[] = [];
    let stopped: Promise<void> | undefined;
    for await (const { lines } of at.runtime.logs(instance, { signal: AbortSignal.timeout(60_000) })) {
      stopped ??= at.runtime.stop(instance, 20_000);
      told.push(...lines);
    }
    await stopped;
    return told;
  });
  for (const told of await Promise.all(ends)) assert.deepEqual(told, ['there', 'bye']);
});

withEngine('what does nothing of its own at SIGTERM ends by it', async (at, engine) => {
  const order = await buildStartOrder(at, serverSite('1'));
  const instance = newId();
  const signal = AbortSignal.timeout(60_000);
  const code = (async () => {
    for await (const { Action, Actor } of engine.events({ 'simcha.instance': instance }, signal))
      if (Action === 'die') return Actor.Attributes.exitCode;
    return undefined;
  })();
  const command = `node -e 'setInterval(() => console.log("there"), 100)'`;
  await at.runtime.start({ ...order, instance, command });
  for await (const _ of at.runtime.logs(instance, { signal })) break;
  await at.runtime.stop(instance, 20_000);
  assert.equal(await code, '143');
});

withEngine('what fails to be built says why, and nothing of it is left', async (at, engine) => {
  const large = { ...serverSite('1'), settings: { build: 'dd if=/dev/zero of=large bs=1M count=80' } };
  await assert.rejects(buildSite(at, large), /The build’s output uses more than 64 MiB of disk/);
  const failing = { ...serverSite('1'), settings: { build: 'echo "no such thing" >&2; exit 7' } };
  await assert.rejects(buildSite(at, failing), /no such thing/);
  // It may have ended before anybody looks at it.
  const how = await buildAndStart(at, { ...serverSite('1'), settings: { start: 'exit 9' } }).then(
    ({ instance }) => instance.ended,
    ({ reason }) => reason,
  );
  assert.match(describeReason(how, 'en'), /exited with code 9/);
  await until(async () => (await engine.containers({ 'simcha.kind': 'build' }, NEVER)).length === 0);
});

withEngine('what is served of a static site’s build comes out of its container, and no more', async (at) => {
  const site = (build: string) => ({ files: { 'package.json': '{}', 'src/a': 'b' }, settings: { build } });
  const made = await buildSite(
    at,
    site('mkdir -p "dist/a b" && echo page > dist/index.html && echo x > "dist/a b/c"'),
  );
  assert.deepEqual(made.artifact, { kind: 'files' });
  const folder = siteFolders(at.dataDir).site(made.name);
  assert.deepEqual((await readdir(folder, { recursive: true })).sort(), ['a b', 'a b/c', 'index.html']);
  assert.equal(await readFile(join(folder, 'index.html'), 'utf8'), 'page\n');
  assert.equal(await at.builder.has(made.name, made.artifact), true);
  const out = 'mkdir dist; echo > dist/index.html; ln -s /etc/passwd dist/out';
  await assert.rejects(buildSite(at, site(out)), /The link "out" leads out/);
  await assert.rejects(buildSite(at, site('mkdir other')), /index\.html/);
  const large = 'mkdir dist; echo > dist/index.html; dd if=/dev/zero of=dist/large bs=1M count=80';
  await assert.rejects(buildSite(at, site(large)), /uses more than 64 MiB/);
});

withEngine(
  'folders that a framework keeps are there for the next build, unless they grow too large',
  async (at) => {
    const applicationId = newId();
    const turn = async (build_: string) => {
      const files = { 'simcha.json': '{"caches":["cache/deep"],"start":"true"}', 'package.json': '{}' };
      const site = { files, settings: { build: build_ } };
      return (await buildSite(at, site, { applicationId, buildId: newId() })).lines;
    };
    const first = await turn('test ! -e cache && mkdir -p cache/deep && echo kept > cache/deep/file');
    assert.ok(first.includes('Saved for the next build: cache/deep.'), first.join('\n'));
    const second = await turn('cat cache/deep/file && echo more > cache/deep/other');
    assert.ok(second.includes('Restored from the build cache: cache/deep.'), second.join('\n'));
    assert.ok(second.includes('kept'));
    await assert.rejects(turn('rm -r cache/deep; exit 3'));
    const large = await turn(
      'ls cache/deep | tr "\\n" " " && dd if=/dev/zero of=cache/deep/large bs=1M count=20',
    );
    assert.ok(
      large.some((line) => line.startsWith('file other')),
      large.join('\n'),
    );
    assert.ok(
      large.some((line) => line.includes('the cache uses more than 16 MiB of disk')),
      large.join('\n'),
    );
    assert.ok(
      (await turn('test ! -e cache && mkdir -p cache/deep')).every(
        (line) => !line.startsWith('Restored from'),
      ),
    );
    await at.builder.forget(applicationId, NEVER);
  },
);

withEngine('what a build’s commands leave running adds nothing to what was measured', async (at, engine) => {
  const late = `
    const { readdirSync, writeFileSync, truncateSync } = require('node:fs');
    while (!readdirSync('/kept').some((name) => name !== 'now'));
    writeFileSync('/app/late', '');
    truncateSync('/app/late', 2 ** 27);`;
  const files = {
    'late.js': late,
    'simcha.json': '{"caches":["cache"],"start":"true"}',
    'package.json': '{}',
  };
  const command =
    'setsid node late.js >/dev/null 2>&1 & mkdir cache; for n in $(seq 2000); do echo > "cache/$n"; done';
  const { artifact } = await buildSite(at, { files, settings: { build: command } });
  assert.ok(artifact.kind === 'image');
  const [made, base] = await Promise.all([artifact.image, NODE].map((name) => engine.image(name, NEVER)));
  assert.ok((made?.Size ?? 0) - (base?.Size ?? 0) < 2 ** 26, `${made?.Size}, of ${base?.Size}`);
});

withEngine(
  'packages are installed once for as long as nothing changes that decides them, and nothing else is kept with them',
  async (at, engine) => {
    const applicationId = newId();
    const kept = 'Reused the packages of an earlier build';
    // It needs no registry.
    const lock = '{"lockfileVersion":3,"requires":true,"packages":{"":{}}}';
    const turn = async (files: Record<string, string>, manifest: object = {}) => {
      const all = { 'package.json': JSON.stringify(manifest), 'package-lock.json': lock, ...files };
      const settings = { install: NPM_CI, build: 'echo "there: $(ls | tr "\\n" " ")"', start: 'node one.js' };
      const site = { files: all, settings };
      const { lines, artifact } = await buildSite(at, site, { applicationId, buildId: newId() });
      assert.ok(artifact.kind === 'image');
      const there = lines.find((line) => line.startsWith('there: '));
      return { isKept: lines.some((line) => line.startsWith(kept)), there, lines, image: artifact.image };
    };
    const first = await turn({ 'one.js': '1' });
    assert.equal(first.isKept, false);
    assert.ok(first.lines.includes(`$ ${NPM_CI}`), first.lines.join('\n'));
    assert.equal(first.there, 'there: one.js package-lock.json package.json ');
    const second = await turn({ 'two.js': '2' });
    assert.equal(second.isKept, true, second.lines.join('\n'));
    assert.ok(!second.lines.includes(`$ ${NPM_CI}`));
    assert.equal(second.there, 'there: package-lock.json package.json two.js ');
    const layersOf = async (image: string) => (await engine.image(image, NEVER))?.RootFS.Layers ?? [];
    const [one, other] = [await layersOf(first.image), await layersOf(second.image)];
    assert.deepEqual(one.slice(0, -1), other.slice(0, -1), 'all but what is their own they share');
    const changed = await turn({ 'two.js': '2' }, { dependencies: {} });
    assert.equal(changed.isKept, false);
    assert.equal((await turn({}, { scripts: { postinstall: 'true' } })).isKept, false);
    assert.equal((await turn({}, { scripts: { postinstall: 'true' } })).isKept, false);

    const sets = async () =>
      (await imagesOf(engine, applicationId)).filter((name) => name.includes(':packages-'));
    assert.equal((await sets()).length, 2);
    for (const version of ['2', '3', '4']) await turn({}, { version });
    assert.equal((await sets()).length, 3, 'the newest ones');
    await at.builder.forget(applicationId, NEVER);
    assert.deepEqual(await imagesOf(engine, applicationId), []);
  },
);

withEngine(
  'packages are kept of a site in a folder of its repository, and count as what its build made',
  async (at) => {
    const applicationId = newId();
    const files = {
      'site/package.json': '{}',
      'site/package-lock.json': '{"lockfileVersion":3,"packages":{"":{}}}',
      'site/server.js': '1',
    };
    const settings = { install: NPM_CI, build: 'test -e server.js', start: 'node server.js' };
    const turn = async () => {
      const site = { files, settings, root: 'site' };
      return (await buildSite(at, site, { applicationId, buildId: newId() })).lines;
    };
    assert.ok((await turn()).includes(`$ ${NPM_CI}`));
    assert.ok((await turn()).some((line) => line.startsWith('Reused the packages')));
    await at.builder.forget(applicationId, NEVER);
  },
);

withEngine('a version of Node.js that the image has not got is said, and never ignored', async (at) => {
  const site = (node: string) => ({
    files: {
      'server.js': '',
      'package.json': JSON.stringify({ engines: { node }, scripts: { start: 'node .' } }),
    },
  });
  await assert.rejects(buildSite(at, site('^18.0.0')), /Node\.js.*18\.0\.0.*simcha-test\/node/s);
  const { lines } = await buildSite(at, site('>=20'));
  assert.ok(lines.includes(`Node.js ${process.versions.node}`), lines.join('\n'));
});

withAny('what the engine has not got to build on is said by its name', async (_engine, daemon) => {
  await using at = await openTestRuntime(daemon, {
    appsImages: { ...SETTINGS.appsImages, node: 'registry.invalid/none:1' },
  });
  await assert.rejects(
    buildSite(at, serverSite('1')),
    /The base image registry\.invalid\/none:1 could not be pulled/,
  );
});

withEngine(
  'the images of builds are there until they are pruned, and nothing stays of what is forgotten',
  async (at, engine) => {
    const applicationId = newId();
    const buildIds = [newId(), newId()];
    const built = [];
    for (const buildId of buildIds)
      built.push(await buildSite(at, serverSite('1'), { applicationId, buildId }));
    const [first, second] = built as [(typeof built)[0], (typeof built)[0]];
    assert.deepEqual((await at.builder.builds(applicationId)).sort(), [...buildIds].sort());
    await at.builder.prune(applicationId, [first.name.buildId], NEVER);
    assert.equal(await at.builder.has(first.name, first.artifact), false);
    assert.equal(await at.builder.has(second.name, second.artifact), true);
    assert.deepEqual(await at.builder.applications(), [applicationId]);
    await at.builder.forget(applicationId, NEVER);
    assert.deepEqual(await at.builder.applications(), []);
    const labels = { 'simcha.application': applicationId };
    const left = [
      imagesOf(engine, applicationId),
      engine.volumes(labels, NEVER),
      engine.networks(labels, NEVER),
    ];
    assert.deepEqual(await Promise.all(left as Promise<unknown>[]), [[], [], []]);
  },
);

withEngine(
  'a build copied to another application stays when the first one is forgotten, and goes with its own',
  async (at, engine) => {
    const [one, other] = [newId(), newId()];
    const built = await buildSite(at, serverSite('1'), { applicationId: one, buildId: newId() });
    const copy = { applicationId: other, buildId: newId() };
    const artifact = await at.builder.copy(built.name, copy, built.artifact, NEVER);
    assert.deepEqual((await at.builder.applications()).sort(), [one, other].sort());
    assert.deepEqual(await at.builder.builds(one), [built.name.buildId]);
    assert.deepEqual(await at.builder.builds(other), [copy.buildId]);
    await at.builder.forget(one, NEVER);
    assert.equal(await at.builder.has(built.name, built.artifact), false);
    assert.equal(await at.builder.has(copy, artifact), true);
    assert.deepEqual(await at.builder.applications(), [other]);
    await at.builder.forget(other, NEVER);
    assert.deepEqual(await at.builder.applications(), []);
    assert.deepEqual(await Promise.all([one, other].map((id) => imagesOf(engine, id))), [[], []]);
  },
);

withEngine(
  'a build in which no command is run starts nothing, and of one that ran some nothing stays behind',
  async (at, engine) => {
    const applicationId = newId();
    const labels = { 'simcha.application': applicationId };
    const end = new AbortController();
    const started: string[] = [];
    const listen = async () => {
      const events = engine.events({ ...labels, 'simcha.kind': 'build' }, end.signal);
      for await (const { Action, Actor } of events)
        if (Action === 'start') started.push(Actor.Attributes.name ?? '');
    };
    const listening = listen().catch(() => {});
    const [plain, run] = [newId(), newId()];
    await buildSite(at, serverSite('1'), { applicationId, buildId: plain });
    const site = { ...serverSite('1'), settings: { build: 'true' } };
    await buildSite(at, site, { applicationId, buildId: run });
    await at.builder.forget(applicationId, NEVER);
    const left = [
      engine.containers(labels, NEVER),
      engine.volumes(labels, NEVER),
      engine.networks(labels, NEVER),
    ];
    assert.deepEqual(await Promise.all(left as Promise<unknown>[]), [[], [], []]);
    await until(() => started.length > 0);
    assert.deepEqual(started, [`simcha-build-${run}`]);
    end.abort();
    await listening;
  },
);

withEngine(
  'a site reaches neither the engine’s machine nor a private network, unless it may',
  async (at, _engine, daemon) => {
    const order = await buildStartOrder(at, serverSite('1'));
    await using listener = createServer((socket) => socket.on('error', () => {}).end()).listen(0, '0.0.0.0');
    await once(listener, 'listening');
    const { port } = listener.address() as AddressInfo;
    const said = async (by: OpenedRuntime, command: string) => {
      // Each platform has networks of its own.
      const labels = { ...order.labels, environmentId: newId() };
      const { lines } = await runCommand(by, order, command, { labels, seconds: 20 });
      await by.runtime.forget(labels, NEVER);
      return lines.join();
    };
    const ask = (by: OpenedRuntime, host: string, to = port) =>
      said(by, `node -e '${CONNECT_PROGRAM}' ${host} ${to}`);
    // This machine, beyond the engine’s; the engine’s own; another site’s network.
    assert.equal(await ask(at, daemon.here), 'ENETUNREACH');
    assert.equal(await ask(at, daemon.there, 22), 'EHOSTUNREACH');
    const started = await at.runtime.start({
      ...order,
      labels: { ...order.labels, environmentId: newId() },
    });
    // Podman drops what goes from one of its networks to another without a word.
    const neighbour = await ask(at, new URL(originsOf(started)[0] ?? '').hostname, 8080);
    assert.equal(neighbour, ENGINE_KIND === 'podman' ? 'ETIMEDOUT' : 'ENETUNREACH');
    const name = `node -e 'require("dns").lookup("localhost.invalid", ({ code }) => console.log(code))'`;
    assert.equal(await said(at, name), 'ENOTFOUND', 'names are asked for all the same');

    await using allowed = await openTestRuntime(daemon, { appsAllowNetworks: [`${daemon.here}/32`] });
    assert.equal(await ask(allowed, daemon.here), 'reached');
    assert.equal(await ask(allowed, daemon.there, 22), 'EHOSTUNREACH');
    await using open = await openTestRuntime(daemon, { appsIsolation: 'none' });
    assert.equal(await ask(open, daemon.here), 'reached');
    assert.match(open.runtime.isolation, /reach all that its machine reaches/);
  },
);

withAny('rules that somebody removed are made again, and so is what makes them', async (engine, daemon) => {
  const platform = newId();
  await using at = await openTestRuntime(daemon, {}, platform);
  const chain = `SIMCHA-${prefixOf(platform)}`;
  const order = await buildStartOrder(at, { ...serverSite('1'), settings: { build: 'true' } });
  const rules = () =>
    daemon
      .inside('iptables', '-S')
      .split('\n')
      .filter((line) => line.includes(chain));
  const before = rules();
  assert.ok(before.length > 10, before.join('\n'));
  daemon.inside('iptables', '-F', chain);
  const [jump = ''] = before.filter((line) => line.startsWith('-A INPUT'));
  daemon.inside('iptables', ...jump.replace('-A', '-D').split(' '));
  assert.notDeepEqual(rules(), before);
  await until(() => isDeepStrictEqual(rules(), before));
  if (ENGINE_KIND === 'podman') {
    // Ours stands before Podman's, which lets all through.
    const ways = () => daemon.inside('iptables', '-S', 'FORWARD').split('\n');
    const isFirst = () =>
      ways().findIndex((way) => way.includes(chain)) <
      ways().findIndex((way) => way.includes('NETAVARK_FORWARD'));
    assert.ok(isFirst(), ways().join('\n'));
    const [way = ''] = before.filter((line) => line.startsWith('-A FORWARD'));
    daemon.inside('iptables', ...way.replace('-A', '-D').split(' '));
    daemon.inside('iptables', ...way.split(' '));
    assert.ok(!isFirst());
    await until(isFirst);
  }
  const firewall = `simcha-firewall-${platform}`;
  await at.runtime.start(order);
  await engine.remove(firewall, NEVER);
  await until(async () => {
    await at.runtime.list();
    return (await engine.inspect(firewall, NEVER))?.State.Running === true;
  });
  await at.runtime.stop(order.instance, 0);
  await at.runtime.forget(order.labels, NEVER);
  await at.builder.forget(order.labels.applicationId, NEVER);
});

withAny(
  'a repository’s own Dockerfile is passed over with Podman, where none is built, or anybody may register',
  async (_, daemon) => {
    await using at = await openTestRuntime(
      daemon,
      ENGINE_KIND === 'podman' ? {} : { appsDockerfiles: 'off' },
    );
    const site = serverSite('1');
    const files = { ...site.files, Dockerfile: `FROM ${NODE}\nRUN false` };
    const applicationId = newId();
    const name = { applicationId, buildId: newId() };
    const { artifact, plan } = await buildSite(at, { ...site, files }, name);
    assert.ok(artifact.kind === 'image' && !artifact.own);
    assert.match(plan.processes.web ?? '', /node server\.js/);
    const alone = { files: { Dockerfile: files.Dockerfile } };
    await assert.rejects(
      buildSite(at, alone),
      /This server does not build the Dockerfile: .*APPS_DOCKERFILES/,
    );
    // As it was planned where it was built by.
    const planned = buildSite(
      { builder: withChanges(at.builder, { dockerfiles: 'built' }) },
      { ...site, files },
    );
    await assert.rejects(planned, /built from its Dockerfile, but this server does not build Dockerfiles/);
    await at.builder.forget(applicationId, NEVER);
    if (ENGINE_KIND === 'podman') return;
    const open = await openTestRuntime(daemon, { appsDockerfiles: 'open_registration' });
    await using _open = open;
    const untrusted = /because anyone can register\. .*REGISTRATION.*APPS_DOCKERFILES=on/;
    await assert.rejects(buildSite(open, alone), untrusted);
    const plannedBefore = { builder: withChanges(open.builder, { dockerfiles: 'built' }) };
    await assert.rejects(buildSite(plannedBefore, { ...site, files }), untrusted);
  },
);

withEngine('a volume is measured, taken away, brought back and emptied', async (at) => {
  const order = await buildStartOrder(at, serverSite('1'));
  const volume = { ...order.labels, name: 'home' };
  const inside = async (command: string, name = volume.name) => {
    const changed = { mounts: [{ volume: name, at: 'home' as const }], seconds: 60 };
    const { lines, succeeded } = await runCommand(at, order, `cd ~ && ${command}`, changed);
    assert.ok(succeeded, lines.join('\n'));
    return lines;
  };
  const { contents } = at;
  // To Podman a volume's own folder counts.
  const isEmpty = async () => ((await contents.size(volume, NEVER)) ?? Infinity) <= 4_096;
  assert.ok(await isEmpty());
  await inside(
    'mkdir -p deep/שלום .hidden && echo one > deep/שלום/file && ln deep/שלום/file hard && ln -s /etc/passwd out && head -c 3000000 /dev/zero > zeros && chmod 000 .hidden && chmod 750 zeros',
  );
  const size = (await contents.size(volume, NEVER)) ?? 0;
  assert.ok(size > 2_900_000 && size < 4_000_000, String(size));
  const archive = await buffer(await contents.backup(volume));

  const fresh = { ...volume, name: 'home.fresh' };
  await contents.fill(fresh, Readable.from(archive));
  const look =
    'ls -A && cat deep/שלום/file && ls -ld .hidden zeros | cut -c1-10 && readlink out && stat -c %u zeros . && echo new > new';
  assert.deepEqual(await inside(look, fresh.name), [
    '.hidden',
    'deep',
    'hard',
    'out',
    'zeros',
    'one',
    'd---------',
    '-rwxr-x---',
    '/etc/passwd',
    '1000',
    '1000',
  ]);
  assert.equal((await inside('ls -A')).length, 5, 'another one is as it was');
  await contents.empty(fresh);

  const refused = (content: Readable, code: string) =>
    assert.rejects(contents.fill({ ...volume, name: newId() }, content), { code });
  await refused(Readable.from(Buffer.from('no archive')), 'no_archive');
  await refused(Readable.from(archive.subarray(0, -2_000)), 'no_archive');
  const large = pack();
  large.entry({ name: 'large' }, Buffer.alloc(80 * 2 ** 20));
  large.finalize();
  await refused(Readable.from(large), 'too_large');
  await contents.empty(volume);
  assert.ok(await isEmpty());
  assert.deepEqual(await inside('ls -A'), []);
});

withEngine('a file with holes is brought back, unless it is too large with them', async (at) => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'simcha-holes-'));
  const volume = { applicationId: newId(), environmentId: newId(), name: 'data' };
  const file = join(folder.path, 'file');
  const filled = async (bytes: number) => {
    await writeFile(file, 'begins');
    await truncate(file, bytes);
    const words = ['--create', '--file=-', '--sparse', '--directory', folder.path, '.'];
    return at.contents.fill(volume, Readable.from(execFileSync('tar', words)));
  };
  await filled(10_000_000);
  assert.ok(((await at.contents.size(volume, NEVER)) ?? 0) > 9_000_000);
  await at.contents.empty(volume);
  await assert.rejects(filled(10_000_000_000), { code: 'too_large' });
});

const settingsOf = ({ socket, subnets }: TestEngine, APPS_RUNTIME: string) => ({
  APPS_ENGINE: socket,
  APPS_SUBNETS: subnets,
  APPS_IMAGE_NODE: NODE,
  APPS_DOCKERFILES: 'on',
  APPS_RUNTIME,
});

withAny('where sites run otherwise by one setting, each is built again once', async (_engine, daemon) => {
  const files = {
    Procfile: 'web: node server.js\nworker: node worker.js',
    'made.js': '',
    'package.json': '{}',
    'simcha.json': '{"build":"sleep 1; echo \'module.exports = 1\' > made.js"}',
    'server.js': `require('http').createServer((_, answer) => answer.end(require('./made.js') + require('os').hostname())).listen(process.env.PORT)`,
    'worker.js': `console.log('works in', require('./made.js')); setInterval(() => {}, 1_000)`,
  };
  await using site = await openReconfigurableSite(files, settingsOf(daemon, 'docker'));
  const { app } = site;
  await app.deploy();
  const isHere = async (runtime: string) => {
    const { status, text } = await app.visit().catch(() => ({ status: 0, text: '' }));
    // A container is called by its id.
    return status === 200 && (runtime === 'docker') === /^1[0-9a-f]{12}$/.test(text);
  };
  const lines = async (wanted: RegExp) =>
    (await app.call('GET', '/logs?lines=1000')).text.split('\n').filter((line) => wanted.test(line)).length;
  assert.ok(await isHere('docker'));
  for (const [turn, runtime] of ['process', 'docker'].entries()) {
    const worked = await lines(/works in/);
    await site.move(settingsOf(daemon, runtime));
    await until(() => isHere(runtime), 60_000);
    await until(async () => (await lines(/works in/)) > worked, 60_000);
    assert.equal(await lines(/building it again/), turn + 1);
    assert.equal(await lines(/could not be started again/), 0);
    assert.ok(await isHere(runtime));
  }
  assert.equal((await app.call('DELETE')).status, 204);
});

withAny('what a site keeps goes along where it is run otherwise by one setting', async (engine, daemon) => {
  const processes = settingsOf(daemon, 'process');
  const containers = settingsOf(daemon, 'docker');
  await using site = await openVolumeSite(processes);
  const { app } = site;
  const labels = { 'simcha.application': app.uuid };
  const [environment = ''] = await readdir(join(site.dataDir, 'sites', app.uuid, 'environments'));
  const volumes = async () => {
    const all = await engine.volumes({ ...labels, 'simcha.environment': environment }, NEVER);
    return all.map(({ Labels }) => Labels['simcha.volume']?.split('.')[0]).sort();
  };
  const folders = async () => {
    const all = await readdir(join(site.dataDir, 'sites', app.uuid), { recursive: true });
    return all.filter((name) => /starts$/.test(name)).length;
  };
  const log = async () => (await app.call('GET', '/logs?lines=1000')).text;
  const stood = async (...all: string[]) => {
    const data = all.join(' ');
    assert.deepEqual(await site.started(all.length), { where: all.at(-1), data, home: data });
  };
  await stood('process');
  assert.equal(await folders(), 2);

  await site.move(containers);
  await stood('process', 'container');
  assert.deepEqual(await volumes(), ['data', 'home']);
  await until(async () => (await folders()) === 0);

  // What runs there outlives its server, and would write on.
  await site.move({ ...processes, APPS_ENGINE: `${daemon.socket}.none` });
  await until(async () => (await log()).includes('can’t be moved now'), 60_000);
  assert.match(
    await log(),
    /The data at (\/data|\$HOME) is still where the site ran before \(APPS_RUNTIME=docker\)/,
  );
  assert.equal(await site.shows(), undefined);
  const { status, text } = await app.call('GET', '/volumes/data/backup');
  assert.equal(status, 503, text);
  assert.deepEqual((await app.call('GET', '/volumes')).body.volumes[0].bytes, null);
  await until(() => site.says('what ran sites before can’t be reached, nor what they keep there: ') > 0);
  await site.tried(3);
  assert.equal(site.says('can’t be reached'), 1);
  assert.equal(site.says('"stack"'), 0);
  assert.equal((await engine.containers({ ...labels, 'simcha.kind': 'site' }, NEVER)).length, 1);

  await site.move({ ...processes, APPS_IMAGE_NODE: 'localhost:1/none' });
  // A lasting reason is one line of the server's log: of the image, and of what waits for it.
  await until(() => site.says('could not be brought') > 1);
  await site.tried(4);
  assert.equal(site.says('could not be brought'), 2);
  assert.equal(site.says('"stack"'), 0);

  await site.move(processes);
  await stood('process', 'container', 'process');
  assert.deepEqual(await volumes(), []);
  assert.deepEqual(await engine.containers(labels, NEVER), []);

  // What is stopped is asked for where it is, and emptied there.
  assert.equal((await app.call('POST', '/stop')).status, 200);
  await site.move(containers);
  const archive = await app.call('GET', '/volumes/data/backup');
  assert.match(archive.text, /process container process/);
  assert.ok((await app.call('GET', '/volumes/data')).body.bytes > 0);
  assert.equal((await app.call('POST', '/volumes/data/empty')).status, 200);
  assert.equal((await app.call('POST', '/start')).status, 202);
  assert.deepEqual(await site.started(4), {
    where: 'container',
    data: 'container',
    home: 'process container process container',
  });

  // What is lost for good is let go of by hand.
  const forget = (said: RegExp) => () => {
    const words = ['commands/forget-runtime.ts', 'docker', '--yes'];
    const env = { ...process.env, DATA_DIR: site.dataDir };
    assert.match(execFileSync(process.execPath, words, { env, encoding: 'utf8' }), said);
  };
  const away = { ...processes, APPS_ENGINE: `${daemon.socket}.none` };
  await site.move(away, forget(/^Done: 2 volumes and homes are forgotten\./));
  await stood('process');

  // What keeps nothing may run something still, and is asked until it is let go of as well.
  assert.equal((await app.call('POST', '/stop')).status, 200);
  await site.move(containers);
  await site.move(away);
  await until(() => site.says('what ran sites before can’t be reached: ') === 1);
  await site.move(away, forget(/^Done: docker has no data of sites, and is no longer asked/));
  assert.equal(site.says('can’t be reached'), 0);
  await site.move(
    away,
    forget(/^docker has no data of sites and is not asked what it runs; nothing was done/),
  );
});

withAny(
  'a release by a Dockerfile stays down where none is built by, and why is said once',
  async (_, daemon) => {
    if (ENGINE_KIND === 'podman') return;
    const files = {
      Dockerfile: `FROM ${NODE}\nCOPY server.js .\nCMD ["node", "server.js"]`,
      'server.js': `require('http').createServer((_, answer) => answer.end('up')).listen(process.env.PORT)`,
    };
    await using site = await openReconfigurableSite(files, settingsOf(daemon, 'docker'));
    const { app, repository } = site;
    await app.deploy();
    await site.move(settingsOf(daemon, 'process'));
    await until(async () => (await app.visit()).status === 502, 60_000);
    assert.match((await app.visit()).text, /The site does not answer|האתר אינו עונה/);
    await site.tried(4);
    const lines = (await app.call('GET', '/logs?lines=1000')).text.split('\n');
    const told = lines.filter((line) => /could not be started again|building it again/.test(line));
    assert.equal(told.length, 1);
    assert.match(
      told[0] ?? '',
      /is built from its Dockerfile, but this server does not build Dockerfiles.* stays down/,
    );
    // What is deployed next is another release.
    await repository.commit({ 'package.json': '{"scripts":{"start":"node server.js"}}' });
    await app.deploy();
    assert.equal((await app.visit()).text, 'up');
    assert.equal((await app.call('DELETE')).status, 204);
  },
);

withAny(
  'a site serves on while its platform is killed, the next one goes on with it, and once its engine was away',
  async (engine, daemon) => {
    const { socket, subnets } = daemon;
    await using database = await temporaryDatabase('postgres');
    await using repository = await createRepository(versionSite('v'));
    const env = {
      ...database.env,
      APPS_RUNTIME: 'docker',
      APPS_ENGINE: socket,
      APPS_SUBNETS: subnets,
      APPS_IMAGE_NODE: NODE,
      APPS_DOCKERFILES: 'on',
      APPS_GIT_PROTOCOLS: 'file',
      RATE_LIMIT: '1000000',
      APPS_PORT: String(await freePort()),
    };
    const port = String(await freePort());
    const startPlatform = () => spawnReadyServer({ ...env, PORT: port }, { args: ['platform'] });
    let application = '';
    const running = () => engine.containers({ 'simcha.application': application }, NEVER);
    const end = async ({ child, ended }: ServerProcess, signal: NodeJS.Signals) => {
      child.kill(signal);
      await ended;
    };
    let platform = await startPlatform();
    const gateway = await spawnServer(env, { args: ['gateway'] });
    try {
      const user = await verifiedUser(platform.url, database.env.DATA_DIR);
      const app = await newApplication(user.call, platform.url, repository.address);
      application = app.uuid;
      await app.deploy();
      const through = async (path: string) => (await visitSite(gateway.url, app.host, path)).text;
      const who = await through('/who');
      const answers = new Set<string>();
      const asking = repeatUntilEnded(async () => {
        const { status, text } = await visitSite(gateway.url, app.host, '/').catch((error) => ({
          status: 0,
          text: String(error),
        }));
        answers.add(`${status} ${text}`);
      });
      for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
        await end(platform, signal);
        assert.equal(await through('/who'), who, 'it serves while there is no platform');
        platform = await startPlatform();
        await until(async () => (await app.call('GET', '/logs?lines=1')).text.includes('asked for'));
        assert.equal(await through('/who'), who);
      }
      assert.deepEqual([...answers], ['200 v ']);

      // A switch, and what dies, as anywhere.
      await repository.commit(versionSite('w'));
      await app.deploy();
      await until(() => answers.has('200 w '));
      await asking.end();
      assert.deepEqual([...answers], ['200 v ', '200 w ']);
      await until(async () => (await running()).length === 1);
      const second = await through('/who');
      await visitSite(gateway.url, app.host, '/die').catch(() => {});
      await until(async () => {
        const { status, text } = await visitSite(gateway.url, app.host, '/who');
        return status === 200 && text !== second;
      });

      // Podman's containers need no Podman to go on.
      if (!engine.isPodman) {
        const away = async () =>
          (await app.call('GET', '/logs?lines=100')).text.match(/container engine does not respond/g) ?? [];
        await daemon.stop();
        await until(async () => (await away()).length > 0, 30_000);
        // It is tried again meanwhile.
        await sleep(6_000);
        await daemon.start();
        await until(async () => (await visitSite(gateway.url, app.host, '/')).status === 200, 30_000);
        assert.equal((await away()).length, 1);
      }
      assert.equal((await app.call('DELETE')).status, 204);
      await until(async () => (await running()).length === 0);
    } finally {
      await end(platform, 'SIGTERM');
      await end(gateway, 'SIGTERM');
      for (const { Id } of await running()) await engine.remove(Id, NEVER);
    }
  },
);
