import { makeAbortable } from '../../kernel/abortable.ts';
import { type Clock, toTimestamp } from '../../kernel/clock.ts';
import { waitForDatabase } from '../../kernel/database/wait-for-database.ts';
import type { Logger } from '../../kernel/log.ts';
import type { Builder } from '../builds/builder.ts';
import { messages } from '../deployments/messages.ts';
import type { Logs } from '../logs/logs.ts';
import type { SiteRow } from '../model/deployment-rows.ts';
import type { ScopedVariables } from '../model/variables.ts';
import type { Instance, Runtime } from '../runtimes/runtime.ts';
import type { Launches } from './pipeline/launches.ts';
import type { ServedFiles } from './records/instances.ts';
import type { Records } from './records/records.ts';
import type { Instances } from './supervision/instances.ts';
import type { Supervisors } from './supervision/supervisors.ts';

export interface TakeoverParts {
  runtime: Pick<Runtime, 'list' | 'cluster'>;
  builder: Pick<Builder, 'has'>;
  records: Pick<Records, 'instances'>;
  launches: Pick<Launches, 'launchOf' | 'variablesOf'>;
  instances: Pick<Instances, 'adopt' | 'check'>;
  supervisors: Pick<Supervisors, 'of'>;
  logs: Pick<Logs, 'read' | 'write'>;
  clock: Clock;
  /**
   * Lease term: aborts once this server must no longer run the sites. The takeover waits for the database no longer
   * than that.
   */
  term: AbortSignal;
  log: Logger;
}

/**
 * Takes over instances that an earlier holder of the lease, or an earlier run of this server, has left: those that
 * sites still need go on, the rest end.
 */
export class Takeover {
  readonly #parts: TakeoverParts;

  constructor(parts: TakeoverParts) {
    this.#parts = parts;
  }

  async run(): Promise<void> {
    const { runtime, records, instances, clock } = this.#parts;
    const [found, files] = await Promise.all([runtime.list(), this.#existingFiles()]);
    await this.#stopWithoutRelease();
    const sites = await this.#ask(() => records.instances.takeOver(found, files, clock()));
    for (const site of sites) await this.#adopt(site, found);
    await instances.check();
  }

  /** Instances that serve static files, if the files still exist on this machine. */
  async #existingFiles(): Promise<readonly ServedFiles[]> {
    const { runtime, builder, records } = this.#parts;
    const files = await this.#ask(() => records.instances.findServedFiles());
    // Each gateway of a cluster fetches its own copies, so missing files here do not matter.
    if (runtime.cluster !== undefined) return files;
    const exist = await Promise.all(files.map((one) => builder.has(one, { kind: 'files' })));
    return files.filter((_, index) => exist[index]);
  }

  async #stopWithoutRelease(): Promise<void> {
    const { records, logs, clock, log } = this.#parts;
    const stopped = await this.#ask(() => records.instances.stopWithoutRelease(clock()));
    for (const { application_uuid: application, environment_id: environment } of stopped) {
      log.warn({ application, environment }, 'a site has no release to be started from: it is stopped');
      logs.write.put(environment, toTimestamp(clock()), [messages.log.withoutRelease]);
    }
  }

  async #adopt(site: SiteRow, found: readonly Instance[]): Promise<void> {
    const { launches, instances, supervisors } = this.#parts;
    const supervisor = supervisors.of(site.environment_id);
    const variables = this.#readVariables(site);
    const since = await this.#ask(() => this.#lastLineAt(site.environment_id));
    for (const serving of site.serving) {
      const instance = found.find((one) => one.instance === serving.id);
      const launch = await this.#ask(() => launches.launchOf(site, serving, variables ?? {}));
      if (!launch) continue;
      if (!instance) {
        supervisor.adoptFiles(serving.id, launch);
        continue;
      }
      const running = instances.adopt(instance, launch, variables && { since });
      if (running) supervisor.adopt(launch, running);
    }
  }

  /**
   * Variables of a site; undefined if they can't be read. A running site needs them only so that its log hides their
   * values; without them, its output is not logged.
   */
  #readVariables(site: SiteRow): ScopedVariables | undefined {
    try {
      return this.#parts.launches.variablesOf(site);
    } catch (error) {
      this.#parts.log.error(
        { err: error, application: site.application_uuid },
        'a site’s variables can’t be read: it goes on, and what it writes is not told',
      );
      return undefined;
    }
  }

  /** Time of the newest line in a site's log, in milliseconds since 1970. */
  async #lastLineAt(environmentId: string): Promise<number | undefined> {
    const [time = ''] = (await this.#parts.logs.read.newest(environmentId, 1)).split(' ', 1);
    return time === '' ? undefined : Date.parse(time);
  }

  /** Runs a database query, and waits while the database is unavailable. */
  #ask<T>(query: () => Promise<T>): Promise<T> {
    const { term } = this.#parts;
    return makeAbortable(waitForDatabase(query, { signal: term, onAway: () => {} }), term);
  }
}
