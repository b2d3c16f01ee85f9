import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { type ClusterNode, startNode } from './cluster-node.ts';
import { DOCKERD, NSENTER, UNSHARE } from './machine.ts';
import { REGISTRY, startRegistry } from './registry.ts';
import { startSweeper } from './sweeper.ts';
import { until } from './until.ts';

// A swarm of several of Debian's dockerd, each on a machine of its own within this one, and a registry that they take images from.

const SWARM_PORT = 2377;
/** So that a dead node is missed within seconds. */
const HEARTBEAT_NS = 1_000_000_000;

/** Why none can be started here; undefined where one can. */
export function whyNoCluster(): string | undefined {
  if (process.getuid?.() !== 0) return 'a cluster of tests can be started by root alone';
  const missing = [DOCKERD, REGISTRY, UNSHARE, NSENTER, '/usr/sbin/ip', '/usr/sbin/iptables'].find(
    (program) => !existsSync(program),
  );
  return missing && `there is no ${basename(missing)}`;
}

export type TestCluster = Awaited<ReturnType<typeof startCluster>>;
export type TestNode = TestCluster['nodes'][number];

/** Every node is a manager: of three, one may be away. */
export async function startCluster({ nodes: count = 3 } = {}) {
  const lacks = whyNoCluster();
  if (lacks) throw new Error(lacks);
  const owned = new AsyncDisposableStack();
  try {
    const sweeper = owned.use(startSweeper());
    // As an engine's: a socket's path has 108 bytes.
    const folder = await mkdtemp('/tmp/simcha-cluster-');
    sweeper.add(removalOf(folder));
    const registry = await startRegistry(join(folder, 'registry'), sweeper, owned);
    const nodes = await Promise.all(
      Array.from({ length: count }, (_, index) => {
        const name = `node-${index + 1}`;
        const order = {
          ...{ name, folder: join(folder, name), registry: registry.address },
          controlGroup: `/${basename(folder)}/${name}`,
        };
        return startNode(order, sweeper, owned);
      }),
    );
    await joinAll(nodes);
    const ids = await Promise.all(nodes.map((node) => node.id()));
    return {
      nodes: nodes.map((node, index) => ({ ...node, id: ids[index] ?? '' })),
      registry,
      [Symbol.asyncDispose]: () => owned.disposeAsync(),
    };
  } catch (error) {
    await owned.disposeAsync();
    throw error;
  }
}

async function joinAll([first, ...others]: readonly ClusterNode[]): Promise<void> {
  if (!first) return;
  const listening = ({ address }: ClusterNode) => ({
    ListenAddr: `${address}:${SWARM_PORT}`,
    AdvertiseAddr: address,
  });
  const Spec = { Dispatcher: { HeartbeatPeriod: HEARTBEAT_NS } };
  await first.ask({ method: 'POST', path: ['swarm', 'init'], body: { ...listening(first), Spec } });
  const { JoinTokens } = await first.ask<{ JoinTokens: { Manager: string } }>({ path: ['swarm'] });
  for (const node of others) {
    const to = { RemoteAddrs: [first.address], JoinToken: JoinTokens.Manager };
    await node.ask({ method: 'POST', path: ['swarm', 'join'], body: { ...listening(node), ...to } });
    await until(node.isManager);
  }
}

/** Again while what is in them ends. */
function removalOf(folder: string): string {
  const controlGroups = `find /sys/fs/cgroup -depth -type d -path '*/${basename(folder)}*' -exec rmdir {} +`;
  return `until ${controlGroups} && rm -rf ${folder} || [ $((turn += 1)) -gt 100 ]; do sleep 0.1; done`;
}

/** A cluster for the tests of a file, and a test that takes it: where there is none, it says why it is passed over. */
export function clusterOfFile(prepare: (cluster: TestCluster) => Promise<void>) {
  const lacks = whyNoCluster();
  const owned = new AsyncDisposableStack();
  let cluster: TestCluster | undefined;
  before(async () => {
    if (lacks !== undefined) return;
    cluster = owned.use(await startCluster());
    await prepare(cluster);
  });
  after(() => owned.disposeAsync());
  return {
    /** Ends before the cluster does. */
    owned,
    withCluster: (name: string, work: (cluster: TestCluster, t: TestContext) => Promise<void>) =>
      test(name, async (t) => {
        if (!cluster) return t.skip(lacks ?? 'there is no cluster');
        await work(cluster, t);
      }),
  };
}
