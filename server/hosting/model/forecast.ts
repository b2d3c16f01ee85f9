import type { Plan } from './plan.ts';
import type { Reason } from './reasons/reason.ts';
import type { SourceRef } from './source-ref.ts';

/**
 * Forecast of what a deployment of the application would do now: its commit and plan, or the reason why there is no
 * plan. The server that runs the sites makes it.
 */
export interface Forecast {
  commit?: { hash: string; message: string; author: string | null };
  /** Branches of the repository; absent for an uploaded folder, and if they can't be read. */
  branches?: string[];
  root: string;
  plan?: Plan;
  /** Reason why no plan for building and starting the site could be made from its source. */
  reason?: Reason;
}

export interface PlanRequest {
  plan_id: string;
  application_uuid: string;
  environment_id: string;
  /** Commit, branch or tag that the request names; null for what a deployment would deploy by default. */
  ref: SourceRef | null;
}
