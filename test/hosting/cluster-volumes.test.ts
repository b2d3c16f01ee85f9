import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { NSENTER } from '../../commands/cluster/machine.ts';
import { connectToEngine } from '../../server/hosting/engine/connection.ts';
import { createSwarm } from '../../server/hosting/engine/swarm/swarm.ts';
import { nodeAddress } from '../../server/hosting/engine/swarm/tasks.ts';
import type { Node } from '../../server/hosting/engine/swarm/types.ts';
import { openSwarm } from '../../server/hosting/open-runtime.ts';
import { readConfig } from '../../server/kernel/config.ts';
import { newId } from '../../server/kernel/identifiers.ts';
import { clusterOfFile, type TestCluster } from '../support/cluster.ts';
import { clusterSettings, removeServices } from '../support/cluster-settings.ts';
import { buildStartOrder, type OpenedRuntime, runCommand } from '../support/containers.ts';
import { newApplication, versionSite } from '../support/deployed.ts';
import { createRepository } from '../support/git.ts';
import { openRuntime, originsOf, serverSite } from '../support/runtime.ts';
import { until } from '../support/until.ts';
import { openVolumeSite } from '../support/volume-site.ts';

const NEVER = new AbortController().signal;

let settings: Record<string, string> = {};
const { withCluster } = clusterOfFile(async (cluster) => {
  settings = await clusterSettings(cluster);
});

const opened = (cluster: TestCluster, platform = newId()) => {
  const { appsImages, appsRegistry } = readConfig(settings);
  const appsEngine = cluster.nodes[0]?.socket ?? '';
  const own = { appsRuntime: 'swarm' as const, appsEngine, appsImages, appsRegistry };
  return openRuntime(own, undefined, openSwarm, platform);
};

/** Environment whose volumes are on another machine than the manager that the server asks. */
async function elsewhere(cluster: TestCluster, at: OpenedRuntime) {
  const connection = await connectToEngine(cluster.nodes[0]?.socket ?? '', NEVER);
  const swarm = createSwarm(connection, {});
  const order = await buildStartOrder(at, serverSite('1'));
  const key = order.labels;
  const volume = { ...key, name: 'data' };
  const machine = cluster.nodes[2]?.id ?? '';
  const label = `simcha.volumes.${key.environmentId}`;
  await swarm.labelNode(machine, { [label]: 'here' }, NEVER);
  return {
    swarm,
    key,
    volume,
    machine,
    helpers: () =>
      swarm.services({ 'simcha.environment': key.environmentId, 'simcha.kind': 'helper' }, NEVER),
    /** Output of a command that has the volume at /data. */
    async inside(command: string, name = volume.name) {
      const changed = { mounts: [{ volume: name, at: '/data' as const }], seconds: 60 };
      const { lines, succeeded } = await runCommand(at, order, `cd /data && ${command}`, changed);
      assert.ok(succeeded, lines.join('\n'));
      return lines;
    },
    async availability(Availability: 'active' | 'drain') {
      const node = await connection.ask<Node>({ path: ['nodes', machine], signal: NEVER });
      const query = { version: node.Version.Index };
      const body = { ...node.Spec, Availability };
      await connection.ask({
        method: 'POST',
        path: ['nodes', machine, 'update'],
        query,
        body,
        signal: NEVER,
      });
    },
    async [Symbol.asyncDispose]() {
      await at.runtime.forget(key, NEVER);
      connection.close();
    },
  };
}

withCluster(
  'a volume of another machine is measured, taken away, brought back and emptied',
  async (cluster) => {
    await using at = await opened(cluster);
    await using its = await elsewhere(cluster, at);
    const { volume, inside } = its;
    const { contents } = at;
    const size = async () => (await contents.size(volume, NEVER)) ?? Infinity;
    await inside(
      'mkdir -p deep/שלום .hidden && echo one > deep/שלום/file && ln deep/שלום/file hard && ln -s /etc/passwd out && ln -s / up && head -c 3000000 /dev/zero > zeros && touch -- --target-directory=up && chmod 000 .hidden && chmod 750 zeros',
    );
    const bytes = await size();
    assert.ok(bytes > 2_900_000 && bytes < 4_000_000, String(bytes));
    const archive = await buffer(await contents.backup(volume));
    assert.doesNotMatch(archive.toString('latin1'), /root:/);

    const fresh = { ...volume, name: 'data.fresh' };
    await contents.fill(fresh, Readable.from(archive));
    const look =
      'ls -A && cat deep/שלום/file && ls -ld .hidden zeros | cut -c1-10 && readlink out && readlink up && stat -c %u zeros . && ls -i hard deep/שלום/file | cut -d" " -f1 | sort -u | wc -l';
    const all = [
      '--target-directory=up',
      '.hidden',
      'deep',
      'hard',
      'out',
      'up',
      'zeros',
      'one',
      'd---------',
      '-rwxr-x---',
      '/etc/passwd',
      '/',
      '1000',
      '1000',
      '1',
    ];
    assert.deepEqual(await inside(look, fresh.name), all);
    await contents.empty(fresh);
    assert.deepEqual(await inside('ls -A', fresh.name), []);

    await contents.empty(volume);
    assert.deepEqual(await inside('ls -A'), []);
    assert.ok((await size()) < 10_000);
    assert.deepEqual(await its.helpers(), []);
  },
);

