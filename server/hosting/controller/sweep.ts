import type { Kysely } from 'kysely';
import { coalesceRuns } from '../../kernel/keyed-lock.ts';
import type { Logger } from '../../kernel/log.ts';
import { repeatedWarnings } from '../../kernel/repeated-warnings.ts';
import type { Builder } from '../builds/builder.ts';
import type { Checkouts } from '../builds/checkout.ts';
import { type DeploymentRow, findDeletedEnvironments } from '../model/deployment-rows.ts';
import type { Runtime } from '../runtimes/runtime.ts';
import { isOwnFolder, sitesIdentity } from './data-folder-owner.ts';
import type { DiskBudget } from './pipeline/disk-budget.ts';
import type { Records } from './records/records.ts';
import { findExistingApplications } from './work-queries.ts';

export interface SweeperParts {
  db: Kysely<unknown>;
  records: Pick<Records, 'builds' | 'deployments'>;
  runtime: Pick<Runtime, 'retainedEnvironments' | 'forget'>;
  builder: Pick<Builder, 'applications' | 'builds' | 'forget' | 'prune' | 'pruneNodes'>;
  checkouts: Pick<Checkouts, 'applications' | 'forget'>;
  diskBudget: Pick<DiskBudget, 'note'>;
  /** Folder of this machine with the files of sites. */
  base: string;
  /** Number of releases kept of each application's production. */
  releasesKept: number;
  /** Delay before a failed removal of data is repeated, for example because the engine did not answer. */
  retryMs: number;
  /** Lease term: aborts once this server must no longer run the sites, which ends the sweeper's work. */
  term: AbortSignal;
  log: Logger;
}

const DEPLOYMENTS_KEPT = 200;
const LEFT = 'what is left of what was deleted could not be removed; trying again';

type About = Readonly<Record<string, string>>;

/** Removes data of deleted applications and environments, and releases and deployments that are no longer needed. */
export class Sweeper {
  readonly #parts: SweeperParts;
  /** Time of the next sweep after a failed one, in milliseconds of `performance.now()`. */
  #retryAt = Number.POSITIVE_INFINITY;

  constructor(parts: SweeperParts) {
    this.#parts = parts;
  }

  /** True if a sweep (removal of deleted applications' data) failed and should be repeated now. */
  isDue(): boolean {
    return performance.now() > this.#retryAt;
  }

  /** Removes data of applications and environments that were deleted. Failures are logged and repeated later. */
  readonly sweep = coalesceRuns(async () => {
    this.#retryAt = Number.POSITIVE_INFINITY;
    try {
      if (!(await this.#isOwnFolder())) return;
      const failed = await this.#sweepApplications();
      await this.#sweepEnvironments(failed);
      await this.#pruneNodes();
      repeatedWarnings(this.#parts.log).clear({}, LEFT);
    } catch (error) {
      if (!this.#parts.term.aborted) this.#noteFailure({}, error);
    }
  });

  /** Removes releases and deployments of an application that a finished deployment has made superfluous. */
  async prune({ application_uuid: applicationId, environment_id: environmentId }: DeploymentRow) {
    const { records, builder, diskBudget, releasesKept, term, log } = this.#parts;
    try {
      // Builds are listed before the database's releases are read: a build made between the two is not in the list, so
      // it can't be deleted by mistake.
      const existing = await builder.builds(applicationId);
      const kept = await records.builds.pruneReleases(applicationId, releasesKept);
      const superfluous = existing.filter((id) => !kept.has(id));
      await builder.prune(applicationId, superfluous, term);
      await diskBudget.note(applicationId, term);
      await records.deployments.prune(environmentId, DEPLOYMENTS_KEPT);
      await this.#pruneNodes();
    } catch (error) {
      log.warn({ err: error }, 'what is not needed any more could not be removed');
    }
  }

  async #isOwnFolder(): Promise<boolean> {
    const { base, db, log } = this.#parts;
    if (await isOwnFolder(base, await sitesIdentity(db))) return true;
    log.error(
      `what is in ${base} is of sites of another database, and stays: set its DATABASE_URL, or give this one a DATA_DIR of its own`,
    );
    return false;
  }

  /** Removes the data of deleted applications; returns the applications for which this failed. */
  async #sweepApplications(): Promise<ReadonlySet<string>> {
    const { db, runtime, builder, checkouts, term } = this.#parts;
    // Data is listed before the database is asked for existing applications: data of an application created between the
    // two is not in the list, so it can't be deleted by mistake.
    const [environments, ...others] = await Promise.all([
      runtime.retainedEnvironments(),
      builder.applications(),
      checkouts.applications(),
    ]);
    // If another server built the application, this machine may have no other trace of it than its environments in the
    // cluster.
    const found = [...new Set([...others.flat(), ...environments.map((one) => one.applicationId)])];
    const existing = await findExistingApplications(db, found);
    const failed = new Set<string>();
    for (const id of found.filter((one) => !existing.has(one))) {
      const isRemoved = await this.#remove({ application: id }, () =>
        Promise.all([builder.forget(id, term), checkouts.forget(id, term)]),
      );
      if (!isRemoved) failed.add(id);
    }
    return failed;
  }

  /**
   * Removes deleted environments from the runtime. Environments stay if the removal of their application failed: the
   * next attempt may find the application only by them.
   */
  async #sweepEnvironments(failed: ReadonlySet<string>): Promise<void> {
    const { db, runtime, term } = this.#parts;
    for (const key of await findDeletedEnvironments(db, await runtime.retainedEnvironments())) {
      if (failed.has(key.applicationId)) continue;
      const about = { application: key.applicationId, environment: key.environmentId };
      await this.#remove(about, () => runtime.forget(key, term));
    }
  }

  #pruneNodes(): Promise<void> {
    const { records, builder, term } = this.#parts;
    return builder.pruneNodes(() => records.builds.findNodeVersions(), term);
  }

  /**
   * Runs `work`, which removes data. A failure is logged and returned as false, so that the caller goes on with other
   * data.
   */
  async #remove(about: About, work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work();
      repeatedWarnings(this.#parts.log).clear(about, LEFT);
      return true;
    } catch (error) {
      this.#noteFailure(about, error);
      return false;
    }
  }

  /** Logs a failure and schedules another attempt. Throws the signal's reason at the end of the term. */
  #noteFailure(about: About, error: unknown): void {
    const { term, retryMs, log } = this.#parts;
    term.throwIfAborted();
    this.#retryAt = performance.now() + retryMs;
    repeatedWarnings(log).warn(about, LEFT, error instanceof Error ? error.message : String(error));
  }
}
