import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { imageFolder, makeNodeImage } from '../../commands/cluster/node-image.ts';
import { ClusterImages } from '../../server/hosting/builds/cluster-images.ts';
import { targetsOf } from '../../server/hosting/controller/supervision/tracked-instance.ts';
import { connectToEngine } from '../../server/hosting/engine/connection.ts';
import { createEngine, openEngine } from '../../server/hosting/engine/engine.ts';
import { registryOf } from '../../server/hosting/engine/registry.ts';
import { RegistryClient } from '../../server/hosting/engine/registry-client.ts';
import { createMachineImages } from '../../server/hosting/engine/swarm/machine-images.ts';
import { createNodeJobRunner } from '../../server/hosting/engine/swarm/node-job.ts';
import { createSwarm } from '../../server/hosting/engine/swarm/swarm.ts';
import { openSwarm } from '../../server/hosting/open-runtime.ts';
import type { Instance } from '../../server/hosting/runtimes/runtime.ts';
import { Ports } from '../../server/hosting/runtimes/swarm/ports.ts';
import { replicasOf } from '../../server/hosting/runtimes/swarm/state.ts';
import { newId } from '../../server/kernel/identifiers.ts';
import { clusterOfFile, type TestCluster, type TestNode } from '../support/cluster.ts';
import { buildStartOrder, runCommand } from '../support/containers.ts';
import { newApplication, versionSite } from '../support/deployed.ts';
import { imagesOf } from '../support/engine.ts';
import { createRepository } from '../support/git.ts';
import { pushImage } from '../support/registry-images.ts';
import {
  answerOf,
  buildSite,
  FACTS,
  LOG,
  openRuntime,
  SETTINGS,
  serverCode,
  serverSite,
} from '../support/runtime.ts';
import { newServerGroup } from '../support/server-group.ts';
import { until } from '../support/until.ts';

const NEVER = new AbortController().signal;
const DAY_MS = 24 * 3_600_000;

const registryOfTests = ({ registry: { address, user, password } }: TestCluster) => ({
  origin: `http://${address}`,
  prefix: `${address}/sites`,
  user,
  password,
});

const { withCluster } = clusterOfFile(async (cluster) => {
  const engine = await openEngine(cluster.nodes[0]?.socket ?? '', NEVER);
  const image = `${cluster.registry.address}/node:test`;
  await makeNodeImage(engine, image);
  await engine.push(image, registryOf(registryOfTests(cluster)).headers, NEVER);
  engine.close();
});

const opened = (
  cluster: TestCluster,
  platform = newId(),
  { node = 0, registry = registryOfTests(cluster), appsDiskMb = SETTINGS.appsDiskMb as number } = {},
) => {
  const appsImages = { ...SETTINGS.appsImages, node: `${cluster.registry.address}/node:test` };
  const settings = {
    appsRuntime: 'swarm' as const,
    appsEngine: cluster.nodes[node]?.socket ?? '',
    appsImages,
    appsRegistry: registry,
    appsDiskMb,
  };
  return openRuntime(settings, undefined, openSwarm, platform);
};

withCluster('who deploys is not told where a registry is that is not to be had', async (cluster) => {
  const away = '127.0.0.1:9';
  const registry = { ...registryOfTests(cluster), origin: `http://${away}`, prefix: `${away}/sites` };
  await using at = await opened(cluster, newId(), { registry });
  const built = buildSite(at, serverSite('1'));
  await assert.rejects(built, ({ message }: Error) => {
    assert.match(message, /^The cluster’s image registry is unavailable/);
    assert.doesNotMatch(message, /127/);
    return true;
  });
});

