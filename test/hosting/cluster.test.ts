import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { replicasIn } from '../../server/hosting/engine/swarm/tasks.ts';
import type { Service } from '../../server/hosting/engine/swarm/types.ts';
import { describeReason } from '../../server/hosting/model/reasons/reason.ts';
import { siteFolders } from '../../server/hosting/model/site-folders.ts';
import { openSwarm } from '../../server/hosting/open-runtime.ts';
import type { Instance, StartOrder } from '../../server/hosting/runtimes/runtime.ts';
import { uuidsIn } from '../../server/hosting/sandbox/folders.ts';
import { readConfig } from '../../server/kernel/config.ts';
import { newId } from '../../server/kernel/identifiers.ts';
import { campaign } from '../support/campaign.ts';
import { clusterOfFile, type TestCluster, type TestNode } from '../support/cluster.ts';
import { clusterSettings } from '../support/cluster-settings.ts';
import { type ClusterWorld, openClusterWorld } from '../support/cluster-world.ts';
import { buildStartOrder, CONNECT_PROGRAM, type OpenedRuntime, runCommand } from '../support/containers.ts';
import { versionSite, visitSite } from '../support/deployed.ts';
import { repeatUntilEnded } from '../support/repeat.ts';
import { answerOf, openRuntime, originsOf, serverSite } from '../support/runtime.ts';
import { runtimeContract, scriptedOrder } from '../support/runtime-contract.ts';
import { until } from '../support/until.ts';

const NEVER = new AbortController().signal;

let settings: Record<string, string> = {};
const { withCluster, owned } = clusterOfFile(async (cluster) => {
  settings = await clusterSettings(cluster);
});

const opened = (cluster: TestCluster, platform = newId(), node = 0) => {
  const { appsImages, appsRegistry } = readConfig(settings);
  const appsEngine = cluster.nodes[node]?.socket ?? '';
  const own = { appsRuntime: 'swarm' as const, appsEngine, appsImages, appsRegistry };
  return openRuntime(own, undefined, openSwarm, platform);
};

/** With a runtime of a platform that nobody else has, of which nothing is left. */
const withSwarm = (name: string, work: (at: OpenedRuntime, cluster: TestCluster) => Promise<void>) =>
  withCluster(name, async (cluster) => {
    await using at = await opened(cluster);
    await work(at, cluster);
    for (const { instance } of await at.runtime.list()) await at.runtime.stop(instance, 1_000);
    for (const key of await at.runtime.retainedEnvironments()) await at.runtime.forget(key, NEVER);
    assert.deepEqual([await at.runtime.list(), await at.runtime.retainedEnvironments()], [[], []]);
  });

/** What the long run alone has time for. */
const longWithSwarm = campaign<typeof withSwarm>(async () => {}, withSwarm);

const ask = (origin: string) => answerOf({ targets: [{ kind: 'server', origin }] });

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
const secondsSince = (began: number) => ((performance.now() - began) / 1_000).toFixed(1);

/**
 * Asks each of the servers again and again, to the test's end at most; `others` has the answers that were not expected.
 */
function visitAll(
  t: TestContext,
  servers: readonly { url: string }[],
  host: string,
  expected: RegExp,
  path = '/version',
) {
  const others: string[] = [];
  const visits = servers.map(({ url }) =>
    repeatUntilEnded(async () => {
      const answer = await visitSite(url, host, path).catch((error) => ({ status: 0, text: String(error) }));
      const told = `${answer.status} ${answer.text}`;
      if (!expected.test(told)) others.push(`${url} ${told}`);
    }),
  );
  const end = () => Promise.all(visits.map((one) => one.end()));
  t.after(end);
  return { others, end };
}

/** Gives what gives it back, which is done at the test's end at the latest. */
async function cutPower(node: TestNode | undefined, t: TestContext): Promise<() => Promise<void>> {
  await node?.kill();
  let restoring: Promise<void> | undefined;
  const restore = async () => {
    restoring ??= node?.start();
    await restoring;
  };
  t.after(restore);
  return restore;
}

/** What a command of a release says, run beside it. */
async function said(at: OpenedRuntime, order: StartOrder, command: string): Promise<string[]> {
  const { lines, succeeded, how } = await runCommand(at, order, command, { seconds: 60 });
  assert.ok(succeeded, `${describeReason(how, 'en')}: ${lines.join('\n')}`);
  return lines;
}

withCluster('contract of runtimes: services of a cluster', async (cluster, t) => {
  const platform = newId();
  await using at = await opened(cluster, platform);
  const reopen = () => opened(cluster, platform);
  await runtimeContract(t, { ...at, order: await scriptedOrder(at), reopen });
});

