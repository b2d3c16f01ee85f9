import type { Kysely } from 'kysely';
import type { Clock } from '../../kernel/clock.ts';
import { noSuchApplication } from '../applications/access.ts';
import type { EnvironmentName } from '../applications/store.ts';
import { Cancelled, type DeploymentRow } from '../model/deployment-rows.ts';
import type { DeploymentRequest, DeploymentStore } from './store.ts';

export interface DeploymentParts {
  store: DeploymentStore;
  clock: Clock;
}

export type Deployments = ReturnType<typeof createDeployments>;

/** Requests for deployments, on any server: they are stored, and the lease holder carries them out. */
export function createDeployments({ store, clock }: DeploymentParts) {
  return {
    request: (
      environment: EnvironmentName,
      pending: DeploymentRequest,
      through?: Kysely<unknown>,
    ): Promise<DeploymentRow> => refuseIfGone(store.request(environment, pending, clock(), through)),

    /** Cancels a deployment; undefined if it does not exist. Throws Refusal if it has already ended. */
    cancel: (
      { environment_id }: EnvironmentName,
      deploymentId: string,
      through: Kysely<unknown>,
    ): Promise<DeploymentRow | undefined> =>
      refuseIfGone(store.cancel(environment_id, deploymentId, clock(), through)),

    /** Stops the site, and cancels all deployments that would start it. */
    stop: ({ environment_id }: EnvironmentName, through: Kysely<unknown>): Promise<void> =>
      refuseIfGone(store.stop(environment_id, clock(), through)),
  };
}

/** Answers 404 if the application was deleted during the request. */
export function refuseIfGone<T>(pending: Promise<T>): Promise<T> {
  return pending.catch((error) => {
    throw error instanceof Cancelled ? noSuchApplication() : error;
  });
}
