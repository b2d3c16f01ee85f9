import { setTimeout as sleep } from 'node:timers/promises';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { reason } from '../model/reasons/reason.ts';
import type { Task } from './swarm.ts';

// Which machine of a cluster something is to run on: the cluster says so, or that there is none.

/** Between two looks at what is being placed. */
export const LOOK_SOON_MS = 150;
/** So long no machine may be found before that is said. */
const NO_MACHINE_MS = 5_000;

/** The first of a service's tasks, once a machine is chosen for it. Throws a RuntimeFailure where there is none. */
export async function placed(
  tasksNow: (signal: AbortSignal) => Promise<readonly Task[]>,
  signal: AbortSignal,
): Promise<Task> {
  for (const mayWait = createPatience(); ; await sleep(LOOK_SOON_MS, undefined, { signal })) {
    const tasks = await tasksNow(signal);
    const task = tasks.find(({ NodeID }) => NodeID);
    if (task) return task;
    mayWait(tasks);
  }
}

/** Throws a RuntimeFailure where no machine is found for a while that a task could run on. */
export function createPatience(): (tasks: readonly Task[]) => void {
  let since: number | undefined;
  return (tasks) => {
    const error = tasks.find(({ NodeID, Status }) => !NodeID && Status.Err)?.Status.Err;
    if (error === undefined) since = undefined;
    else since ??= performance.now();
    if (error !== undefined && since !== undefined && performance.now() - since > NO_MACHINE_MS)
      throw new RuntimeFailure(reason('no_machine', { error }));
  };
}
