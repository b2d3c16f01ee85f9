import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { makeAbortable } from '../../kernel/abortable.ts';
import type { Clock } from '../../kernel/clock.ts';
import { createFairQueue, type FairQueue, type QueuePlace } from '../../kernel/fair-queue.ts';
import type { Logger } from '../../kernel/log.ts';
import type { Builder } from '../builds/builder.ts';
import type { Checkouts } from '../builds/checkout.ts';
import type { TableSync } from '../gateway/table-sync.ts';
import type { Changes } from '../model/changes.ts';
import { Cancelled } from '../model/deployment-rows.ts';
import { LeaseLost } from '../model/lease-fence.ts';
import { reason } from '../model/reasons/reason.ts';
import type { Runtime } from '../runtimes/runtime.ts';
import type { LeaseVolumes } from '../volumes/lease-volumes.ts';
import { type EnvironmentJob, EnvironmentJobs } from './environment-jobs.ts';
import { EnvironmentLooks } from './environment-looks.ts';
import type { RuntimeReach } from './lease/runtime-reach.ts';
import type { Forecasts } from './pipeline/forecasts.ts';
import type { Pipeline } from './pipeline/pipeline.ts';
import type { PushChecks } from './pipeline/push-checks.ts';
import type { Records } from './records/records.ts';
import type { Runner } from './runner.ts';
import type { Instances } from './supervision/instances.ts';
import type { Supervisors } from './supervision/supervisors.ts';
import type { Sweeper } from './sweep.ts';
import type { Takeover } from './takeover.ts';
import { findEnvironmentsWithWork, readEnvironmentWork } from './work-queries.ts';

/** Times of the controller, in milliseconds. */
export interface ControllerTimes {
  /** Interval at which all environments are checked, to find changes that notifications missed. */
  lookMs: number;
  /** Delay before an environment that is being deployed is checked. */
  busyLookMs: number;
  /** Delay before another attempt to remove data of deleted applications. */
  sweepRetryMs: number;
  /** Time after which a gateway that has not updated its record counts as gone, and is not waited for. */
  gatewayGoneMs: number;
}

export interface ControllerParts {
  db: Kysely<unknown>;
  records: Pick<Records, 'deployments'>;
  runtime: Pick<Runtime, 'recover' | 'capabilities' | 'cluster'>;
  builder: Pick<Builder, 'recover'>;
  checkouts: Pick<Checkouts, 'recover'>;
  volumes: Pick<LeaseVolumes, 'begin'>;
  reach: Pick<RuntimeReach, 'isReachable'>;
  instances: Pick<Instances, 'open' | 'check' | 'close'>;
  supervisors: Pick<Supervisors, 'of' | 'remove' | 'running' | 'close'>;
  takeover: Pick<Takeover, 'run'>;
  pipeline: Pick<Pipeline, 'run'>;
  forecasts: Pick<Forecasts, 'make'>;
  pushChecks: Pick<PushChecks, 'run'>;
  runner: Pick<Runner, 'look' | 'keepTime' | 'forget' | 'close'>;
  sweeper: Pick<Sweeper, 'sweep' | 'isDue' | 'prune'>;
  changes: Pick<Changes, 'follow'>;
  tableSync: Pick<TableSync, 'removeOwnBackends'>;
  /** Queue for builds, which limits how many builds run on this machine at once. */
  buildQueue: FairQueue;
  times: ControllerTimes;
  /** Lease term: aborts once this server must no longer run the sites. */
  term: AbortSignal;
  clock: Clock;
  log: Logger;
}

/**
 * Number of deployments and deployment plans that begin at once, besides builds: their first seconds burden the
 * machine.
 */
const BEGIN_AT_ONCE = 16;
/**
 * Maximum number of one owner's deployments and deployment plans in progress, except those that build or wait for a
 * build slot.
 */
const MOST_OF_ONE = 8;
/**
 * Time after which the next deployment may begin: from then on, a deployment hardly burdens the machine, because it
 * mostly waits, for example for a site's first answer.
 */
const BEGINNING_MS = 5_000;

/** Runs the sites for one lease term: works on deployments, and keeps all sites running that should run. */
export class Controller {
  readonly #parts: ControllerParts;
  readonly #term: AbortSignal;
  readonly #deployments: EnvironmentJobs;
  readonly #plans: EnvironmentJobs;
  readonly #pushes: EnvironmentJobs;
  readonly #looks: EnvironmentLooks;
  #unfollow = () => {};
  #sweeping = Promise.resolve();
  #keepingTime = Promise.resolve();

