import type { Node, Service, Task } from './types.ts';

/** Placement constraint that no machine satisfies. */
export const NOWHERE = 'node.id==none';

/** True if all tasks of the service were told to end. */
export function isEnding({ Spec }: Service): boolean {
  return Spec.TaskTemplate.Placement?.Constraints?.includes(NOWHERE) ?? false;
}

/** Number of a service's replicas; undefined if the service runs once on each machine. */
export function replicasIn({ Spec: { Mode } }: Service): number | undefined {
  return 'Replicated' in Mode ? Mode.Replicated.Replicas : undefined;
}

const ENDED: ReadonlySet<Task['Status']['State']> = new Set([
  ...(['complete', 'shutdown', 'failed', 'rejected', 'remove', 'orphaned'] as const),
]);

/** True if a task no longer runs, as far as its machine has reported. */
export function hasEnded({ Status: { State } }: Task): boolean {
  return ENDED.has(State);
}

/** URL at which a task's machine forwards to a port of the task; undefined if it is not known. */
export function taskOrigin({ Status }: Task, port: number, node: Node | undefined): string | undefined {
  const published = Status.PortStatus?.Ports?.find(({ TargetPort }) => TargetPort === port)?.PublishedPort;
  return node && published ? `http://${nodeAddress(node)}:${published}` : undefined;
}

export function nodeAddress({ Status: { Addr }, ManagerStatus }: Node): string {
  // A manager of a Docker Swarm may report no usable address in its status; the address of its manager role is used
  // then.
  const isKnown = Addr !== '' && Addr !== '0.0.0.0' && Addr !== '127.0.0.1';
  return isKnown ? Addr : (ManagerStatus?.Addr.replace(/:\d+$/, '') ?? Addr);
}
