import { INSTANCE } from '../../engine/site-containers.ts';
import { hasEnded, taskOrigin } from '../../engine/swarm/tasks.ts';
import type { Node, Service, Task } from '../../engine/swarm/types.ts';
import { type Reason, reason } from '../../model/reasons/reason.ts';
import { describeCode } from '../../sandbox/spawning.ts';
import { aboutOf } from '../container-order.ts';
import type { Instance, Replica } from '../runtime.ts';

// State of an instance from what a cluster reports about its service: replicas that run, their addresses, and reasons
// of ends.

export type Nodes = ReadonlyMap<string, Node>;

/**
 * Error of a machine that does not have an image and could not pull it:
 * https://github.com/moby/moby/blob/v20.10.24/daemon/images/image.go
 */
const NO_IMAGE = /^No such image: /;

export function isOver(task: Task, nodes: Nodes): boolean {
  return hasEnded(task) || nodes.get(task.NodeID ?? '')?.Status.State === 'down';
}

function machineOf({ NodeID = '?' }: Task, nodes: Nodes): string {
  return nodes.get(NodeID)?.Description.Hostname ?? NodeID;
}

/** Reason why a task of a service has ended. */
export function endOf(task: Task, nodes: Nodes): Reason {
  const { Status, NodeID, DesiredState } = task;
  const { State, Err, Message = '', ContainerStatus } = Status;
  const code = ContainerStatus?.ExitCode ?? 0;
  const node = nodes.get(NodeID ?? '');
  const isTakenAway = DesiredState === 'shutdown' && !hasEnded(task);
  if (node?.Status.State === 'down' || State === 'orphaned' || isTakenAway)
    return reason('machine_gone', { machine: machineOf(task, nodes) });
  if (State === 'complete' || (State === 'failed' && code !== 0)) return describeCode(code);
  const error = Err ?? Message;
  // The rest of the error message is not passed on, because it contains the address of the operator's registry.
  if (NO_IMAGE.test(error)) return reason('image_away', { machine: machineOf(task, nodes) });
  return reason('cant_run', { error });
}

/**
 * Tasks of a service by the number of the replica that they run, the oldest task first. The numbers are 1, 2, 3, even
 * if the cluster's own numbers have gaps, such as 1, 3 and 4.
 */
export function byNumber(tasks: readonly Task[]): Map<number, Task[]> {
  const bySlot = Map.groupBy(tasks, ({ Slot = 1 }) => Slot);
  const slots = [...bySlot].toSorted(([one], [other]) => one - other);
  const inTime = slots.map(([, all]) =>
    all.toSorted((one, other) => (one.CreatedAt < other.CreatedAt ? -1 : 1)),
  );
  // Replicas beyond the requested number are being removed.
  const wanted = inTime.filter((all) => all.at(-1)?.DesiredState !== 'remove');
  return new Map(wanted.map((all, index) => [index + 1, all]));
}

/** Replicas that run, and those whose last task has ended; a replica before its first run is left out. */
export function replicasOf(port: number | undefined, tasks: readonly Task[], nodes: Nodes): Replica[] {
  return [...byNumber(tasks)].flatMap(([number, inTime]) => {
    const current = inTime.at(-1);
    if (current?.Status.State === 'running' && !hasLost(current, nodes)) {
      const node = nodes.get(current.NodeID ?? '');
      const origin = port === undefined ? undefined : taskOrigin(current, port, node);
      return [{ number, name: current.ID, ...(origin !== undefined && { origin }) }];
    }
    const last = inTime.findLast((task) => hasLost(task, nodes));
    return last ? [{ number, name: last.ID, down: endOf(last, nodes) }] : [];
  });
}

/**
 * Ports on which a task listens, from the line in which it reports them. The site may have written such a line itself,
 * so each port is checked.
 */
export function portsIn(said: string): number[] {
  const numbers = said.split(' ').filter((word) => /^\d{1,5}$/.test(word));
  return numbers.map(Number).filter((port) => port > 0 && port <= 65_535);
}

/** Text about the progress of the tasks that should run, such as `node-2: running; node-3: preparing`. */
export function stateOfTasks(tasks: readonly Task[], nodes: Nodes): string {
  const wanted = tasks.filter(({ DesiredState }) => DesiredState !== 'shutdown' && DesiredState !== 'remove');
  const told = wanted.map(({ NodeID, Status: { State, PortStatus } }) => {
    const machine = nodes.get(NodeID ?? '')?.Description.Hostname;
    const how = State === 'running' && !PortStatus?.Ports?.length ? `${State}, at no port` : State;
    return machine === undefined ? how : `${machine}: ${how}`;
  });
  return told.sort().join('; ');
}

/**
 * True if a task has ended or must end. A cluster decides that a task is replaced before it reports its machine as
 * down.
 */
function hasLost(task: Task, nodes: Nodes): boolean {
  return task.DesiredState === 'shutdown' || isOver(task, nodes);
}

export function instanceOf({ Spec: { Labels } }: Service, tasks: readonly Task[], nodes: Nodes): Instance {
  const { labels, port } = aboutOf(Labels);
  return {
    instance: Labels[INSTANCE] ?? '',
    labels,
    replicas: replicasOf(port, tasks, nodes),
    ...(port !== undefined && { port }),
  };
}
