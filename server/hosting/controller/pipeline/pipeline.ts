import type { Clock } from '../../../kernel/clock.ts';
import { newId } from '../../../kernel/identifiers.ts';
import type { Logger } from '../../../kernel/log.ts';
import { inSpan, type Span, type SpanAttributes, type Tracing } from '../../../kernel/tracing/tracing.ts';
import type { Application, ApplicationStore } from '../../applications/store.ts';
import { runsBuildCommands } from '../../builds/builder.ts';
import { messages } from '../../deployments/messages.ts';
import type { DeploymentStore } from '../../deployments/store.ts';
import { runsByDefaultNode } from '../../detection/node-version.ts';
import { Cancelled, type DeploymentRow, type Release } from '../../model/deployment-rows.ts';
import { PRODUCTION } from '../../model/environments.ts';
import type { Launch } from '../../model/launch.ts';
import type { DeploymentAction } from '../../model/lifecycle.ts';
import { WEB } from '../../model/plan.ts';
import { createQuote } from '../../model/reasons/error-lines.ts';
import { RuntimeFailure } from '../../model/reasons/failure.ts';
import { describeReason, reason } from '../../model/reasons/reason.ts';
import { slotGroupsOf } from '../../model/slots.ts';
import type { ReadyRelease } from '../records/deployments.ts';
import type { Records } from '../records/records.ts';
import type { Instances } from '../supervision/instances.ts';
import type { Supervisors } from '../supervision/supervisors.ts';
import type { Artifacts } from './artifacts.ts';
import { type LogsOfTerm, openDeploymentLog } from './deployment-log.ts';
import { DeploymentWork, type EnterBuildSlot } from './deployment-work.ts';
import { createLaunch, type Launches } from './launches.ts';
import { type Outcome, outcomeOf } from './outcome.ts';
import type { ReleaseCopier } from './release-copier.ts';
import type { ReleaseMaker } from './release-maker.ts';

export interface PipelineParts {
  applications: Pick<ApplicationStore, 'at' | 'siteVariables'>;
  store: Pick<DeploymentStore, 'release'>;
  records: Pick<Records, 'deployments'>;
  releaseMaker: Pick<ReleaseMaker, 'make'>;
  releaseCopier: Pick<ReleaseCopier, 'copy'>;
  artifacts: Pick<Artifacts, 'ensure'>;
  launches: Pick<Launches, 'addressOf' | 'sealVariables'>;
  supervisors: Pick<Supervisors, 'of'>;
  instances: Pick<Instances, 'run'>;
  logs: LogsOfTerm;
  clock: Clock;
  log: Logger;
  tracing: Tracing;
  /** Description of the isolation of sites and builds, for the log. */
  isolation: string;
  /** Time limit of release commands. */
  taskSeconds: number;
  /** True if the runtime starts all replicas of a process as one instance. */
  groupsReplicas: boolean;
  /**
   * Waits until the runtime can be reached, or until the signal aborts, after which another server continues the
   * deployment.
   */
  untilReachable: (signal: AbortSignal) => Promise<void>;
}

export interface PipelineOptions {
  signal: AbortSignal;
  enterBuildSlot: EnterBuildSlot;
}

/** Actions that bring a release to an environment for the first time, whose release command then runs there. */
const RUNS_RELEASE_COMMAND: ReadonlySet<DeploymentAction> = new Set(['deploy', 'promote']);

/** Takes one claimed deployment through all its stages: source, release, instances, health, switch. */
export class Pipeline {
  readonly #parts: PipelineParts;

  constructor(parts: PipelineParts) {
    this.#parts = parts;
  }

  /** Runs a deployment. Rejects only if the deployment has not ended and must be continued later. */
  async run(row: DeploymentRow, options: PipelineOptions): Promise<void> {
    const { applications } = this.#parts;
    const application = await applications.at(row.environment_id);
    if (!application) return;
    // Another attempt at the deployment, for example after a restart of the server, is a further span of the same trace.
    const parent = { traceparent: row.traceparent ?? undefined };
    const span = { attributes: spanAttributes(row), parent };
    await inSpan(this.#parts.tracing, `deployment ${row.action}`, span, (span) =>
      this.#runIn(span, row, application, options),
    );
  }