withCluster('what was never used is empty, and what is brought back there is the site’s', async (cluster) => {
  await using at = await opened(cluster);
  const order = await buildStartOrder(at, serverSite('1'));
  const volume = { ...order.labels, name: 'home' };
  const { contents, runtime } = at;
  assert.equal(await contents.size(volume, NEVER), 0);
  const archive = await buffer(await contents.backup(volume));
  assert.deepEqual(await runtime.retainedEnvironments(), []);
  await contents.empty(volume);
  await contents.fill(volume, Readable.from(archive));
  // Nothing ever ran in the environment, but it has data to remove.
  const [kept, ...others] = await runtime.retainedEnvironments();
  assert.deepEqual([kept?.environmentId, others], [order.labels.environmentId, []]);
  await runtime.forget(order.labels, NEVER);
  assert.equal(await contents.size(volume, NEVER), 0);
});

withCluster(
  'what a site keeps goes along into a cluster, between its machines and out again',
  async (cluster) => {
    const [first, , third] = cluster.nodes;
    assert.ok(first && third);
    const containers = { ...settings, APPS_RUNTIME: 'docker', APPS_SUBNETS: first.subnets };
    const letIn = ['iptables', '--wait', '-I', 'DOCKER-USER', '-i', 'eth0', '-j', 'ACCEPT'];
    execFileSync(NSENTER, first.within(...letIn));
    const connection = await connectToEngine(first.socket, NEVER);
    const swarm = createSwarm(connection, {});
    const pins = async () =>
      (await swarm.nodes(NEVER)).flatMap(({ ID, Spec }) =>
        Object.keys(Spec.Labels).flatMap((label) =>
          label.startsWith('simcha.volumes.') ? { ID, label } : [],
        ),
      );
    try {
      await using repository = await createRepository(versionSite('1'));
      await using site = await openVolumeSite(containers);
      const moved = async (to: Record<string, string>, ...starts: string[]) => {
        await site.move(to);
        const data = starts.join(' ');
        assert.deepEqual(await site.started(starts.length), { where: starts.at(-1), data, home: data });
      };
      // Volumes of the engine are taken over by the cluster without a copy.
      await moved(settings, 'container', 'container');
      const [pin, ...others] = await pins();
      assert.deepEqual([pin?.ID, others], [first.id, []]);
      const label = pin?.label ?? '';
      // A site without volumes has no records of contents.
      const plain = await newApplication(site.user.call, site.url, repository.address);
      await plain.deploy();
      await moved({ ...settings, APPS_RUNTIME: 'process' }, 'container', 'container', 'process');
      for (const { uuid } of [site.app, plain]) {
        const services = await swarm.services({ 'simcha.application': uuid }, NEVER);
        assert.deepEqual(services, [], 'what ran there would write on');
      }
      await until(async () => (await plain.visit()).status === 200);
      await swarm.labelNode(first.id, { [label]: undefined }, NEVER);
      await swarm.labelNode(third.id, { [label]: 'here' }, NEVER);
      await moved(settings, 'container', 'container', 'process', 'container');
      await moved(containers, 'container', 'container', 'process', 'container', 'container');
      await swarm.labelNode(third.id, { [label]: undefined }, NEVER);
    } finally {
      connection.close();
    }
  },
);

