import { setTimeout as sleep } from 'node:timers/promises';
import { EngineError } from '../errors.ts';
import { CLOSED, closingCommand, FIREWALL, hashOfRules, RULES_LABEL } from '../firewall.ts';
import type { Labels } from '../labels.ts';
import { prefixOf } from '../networks.ts';
import { KIND, PLATFORM } from '../site-containers.ts';
import type { Swarm } from './swarm.ts';
import type { Node, ServiceMount, ServiceOrder } from './types.ts';

// Firewall on each machine of a cluster (firewall.ts is the one for a single machine). Sites' containers are placed
// only on machines with a running firewall. A label records that the firewall runs, but a machine keeps the label when
// it restarts; so each container also mounts a folder that exists only while the firewall is up, and can't start
// before.

export interface ClusterFirewallParts {
  swarm: Swarm;
  platform: () => string;
  /** Name of any image with /bin/sh and chroot. */
  image: string;
  allowed: readonly string[];
}

/**
 * Prefix of `docker_gwbridge`, the network device through which containers on cluster networks reach everything else.
 * The full name is too long for a firewall rule that matches devices by a prefix.
 */
const DEVICE = 'docker_gw';
/**
 * Time to wait until a firewall runs on all machines of a cluster; after that, it is sufficient if one runs on any
 * machine.
 */
const FIRST_MS = 60_000;
const LOOK_MS = 250;
const LOG_MS = 5_000;
const SECOND = 1e9;
const HASH_CHARACTERS = 8;
/**
 * Shell script that runs the firewall's command, given as arguments. Once the command prints that the closed networks
 * are blocked, the script creates a file in the container, which the health check finds.
 */
const WATCH_SCRIPT = `"$@" 2>&1 | while read -r line; do
  echo "$line"
  if [ "$line" = ${CLOSED} ]; then : > /${CLOSED}; fi
done
exit 1`;

/**
 * Keeps a firewall running on each machine of a cluster. Labels and folders are named after the platform, whose id is
 * known once the database is open.
 */
export class ClusterFirewall {
  readonly #swarm: Swarm;
  readonly #platform: () => string;
  readonly #image: string;
  readonly #allowed: readonly string[];
  #lastRun: Promise<void> = Promise.resolve();

  constructor({ swarm, platform, image, allowed }: ClusterFirewallParts) {
    this.#swarm = swarm;
    this.#platform = platform;
    this.#image = image;
    this.#allowed = allowed;
  }

  /** Ensures that firewalls run, one call after another. Throws an EngineError if no machine has a working firewall. */
  ensure(signal: AbortSignal): Promise<void> {
    this.#lastRun = this.#lastRun.catch(() => {}).then(() => this.#ensureFirewalls(signal));
    return this.#lastRun;
  }

