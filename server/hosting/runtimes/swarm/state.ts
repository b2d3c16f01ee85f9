import { INSTANCE } from '../../engine/site-containers.ts';
import { hasEnded, taskOrigin } from '../../engine/swarm/tasks.ts';
import type { Node, Service, Task } from '../../engine/swarm/types.ts';
import { type Reason, reason } from '../../model/reasons/reason.ts';
import { describeCode } from '../../sandbox/spawning.ts';
import { aboutOf } from '../container-order.ts';
import type { Instance, Replica } from '../runtime.ts';

// What a cluster tells of its services comes to this: which replicas run, where, and how those ended that do not.

export type Nodes = ReadonlyMap<string, Node>;

/** A machine has not got an image, and could not bring it: https://github.com/moby/moby/blob/v20.10.24/daemon/images/image.go */
const NO_IMAGE = /^No such image: /;

export function isOver(task: Task, nodes: Nodes): boolean {
  return hasEnded(task) || nodes.get(task.NodeID ?? '')?.Status.State === 'down';
}

function machineOf({ NodeID = '?' }: Task, nodes: Nodes): string {
  return nodes.get(NodeID)?.Description.Hostname ?? NodeID;
}

/** How one ended. */
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
  // What it says besides names the registry, which is the operator's own.
  if (NO_IMAGE.test(error)) return reason('image_away', { machine: machineOf(task, nodes) });
  return reason('cant_run', { error });
}

/** A service's runs, the oldest first, by the numbers of its replicas: from 1, where a cluster may number them 1, 3 and 4. */
export function byNumber(tasks: readonly Task[]): Map<number, Task[]> {
  const bySlot = Map.groupBy(tasks, ({ Slot = 1 }) => Slot);
  const slots = [...bySlot].toSorted(([one], [other]) => one - other);
  const inTime = slots.map(([, all]) =>
    all.toSorted((one, other) => (one.CreatedAt < other.CreatedAt ? -1 : 1)),
  );
  // Of others fewer are asked for by now.
  const wanted = inTime.filter((all) => all.at(-1)?.DesiredState !== 'remove');
  return new Map(wanted.map((all, index) => [index + 1, all]));
}

/** Those of a service that run, and those of which the last has ended. One that is about to run for the first time is neither. */
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

/** Those in what one says of itself: a site may have written it in our place. */
export function portsIn(said: string): number[] {
  const numbers = said.split(' ').filter((word) => /^\d{1,5}$/.test(word));
  return numbers.map(Number).filter((port) => port > 0 && port <= 65_535);
}

/** Where each of what is to run is, and how far it has come, such as `node-2: running; node-3: preparing`. */
export function stateOfTasks(tasks: readonly Task[], nodes: Nodes): string {
  const wanted = tasks.filter(({ DesiredState }) => DesiredState !== 'shutdown' && DesiredState !== 'remove');
  const told = wanted.map(({ NodeID, Status: { State, PortStatus } }) => {
    const machine = nodes.get(NodeID ?? '')?.Description.Hostname;
    const how = State === 'running' && !PortStatus?.Ports?.length ? `${State}, at no port` : State;
    return machine === undefined ? how : `${machine}: ${how}`;
  });
  return told.sort().join('; ');
}

/** It has ended, or is to, wherever the next one is: the cluster knows before it says so of the machine. */
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
