import type { RoutingTable, Site } from './routing-table.ts';

/** Client that waits: its response, or the connection of its WebSocket. */
export interface WaitingClient {
  readonly isClosed: boolean;
  onClose(listener: () => void): void;
  offClose(listener: () => void): void;
}

export interface SiteWaitsParts {
  sites: RoutingTable;
  /** Number of requests that may wait for sites at the same time. */
  waitingAtOnce: number;
  isRetiring(): boolean;
}

/**
 * Requests that wait for a site: for its entry in the routing table, for its expected return after an interruption, or
 * for its start if it is asleep.
 */
export class SiteWaits {
  readonly #sites: RoutingTable;
  readonly #waitingAtOnce: number;
  readonly #isRetiring: () => boolean;
  #waiting = 0;

  constructor({ sites, waitingAtOnce, isRetiring }: SiteWaitsParts) {
    this.#sites = sites;
    this.#waitingAtOnce = waitingAtOnce;
    this.#isRetiring = isRetiring;
  }

  /**
   * Reads an unknown site from the database and waits for a returning one, until `deadline` on the clock of
   * `performance.now()`, or until `client` disconnects.
   */
  async untilSettled(host: string, client: WaitingClient, deadline: number): Promise<void> {
    await this.#lookUp(host, deadline);
    const site = this.#sites.find(host);
    if (site?.state === 'asleep') this.#sites.wake?.(site.environmentId);
    while (
      isComingBack(this.#sites.find(host)) &&
      this.#waiting < this.#waitingAtOnce &&
      performance.now() < deadline &&
      !client.isClosed &&
      !this.#isRetiring()
    ) {
      await this.#nextChange(host, client, deadline - performance.now());
    }
  }

  async #lookUp(host: string, deadline: number): Promise<void> {
    const isFull = this.#waiting >= this.#waitingAtOnce;
    this.#waiting += 1;
    try {
      await this.#sites.lookUp?.(host, isFull ? 0 : deadline - performance.now());
    } finally {
      this.#waiting -= 1;
    }
  }

  /** Resolves when the host's site changes, when `client` disconnects, or after `mostMs`. */
  #nextChange(host: string, client: WaitingClient, mostMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting += 1;
      const done = () => {
        this.#waiting -= 1;
        forget();
        clearTimeout(late);
        client.offClose(done);
        resolve();
      };
      const forget = this.#sites.onChange(host, done);
      const late = setTimeout(done, mostMs);
      client.onClose(done);
    });
  }
}

/**
 * True for a site whose state is expected to end soon, so that requests may wait. A first start may take too long for
 * that.
 */
function isComingBack(site: Site | undefined): boolean {
  return site?.state === 'returning' || site?.state === 'asleep';
}