  async #runIn(
    span: Span,
    row: DeploymentRow,
    application: Application,
    options: PipelineOptions,
  ): Promise<void> {
    // The deployment's log is opened before anything can fail, so that every failure is logged.
    const work = await this.#open(row, application, options);
    let outcome: Outcome | undefined;
    try {
      await this.#deploy(work);
    } catch (error) {
      outcome = await this.#outcomeOf(error, work);
    } finally {
      await work.log.flush();
    }
    span.set({ 'simcha.deployment.outcome': outcome?.status ?? 'live' });
    if (!outcome) return;
    span.set({ 'simcha.deployment.reason': outcome.reason.code });
    if (outcome.status === 'failed') span.fail(outcome.reason.code);
    await this.#finish(row, outcome);
  }

  async #open(
    row: DeploymentRow,
    application: Application,
    { signal, enterBuildSlot }: PipelineOptions,
  ): Promise<DeploymentWork> {
    const { applications, records, launches, logs, clock, tracing } = this.#parts;
    const isNew = isFirstAttempt(row);
    const log = await openDeploymentLog({ logs, clock, tracing }, row.deployment_uuid, { signal, isNew });
    const address = launches.addressOf(application);
    return new DeploymentWork({
      applications,
      records,
      clock,
      row,
      application,
      address,
      log,
      signal,
      enterBuildSlot,
    });
  }

  async #deploy(work: DeploymentWork): Promise<void> {
    const { row, log, address } = work;
    await work.readVariables();
    log.write(isFirstAttempt(row) ? this.#parts.isolation : messages.log.resumed);
    const release = row.action === 'deploy' ? await this.#makeRelease(work) : await this.#findRelease(work);
    if (RUNS_RELEASE_COMMAND.has(row.action) && !row.released) await this.#runReleaseCommand(work, release);
    const resume = await this.#pauseForVolumes(work, release);
    try {
      await this.#switchTo(work, release);
    } catch (error) {
      if (mayNeedOtherNode(error) && runsByDefaultNode(release.recipe.plan))
        log.write(messages.log.defaultNode);
      throw error;
    } finally {
      await resume?.();
    }
    log.write(messages.log.live(address));
    log.end();
  }

  /** Makes the release of the branch's newest commit, and stores it. */
  async #makeRelease(work: DeploymentWork): Promise<Release> {
    const { releaseMaker, records, clock } = this.#parts;
    const ready: ReadyRelease = await releaseMaker.make(work);
    await records.deployments.moveToStarting(work.row, ready, clock());
    return ready.release;
  }

  /** Finds the stored release of a rollback, promotion or restart, and ensures its artifact. */
  async #findRelease(work: DeploymentWork): Promise<Release> {
    const release = await this.#parts.store.release(work.row.deployment_uuid);
    if (!release) throw new RuntimeFailure(reason('release_gone'));
    work.log.write(messages.log.release(release));
    const { row } = work;
    if (row.action === 'promote')
      work.log.write(messages.log.promoted(row, runsBuildCommands(release.recipe.plan)));
    const isOwn = release.application_uuid === row.application_uuid;
    return isOwn
      ? this.#parts.artifacts.ensure(release, work)
      : this.#parts.releaseCopier.copy(work, release);
  }

  /**
   * Runs the release command before the release serves: once for each deployment, unless the server is killed
   * meanwhile.
   */
  async #runReleaseCommand(work: DeploymentWork, release: Release): Promise<void> {
    const { instances, records, taskSeconds: seconds } = this.#parts;
    const { release: command } = release.plan;
    if (command === undefined) return;
    const { row, application, log, signal } = work;
    await log.step('release', async () => {
      const group = { process: 'release', number: 1, replicas: 1 };
      const launch = createLaunch(application, row, release, work, group);
      const quote = createQuote(log);
      const options = { output: quote.add, signal };
      const { succeeded, how } = await instances.run(newId(), launch, { command, seconds }, options);
      signal.throwIfAborted();
      if (!succeeded) throw new RuntimeFailure(reason('release_failed', { command, how, ...quote.params() }));
    });
    await records.deployments.noteReleased(row);
  }

  /**
   * Stops a site with volumes, because two versions at once would both write to the volumes. Returns a function that
   * ends the pause; if the new version did not come up, the former version then starts again.
   */
  async #pauseForVolumes(
    { row, application, log }: DeploymentWork,
    { artifact }: Release,
  ): Promise<(() => Promise<void>) | undefined> {
    const { volumes } = application;
    if (artifact.kind === 'files' || volumes.length === 0) return undefined;
    const supervisor = this.#parts.supervisors.of(row.environment_id);
    if (supervisor.isRunning) log.write(messages.log.stopFirst(volumes.map(({ name }) => name)));
    // The site is paused even if nothing runs: no instance may be started beside the new version.
    await supervisor.pause();
    return () => supervisor.resume();
  }

  /** Starts the release's instances and switches requests over to them once they are healthy. */
  async #switchTo(work: DeploymentWork, release: Release): Promise<void> {
    const { supervisors, records, launches, clock, tracing } = this.#parts;
    const { row, log, signal } = work;
    const supervisor = supervisors.of(row.environment_id);
    const site = createLaunch(work.application, row, release, work, { process: WEB, number: 1, replicas: 1 });
    const webLaunches = this.#webLaunches(work, release);
    const started = await log.step('start', async () => {
      const all = await supervisor.startAll(webLaunches, signal, log);
      if (all.some(({ targets }) => targets.some(({ kind }) => kind === 'server'))) {
        log.write(messages.log.healthy(site.healthPath));
      }
      return all;
    });
    const ids = started.map(({ id }) => id);
    const sealed = launches.sealVariables(row.environment_id, work.variables);
    // The log is stored first: readers who see that the deployment is live find the whole log.
    await log.flush();
    await inSpan(tracing, 'switch', {}, () =>
      supervisor.promote(site, { launches: webLaunches, started }, () =>
        records.deployments.goLive(row, ids, sealed, clock()),
      ),
    );
  }

  /** Launches of the site's processes that take requests; there may be none. */
  #webLaunches(work: DeploymentWork, release: Release): Launch[] {
    const { application, row } = work;
    const desired = { plan: release.plan, requested: application.processes, state: 'live' as const };
    return slotGroupsOf(desired, this.#parts.groupsReplicas)
      .filter(({ process }) => process === WEB)
      .map((group) => createLaunch(application, row, release, work, group));
  }

  /**
   * Outcome of a failed deployment, which this function logs. Throws errors after which the deployment must be
   * continued later.
   */
  async #outcomeOf(error: unknown, { row, log, signal }: DeploymentWork): Promise<Outcome> {
    const { supervisors, untilReachable } = this.#parts;
    await untilReachable(signal);
    let outcome = outcomeOf(signal.reason instanceof Cancelled ? signal.reason : error, signal);
    if (!outcome) {
      const about = { err: error, deployment: row.deployment_uuid };
      this.#parts.log.error(about, 'a deployment failed unexpectedly');
      outcome = { status: 'failed', reason: reason('internal') };
    }
    const why = describeReason(outcome.reason, 'en');
    log.write(outcome.status === 'failed' ? messages.log.failed(why) : why);
    if (supervisors.of(row.environment_id).isServing) log.write(messages.log.keptServing);
    return outcome;
  }

  /** Records the outcome of a deployment, unless the application was deleted meanwhile. */
  async #finish(row: DeploymentRow, outcome: Outcome): Promise<void> {
    const { records, clock } = this.#parts;
    await records.deployments.finish(row, outcome.status, outcome.reason, clock()).catch((error) => {
      if (!(error instanceof Cancelled)) throw error;
    });
  }
}

function spanAttributes(row: DeploymentRow): SpanAttributes {
  return {
    'simcha.deployment.id': row.deployment_uuid,
    'simcha.application.id': row.application_uuid,
    'simcha.environment': row.preview ?? PRODUCTION,
    'simcha.attempt': row.attempts,
  };
}

/**
 * True if this is the deployment's first attempt: its history has two entries, `queued` and the status of this attempt.
 */
function isFirstAttempt({ history }: DeploymentRow): boolean {
  return history.length === 2;
}

/** Output of a site whose dependencies lack a package, which no other version of Node.js has either. */
const LACKS_PACKAGE = /Cannot find (?:module|package) /;

/** True if a site ended at its start for a reason that an earlier version of Node.js may not have. */
function mayNeedOtherNode(error: unknown): boolean {
  if (!(error instanceof RuntimeFailure)) return false;
  const { code, params } = error.reason;
  return code === 'ended_before_healthy' && !LACKS_PACKAGE.test(String(params.said));
}
