import { setTimeout as sleep } from 'node:timers/promises';
import { makeAbortable } from '../../../kernel/abortable.ts';
import type { Logger } from '../../../kernel/log.ts';
import type { InstanceRecords } from '../records/instances.ts';
import type { Instances } from './instances.ts';
import { acceptsRequests, type ServingInstance } from './running-instance.ts';

/** Time that an instance has to end by itself, before it is killed. */
export const GRACE_MS = 5_000;
/** Interval of checks whether all gateways have finished with a draining instance. */
const DRAINED_POLL_MS = 100;

export interface EndingParts {
  instances: Pick<Instances, 'stop'>;
  records: { instances: Pick<InstanceRecords, 'remove'> };
  log: Logger;
}

export interface DrainerParts extends EndingParts {
  records: { instances: Pick<InstanceRecords, 'remove' | 'isDrained' | 'hasTunnels'> };
  /** Longest time that open requests and WebSockets to a draining instance may take. */
  drainMs: number;
  /**
   * Lease term: aborts once this server must no longer run the sites; instances then end without waiting for their
   * requests.
   */
  term: AbortSignal;
  /** True while something waits for the instances to end, such as the next version that shares their volumes. */
  isHurried: () => boolean;
}

/** Ends a site's instance and deletes its record. */
export async function endInstance(
  { instances, records, log }: EndingParts,
  id: string,
  graceMs: number,
): Promise<void> {
  await instances.stop(id, graceMs);
  await records.instances
    .remove(id)
    .catch((error) => log.warn({ err: error }, 'an instance that ended is still on record'));
}

/** Waits until no gateway has an open request to an instance, for at most `mostMs` or until the signal aborts. */
export async function untilDrained(
  { records }: { records: { instances: Pick<InstanceRecords, 'isDrained'> } },
  id: string,
  mostMs: number,
  signal: AbortSignal,
): Promise<void> {
  for (const deadline = performance.now() + mostMs; performance.now() < deadline && !signal.aborted; ) {
    if (await makeAbortable(records.instances.isDrained(id), signal).catch(() => false)) return;
    await sleep(DRAINED_POLL_MS);
  }
}

/** Ends instances of an environment that no longer serve: each once its requests are answered. */
export class Drainer {
  readonly #parts: DrainerParts;
  readonly #endings = new Set<Promise<void>>();
  /** Ids of instances that were asked to end, and may take long. */
  readonly #terminating = new Set<string>();

  constructor(parts: DrainerParts) {
    this.#parts = parts;
  }

  get isIdle(): boolean {
    return this.#endings.size === 0;
  }

  /** Lets an instance finish its requests, then ends it. Callers need not wait: failures are logged. */
  drain(instance: ServingInstance): Promise<void> {
    return this.track(this.#finish(instance));
  }

  /** Registers the end of an instance, so that `settled` waits for it too. */
  track(ending: Promise<void>): Promise<void> {
    this.#endings.add(ending);
    ending
      .catch((error) =>
        this.#parts.log.error({ err: error }, 'a site that serves no more could not be stopped'),
      )
      .finally(() => this.#endings.delete(ending));
    return ending;
  }

  /** Repeats the stop of instances that are slow to end, with a shorter grace period. */
  hurry(graceMs: number): Promise<void>[] {
    return [...this.#terminating].map((id) => this.#parts.instances.stop(id, graceMs));
  }

  /** Resolves once all instances that were ending have ended, or could not be ended. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#endings);
  }

  async #finish(instance: ServingInstance): Promise<void> {
    const { id } = instance;
    if (!acceptsRequests(instance)) return endInstance(this.#parts, id, GRACE_MS);
    await untilDrained(this.#parts, id, this.#parts.drainMs, this.#parts.term);
    const graceMs = await this.#graceOf(id);
    this.#terminating.add(id);
    await endInstance(this.#parts, id, graceMs).finally(() => this.#terminating.delete(id));
  }

  /**
   * Time that an instance gets to end: as long as visitors' WebSockets may take, unless something waits for its end.
   */
  async #graceOf(id: string): Promise<number> {
    const { records, term, drainMs } = this.#parts;
    const isHurried = () => term.aborted || this.#parts.isHurried();
    if (isHurried()) return GRACE_MS;
    const hasTunnels = await makeAbortable(records.instances.hasTunnels(id), term).catch(() => false);
    return hasTunnels && !isHurried() ? drainMs : GRACE_MS;
  }
}
