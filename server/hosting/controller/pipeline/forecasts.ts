import type { Logger } from '../../../kernel/log.ts';
import type { ApplicationStore } from '../../applications/store.ts';
import type { Builder } from '../../builds/builder.ts';
import type { Forecast, PlanRequest } from '../../model/forecast.ts';
import { RuntimeFailure } from '../../model/reasons/failure.ts';
import { reason } from '../../model/reasons/reason.ts';
import { outcomeOf } from './outcome.ts';
import type { Sources } from './sources.ts';

export interface ForecastsParts {
  applications: Pick<ApplicationStore, 'at'>;
  builder: Pick<Builder, 'discard'>;
  sources: Sources;
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
    { plan_id: id, application_uuid: applicationId, environment_id }: PlanRequest,
    signal: AbortSignal,
  ): Promise<Forecast> {
    const { applications, builder, sources, log } = this.#parts;
    const name = { applicationId, buildId: id };
    const forecast: Forecast = { root: '' };
    try {
      const application = await applications.at(environment_id);
      if (!application) throw new RuntimeFailure(reason('application_gone'));
      forecast.root = application.root ?? '';
      const repository = await sources.repositoryOf(application);
      const { commit, workspace } = await sources.checkOut(name, repository, {}, signal);
      forecast.commit = commit;
      forecast.plan = await sources.plan(application, workspace, signal);
    } catch (error) {
      const outcome = outcomeOf(error, signal);
      if (!outcome) log.error({ err: error, application: applicationId }, 'a plan could not be made');
      forecast.reason = outcome?.reason ?? reason('internal');
    } finally {
      await builder.discard(name, signal);
    }
    return forecast;
  }
}
