import { APPLICATION, KIND } from '../../server/hosting/engine/site-containers.ts';
import type { Swarm } from '../../server/hosting/engine/swarm/swarm.ts';
import { aboutOf } from '../../server/hosting/runtimes/container-order.ts';
import { isOver } from '../../server/hosting/runtimes/swarm/state.ts';

const NEVER = new AbortController().signal;

/** Machines where the replicas of each application run that accept requests, as far as the cluster knows. */
export type Replicas = ReadonlyMap<string, readonly string[]>;

export async function replicasIn(swarm: Swarm): Promise<Replicas> {
  const [services, tasks, all] = await Promise.all([
    swarm.services({ [KIND]: 'site' }, NEVER),
    swarm.tasks({ [KIND]: 'site' }, NEVER),
    swarm.nodes(NEVER),
  ]);
  const nodes = new Map(all.map((node) => [node.ID, node]));
  const replicas = new Map<string, string[]>();
  for (const { ID, Spec } of services) {
    if (aboutOf(Spec.Labels).labels.process !== 'web') continue;
    const running = tasks.filter(
      (task) =>
        task.ServiceID === ID &&
        task.Status.State === 'running' &&
        task.DesiredState === 'running' &&
        !isOver(task, nodes),
    );
    const application = Spec.Labels[APPLICATION] ?? '';
    replicas.set(application, [
      ...(replicas.get(application) ?? []),
      ...running.map(({ NodeID = '' }) => nodes.get(NodeID)?.Description.Hostname ?? NodeID),
    ]);
  }
  return replicas;
}
