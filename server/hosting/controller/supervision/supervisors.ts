import { makeAbortable } from '../../../kernel/abortable.ts';
import { createFairQueue } from '../../../kernel/fair-queue.ts';
import { createKeyedLock } from '../../../kernel/keyed-lock.ts';
import type { InstanceRecords } from '../records/instances.ts';
import { createAskDatabase } from './ask-database.ts';
import { GRACE_MS, untilDrained } from './drainer.ts';
import { EnvironmentSupervisor, type SupervisorParts } from './environment-supervisor.ts';
import type { Instances } from './instances.ts';
import { acceptsRequests, type ServingInstance } from './running-instance.ts';

export interface SupervisorsParts extends Omit<SupervisorParts, 'askDatabase' | 'startQueue' | 'withLock'> {
  instances: SupervisorParts['instances'] & Pick<Instances, 'trackedIds' | 'stopOrphans'>;
  records: SupervisorParts['records'] & { instances: Pick<InstanceRecords, 'noteAllDraining'> };
}

/**
 * How sites end with the lease term. `graceful`: open requests are answered first. `detached`: instances keep running,
 * for the next holder of the lease.
 */
export type Closing = 'immediate' | 'graceful' | 'detached';

/** Time that instances have to end once the lease is lost: well before the lease runs out. */
const SHORT_GRACE_MS = 2_000;
/** Number of sites that start at once when many come back together, such as at a start of the server. */
const STARTS_AT_ONCE = 4;
/** Time after which the start of a site hardly burdens the machine, so that the next one may begin. */
const STARTING_MS = 5_000;
/** Longest wait for another change of the same environment, which may wait for the database. */
const LONGEST_TURN_MS = 3_600_000;
/** Time that open requests have to end when this server gives up the lease, well before the lease runs out. */
const CLOSING_MS = 2_000;

/** Supervisors of all environments during one lease term. */
export class Supervisors {
  readonly #parts: SupervisorsParts;
  readonly #shared: SupervisorParts;
  readonly #environments = new Map<string, EnvironmentSupervisor>();
  readonly #closing = new AbortController();

  constructor(parts: SupervisorsParts) {
    // Also aborts if the controller has failed: what it began must end, although the server still holds the lease.
    const term = AbortSignal.any([parts.term, this.#closing.signal]);
    this.#parts = parts;
    this.#shared = {
      ...parts,
      term,
      askDatabase: createAskDatabase({ term, log: parts.log }),
      startQueue: createFairQueue(STARTS_AT_ONCE, { roomAfterMs: STARTING_MS }),
      withLock: createKeyedLock(LONGEST_TURN_MS),
    };
  }

  of(environmentId: string): EnvironmentSupervisor {
    const known = this.#environments.get(environmentId);
    if (known) return known;
    const supervisor = new EnvironmentSupervisor(environmentId, this.#shared);
    this.#environments.set(environmentId, supervisor);
    return supervisor;
  }

  /** Environments in which an instance serves or starts. */
  running(): string[] {
    return [...this.#environments].flatMap(([id, { isRunning }]) => (isRunning ? [id] : []));
  }

  /** Ends all instances of an environment whose application was deleted. */
  async remove(environmentId: string): Promise<void> {
    const supervisor = this.#environments.get(environmentId);
    await supervisor?.remove();
    if (supervisor?.isIdle) this.#environments.delete(environmentId);
  }

  /** Ends the lease term's supervisors. Resolves once all instances that should end have ended. */
  async close(how: Closing): Promise<void> {
    this.#closing.abort();
    const { instances, log } = this.#parts;
    const environments = [...this.#environments.values()];
    const ended = environments.map((supervisor) => {
      const serving = supervisor.close();
      return { supervisor, serving: how === 'detached' ? [] : serving };
    });
    const all = ended.flatMap(({ serving }) => serving);
    if (how === 'graceful' && all.length > 0) await this.#drain(all);
    const graceMs = how === 'immediate' ? SHORT_GRACE_MS : GRACE_MS;
    const ending = ended.flatMap(({ supervisor, serving }) => supervisor.endAll(serving, graceMs));
    if (how === 'immediate') {
      const others = new Set(instances.trackedIds()).difference(new Set(all.map(({ id }) => id)));
      for (const id of others) ending.push(instances.stop(id, graceMs));
      // Instances that were started or adopted but have no supervisor are stopped as well.
      ending.push(instances.stopOrphans());
    }
    // An instance that can't be stopped does not delay the end of the others.
    for (const one of await Promise.allSettled(ending)) {
      if (one.status === 'rejected') log.error({ err: one.reason }, 'a site could not be stopped');
    }
    await Promise.all(environments.map((supervisor) => supervisor.drained()));
  }

  /** Makes the gateways hold new requests to all instances, and waits until no request is open. */
  async #drain(serving: readonly ServingInstance[]): Promise<void> {
    const { records } = this.#parts;
    const inTime = AbortSignal.timeout(CLOSING_MS);
    await makeAbortable(records.instances.noteAllDraining(), inTime).catch(() => {});
    const draining = serving.filter(acceptsRequests);
    await Promise.all(draining.map(({ id }) => untilDrained({ records }, id, CLOSING_MS, inTime)));
  }
}
