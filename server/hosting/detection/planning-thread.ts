import { parentPort } from 'node:worker_threads';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { planOf } from './planner.ts';
import type { Planned, PlanningTask } from './planning.ts';
import { readSource } from './source.ts';

// Answers the planning tasks of planning.ts, in a separate thread.

const answer = async ({ checkout, root, settings, options }: PlanningTask): Promise<Planned> => {
  try {
    return { plan: planOf(await readSource(checkout, root), settings, options) };
  } catch (error) {
    if (error instanceof RuntimeFailure) return { reason: error.reason };
    throw error;
  }
};

parentPort?.on('message', async (task: PlanningTask) => parentPort?.postMessage(await answer(task)));
