import { createStandbyThread, ThreadExhausted } from '../../kernel/threads.ts';
import type { Plan, PlanSettings } from '../model/plan.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { type Reason, reason } from '../model/reasons/reason.ts';
import { defaultNode } from './node-version.ts';
import type { PlanningOptions } from './planner.ts';

/** What the thread is asked. */
export interface PlanningTask {
  /** A folder of this machine, and the site's own below it. */
  checkout: string;
  root: string;
  settings: PlanSettings;
  options: PlanningOptions;
}

/** What it answers: a plan, or why there is none. */
export type Planned = { plan: Plan } | { reason: Reason };

const SECONDS = 10;

const ask = createStandbyThread<PlanningTask, Planned>(new URL('./planning-thread.ts', import.meta.url), {
  runMs: SECONDS * 1_000,
  heapMb: 256,
});

/**
 * How a checkout becomes a site, read in a thread: a stranger wrote it, and could hold everybody up. Throws a RuntimeFailure
 * that says what was looked for, or that it takes too long.
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
