import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Logger } from '../../../kernel/log.ts';
import { type LeaseSelf, releaseLease, takeLease } from './lease-row.ts';
import { LeaseTerm, type LeaseTermParts, type LeaseTimes } from './lease-term.ts';
import { type Reach, RuntimeReach } from './runtime-reach.ts';

export interface LeaseParts {
  db: Kysely<unknown>;
  self: LeaseSelf;
  times: LeaseTimes;
  log: Logger;
  /**
   * True if the previous run of this machine's server has certainly ended: a lease that it held is then taken over at
   * once.
   */
  isAlone?: () => boolean;
  /**
   * Ends instances that a previous run of the server left here, if another server now holds the lease and runs the same
   * sites.
   */
  endLeftovers?: () => Promise<void>;
  reach?: Reach | undefined;
  /**
   * Tells the runtime how long it may keep instances running without another call of this function; 0: until this
   * server ends.
   */
  mayRunFor?: ((ms: number) => void) | undefined;
  /** Runs the sites until the signal aborts at the end of the lease term; resolves once all sites have ended. */
  runTerm: (generation: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Lease that this server has taken: the number of its term, and a time shortly before it was taken, in milliseconds of
 * `performance.now()`.
 */
type TakenLease = Pick<LeaseTermParts, 'generation' | 'takenAt'>;

/**
 * Lease: the right to run the sites, which one server has at a time. It is the row of `hosting_lease`, renewed by the
 * database's own clock. A holder that can't renew the lease ends its sites before another server may take the lease. If
 * no other server asks for the lease, the sites go on while the database is unavailable. A holder that can't reach its
 * runtime gives the lease up to a server that can.
 */
export class Lease {
  readonly #parts: LeaseParts;
  readonly #reach: RuntimeReach;
  readonly #closing = new AbortController();
  /** Promise that resolves once this server neither asks for the lease nor holds it. */
  #ended: Promise<void> = Promise.resolve();
  /**
   * True until the database answers the first request for the lease. Only until then can the lease still belong to a
   * previous run of this server.
   */
  #isFirst = true;

  constructor(parts: LeaseParts) {
    this.#parts = parts;
    const { reach, times, log } = parts;
    this.#reach = new RuntimeReach({ reach, awayMs: times.awayMs, retryMs: times.askMs, log });
  }

  start(): void {
    this.#ended = this.#keepAsking();
  }

  /** Ends the lease term, if there is one, and lets the next server have the lease at once. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#ended;
  }

  async #keepAsking(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      const taken = (await this.#reach.isReachableLogged(signal)) ? await this.#take() : undefined;
      if (!taken) await this.#pause();
      else if (signal.aborted) await this.#release(taken.generation);
      else await this.#runTerm(taken);
    }
  }

  /** Asks for the lease. Returns undefined if this server can't have it now. */
  async #take(): Promise<TakenLease | undefined> {
    const { db, self, times, isAlone, endLeftovers, log } = this.#parts;
    const takenAt = performance.now();
    const isAfterEarlierLife = this.#isFirst && isAlone?.() === true;
    let generation: number | undefined;
    try {
      generation = await takeLease(db, self, times.holdMs, isAfterEarlierLife);
    } catch (error) {
      log.warn({ err: error }, 'the lease on hosting could not be asked for');
      return undefined;
    }
    this.#isFirst = false;
    if (generation === undefined && isAfterEarlierLife) await endLeftovers?.();
    return generation === undefined ? undefined : { generation, takenAt };
  }

  async #runTerm(taken: TakenLease): Promise<void> {
    const { db, self, times, mayRunFor = () => {}, runTerm, log } = this.#parts;
    const closing = this.#closing.signal;
    const reach = this.#reach;
    const term = new LeaseTerm({ ...taken, db, self, times, reach, mayRunFor, runTerm, closing, log });
    await term.run();
  }

  async #release(generation: number): Promise<void> {
    const { db, self } = this.#parts;
    await releaseLease(db, { server: self.server, generation }).catch(() => {});
  }

  async #pause(): Promise<void> {
    const { signal } = this.#closing;
    await sleep(this.#parts.times.askMs, undefined, { signal }).catch(() => {});
  }
}
