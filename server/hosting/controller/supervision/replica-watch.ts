import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../../kernel/clock.ts';
import type { Logger } from '../../../kernel/log.ts';
import type { Builder } from '../../builds/builder.ts';
import { messages } from '../../deployments/messages.ts';
import { RuntimeFailure } from '../../model/reasons/failure.ts';
import { describeReason, type Reason, reason } from '../../model/reasons/reason.ts';
import type { InstanceRecords } from '../records/instances.ts';
import type { AskDatabase } from './ask-database.ts';
import type { EnvironmentLog } from './environment-log.ts';
import { waitUntilHealthy } from './health.ts';
import { untilUnresponsive } from './liveness.ts';
import { ReplicaFollower, type ReplicaState } from './replicas.ts';
import { acceptsRequests, hostOf, type ReplicaFeed, type ServingInstance } from './running-instance.ts';

export interface ReplicaWatchParts {
  records: { instances: Pick<InstanceRecords, 'noteReplicas'> };
  builder: Pick<Builder, 'has'>;
  environmentLog: EnvironmentLog;
  askDatabase: AskDatabase;
  log: Logger;
  clock: Clock;
  healthMs: number;
  silentMs: number;
  /** Lease term: aborts once this server must no longer run the sites, which ends the watch. */
  term: AbortSignal;
}

/** Time that requests wait while no replica of a site takes them. */
const COMING_BACK_MS = 10_000;

/** Watches the replicas of an instance whose runtime restarts them by itself, and records what happens to them. */
export class ReplicaWatch {
  readonly #parts: ReplicaWatchParts;
  readonly #instance: ServingInstance;
  readonly #isServing: () => boolean;
  /** Reason why a replica of the instance last stopped taking requests. */
  #note: Reason | null = null;
  /** Time since which no replica of the instance takes requests, in milliseconds of `performance.now()`. */
  #emptySince: number | undefined;

  /** `isServing`: returns false once the instance has left its slot; from then on nothing is recorded. */
  constructor(parts: ReplicaWatchParts, instance: ServingInstance, isServing: () => boolean) {
    this.#parts = parts;
    this.#instance = instance;
    this.#isServing = isServing;
  }

  /**
   * Watches the replicas until the runtime no longer has the instance. Ends earlier, with the reason, if no replica
   * answers.
   */
  run({ first, changes }: ReplicaFeed): Promise<Reason | undefined> {
    const { term } = this.#parts;
    const { launch } = this.#instance;
    const follower = new ReplicaFollower({
      first,
      feed: changes(term),
      acceptsRequests: acceptsRequests(this.#instance),
      signal: term,
      notify: (state) => this.#update(state),
      untilHealthy: (origin, signal) =>
        waitUntilHealthy({
          origin,
          path: launch.healthPath,
          host: hostOf(launch),
          withinMs: this.#parts.healthMs,
          signal,
          ended: new Promise(() => {}),
        }),
      untilUnresponsive: async (origin, signal) => {
        const { builder, silentMs } = this.#parts;
        const target = { kind: 'server' as const, origin };
        const how = await untilUnresponsive({ launch, target, builder, silentMs, signal });
        return how ?? new Promise(() => {});
      },
      reasonOf: (error) => (error instanceof RuntimeFailure ? error.reason : reason('our_fault')),
    });
    return follower.run();
  }

  async #update(state: ReplicaState): Promise<void> {
    const { launch } = this.#instance;
    for (const { number, note, ended } of state.changes) {
      this.#note = note ?? this.#note;
      const text = ended ? messages.log.replicaFell : messages.log.replicaSilent;
      if (note && this.#isServing())
        this.#parts.environmentLog.writeAbout(
          { process: launch.process, number },
          launch.isOneOfSeveral,
          text(describeReason(note, 'en')),
        );
    }
    await this.#record(state, false);
    const isEmpty = acceptsRequests(this.#instance) && state.origins.length === 0;
    const since = isEmpty ? (this.#emptySince ?? performance.now()) : undefined;
    if (since !== undefined && this.#emptySince === undefined) void this.#reportDown(since);
    this.#emptySince = since;
  }

  /** Records that the site is down after a while, so that requests don't wait for a site that does not come back. */
  async #reportDown(since: number): Promise<void> {
    const { term, log } = this.#parts;
    await sleep(COMING_BACK_MS, undefined, { ref: false });
    if (this.#emptySince !== since || term.aborted) return;
    await this.#record({ origins: [], numbers: [], changes: [] }, true).catch((error) => {
      if (!term.aborted) log.warn({ err: error }, 'that a site is down could not be noted');
    });
  }

  async #record({ origins, numbers, changes }: ReplicaState, down: boolean): Promise<void> {
    if (!this.#isServing()) return;
    const { records, askDatabase, clock, term } = this.#parts;
    const { id: instanceId, launch } = this.#instance;
    const site = { environment_id: launch.environmentId, deployment_uuid: launch.deploymentId };
    const targets = origins.map((origin) => ({ kind: 'server' as const, origin }));
    const state = { targets, numbers, changes, note: this.#note, down };
    const about = { instanceId, site, slot: launch };
    await askDatabase(() => records.instances.noteReplicas(about, state, clock()), term);
  }
}