  constructor(parts: ControllerParts) {
    const { term, log, times } = parts;
    this.#parts = parts;
    this.#term = term;
    const limits = { mostOfOne: MOST_OF_ONE, roomAfterMs: BEGINNING_MS };
    const queue = createFairQueue(BEGIN_AT_ONCE, limits);
    const onEnd = (environmentId: string) => this.#looks.request(environmentId);
    this.#deployments = new EnvironmentJobs({ queue, onEnd, term, log });
    this.#plans = new EnvironmentJobs({ queue, onEnd, term, log });
    this.#pushes = new EnvironmentJobs({ queue, onEnd, term, log });
    this.#looks = new EnvironmentLooks({
      look: (environmentId) => this.#look(environmentId),
      whenDeployed: (environmentId) => this.#deployments.get(environmentId)?.done,
      busyLookMs: times.busyLookMs,
      term,
      log,
    });
  }

  /**
   * Runs until the end of the term; resolves once all sites have ended, or are left to the next holder of the lease.
   */
  async run(): Promise<void> {
    try {
      await this.#start();
      while (!this.#term.aborted) {
        await this.#lookAround();
        await sleep(this.#parts.times.lookMs, undefined, { signal: this.#term }).catch(() => {});
      }
    } finally {
      await this.#stop();
    }
  }

  async #start(): Promise<void> {
    const { runtime, builder, checkouts, volumes, takeover, instances, runner, sweeper, changes } =
      this.#parts;
    await runtime.recover();
    await volumes.begin();
    await Promise.all([builder.recover(), checkouts.recover(this.#term)]);
    await takeover.run();
    instances.open();
    // Sites start without waiting until data of deleted applications is removed.
    this.#sweeping = sweeper.sweep();
    this.#keepingTime = runner.keepTime();
    this.#unfollow = changes.follow({
      onChange: (environmentId) => this.#looks.request(environmentId),
      onGap: () => void this.#lookAtAll().catch(() => {}),
    });
  }

  async #stop(): Promise<void> {
    const { runtime, tableSync, supervisors, runner, instances } = this.#parts;
    this.#unfollow();
    // Sites' instances in a cluster keep running for the next holder of the lease.
    const isLost = this.#term.reason instanceof LeaseLost && runtime.cluster === undefined;
    // While the database is unavailable, the routing table can't be updated from it, so this server's backends are
    // removed here.
    if (isLost) tableSync.removeOwnBackends();
    const how = runtime.capabilities.has('outliving') ? 'detached' : 'graceful';
    try {
      await supervisors.close(isLost ? 'immediate' : how);
    } finally {
      await Promise.allSettled([
        this.#deployments.settle(),
        this.#plans.settle(),
        this.#pushes.settle(),
        this.#sweeping,
        this.#keepingTime,
        runner.close(),
      ]);
      instances.close();
    }
  }

  /** Checks all environments, to find changes that no notification has reported. */
  async #lookAround(): Promise<void> {
    const { sweeper, instances, reach, log } = this.#parts;
    if (sweeper.isDue()) this.#sweeping = sweeper.sweep();
    try {
      await Promise.all([makeAbortable(this.#lookAtAll(), this.#term), instances.check()]);
    } catch (error) {
      // If the runtime does not answer, the code of the lease has already logged that.
      if (await reach.isReachable(this.#term))
        log.warn({ err: error }, 'what should run could not be read; trying again');
    }
  }

  async #lookAtAll(): Promise<void> {
    const { db, supervisors } = this.#parts;
    const withWork = await findEnvironmentsWithWork(db);
    const environments = [...withWork, ...supervisors.running(), ...this.#deployments.environments()];
    for (const id of new Set(environments)) this.#looks.request(id);
  }

  /** Starts and stops work for one environment until its state is the desired one. */
  async #look(environmentId: string): Promise<void> {
    const { db, supervisors, runner } = this.#parts;
    const { deploymentId } = this.#deployments.get(environmentId) ?? {};
    const work = await readEnvironmentWork(db, environmentId, deploymentId);
    this.#term.throwIfAborted();
    if (!work) {
      await this.#remove(environmentId);
      return;
    }
    if (work.is_cancelled) this.#deployments.abort(environmentId, new Cancelled(reason('cancelled')));
    // A deployment that waits to be built is ended in the database by the request that supersedes or cancels it; here
    // its work ends too.
    if (work.is_over) this.#deployments.abort(environmentId, new Cancelled(reason('superseded')));
    const key = { environmentId, applicationId: work.application_uuid, ownerId: work.owner_id };
    if (work.has_deployment) this.#deployments.begin(key, (job, place) => this.#deploy(job, place));
    if (work.has_push) this.#pushes.begin(key, (job) => this.#checkPush(job));
    if (work.has_plan_request) this.#plans.begin(key, (job) => this.#answerPlanRequest(job));
    await supervisors.of(environmentId).follow();
    await runner.look(environmentId);
  }

  /** Ends everything that runs for an environment that was deleted. */
  async #remove(environmentId: string): Promise<void> {
    const { supervisors, runner, sweeper } = this.#parts;
    const gone = new Cancelled(reason('application_gone'));
    this.#deployments.abort(environmentId, gone);
    this.#plans.abort(environmentId, gone);
    this.#pushes.abort(environmentId, gone);
    runner.forget(environmentId);
    // Instances that can't be stopped now, for example because their engine does not answer, are found again by the
    // sweep for orphaned data.
    await supervisors.remove(environmentId).finally(sweeper.sweep);
  }

  /** Works on the environment's newest deployment. */
  async #deploy(job: EnvironmentJob, { outside }: QueuePlace): Promise<void> {
    const { records, pipeline, sweeper, buildQueue, clock } = this.#parts;
    const { key, signal } = job;
    const row = signal.aborted ? undefined : await records.deployments.claim(key.environmentId, clock());
    if (!row) return;
    job.deploymentId = row.deployment_uuid;
    await pipeline.run(row, {
      signal,
      enterBuildSlot: (make, options) => outside(() => buildQueue(key.ownerId, make, options)),
    });
    // Another environment's deployment may be about to use one of these releases; it deletes old releases when it ends.
    const isBusy =
      this.#deployments.isBusy(key.applicationId, key.environmentId) || this.#plans.isBusy(key.applicationId);
    if (!isBusy) await sweeper.prune(row);
  }

  /** Decides about the environment's newest push, and deploys it if it changes a watched path. */
  async #checkPush({ key, signal }: EnvironmentJob): Promise<void> {
    if (!signal.aborted) await this.#parts.pushChecks.run(key.environmentId, signal);
  }

  /** Answers the environment's plan request with what a deployment would do. */
  async #answerPlanRequest({ key, signal }: EnvironmentJob): Promise<void> {
    const { records, forecasts } = this.#parts;
    if (signal.aborted) return;
    const request = await records.deployments.findPlanRequest(key.environmentId);
    if (request) await records.deployments.answerPlanRequest(request, await forecasts.make(request, signal));
  }
}
