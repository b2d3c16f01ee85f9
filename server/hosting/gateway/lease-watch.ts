import type { Kysely } from 'kysely';
import type { Logger } from '../../kernel/log.ts';
import { type LeaseState, readLease } from './routing-rows.ts';
import type { RoutingTable } from './routing-table.ts';

export interface LeaseWatchParts {
  db: Kysely<unknown>;
  sites: RoutingTable;
  machine: string;
  /** Time after the lease's end after which the sites count as run by no server. */
  unhostedMs: number;
  /** Time before the lease's end at which the lease's renewal counts as late. */
  lateMs: number;
  log: Logger;
}

/**
 * Follows whether a server holds the lease, the right to run the sites. No notification reports an expired lease, so
 * the lease is read regularly.
 */
export class LeaseWatch {
  readonly #parts: LeaseWatchParts;
  #startedAt = Number.POSITIVE_INFINITY;
  #isHeld = false;

  constructor(parts: LeaseWatchParts) {
    this.#parts = parts;
  }

  /** Starts the time within which a server must take the lease before the sites count as run by no server. */
  start(): void {
    this.#startedAt = Math.min(this.#startedAt, performance.now());
  }

  /** Reads whether a server runs the sites; returns true if that has changed. */
  async update(): Promise<boolean> {
    return this.note(await readLease(this.#parts.db, this.#parts.machine));
  }

  /** Notes the state of the lease that was read; returns true if whether a server runs the sites has changed. */
  note({ leftMs, isLeftRunning }: LeaseState): boolean {
    const { sites, unhostedMs, lateMs, log } = this.#parts;
    const before = { hosted: sites.hosted, isHeld: this.#isHeld };
    const isGone = leftMs < -unhostedMs && performance.now() - this.#startedAt > unhostedMs;
    sites.hosted = leftMs > lateMs || isLeftRunning ? 'hosted' : isGone ? 'nobody' : 'late';
    this.#isHeld = leftMs > 0;
    if (sites.hosted === 'nobody' && before.hosted !== 'nobody') {
      log.warn('no server runs sites: deployed sites wait for a server without HOSTING=off');
    }
    return sites.hosted !== before.hosted || this.#isHeld !== before.isHeld;
  }
}
