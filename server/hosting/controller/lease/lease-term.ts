import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { makeAbortable } from '../../../kernel/abortable.ts';
import type { Logger } from '../../../kernel/log.ts';
import { LeaseLost } from '../../model/lease-fence.ts';
import { type LeaseSelf, type Renewal, releaseLease, renewLease } from './lease-row.ts';
import type { RuntimeReach } from './runtime-reach.ts';

/** Times of the lease, in milliseconds. */
export interface LeaseTimes {
  /** Time after a renewal during which no other server takes the lease. */
  holdMs: number;
  renewMs: number;
  /** Time before the end of the lease at which a holder that could not renew it gives up, to end its sites in time. */
  marginMs: number;
  /** Interval at which a server without the lease asks for it, and each server asks its runtime for an answer. */
  askMs: number;
  /** Time after which a holder that does not reach its runtime gives up, if another server asks for the lease. */
  awayMs: number;
}

/**
 * Reason for the end of a lease term when the server stops: the server still holds the lease until its sites have
 * ended.
 */
export class LeaseReturned extends Error {
  constructor() {
    super('this server is stopping');
  }
}

export interface LeaseTermParts {
  db: Kysely<unknown>;
  self: LeaseSelf;
  generation: number;
  /** Time shortly before this server took the lease, in milliseconds of `performance.now()`. */
  takenAt: number;
  times: LeaseTimes;
  reach: RuntimeReach;
  /**
   * Tells the runtime how long it may keep instances running without another call of this function; 0: until this
   * server ends.
   */
  mayRunFor: (ms: number) => void;
  /** Runs the sites until the signal aborts; resolves once all sites have ended. */
  runTerm: (generation: number, signal: AbortSignal) => Promise<void>;
  /** Signal that aborts when this server stops. */
  closing: AbortSignal;
  log: Logger;
}

/** Multiple of `renewMs` after which a renewal of the lease counts as overdue. */
const OVERDUE = 1.5;
/** Interval of checks whether the lease is about to run out. */
const CHECK_MS = 100;

/** State of the lease term: `held`, or why it has ended. */
type TermState = 'held' | 'lost' | 'unreachable' | 'returned';

/** Term of the lease: the sites run while it is renewed, and have ended before another server may take it. */
export class LeaseTerm {
  readonly #parts: LeaseTermParts;
  readonly #end = new AbortController();
  #state: TermState = 'held';
  /** Times of the last renewal and of the last answer of the runtime, in milliseconds of `performance.now()`. */
  #renewedAt: number;
  #reachedAt: number;
  /**
   * False once a renewal has shown that no other server asks for the lease: the sites then go on even if the lease
   * can't be renewed.
   */
  #isWanted = true;
  #checks: NodeJS.Timeout | undefined;

  constructor(parts: LeaseTermParts) {
    this.#parts = parts;
    this.#renewedAt = parts.takenAt;
    this.#reachedAt = parts.takenAt;
  }

  /** Runs the sites until the lease is lost or this server stops, then releases the lease. */
  async run(): Promise<void> {
    const { db, self, generation, closing, mayRunFor, log } = this.#parts;
    const giveBack = () => this.#giveBack();
    closing.addEventListener('abort', giveBack, { once: true });
    log.info({ generation }, 'this server runs the sites');
    const running = this.#runSites();
    this.#setChecks();
    void this.#watchReach();
    await this.#keepRenewing();
    clearInterval(this.#checks);
    closing.removeEventListener('abort', giveBack);
    if (!closing.aborted) this.#logEnd();
    await running;
    mayRunFor(0);
    await releaseLease(db, { server: self.server, generation }).catch(() => {});
  }

  async #runSites(): Promise<void> {
    const { runTerm, generation, log } = this.#parts;
    const { signal } = this.#end;
    try {
      await runTerm(generation, signal);
    } catch (error) {
      if (error !== signal.reason)
        log.error({ err: error }, 'sites could not be run, or ended, as they should');
    } finally {
      // A lease term that ends by itself, or fails, is followed by a new one.
      this.#lose('lost');
    }
  }

  async #keepRenewing(): Promise<void> {
    const { times, closing } = this.#parts;
    // The first renewal comes soon, because it shows whether another server asks for the lease.
    for (let waitMs = times.askMs; this.#state === 'held'; waitMs = times.renewMs) {
      await sleep(waitMs, undefined, { signal: closing }).catch(() => {});
      if (this.#state !== 'held') return;
      const askedAt = performance.now();
      const renewal = await this.#renew();
      if (renewal === 'lost') this.#lose('lost');
      else if (renewal) this.#noteRenewal(renewal, askedAt);
    }
  }

  async #renew(): Promise<Renewal | undefined> {
    const { db, self, generation, times, log } = this.#parts;
    const { signal } = this.#end;
    const renewing = renewLease(db, { server: self.server, generation }, times.holdMs);
    return makeAbortable(renewing, signal).catch((error) => {
      if (!signal.aborted) log.warn({ err: error }, 'the lease on hosting could not be renewed');
      return undefined;
    });
  }

  #noteRenewal(renewal: 'wanted' | 'unchallenged', askedAt: number): void {
    const { times, mayRunFor } = this.#parts;
    this.#renewedAt = askedAt;
    this.#isWanted = renewal === 'wanted';
    this.#setChecks();
    // The holder has ended its sites by this time, and no other server gets the lease before it.
    const endsAt = askedAt + times.holdMs - times.marginMs / 4;
    mayRunFor(this.#isWanted ? endsAt - performance.now() : 0);
  }

  async #watchReach(): Promise<void> {
    const { reach, times } = this.#parts;
    const { signal } = this.#end;
    while (!signal.aborted) {
      if (await reach.isReachableLogged(signal)) this.#reachedAt = performance.now();
      await sleep(times.askMs, undefined, { signal }).catch(() => {});
    }
  }

  /** While another server asks for the lease, checks frequently whether the term must end. */
  #setChecks(): void {
    if (this.#isWanted) this.#checks ??= setInterval(() => this.#endInTime(), CHECK_MS);
    else {
      clearInterval(this.#checks);
      this.#checks = undefined;
    }
  }

  /** Ends the term before the lease runs out, or if the runtime could not be reached for too long. */
  #endInTime(): void {
    const { times } = this.#parts;
    if (this.#isPast(times.holdMs - times.marginMs)) this.#lose('lost');
    else if (this.#isWanted && performance.now() > this.#reachedAt + times.awayMs) this.#lose('unreachable');
  }

  /** True if the last renewal is longer than `ms` ago, and another server waits for the lease to run out. */
  #isPast(ms: number): boolean {
    return this.#isWanted && performance.now() > this.#renewedAt + ms;
  }

  #lose(state: 'lost' | 'unreachable'): void {
    if (this.#state !== 'held') return;
    this.#state = state;
    this.#end.abort(new LeaseLost());
  }

  #giveBack(): void {
    // If the lease's renewal is overdue, the lease will run out before sites could end gently.
    if (this.#isPast(this.#parts.times.renewMs * OVERDUE)) this.#lose('lost');
    if (this.#state !== 'held') return;
    this.#state = 'returned';
    this.#end.abort(new LeaseReturned());
  }

  #logEnd(): void {
    const { generation, log } = this.#parts;
    const what =
      this.#state === 'unreachable'
        ? 'gives up the lease on hosting: another server may reach what runs the sites'
        : 'has lost the lease on hosting and ends its sites';
    log.error({ generation }, `this server ${what}`);
  }
}
