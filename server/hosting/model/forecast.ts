import type { Plan } from './plan.ts';
import type { Reason } from './reasons/reason.ts';

/** Forecast of a deployment, made by the server that runs the sites. */
export interface Forecast {
  commit?: { hash: string; message: string };
  root: string;
  plan?: Plan;
  /** Reason why no plan for building and starting the site could be made from its source. */
  reason?: Reason;
}

export interface PlanRequest {
  plan_id: string;
  application_uuid: string;
  environment_id: string;
}
