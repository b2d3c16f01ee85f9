import type { Kysely } from 'kysely';
import type { Clock } from '../../../kernel/clock.ts';
import type { Logger } from '../../../kernel/log.ts';
import type { Application, ApplicationStore } from '../../applications/store.ts';
import type { Builder } from '../../builds/builder.ts';
import type { Comparison } from '../../builds/changed-files.ts';
import type { DeploymentStore } from '../../deployments/store.ts';
import type { DeploymentRow } from '../../model/deployment-rows.ts';
import { recordChange } from '../../model/history.ts';
import type { Push, PushVerdict } from '../../model/push.ts';
import { watchedIn } from '../../watch-paths/matching.ts';
import { watchPathsOf } from '../../watch-paths/watch-paths.ts';
import type { Records } from '../records/records.ts';
import { outcomeOf } from './outcome.ts';
import type { Sources } from './sources.ts';

export interface PushChecksParts {
  applications: Pick<ApplicationStore, 'at'>;
  store: Pick<DeploymentStore, 'request'>;
  records: Pick<Records, 'pushes'>;
  builder: Pick<Builder, 'discard'>;
  sources: Pick<Sources, 'repositoryOf' | 'compare'>;
  clock: Clock;
  log: Logger;
}

/** Checks of pushes: whether one changes a watched path, so that it is deployed. */
export class PushChecks {
  readonly #parts: PushChecksParts;

  constructor(parts: PushChecksParts) {
    this.#parts = parts;
  }

  /**
   * Decides about the newest push of an environment that waits, and requests its deployment. Rejects only if the push
   * should be checked again.
   */
  async run(environmentId: string, signal: AbortSignal): Promise<void> {
    const { applications, records } = this.#parts;
    const push = await records.pushes.findWaiting(environmentId);
    if (!push) return;
    const verdict = await this.#check(push, signal);
    const preview = (await applications.at(environmentId))?.preview ?? null;
    await records.pushes.finish(push, verdict, (transaction) => this.#deploy(push, preview, transaction));
  }

  /** Requests the deployment of a push, and records it in the application's history. */
  async #deploy(push: Push, preview: string | null, transaction: Kysely<unknown>): Promise<DeploymentRow> {
    const { store, clock } = this.#parts;
    const now = clock();
    const row = await store.request(push, { action: 'deploy', trigger: 'push' }, now, transaction);
    const { application_uuid: applicationId, deployment_uuid: subject } = row;
    const by = { kind: 'push', address: null } as const;
    await recordChange(transaction, { applicationId, preview, operation: 'deploy', by, subject }, now);
    return row;
  }

  async #check(push: Push, signal: AbortSignal): Promise<PushVerdict> {
    const { applications, log } = this.#parts;
    try {
      const application = await applications.at(push.environment_id);
      return application ? await this.#compare(push, application, signal) : DEPLOYS;
    } catch (error) {
      // A repository that can't be read fails the deployment, which says why.
      if (!outcomeOf(error, signal))
        log.error({ err: error, push: push.delivery_id }, 'a push was not checked');
      return DEPLOYS;
    }
  }

  /** Compares the branch's newest commit with the last deployed one. */
  async #compare(push: Push, application: Application, signal: AbortSignal): Promise<PushVerdict> {
    const patterns = watchPathsOf(application);
    const base = await this.#parts.records.pushes.lastDeployedCommit(push.environment_id);
    if (!patterns || base === undefined) return DEPLOYS;
    const { commit, paths } = await this.#changesSince(base, push, application, signal);
    if (!paths) return DEPLOYS;
    const watched = await watchedIn({ patterns, paths });
    return { deploys: watched !== undefined, commit: commit.hash, base, changed: paths.length };
  }

  async #changesSince(
    base: string,
    { delivery_id: buildId, application_uuid: applicationId }: Push,
    application: Application,
    signal: AbortSignal,
  ): Promise<Comparison> {
    const { builder, sources } = this.#parts;
    const name = { applicationId, buildId };
    try {
      const repository = await sources.repositoryOf(application);
      return await sources.compare(name, repository, base, signal);
    } finally {
      await builder.discard(name, signal);
    }
  }
}

const DEPLOYS: PushVerdict = { deploys: true };
