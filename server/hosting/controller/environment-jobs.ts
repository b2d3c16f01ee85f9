import type { FairQueue, QueuePlace } from '../../kernel/fair-queue.ts';
import type { Logger } from '../../kernel/log.ts';
import { Cancelled } from '../model/deployment-rows.ts';

/**
 * Environment whose deployment or plan a job makes, its application, and the owner in whose share of the queue the job
 * waits.
 */
export interface JobKey {
  environmentId: string;
  applicationId: string;
  ownerId: string;
}

export interface EnvironmentJobsParts {
  /** Limits how many jobs (deployments or plans) begin at once. */
  queue: FairQueue;
  /** Callback after each job, because an environment may have more work that was requested during the job. */
  onEnd: (environmentId: string) => void;
  /** Lease term: aborts once this server must no longer run the sites, which ends all jobs. */
  term: AbortSignal;
  log: Logger;
}

/** Job in progress: making the deployment or the plan of an environment. */
export class EnvironmentJob {
  readonly key: JobKey;
  readonly #abort = new AbortController();
  /** Deployment that the job works on, once it is known. */
  deploymentId: string | undefined;
  /** Promise that resolves at the end of the job. */
  done: Promise<void> = Promise.resolve();

  constructor(key: JobKey) {
    this.key = key;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  abort(reason: unknown): void {
    this.#abort.abort(reason);
  }
}

/** Jobs that make deployments, or jobs that make plans: at most one at a time for each environment. */
export class EnvironmentJobs {
  readonly #queue: FairQueue;
  readonly #onEnd: EnvironmentJobsParts['onEnd'];
  readonly #term: AbortSignal;
  readonly #log: Logger;
  readonly #byEnvironment = new Map<string, EnvironmentJob>();

  constructor({ queue, onEnd, term, log }: EnvironmentJobsParts) {
    this.#queue = queue;
    this.#onEnd = onEnd;
    this.#term = term;
    this.#log = log;
  }

  get(environmentId: string): EnvironmentJob | undefined {
    return this.#byEnvironment.get(environmentId);
  }

  environments(): string[] {
    return [...this.#byEnvironment.keys()];
  }

  /** True if a job works for the application, in an environment other than `except`. */
  isBusy(applicationId: string, except?: string): boolean {
    return [...this.#byEnvironment.values()].some(
      ({ key }) => key.applicationId === applicationId && key.environmentId !== except,
    );
  }

  /** Begins a job, unless the environment has one already. The job first waits for its turn. */
  begin(key: JobKey, work: (job: EnvironmentJob, place: QueuePlace) => Promise<void>): void {
    if (this.#byEnvironment.has(key.environmentId)) return;
    const job = new EnvironmentJob(key);
    this.#byEnvironment.set(key.environmentId, job);
    job.done = this.#run(job, work);
  }

  abort(environmentId: string, reason: Cancelled): void {
    this.#byEnvironment.get(environmentId)?.abort(reason);
  }

  /** Resolves once all jobs of environments that are in progress now have ended. */
  async settle(): Promise<void> {
    await Promise.all([...this.#byEnvironment.values()].map(({ done }) => done));
  }

  async #run(
    job: EnvironmentJob,
    work: (job: EnvironmentJob, place: QueuePlace) => Promise<void>,
  ): Promise<void> {
    const { environmentId, ownerId } = job.key;
    const endWithTerm = () => job.abort(this.#term.reason);
    this.#term.addEventListener('abort', endWithTerm, { once: true });
    try {
      await this.#queue(ownerId, (place) => work(job, place), { signal: job.signal });
    } catch (error) {
      const about = { err: error, environment: environmentId };
      if (!(error instanceof Cancelled) && !this.#term.aborted)
        this.#log.error(about, 'deployments could not be worked; trying again');
    } finally {
      this.#term.removeEventListener('abort', endWithTerm);
      this.#byEnvironment.delete(environmentId);
      this.#onEnd(environmentId);
    }
  }
}
