import type { Kysely } from 'kysely';
import type { Clock } from '../../kernel/clock.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { newFields } from '../applications/changes.ts';
import { messages as applicationMessages } from '../applications/messages.ts';
import { isBranch } from '../applications/repository.ts';
import type { Application, EnvironmentName } from '../applications/store.ts';
import type { DeploymentRow } from '../model/deployment-rows.ts';
import { recordChange } from '../model/history.ts';
import type { PreviewStore } from '../previews/store.ts';
import { watchPathsOf } from '../watch-paths/watch-paths.ts';
import type { DeliveryRow } from './deliveries.ts';
import type { DeliveryResult, Ignored } from './delivery.ts';

/** Result of a delivery, as it is stored. `environment_id`: the environment whose changes are to be compared. */
export interface DeliveryOutcome extends Pick<DeliveryRow, 'status' | 'reason' | 'preview'> {
  deployment_uuid?: string | null;
  environment_id?: string;
}

/** Report of a delivery about an application's repository. */
export interface PushReport {
  application: Application;
  /** True if the application's owner has proved their mail address, without which nothing is deployed. */
  isVerified: boolean;
  /** Network address from which the delivery came. */
  address: string;
  change: DeliveryResult;
}

export interface PushReportsParts {
  previews: Pick<PreviewStore, 'ofBranch' | 'open' | 'remove'>;
  requestDeployment(
    environment: EnvironmentName,
    through: Kysely<unknown>,
  ): Promise<Pick<DeploymentRow, 'deployment_uuid'>>;
  clock: Clock;
}

export const ignored = (reason: Ignored): DeliveryOutcome => ({ status: 'ignored', reason, preview: null });

/** Carries out what deliveries to push hooks report: deploys, opens and removes previews. */
export class PushReports {
  readonly #parts: PushReportsParts;

  constructor(parts: PushReportsParts) {
    this.#parts = parts;
  }

  /** Carries out a report within the transaction that stores its delivery. */
  async carryOut(report: PushReport, transaction: Kysely<unknown>): Promise<DeliveryOutcome> {
    const { application, change } = report;
    const { what, branch } = change;
    const { application_uuid: id, branch: own, previews: mode } = application;
    if (what === 'pushed' && (own === null ? change.isDefault : own === branch))
      return change.skipsCi ? ignored('skip_ci') : this.#deploy(report, application, null, transaction);
    if (!isBranch(branch)) return ignored('other_branch');
    const known = await this.#parts.previews.ofBranch(id, branch, transaction);
    switch (what) {
      case 'pushed': {
        // Previews of pull requests ignore pushes, because a pull request event reports the same commits.
        const follows = mode === 'branches' || (known && known.pull_request === null);
        if (!follows) return ignored('other_branch');
        return change.skipsCi ? ignored('skip_ci') : this.#deployPreview(report, null, transaction);
      }
      case 'proposed':
        return mode === 'pull_requests'
          ? this.#deployPreview(report, change.pullRequest, transaction)
          : ignored('previews_off');
      case 'settled':
      case 'deleted': {
        if (!known || (what === 'settled' && known.pull_request !== change.pullRequest))
          return ignored('no_preview');
        await this.#parts.previews.remove(known.environment_id, transaction);
        await this.#record(report, 'removePreview', known.name, transaction);
        return { status: 'removed', reason: null, preview: known.name };
      }
    }
  }

  async #deploy(
    report: PushReport,
    environment: EnvironmentName,
    preview: string | null,
    transaction: Kysely<unknown>,
  ): Promise<DeliveryOutcome> {
    if (!report.isVerified) throw new Refusal(403, 'unverified', applicationMessages.ownerUnverified);
    const { environment_id } = environment;
    // The server that runs the sites compares the changes, and deploys if a watched path is among them.
    if (watchPathsOf(report.application))
      return { status: 'checking', reason: null, preview, environment_id };
    const { deployment_uuid } = await this.#parts.requestDeployment(environment, transaction);
    await this.#record(report, 'deploy', preview, transaction);
    return { status: 'deploying', reason: null, preview, deployment_uuid };
  }

  async #deployPreview(
    report: PushReport,
    pullRequest: number | null,
    transaction: Kysely<unknown>,
  ): Promise<DeliveryOutcome> {
    const { previews, clock } = this.#parts;
    const { application, change } = report;
    const request = { branch: change.branch, pullRequest };
    const { preview } = await previews.open(application, request, clock(), transaction);
    return this.#deploy(report, preview, preview.name, transaction);
  }

  /** Adds the change to the history of the application. */
  #record(
    { application, address, change }: PushReport,
    operation: string,
    preview: string | null,
    transaction: Kysely<unknown>,
  ): Promise<void> {
    const by = { kind: 'push', address } as const;
    const changes = newFields({ branch: change.branch });
    const applicationId = application.application_uuid;
    return recordChange(transaction, { applicationId, preview, operation, by, changes }, this.#parts.clock());
  }
}