withCluster('who looks into a volume answers nobody else, and is not left behind', async (cluster) => {
  await using at = await opened(cluster);
  await using its = await elsewhere(cluster, at);
  const { swarm, volume, machine } = its;
  await its.inside('head -c 60000000 /dev/zero > zeros');
  const backup = await at.contents.backup(volume);
  const [helper] = await its.helpers();
  const [task] = await swarm.tasks({ 'simcha.instance': helper?.Spec.Name ?? '' }, NEVER);
  assert.equal(task?.NodeID, machine);
  const node = (await swarm.nodes(NEVER)).find(({ ID }) => ID === machine);
  const [port] = task?.Status.PortStatus?.Ports ?? [];
  const origin = `http://${node && nodeAddress(node)}:${port?.PublishedPort}`;
  const { ContainerSpec } = helper?.Spec.TaskTemplate ?? {};
  const token = /HELPER_TOKEN=(.*)/.exec(ContainerSpec?.Env?.join('\n') ?? '')?.[1] ?? '';
  const told = Buffer.from(
    JSON.stringify(['/bin/sh', '-c', 'ls /volume; touch /outside || echo closed']),
  ).toString('base64');
  const asked = async (headers: Record<string, string>) => {
    const answer = await fetch(origin, { method: 'POST', headers: { 'simcha-command': told, ...headers } });
    return [answer.status, await answer.text()];
  };
  for (const headers of [{}, { 'simcha-token': '' }, { 'simcha-token': token.slice(1) }])
    assert.deepEqual(await asked(headers), [403, '']);
  assert.deepEqual(await asked({ 'simcha-token': token }), [200, 'zeros\nclosed\n']);

  // The next lease holder removes helpers of this one.
  await at.runtime.recover();
  assert.deepEqual(await its.helpers(), []);
  await until(() =>
    fetch(origin).then(
      () => false,
      () => true,
    ),
  );
  await assert.rejects(buffer(backup), 'what is cut off is not taken for all there is');
});

withCluster('what is on a machine that is down is forgotten once it is back', async (cluster) => {
  await using at = await opened(cluster);
  const its = await elsewhere(cluster, at);
  const [, , node] = cluster.nodes;
  assert.ok(node);
  await its.inside('head -c 60000000 /dev/zero > zeros');
  const backup = await at.contents.backup(its.volume);
  backup.on('error', () => {});
  const becomes = (state: string) =>
    until(async () => {
      const all = await its.swarm.nodes(NEVER);
      return all.some(({ ID, Status }) => ID === its.machine && Status.State === state);
    });
  await node.kill();
  try {
    await becomes('down');
    await assert.rejects(buffer(backup), 'nobody waits for what is gone');
    await assert.rejects(at.runtime.forget(its.key, NEVER), /may be on machines that are away/);
    const [kept] = await at.runtime.retainedEnvironments();
    assert.equal(kept?.environmentId, its.key.environmentId, 'by that it is found again');
  } finally {
    await node.start();
  }
  await becomes('ready');
  await until(async () =>
    its[Symbol.asyncDispose]().then(
      () => true,
      () => false,
    ),
  );
  assert.deepEqual(await at.runtime.retainedEnvironments(), []);
});

withCluster('a machine that started anew runs nothing before it is closed', async (cluster) => {
  const platform = newId();
  const [manager, , node] = cluster.nodes;
  assert.ok(manager && node);
  const connection = await connectToEngine(manager.socket, NEVER);
  const swarm = createSwarm(connection, {});
  const start = async () => {
    await using at = await opened(cluster, platform);
    const order = await buildStartOrder(at, serverSite('1'));
    await swarm.labelNode(node.id, { [`simcha.volumes.${order.labels.environmentId}`]: 'here' }, NEVER);
    const mounts = [...order.mounts, { volume: 'data', at: '/data' as const }];
    await at.runtime.start({ ...order, mounts });
    return order;
  };
  const { instance, labels } = await start();
  // Without firewalls the machine keeps its label, and is closed late.
  await removeServices(swarm, { 'simcha.platform': platform, 'simcha.kind': 'firewall' });
  await node.kill();
  await node.start();
  await until(async () => {
    const tasks = await swarm.tasks({ 'simcha.instance': instance }, NEVER);
    return tasks.some(({ Status }) => /simcha-closed/.test(Status.Err ?? ''));
  });
  connection.close();
  await using at = await opened(cluster, platform);
  const origins = async () => (await at.runtime.list()).flatMap(originsOf);
  assert.deepEqual(await origins(), []);
  await until(async () => (await origins()).length > 0);
  await at.runtime.stop(instance, 1_000);
  await at.runtime.forget(labels, NEVER);
});

withCluster('a volume whose machine takes nothing is said to be out of reach', async (cluster) => {
  await using at = await opened(cluster);
  await using its = await elsewhere(cluster, at);
  await its.inside('echo one > one');
  await its.availability('drain');
  try {
    assert.equal(await at.contents.size(its.volume, NEVER), null);
    await assert.rejects(at.contents.backup(its.volume), { code: 'unhosted' });
    await assert.rejects(at.contents.empty(its.volume), { code: 'unhosted' });
  } finally {
    await its.availability('active');
  }
  assert.deepEqual(await its.helpers(), []);
});