withCluster('what a build has at the registry goes with it, whichever server built it', async (cluster) => {
  const platform = newId();
  await using at = await opened(cluster, platform);
  await using other = await opened(cluster, platform, { node: 1 });
  const client = new RegistryClient(registryOfTests(cluster));
  const site = serverSite(`(require('fs').writeFileSync(process.env.HOME + '/one', ''), 'written')`);
  const applicationId = newId();
  const nameOf = () => ({ applicationId, buildId: newId() });
  const [first, second] = [await buildSite(at, site, nameOf()), await buildSite(at, site, nameOf())];
  const tags = () => client.tags(`sites/${applicationId}`, NEVER);
  const order = { ...(await buildStartOrder(at, site)), artifact: first.artifact };
  const labels = { ...order.labels, ...first.name };
  assert.equal(
    await answerOf({ targets: targetsOf(await at.runtime.start({ ...order, labels })) }),
    'written',
  );
  assert.deepEqual((await tags()).sort(), [first.name.buildId, second.name.buildId].sort());
  await at.runtime.stop(order.instance, 0);
  // With the folder of a volume there is a further image.
  const mounts = [...order.mounts, { volume: 'data', at: '/data' as const }];
  await at.runtime.start({ ...order, labels, mounts });
  const all = await tags();
  assert.equal(all.length, 3);
  assert.equal(all.filter((tag) => tag.startsWith(first.name.buildId)).length, 2);
  await at.runtime.stop(order.instance, 0);

  assert.deepEqual((await other.runtime.retainedEnvironments())[0]?.applicationId, applicationId);
  assert.deepEqual(
    (await other.builder.builds(applicationId)).sort(),
    [first.name.buildId, second.name.buildId].sort(),
  );
  await other.builder.prune(applicationId, [first.name.buildId], NEVER);
  assert.deepEqual(await tags(), [second.name.buildId]);
  assert.equal(await other.builder.has(first.name, first.artifact), false);
  assert.equal(await other.builder.has(second.name, second.artifact), true);
  await other.builder.forget(applicationId, NEVER);
  assert.deepEqual(await tags(), []);
  assert.equal(await at.builder.has(second.name, second.artifact), false);
  for (const key of await at.runtime.retainedEnvironments()) await at.runtime.forget(key, NEVER);
});

withCluster(
  'what a Dockerfile made is pushed once, has a home, and runs as it says or is told',
  async (cluster) => {
    await using at = await opened(cluster);
    const site = (...lines: string[]) => ({
      files: {
        Dockerfile: [`FROM ${cluster.registry.address}/node:test`, ...lines].join('\n'),
        'server.js': serverCode(`(require('fs').writeFileSync('/home/site/one', ''), process.getuid())`),
      },
    });
    const client = new RegistryClient(registryOfTests(cluster));
    const { labels, ...order } = await buildStartOrder(at, serverSite('1'));
    const started = async (lines: string[], command: string) => {
      const { name, artifact } = await buildSite(at, site(...lines));
      const its = { ...order, instance: newId(), command, artifact, labels: { ...labels, ...name } };
      const said = await answerOf({ targets: targetsOf(await at.runtime.start(its)) });
      assert.deepEqual(await client.tags(`sites/${name.applicationId}`, NEVER), [name.buildId]);
      await at.runtime.stop(its.instance, 0);
      return { said, its };
    };
    const copied = ['COPY server.js /', 'LABEL simcha.platform=none', 'USER 1234'];
    assert.equal((await started([...copied, 'CMD ["node", "/server.js"]'], '')).said, '1234');
    const { said, its } = await started(copied, 'node /server.js');
    assert.equal(said, '1234');
    await assert.rejects(at.runtime.start({ ...its, instance: newId(), command: '' }), {
      reason: { code: 'no_own_command', params: {} },
    });
    // What its image has as a volume is who it runs as to write to where ours is, as all of it.
    const { name, artifact } = await buildSite(at, site('VOLUME /data /home/site', ...copied));
    const last = { ...order, artifact, labels: { ...labels, ...name } };
    const mounts = [...order.mounts, { volume: 'data', at: '/data' as const }];
    const command = 'touch /data/x /home/site/x && stat -c %a /data /home/site';
    const { lines } = await runCommand(at, last, command, { mounts, seconds: 60 });
    assert.deepEqual(lines, ['777', '777']);
    const { applicationId } = its.labels;
    assert.ok((await at.builder.applications()).includes(applicationId));
    await at.builder.forget(applicationId, NEVER);
    assert.ok(!(await at.builder.applications()).includes(applicationId));
    for (const key of await at.runtime.retainedEnvironments()) await at.runtime.forget(key, NEVER);
  },
);

