import { type Kysely, sql } from 'kysely';
import { isUnfinishedDeployment, restingStates } from '../model/deployment-rows.ts';
import { isUnfinishedRun } from '../model/run-rows.ts';

/** Work that the controller has to do for one environment. */
export interface EnvironmentWork {
  owner_id: string;
  application_uuid: string;
  /** True if a deployment of the environment is unfinished. */
  has_deployment: boolean;
  /** True if a deployment in progress should be cancelled. */
  is_cancelled: boolean;
  /** True if the given deployment, which the controller works on, has already ended. */
  is_over: boolean;
  /** True if a plan request is unanswered. */
  has_plan_request: boolean;
  /** True if a push waits for the comparison with the watch paths. */
  has_push: boolean;
}

/**
 * Reads the work for an environment; undefined if the environment was deleted. `deploymentId` is the deployment that is
 * being worked on.
 */
export async function readEnvironmentWork(
  db: Kysely<unknown>,
  environmentId: string,
  deploymentId: string | undefined,
): Promise<EnvironmentWork | undefined> {
  const { rows } = await sql<EnvironmentWork>`
    select applications.owner_id, applications.application_uuid,
      count(deployments.deployment_uuid) > 0 as has_deployment,
      coalesce(bool_or(deployments.cancel_requested and deployments.status <> 'queued'), false) as is_cancelled,
      exists (select from deployments
        where deployment_uuid = ${deploymentId ?? null} and status in ('superseded', 'cancelled')) as is_over,
      exists (select from plan_requests
        where plan_requests.environment_id = ${environmentId} and answer is null) as has_plan_request,
      exists (select from hook_deliveries
        where hook_deliveries.environment_id = ${environmentId} and status = 'checking') as has_push
    from environments join applications on applications.application_uuid = environments.application_uuid
    left join deployments
      on deployments.environment_id = environments.environment_id and deployments.status in (${isUnfinishedDeployment})
    where environments.environment_id = ${environmentId}
    group by applications.application_uuid`.execute(db);
  return rows[0];
}

/**
 * Environments with a site that should run, an instance, an unfinished deployment or run, an unanswered plan request or
 * an unchecked push. A resting site without instances needs nothing until a notification says that it should run.
 */
export async function findEnvironmentsWithWork(db: Kysely<unknown>): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select environment_id as id from sites where state not in (${restingStates})
    union select environment_id from instances
    union select environment_id from deployments where status in (${isUnfinishedDeployment})
    union select environment_id from plan_requests where answer is null
    union select environment_id from hook_deliveries where status = 'checking'
    union select environment_id from runs where ${isUnfinishedRun}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Returns those of the given applications that exist. */
export async function findExistingApplications(
  db: Kysely<unknown>,
  ids: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select application_uuid as id from applications where application_uuid = any(${ids}::uuid[])`.execute(db);
  return new Set(rows.map(({ id }) => id));
}