withSwarm(
  'a release runs on all machines, and each of its replicas answers at its own',
  async (at, cluster) => {
    const site = serverSite(`[require('os').hostname(), process.env.TITLE, process.getuid()].join(' ')`);
    const order = { ...(await buildStartOrder(at, site)), replicas: 3, variables: { TITLE: 'hush hush' } };
    const started = await at.runtime.start(order);
    const origins = originsOf(started);
    assert.equal(new Set(origins.map((origin) => new URL(origin).hostname)).size, 3);
    const answers = await Promise.all(origins.map((origin) => ask(origin)));
    assert.equal(new Set(answers).size, 3);
    for (const text of answers) assert.match(text, / hush hush 1000$/);
    assert.deepEqual(originsOf(await at.runtime.start(order)), origins, 'by its name it is there already');

    await at.runtime.scale?.(order.instance, 1);
    await until(async () => (await at.runtime.list())[0]?.replicas.length === 1);

    // Whoever else says how many is not asked.
    const over = new AbortController();
    const listening = Array.fromAsync(at.runtime.events(over.signal));
    const [node] = cluster.nodes;
    const path = ['services', `simcha-${order.instance}`];
    const service = async () => node?.ask<Service>({ path });
    const { Spec, Version } = (await service()) as Service;
    await node?.ask({
      method: 'POST',
      path: [...path, 'update'],
      query: { version: Version.Index },
      body: { ...Spec, Mode: { Replicated: { Replicas: 3 } } },
    });
    await until(async () => replicasIn((await service()) as Service) === 1);
    over.abort();
    await listening;
  },
);

withSwarm('no machine, its own among them, and no neighbour is reached from a site', async (at, cluster) => {
  const order = await buildStartOrder(at, serverSite(`'x'`));
  const started = await at.runtime.start(order);
  const other = await buildStartOrder(at, serverSite(`'y'`));
  const neighbour = originsOf(await at.runtime.start(other))[0] ?? '';
  const { hostname, port } = new URL(neighbour);
  const places = [
    ...cluster.nodes.map(({ address }) => [address, '2377']),
    [hostname, port],
    cluster.registry.address.split(':'),
  ];
  const script = places.map(([host, at]) => `node -e '${CONNECT_PROGRAM}' ${host} ${at}`).join('; ');
  const lines = await said(at, order, script);
  assert.equal(lines.length, places.length);
  for (const line of lines) assert.match(line, /EHOSTUNREACH|ENETUNREACH|ECONNREFUSED|ETIMEDOUT/);
  assert.equal(await ask(originsOf(started)[0] ?? ''), 'x', 'from here both are');
  assert.equal(await ask(neighbour), 'y');
});

longWithSwarm('what ends is started again, and all that each writes is told once', async (at) => {
  const site = serverSite(`'x'`);
  const order = { ...(await buildStartOrder(at, site)), replicas: 2 };
  order.command = `echo begun; trap 'echo bye; exit 3' TERM; while [ ! -e /tmp/end ]; do sleep 0.1; done; exit 7`;
  const { listens: _, ...rest } = order;
  const worker = { ...rest, listens: false };
  const over = new AbortController();
  const states: Instance[] = [];
  const listening = (async () => {
    for await (const state of at.runtime.events(over.signal)) states.push(state);
  })();
  const started = await at.runtime.start(worker);
  assert.equal(started.replicas.length, 2);
  const told: string[] = [];
  const telling = (async () => {
    for await (const { number, lines } of at.runtime.logs(worker.instance, { signal: over.signal }))
      told.push(...lines.filter((line) => line !== 'Terminated').map((line) => `${number} ${line}`));
  })();
  await until(() => told.length === 2);
  assert.deepEqual(told.toSorted(), ['1 begun', '2 begun']);

  await at.runtime.stop(worker.instance, 5_000);
  await until(() => told.length === 4);
  assert.deepEqual(told.toSorted(), ['1 begun', '1 bye', '2 begun', '2 bye']);
  await telling;

  const falling = { ...worker, instance: newId(), command: 'echo up; sleep 2; exit 7' };
  await at.runtime.start(falling);
  const fallen = () =>
    states.flatMap(({ instance, replicas }) =>
      instance === falling.instance
        ? replicas.flatMap(({ down }) => (down ? [describeReason(down, 'en')] : []))
        : [],
    );
  await until(() => fallen().length > 0);
  assert.equal(fallen()[0], 'exited with code 7');
  const names = () =>
    new Set(
      states
        .filter(({ instance }) => instance === falling.instance)
        .flatMap(({ replicas }) => replicas.flatMap(({ down, name }) => (down ? [] : [name]))),
    );
  await until(() => names().size > 2);
  over.abort();
  await listening;
});

