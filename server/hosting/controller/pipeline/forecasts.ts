import { newId } from '../../../kernel/identifiers.ts';
import type { Logger } from '../../../kernel/log.ts';
import { imageToDeploy } from '../../applications/source.ts';
import type { Application, ApplicationStore } from '../../applications/store.ts';
import type { Builder } from '../../builds/builder.ts';
import type { Commit } from '../../builds/commit.ts';
import { planOfImage } from '../../detection/image-plan.ts';
import type { Forecast, PlanRequest } from '../../model/forecast.ts';
import type { Plan } from '../../model/plan.ts';
import { RuntimeFailure } from '../../model/reasons/failure.ts';
import { reason } from '../../model/reasons/reason.ts';
import type { BuildName } from '../../model/site-folders.ts';
import type { SourceRef } from '../../model/source-ref.ts';
import type { UploadStore } from '../../uploads/store.ts';
import { outcomeOf } from './outcome.ts';
import type { Sources } from './sources.ts';

export interface ForecastsParts {
  applications: Pick<ApplicationStore, 'at'>;
  builder: Pick<Builder, 'discard'>;
  sources: Sources;
  uploads: Pick<UploadStore, 'newest'>;
  log: Logger;
}

/** Forecasts of deployments: the answers to plan requests, which say what a deployment would do now. */
export class Forecasts {
  readonly #parts: ForecastsParts;

  constructor(parts: ForecastsParts) {
    this.#parts = parts;
  }

  /**
   * Makes a forecast: what a deployment would do now, or why it would fail. Rejects only if the plan request should be
   * worked on again.
   */
  async make(
    { plan_id: id, application_uuid: applicationId, environment_id, ref }: PlanRequest,
    signal: AbortSignal,
  ): Promise<Forecast> {
    const { applications, builder, sources, log } = this.#parts;
    const name = { applicationId, buildId: id };
    const forecast: Forecast = { root: '' };
    try {
      const application = await applications.at(environment_id);
      if (!application) throw new RuntimeFailure(reason('application_gone'));
      forecast.root = application.root ?? '';
      await this.#noteBranches(application, forecast, signal);
      if (application.image !== null)
        forecast.plan = await this.#planImage(
          application,
          imageToDeploy(application.image, ref ?? undefined),
          signal,
        );
      else {
        const { commit, workspace } = await this.#bring(application, { name, ref }, signal);
        if (commit) forecast.commit = commit;
        forecast.plan = await sources.plan(application, workspace, signal);
      }
    } catch (error) {
      const outcome = outcomeOf(error, signal);
      if (!outcome) log.error({ err: error, application: applicationId }, 'a plan could not be made');
      forecast.reason = outcome?.reason ?? reason('internal');
    } finally {
      await builder.discard(name, signal);
    }
    return forecast;
  }

  async #planImage(application: Application, name: string, signal: AbortSignal): Promise<Plan> {
    const { digest, config } = await this.#parts.sources.describeImage(application, name, signal);
    return planOfImage({ name, digest }, config, application);
  }

  /** A repository whose branches can't be read fails to be checked out too, which gives the reason. */
  async #noteBranches(application: Application, forecast: Forecast, signal: AbortSignal): Promise<void> {
    const { builder, sources } = this.#parts;
    if (application.repository === null) return;
    const name = { applicationId: application.application_uuid, buildId: newId() };
    try {
      const repository = await sources.repositoryOf(application);
      forecast.branches = await sources.branches(name, repository, signal);
    } catch (error) {
      if (!(error instanceof RuntimeFailure)) throw error;
    } finally {
      await builder.discard(name, signal);
    }
  }

  /**
   * Brings what a deployment would build now: the newest upload, the named revision, or the branch's newest commit.
   */
  async #bring(
    application: Application,
    { name, ref }: { name: BuildName; ref: SourceRef | null },
    signal: AbortSignal,
  ): Promise<{ commit?: Commit; workspace: string }> {
    const { sources, uploads } = this.#parts;
    if (application.repository !== null)
      return sources.checkOut(name, await sources.repositoryOf(application), ref ? { ref } : {}, signal);
    const upload = await uploads.newest(application.application_uuid);
    if (!upload) throw new RuntimeFailure(reason('not_uploaded'));
    return { workspace: await sources.unpack(name, upload.upload_id, signal) };
  }
}
