import { createStandbyThread, ThreadExhausted } from '../../kernel/threads.ts';
import type { Plan, PlanSettings } from '../model/plan.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { type Reason, reason } from '../model/reasons/reason.ts';
import { defaultNode } from './node-version.ts';
import type { PlanningOptions } from './planner.ts';

export interface PlanningTask {
  /** Folder of the checkout on this machine; `root` is the site's folder below it. */
  checkout: string;
  root: string;
  settings: PlanSettings;
  options: PlanningOptions;
}

/** Result of a planning task: a plan, or the reason why there is none. */
export type Planned = { plan: Plan } | { reason: Reason };

const SECONDS = 10;

const ask = createStandbyThread<PlanningTask, Planned>(new URL('./planning-thread.ts', import.meta.url), {
  runMs: SECONDS * 1_000,
  heapMb: 256,
});

/**
 * Plans a checkout in a thread, because untrusted files could block the process. Throws RuntimeFailure with the places
 * that were searched, or if the plan takes too long.
 */
export async function planIn(task: PlanningTask): Promise<Plan> {
  try {
    const newest = defaultNode(new Date(), process.versions.node);
    const options = { ...(newest !== undefined && { defaultNode: newest }), ...task.options };
    const planned = await ask({ ...task, options });
    if ('plan' in planned) return planned.plan;
    throw new RuntimeFailure(planned.reason);
  } catch (error) {
    if (error instanceof ThreadExhausted)
      throw new RuntimeFailure(reason('unreadable', { seconds: SECONDS }));
    throw error;
  }
}
