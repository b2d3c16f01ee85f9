import { setTimeout as sleep } from 'node:timers/promises';
import { RuntimeFailure } from '../../model/reasons/failure.ts';
import { reason } from '../../model/reasons/reason.ts';
import type { Task } from './types.ts';
// Placement in a cluster: the cluster chooses a machine, or reports that there is none.

/** Time between two checks whether the cluster has chosen a machine for a service. */
export const PLACEMENT_CHECK_MS = 150;
/** Time after which a failure is reported if the cluster has found no suitable machine for a task. */
const NO_MACHINE_MS = 5_000;

/**
 * Waits until a machine is chosen for a service. Returns its first task. Throws a RuntimeFailure if there is no
 * machine.
 */
export async function waitForPlacement(
  tasksNow: (signal: AbortSignal) => Promise<readonly Task[]>,
  signal: AbortSignal,
): Promise<Task> {
  for (
    const checkTimeout = createPlacementTimeout();
    ;
    await sleep(PLACEMENT_CHECK_MS, undefined, { signal })
  ) {
    const tasks = await tasksNow(signal);
    const task = tasks.find(({ NodeID }) => NodeID);
    if (task) return task;
    checkTimeout(tasks);
  }
}

/**
 * Returns a function to call with a service's tasks again and again. It throws a RuntimeFailure once the cluster has
 * found no machine for one of them for `NO_MACHINE_MS`.
 */
export function createPlacementTimeout(): (tasks: readonly Task[]) => void {
  let since: number | undefined;
  return (tasks) => {
    const error = tasks.find(({ NodeID, Status }) => !NodeID && Status.Err)?.Status.Err;
    if (error === undefined) since = undefined;
    else since ??= performance.now();
    if (error !== undefined && since !== undefined && performance.now() - since > NO_MACHINE_MS)
      throw new RuntimeFailure(reason('no_machine', { error }));
  };
}
