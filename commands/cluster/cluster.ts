import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { DOCKERD, NSENTER, UNSHARE } from './machine.ts';
import { type JoiningNode, startNode } from './node.ts';
import { BUSYBOX, CERTIFICATES } from './node-image.ts';
import { REGISTRY, startRegistry } from './registry.ts';
import { startSweeper } from './sweeper.ts';
import { until } from './until.ts';

// A swarm of several dockerd processes, each on a machine of its own within this one, and a registry for their images.

const SWARM_PORT = 2377;
/** Interval of the swarm's heartbeat. It is short, so that a dead node is noticed within seconds. */
const HEARTBEAT_NS = 1_000_000_000;

/** File that a cluster needs, and the Debian package that contains it. */
export interface RequiredFile {
  file: string;
  from: string;
}

const NEEDED: readonly RequiredFile[] = [
  { file: DOCKERD, from: 'docker.io' },
  { file: REGISTRY, from: 'docker-registry' },
  { file: UNSHARE, from: 'util-linux' },
  { file: NSENTER, from: 'util-linux' },
  { file: '/usr/sbin/ip', from: 'iproute2' },
  { file: '/usr/sbin/iptables', from: 'iptables' },
  { file: BUSYBOX, from: 'busybox-static' },
  { file: CERTIFICATES, from: 'ca-certificates' },
];

/**
 * Reason why no cluster can be started on this machine; undefined if one can. `further`: files that the caller needs
 * besides.
 */
export function whyNoCluster(further: readonly RequiredFile[] = []): string | undefined {
  if (process.getuid?.() !== 0) return 'machines within this one can be made by root alone';
  const missing = [...NEEDED, ...further].filter(({ file }) => !existsSync(file));
  if (missing.length === 0) return undefined;
  const packages = new Set(missing.map(({ from }) => from));
  return `there is no ${missing.map(({ file }) => basename(file)).join(', no ')}: apt-get install ${[...packages].join(' ')}`;
}

export type Cluster = Awaited<ReturnType<typeof startCluster>>;
export type ClusterNode = Cluster['nodes'][number];

/** Starts a cluster in which every node is a manager: of three nodes, one may fail. */
export async function startCluster({ nodes: count = 3 } = {}) {
  const lacks = whyNoCluster();
  if (lacks) throw new Error(lacks);
  const owned = new AsyncDisposableStack();
  try {
    const sweeper = owned.use(startSweeper());
    // The folder has a short path in /tmp, because the path of a Unix socket may have only 108 bytes.
    const folder = await mkdtemp('/tmp/simcha-cluster-');
    sweeper.add(removalOf(folder));
    const registry = await startRegistry(join(folder, 'registry'), sweeper, owned);
    const nodes = await Promise.all(
      Array.from({ length: count }, (_, index) => {
        const name = `node-${index + 1}`;
        const order = {
          name,
          folder: join(folder, name),
          registry: registry.address,
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

async function joinAll([first, ...others]: readonly JoiningNode[]): Promise<void> {
  if (!first) return;
  const listening = ({ address }: JoiningNode) => ({
    ListenAddr: `${address}:${SWARM_PORT}`,
    AdvertiseAddr: address,
  });
  const Spec = { Dispatcher: { HeartbeatPeriod: HEARTBEAT_NS } };
  // Size of the networks (/26) that Docker Swarm makes, as docs/scale.md recommends.
  const body = { ...listening(first), Spec, SubnetSize: 26 };
  await first.ask({ method: 'POST', path: ['swarm', 'init'], body });
  const { JoinTokens } = await first.ask<{ JoinTokens: { Manager: string } }>({ path: ['swarm'] });
  for (const node of others) {
    const to = { RemoteAddrs: [first.address], JoinToken: JoinTokens.Manager };
    await node.ask({ method: 'POST', path: ['swarm', 'join'], body: { ...listening(node), ...to } });
    await until(node.isManager);
  }
}

/**
 * Shell command that removes the cluster's control groups and its folder. It tries repeatedly, because processes in the
 * control groups need time to end.
 */
function removalOf(folder: string): string {
  const controlGroups = `find /sys/fs/cgroup -depth -type d -path '*/${basename(folder)}*' -exec rmdir {} +`;
  return `until ${controlGroups} && rm -rf ${folder} || [ $((turn += 1)) -gt 100 ]; do sleep 0.1; done`;
}
