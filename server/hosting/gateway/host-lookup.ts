import { setTimeout as sleep } from 'node:timers/promises';
import { coalesceRuns } from '../../kernel/keyed-lock.ts';

/** Longest time that a request waits while a site that the routing table lacks is looked up in the database. */
const LONGEST_LOOK_MS = 1_000;

export interface HostLookupParts {
  /** Finds the environments of these hosts in the database. */
  find(hosts: readonly string[]): Promise<string[]>;
  refresh(environmentIds: readonly string[]): Promise<void>;
}

/** Looks up sites that the routing table lacks by their hosts, all hosts requested at the same time in one query. */
export class HostLookup {
  readonly #parts: HostLookupParts;
  readonly #requested = new Set<string>();
  readonly #filled = Promise.withResolvers<void>();
  readonly #lookUpRequested = coalesceRuns(() => this.#read());
  #state: 'filling' | 'filled' | 'closed' = 'filling';

  constructor(parts: HostLookupParts) {
    this.#parts = parts;
  }

  /** Allows lookups of hosts to begin, because the routing table was filled. */
  begin(): void {
    if (this.#state === 'filling') this.#state = 'filled';
    this.#filled.resolve();
  }

  close(): void {
    this.#state = 'closed';
    this.#filled.resolve();
  }

  /**
   * Resolves when the routing table has the host's site, or after a short limit; while the table was not yet filled,
   * after at most `mostMs`.
   */
  async lookUp(host: string, mostMs = LONGEST_LOOK_MS): Promise<void> {
    if (this.#state === 'filling')
      await Promise.race([this.#filled.promise, sleep(mostMs, undefined, { ref: false })]);
    if (this.#state !== 'filled') return;
    this.#requested.add(host);
    await Promise.race([this.#lookUpRequested(), sleep(LONGEST_LOOK_MS, undefined, { ref: false })]);
  }

  async #read(): Promise<void> {
    const hosts = [...this.#requested];
    this.#requested.clear();
    try {
      const ids = await this.#parts.find(hosts);
      if (ids.length > 0) await this.#parts.refresh(ids);
    } catch {
      // If the database is unavailable, the routing table's current content is used.
    }
  }
}