  /**
   * Updates the labels of the cluster's machines: after a machine was down, its firewall must prove again that it
   * works.
   */
  async note(nodes: readonly Node[], signal: AbortSignal): Promise<void> {
    const closedLabel = this.#closedLabel();
    const down = nodes.filter(
      ({ Spec, Status }) => Status.State === 'down' && Spec.Labels[closedLabel] === CLOSED,
    );
    for (const { ID } of down) await this.#swarm.labelNode(ID, { [closedLabel]: '' }, signal);
    const open = nodes.filter((node) => acceptsTasks(node) && !this.#isClosed(node));
    if (open.length === 0) return;
    const existing = await this.#nodesWithFirewall(this.#firewallLabels(), signal);
    for (const { ID } of open)
      if (existing.has(ID)) await this.#swarm.labelNode(ID, { [closedLabel]: CLOSED }, signal);
  }

  /** Placement constraint for services: only machines on which the firewall works. */
  constraint(): string {
    return `node.labels.${this.#closedLabel()}==${CLOSED}`;
  }

  /**
   * Mount that every container needs on machines with a firewall, so that the container starts only while the firewall
   * is up.
   */
  mount(): ServiceMount {
    return { Type: 'bind', Source: this.#proofFolder(), Target: '/run/simcha-closed', ReadOnly: true };
  }

  /** True if a task failed because the firewall was not up yet; such a task is tried again. */
  isMissing(error: string): boolean {
    return error.includes(this.#proofFolder());
  }

  async #ensureFirewalls(signal: AbortSignal): Promise<void> {
    const swarm = this.#swarm;
    const order = await this.#order();
    const existing = await swarm.services(this.#firewallLabels(), signal);
    if (existing.some(({ Spec }) => Spec.Name === order.Name)) return;
    await swarm.createService(order, signal);
    for (const until = performance.now() + FIRST_MS; ; await sleep(LOOK_MS, undefined, { signal })) {
      const closed = await this.#nodesWithFirewall(order.Labels, signal);
      const nodes = await swarm.nodes(signal);
      await this.note(nodes, signal);
      if (nodes.filter(acceptsTasks).every(({ ID }) => closed.has(ID))) break;
      if (performance.now() < until) continue;
      if (closed.size > 0) break;
      const error = await this.#lastError(signal);
      await swarm.removeService(order.Name, signal);
      throw new EngineError(500, error);
    }
    // Services that keep the old firewall rules are removed only after the service with the new rules runs.
    for (const { Spec } of existing) await swarm.removeService(Spec.Name, signal);
  }

  async #order(): Promise<ServiceOrder> {
    const names = { chain: prefixOf(this.#platform()), proof: this.#proofFolder() };
    const args = await closingCommand(DEVICE, this.#allowed, 'docker', names);
    return firewallService(this.#platform(), this.#image, args, this.#firewallLabels());
  }

  /** Ids of the machines on which a firewall with these labels is running. */
  async #nodesWithFirewall(labels: Labels, signal: AbortSignal): Promise<Set<string>> {
    const tasks = await this.#swarm.tasks(labels, signal);
    return new Set(
      tasks.flatMap(({ NodeID, DesiredState, Status: { State } }) =>
        DesiredState === 'running' && State === 'running' ? (NodeID ?? []) : [],
      ),
    );
  }

  /** Last output or error of a failed firewall. */
  async #lastError(signal: AbortSignal): Promise<string> {
    const tasks = await this.#swarm.tasks(this.#firewallLabels(), signal);
    const failed = tasks.find(({ Status }) => Status.Err);
    let lastLine: string | undefined;
    if (failed) {
      const inTime = AbortSignal.any([signal, AbortSignal.timeout(LOG_MS)]);
      const log = this.#swarm.logs(failed.ID, { since: undefined, follow: false }, inTime);
      try {
        for await (const lines of log) lastLine = lines.at(-1)?.line ?? lastLine;
      } catch {
        // Without the log of the firewall's failed task, the result is the error that the cluster reports for the task.
      }
    }
    return lastLine ?? failed?.Status.Err ?? 'no machine of the cluster could be closed';
  }

  #isClosed({ Spec, Status }: Node): boolean {
    return Status.State === 'ready' && Spec.Labels[this.#closedLabel()] === CLOSED;
  }

  #closedLabel(): string {
    return `simcha.closed.${this.#platform()}`;
  }

  /** Folder that exists while the firewall is up: /run is empty when a machine starts. */
  #proofFolder(): string {
    return `/run/simcha-closed-${this.#platform()}`;
  }

  #firewallLabels(): Labels {
    return { [PLATFORM]: this.#platform(), [KIND]: 'firewall' };
  }
}

/** Service that runs the firewall's command on each machine. */
function firewallService(
  platform: string,
  image: string,
  command: readonly string[],
  labels: Labels,
): ServiceOrder {
  const rules = hashOfRules(command);
  const { Env, User, rights, memoryBytes, processes, mount } = FIREWALL;
  return {
    Name: `simcha-firewall-${platform}-${rules.slice(0, HASH_CHARACTERS)}`,
    Labels: { ...labels, [RULES_LABEL]: rules },
    TaskTemplate: {
      ContainerSpec: {
        Image: image,
        Command: ['/bin/sh', '-c', WATCH_SCRIPT, 'sh', ...command],
        Env,
        User,
        CapabilityDrop: ['ALL'],
        CapabilityAdd: rights,
        Mounts: [mount],
        StopGracePeriod: SECOND,
        // The firewall's task counts as running only once its rules are in force.
        Healthcheck: {
          Test: ['CMD', '/bin/sh', '-c', `[ -e /${CLOSED} ]`],
          Interval: SECOND,
          Timeout: 5 * SECOND,
          Retries: 30,
          StartPeriod: 0,
        },
      },
      Resources: { Limits: { MemoryBytes: memoryBytes, Pids: processes } },
      RestartPolicy: { Condition: 'any', Delay: SECOND },
      LogDriver: { Name: 'json-file', Options: { 'max-size': '1m', 'max-file': '1' } },
      Networks: [{ Target: 'host' }],
    },
    Mode: { Global: {} },
  };
}

/** Drained and paused machines of a cluster get no tasks, and so no firewall. */
const acceptsTasks = ({ Status, Spec }: Node) => Status.State === 'ready' && Spec.Availability === 'active';
