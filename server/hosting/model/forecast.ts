import type { Plan } from './plan.ts';
import type { Reason } from './reasons/reason.ts';

/** What a deployment would do now, as whoever runs the sites found it. */
export interface Forecast {
  commit?: { hash: string; message: string };
  root: string;
  plan?: Plan;
  /** Why there is none. */
  reason?: Reason;
}

export interface PlanRequest {
  plan_id: string;
  application_uuid: string;
  environment_id: string;
}