withCluster(
  'what a server built that is gone goes with its application, by the next server',
  async (cluster) => {
    const { address, user, password } = cluster.registry;
    const settingsOf = (node: TestNode | undefined) => ({
      APPS_RUNTIME: 'swarm',
      APPS_ENGINE: node?.socket ?? '',
      APPS_REGISTRY: `http://${user}:${password}@${address}/sites`,
      APPS_IMAGE_NODE: `${address}/node:test`,
    });
    await using repository = await createRepository(versionSite('1'));
    await using fleet = await newServerGroup();
    const first = await fleet.start(settingsOf(cluster.nodes[0]));
    const app = await newApplication(first.call, first.url, repository.address);
    await app.deploy();
    const client = new RegistryClient(registryOfTests(cluster));
    const tags = () => client.tags(`sites/${app.uuid}`, NEVER);
    assert.equal((await tags()).length, 1);
    const query = { filters: { label: [`simcha.application=${app.uuid}`] } };
    const having = async (path: string[], node: TestNode | undefined) =>
      (await node?.ask<object[]>({ path, query }))?.length;
    // One of whose images none is of the application's.
    const others = cluster.nodes.slice(1);
    const images = await Promise.all(others.map((one) => having(['images', 'json'], one)));
    const node = others[images.indexOf(0)];
    const next = await fleet.start(settingsOf(node));
    await first.close();
    assert.equal((await next.call('DELETE', app.at)).status, 204);
    await until(async () => (await tags()).length === 0);
    await until(async () => (await having(['networks'], node)) === 0);
  },
);

/** An image that nobody built, on each machine. */
async function onEach(
  cluster: TestCluster,
  labels: Readonly<Record<string, string>>,
  created: Date,
): Promise<{ node: TestNode; id: string }[]> {
  const { origin, prefix, user, password } = registryOfTests(cluster);
  const tag = newId();
  const [address, folder] = prefix.split('/');
  await pushImage({
    at: `${origin}/v2/${folder}/others`,
    tag,
    labels,
    created,
    authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
  });
  const name = `${address}/${folder}/others:${tag}`;
  return Promise.all(
    cluster.nodes.map(async (node) => {
      const engine = await openEngine(node.socket, NEVER);
      await engine.pull(name, NEVER, registryOf(registryOfTests(cluster)).headers);
      const image = await engine.image(name, NEVER);
      engine.close();
      return { node, id: image?.Id ?? '' };
    }),
  );
}

async function machinesOf(cluster: TestCluster, platform: string) {
  const connection = await connectToEngine(cluster.nodes[0]?.socket ?? '', NEVER);
  const swarm = createSwarm(connection, registryOf(registryOfTests(cluster)).headers);
  const image = `${cluster.registry.address}/node:test`;
  const runNodeJob = createNodeJobRunner({ swarm, platform: () => platform, image });
  return {
    swarm,
    runNodeJob,
    engine: createEngine(connection),
    remove: createMachineImages({ runNodeJob, platform: () => platform }),
    [Symbol.dispose]: () => connection.close(),
  };
}

withCluster('each machine lets go of images of ours that are old, and of nobody else’s', async (cluster) => {
  const platform = newId();
  const ours = { 'simcha.platform': platform };
  const application = { 'simcha.application': newId() };
  const old = new Date(Date.now() - 1.1 * DAY_MS);
  const young = new Date(Date.now() - 0.9 * DAY_MS);
  const all = {
    old: await onEach(cluster, { ...ours, ...application }, old),
    oldOfNobody: await onEach(cluster, ours, old),
    young: await onEach(cluster, { ...ours, ...application }, young),
    gone: await onEach(cluster, { ...ours, 'simcha.application': 'gone' }, young),
    stopped: await onEach(cluster, { ...ours, which: 'stopped' }, old),
    anothers: await onEach(cluster, { 'simcha.platform': newId(), ...application }, old),
    anothersGone: await onEach(cluster, { 'simcha.platform': newId(), 'simcha.application': 'gone' }, old),
    strangers: await onEach(cluster, { which: 'strangers' }, old),
  };
  for (const { node, id } of all.stopped)
    await node.ask({ method: 'POST', path: ['containers', 'create'], body: { Image: id } });
  using at = await machinesOf(cluster, platform);
  await at.remove(['other', 'gone'], NEVER);
  const there: Record<string, number> = {};
  for (const [what, on] of Object.entries(all)) {
    const found = await Promise.all(
      on.map(({ node, id }) =>
        node.ask({ path: ['images', id, 'json'] }).then(
          () => 1,
          () => 0,
        ),
      ),
    );
    there[what] = found.reduce<number>((sum, one) => sum + one, 0);
  }
  assert.deepEqual(there, {
    old: 0,
    oldOfNobody: 0,
    young: 3,
    gone: 0,
    stopped: 3,
    anothers: 3,
    anothersGone: 3,
    strangers: 3,
  });
});

