import type { Kysely } from 'kysely';
import type { Clock } from '../../kernel/clock.ts';
import { noSuchApplication } from '../applications/access.ts';
import type { EnvironmentName } from '../applications/store.ts';
import { Cancelled, type DeploymentRow } from '../model/deployment-rows.ts';
import type { Action } from '../model/lifecycle.ts';
import type { DeploymentStore } from './store.ts';

export interface DeploymentParts {
  store: DeploymentStore;
  clock: Clock;
}

export type Deployments = ReturnType<typeof createDeployments>;

/** What is asked for, on any server: it is written down, and whoever holds the lease sees to it. */
export function createDeployments({ store, clock }: DeploymentParts) {
  return {
    request: (
      environment: EnvironmentName,
      asked: { action: Action; target?: string },
      through?: Kysely<unknown>,
    ): Promise<DeploymentRow> => unlessGone(store.request(environment, asked, clock(), through)),

    /** undefined when there is no such deployment. Throws a Refusal when it has ended already. */
    cancel: (
      { environment_id }: EnvironmentName,
      deploymentId: string,
      through: Kysely<unknown>,
    ): Promise<DeploymentRow | undefined> =>
      unlessGone(store.cancel(environment_id, deploymentId, clock(), through)),

    /** The site is not to run any more, nor anything that would start it. */
    stop: ({ environment_id }: EnvironmentName, through: Kysely<unknown>): Promise<void> =>
      unlessGone(store.stop(environment_id, clock(), through)),
  };
}

/** For a request that finds the application deleted since it was let in. */
export function unlessGone<T>(asked: Promise<T>): Promise<T> {
  return asked.catch((error) => {
    throw error instanceof Cancelled ? noSuchApplication() : error;
  });
}
