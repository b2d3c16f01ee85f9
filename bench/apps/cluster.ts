import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Cluster, startCluster, whyNoCluster } from '../../commands/cluster/cluster.ts';
import { registryHeaders } from '../../commands/cluster/settings.ts';
import { openEngine } from '../../server/hosting/engine/engine.ts';
import { clusterSettings } from '../../test/support/cluster-settings.ts';
import { type ClusterWorld, openClusterWorld } from '../../test/support/cluster-world.ts';
import { startPostgres } from '../../test/support/postgres.ts';
import { until } from '../../test/support/until.ts';
import { formatNumber } from '../support/measure.ts';
import { beginLoad, deployerAt, measureReplicas, summarizeLoad, switchUnderLoad } from './deploys.ts';
import { compareWithDocker } from './docker-comparison.ts';
import { clusterTool } from './manual-deployments.ts';

const NEVER = new AbortController().signal;
/** Time for which the bench sends requests before a machine dies, and again after it. */
const LOAD_MS = 3_000;

export async function measureInCluster(): Promise<void> {
  await using scratch = await mkdtempDisposable(join(tmpdir(), 'simcha-bench-cluster-'));
  const lacks = whyNoCluster();
  if (lacks !== undefined) return console.log(`\nSites in a cluster are passed over: ${lacks}`);
  await using cluster = await startCluster();
  const tool = await clusterTool(cluster, scratch.path);
  if (!tool) return console.log('\nSites in a cluster are passed over: there is no docker');
  const settings = await clusterSettings(cluster);
  await pullOnAllNodes(cluster, settings);
  await using owned = new AsyncDisposableStack();
  const postgres = owned.adopt(await startPostgres([]), ({ remove }) => remove());
  await using world = await openClusterWorld(cluster, {
    ...settings,
    DATABASE_URL: postgres.url('postgres'),
  });
  const deployer = deployerAt(world.first.url, world.user);
  console.log('\nDeploying in a cluster of three machines within this one\n');
  await compareWithDocker(deployer, {
    tool,
    image: settings.APPS_IMAGE_NODE ?? '',
    scratch: scratch.path,
  });
  await measureReplicas(deployer, [1, 4]);
  await switchUnderLoad(deployer);
  await measureMachineDeath(cluster, world);
}

/** Pulls the base image on all nodes before the comparison, so that no deployment waits for it. */
async function pullOnAllNodes({ nodes }: Cluster, settings: Record<string, string>): Promise<void> {
  for (const { socket } of nodes) {
    const engine = await openEngine(socket, NEVER);
    await engine.pull(settings.APPS_IMAGE_NODE ?? '', NEVER, registryHeaders(settings));
    engine.close();
  }
}

/** Kills one of the three machines that run a site; the gateway is on none of them. */
async function measureMachineDeath({ nodes }: Cluster, { app, gateway }: ClusterWorld): Promise<void> {
  await app.call('PATCH', '/processes', { web: nodes.length });
  await app.deploy();
  const running = async () => {
    const [web] = (await app.call('GET', '/processes')).body.processes;
    return web.replicas.filter(({ state }: { state: string }) => state === 'running').length;
  };
  await until(async () => (await running()) === nodes.length);
  const load = (method: 'GET' | 'POST') =>
    beginLoad({ url: `${gateway.url}/slow=20`, method, connections: 10, headers: { host: app.host } });
  const [reads, writes] = [load('GET'), load('POST')];
  await sleep(LOAD_MS);
  const died = performance.now();
  await nodes.at(-1)?.kill();
  await until(async () => (await running()) < nodes.length);
  await until(async () => (await running()) === nodes.length);
  const elsewhere = performance.now() - died;
  await sleep(LOAD_MS);
  console.log(
    '\nA machine of three dies under load, with one of three replicas of a page that takes 20 ms, asked 10 at once by GET and 10 by POST\n' +
      `  its replica ran elsewhere after ${formatNumber(elsewhere / 1_000, 1)} s\n` +
      `  GET: ${summarizeLoad(await reads.end())}\n` +
      `  POST, which is never asked twice: ${summarizeLoad(await writes.end())}`,
  );
}