longWithSwarm('a volume keeps all that has it on its machine', async (at) => {
  const order = await buildStartOrder(at, serverSite(`require('fs').readFileSync('/data/one', 'utf8')`));
  const mounts = [...order.mounts, { volume: 'data', at: '/data' as const }];
  const release = { ...order, mounts, replicas: 2 };
  await said(at, release, 'echo kept > /data/one; ls -ld /data | cut -c1-10');
  const started = await at.runtime.start(release);
  assert.match(started.pinnedTo ?? '', /^node-\d$/);
  const origins = originsOf(started);
  assert.equal(new Set(origins.map((origin) => new URL(origin).hostname)).size, 1);
  for (const origin of origins) assert.equal(await ask(origin), 'kept\n');
  await at.runtime.stop(release.instance, 5_000);
  for (let turn = 0; turn < 3; turn += 1)
    assert.deepEqual(await said(at, release, 'cat /data/one'), ['kept']);
});

let world: ClusterWorld | undefined;
/** The same for who comes next. */
const worldOf = async (cluster: TestCluster) => {
  world ??= owned.use(await openClusterWorld(cluster, settings));
  return world;
};

withCluster(
  'a machine that dies costs no request that may be asked again, and its replicas are elsewhere',
  async (cluster, t) => {
    const { app, gateway, first, second, repository } = await worldOf(cluster);
    await app.deploy();
    await app.call('PATCH', '/processes', { web: 3 });
    const running = async () => {
      const [web] = (await app.call('GET', '/processes')).body.processes;
      return web.replicas.filter((one: { state: string }) => one.state === 'running').length;
    };
    await until(async () => (await running()) === 3);
    const { others, end } = visitAll(t, [first, second, gateway], app.host, /^200 v$/);
    await sleep(1_000);
    const [, , third] = cluster.nodes;
    const died = performance.now();
    const restore = await cutPower(third, t);
    await until(async () => (await running()) < 3);
    await until(async () => (await running()) === 3);
    const elsewhere = secondsSince(died);
    const log = (await app.call('GET', '/logs')).text;
    assert.match(log, /web\.\d \| lost its machine \(.+\); it is started again/);
    await restore();

    // A switch while a machine is cut off.
    const cutsOff = campaign(false, true);
    if (cutsOff) await third?.cutOff();
    await repository.commit(versionSite('v'), 'again');
    await app.deploy();
    if (cutsOff) await third?.rejoin();
    const times = await end();
    t.diagnostic(
      `a machine died under ${sum(times)} requests: ${others.length} failed, its replica ran elsewhere after ${elsewhere} s`,
    );
    assert.deepEqual(others, []);
  },
);

withCluster(
  'the next server goes on with what a machine had that died with the server on it',
  async (cluster, t) => {
    const { app, elsewhere, gateway, first, second, repository, pages } = await worldOf(cluster);
    await app.call('PATCH', '/processes', { web: 3 });
    await Promise.all([app.deploy(), pages.deploy()]);
    // Who has no copy yet asks the server that dies.
    for (const { folder } of [second, gateway])
      await until(async () => (await uuidsIn(siteFolders(folder).copiesOf(pages.uuid))).length > 0);
    for (const { url } of [second, gateway])
      await until(async () => (await visitSite(url, pages.host, '/')).status === 200);
    const { others, end } = visitAll(t, [second, gateway], app.host, /^200 [vw]$/);
    const files = visitAll(t, [second, gateway], pages.host, /^200 page$/, '/');
    await sleep(1_000);
    const [machine] = cluster.nodes;
    const died = performance.now();
    first.child.kill('SIGKILL');
    await cutPower(machine, t);
    await repository.commit(versionSite('w'), 'again');
    // For longer than it may take to say why it can't.
    await elsewhere.expect(await elsewhere.ask(), 'live', 400_000);
    const tookOver = secondsSince(died);
    assert.equal((await visitSite(gateway.url, app.host, '/')).text, 'w ');
    const times = [...(await end()), ...(await files.end())];
    t.diagnostic(
      `the server that runs the sites died with its machine under ${sum(times)} requests: ${others.length + files.others.length} failed, and the next one had a release of its own live after ${tookOver} s`,
    );
    assert.deepEqual([others, files.others], [[], []]);
  },
);