withCluster(
  'at which ports a cluster has forgotten its replicas to be, their machines tell',
  async (cluster) => {
    const platform = newId();
    await using at = await opened(cluster, platform);
    const order = { ...(await buildStartOrder(at, serverSite(`'one'`))), replicas: 3 };
    const instance = await at.runtime.start(order);
    const machines = await machinesOf(cluster, platform);
    using _ = machines;
    const { swarm, runNodeJob } = machines;
    const ports = new Ports({ runNodeJob, log: LOG });
    const look = async () => {
      const labels = { 'simcha.platform': platform, 'simcha.instance': order.instance };
      const [tasks, nodes] = await Promise.all([swarm.tasks(labels, NEVER), swarm.nodes(NEVER)]);
      const forgotten = tasks.map((task) => ({ ...task, Status: { ...task.Status, PortStatus: {} } }));
      const byId = new Map(nodes.map((node) => [node.ID, node]));
      const replicas = replicasOf(instance.port, ports.withKnownPorts(forgotten), byId);
      await ports.repair(
        [{ ...instance, replicas }],
        new Map(forgotten.map((task) => [task.ID, task])),
        NEVER,
      );
      return replicas;
    };
    const originsIn = (replicas: Instance['replicas']) => replicas.map(({ origin }) => origin).sort();
    assert.deepEqual(originsIn(await look()), [undefined, undefined, undefined]);
    await until(async () => isDeepStrictEqual(originsIn(await look()), originsIn(instance.replicas)));
  },
);

withCluster('what runs stays on its machines, and goes from all once nothing does', async (cluster) => {
  const platform = newId();
  await using at = await opened(cluster, platform);
  const order = { ...(await buildStartOrder(at, serverSite(`'one'`))), replicas: 3 };
  await at.runtime.start(order);
  const { applicationId } = order.labels;
  const filters = { label: [`simcha.application=${applicationId}`] };
  const having = async () => {
    const lists = cluster.nodes.map((node) =>
      node.ask<object[]>({ path: ['images', 'json'], query: { filters } }),
    );
    return (await Promise.all(lists)).map(({ length }) => length);
  };
  const machines = await machinesOf(cluster, platform);
  using _ = machines;
  const before = await having();
  assert.ok(before.every((count) => count > 0));
  await machines.remove([applicationId], NEVER);
  assert.ok((await having()).every((count) => count > 0));
  assert.equal((await at.runtime.list())[0]?.replicas.length, 3);
  // Of builds on a machine whose server runs the sites no more.
  const elsewhere = await openEngine(cluster.nodes[2]?.socket ?? '', NEVER);
  const labelsOf = (application: string) => ({
    'simcha.platform': platform,
    'simcha.application': application,
    'simcha.kind': 'build',
  });
  const ids = [applicationId, newId()];
  for (const [turn, id] of ids.entries()) {
    await elsewhere.createVolume(`simcha-${id}-cache`, labelsOf(id), NEVER);
    const network = { labels: labelsOf(id), subnet: `10.247.${turn}.0/26`, device: `zz${turn}builds` };
    await elsewhere.createNetwork(`simcha-${id}-builds`, network, NEVER);
  }
  const shared = () =>
    Promise.all(
      ids.map(async (id) => [
        (await elsewhere.volumes(labelsOf(id), NEVER)).length,
        (await elsewhere.networks(labelsOf(id), NEVER)).length,
      ]),
    );
  assert.deepEqual(await shared(), [
    [1, 1],
    [1, 1],
  ]);
  await machines.remove([applicationId], NEVER);
  assert.deepEqual(await shared(), [
    [0, 0],
    [1, 1],
  ]);
  await machines.remove(ids, NEVER);
  elsewhere.close();
  await at.runtime.stop(order.instance, 1_000);
  await until(async () => {
    await machines.remove([applicationId], NEVER);
    return (await having()).every((count) => count === 0);
  });
  for (const key of await at.runtime.retainedEnvironments()) await at.runtime.forget(key, NEVER);
});

withCluster('machines are looked through once an hour at most, and nobody waits for it', async (cluster) => {
  const asked: (readonly string[])[] = [];
  const under = Promise.withResolvers<void>();
  const images = new ClusterImages({
    client: new RegistryClient(registryOfTests(cluster)),
    repositoryOf: (id) => `sites/${id}`,
    machines: async (gone, signal) => {
      asked.push(gone);
      signal.addEventListener('abort', () => under.resolve());
      await under.promise;
    },
    log: LOG,
  });
  const application = newId();
  await images.forget(application, NEVER);
  await images.prune(newId(), [], NEVER);
  await images.forget(newId(), NEVER);
  assert.deepEqual(asked, [[application]]);
  await images.close();
});

withCluster('an image by its name goes to the cluster’s registry, and runs from there', async (cluster) => {
  const { address, user, password } = cluster.registry;
  const engine = await openEngine(cluster.nodes[0]?.socket ?? '', NEVER);
  const named = `${address}/who/app:1`;
  const headers = registryOf(registryOfTests(cluster)).headers;
  {
    await using files = await imageFolder();
    await writeFile(files.at('server.js'), serverCode('process.getuid()'));
    const lines = [
      `FROM ${address}/node:test`,
      'COPY server.js /',
      'LABEL simcha.stage=other/x',
      'USER 1234',
    ];
    await files.build(engine, named, [...lines, 'CMD ["node", "/server.js"]', ''].join('\n'));
  }
  await engine.push(named, headers, NEVER);
  await engine.removeImage(named, NEVER);
  const digest = await new RegistryClient(registryOfTests(cluster)).digest('who/app', '1', NEVER);
  assert.ok(digest);

  await using at = await opened(cluster, newId(), { appsDiskMb: 1_024 });
  const name = { applicationId: newId(), buildId: newId() };
  const lines: string[] = [];
  const artifact = await at.builder.build({
    ...name,
    facts: FACTS,
    plan: { kind: 'server', steps: [], publish: [], image: { name: named, digest } },
    root: '',
    variables: {},
    registryLogin: { user, password },
    buildLog: {
      hide: (line) => line,
      write: (line) => void lines.push(line),
      output: (some) => void lines.push(...some),
      step: (_, work) => work(),
    },
    signal: NEVER,
    effect: (work) => work(),
  });
  const image = `${address}/sites/${name.applicationId}:${name.buildId}`;
  assert.ok(artifact.kind === 'image' && artifact.image === image && artifact.hasHome);
  const { labels, ...order } = await buildStartOrder(at, serverSite('1'));
  const started = { ...order, instance: newId(), command: '', artifact, labels: { ...labels, ...name } };
  assert.equal(await answerOf({ targets: targetsOf(await at.runtime.start(started)) }), '1234');
  await at.runtime.stop(started.instance, 0);
  // A label of the image does not hide it from its application's removal.
  assert.deepEqual(await at.builder.builds(name.applicationId), [name.buildId]);
  await at.builder.forget(name.applicationId, NEVER);
  assert.equal(await at.builder.has(name, artifact), false);
  assert.deepEqual(await imagesOf(engine, name.applicationId), []);
  for (const key of await at.runtime.retainedEnvironments()) await at.runtime.forget(key, NEVER);
  engine.close();
});
