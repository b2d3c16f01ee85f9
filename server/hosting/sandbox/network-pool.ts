import {
  NetworkMaker,
  type NetworkMakerParts,
  type NetworkRequest,
  type PooledNetwork,
} from './network-maker.ts';

// Pool of networks for commands. Making one takes longer than the rest of a sandbox; so after one was used, another of
// the same kind is prepared in advance.

/**
 * Delay before a spare is made, so that the command that has just started has the machine to itself: a site starts with
 * much work, git with little, and a build takes long.
 */
const SPARE_AFTER_MS = { site: 1_000, git: 100, build: 0 };
/** Kind of a parked shell without a network of its own. */
const BARE = 'bare';

/** Spare process and network: it is made after a delay, or is being made or ready. */
type Spare = { timer: NodeJS.Timeout } | { made: Promise<PooledNetwork> };

/** Parked processes for commands, with networks of their own; some are made before they are needed. */
export class NetworkPool {
  readonly #isolation: NetworkMakerParts['isolation'];
  readonly #home: NetworkMakerParts['home'];
  readonly #maker: NetworkMaker;
  /** Spares by the kind of request for which they can be used (`#kindOf`). */
  readonly #spares = new Map<string, Spare>();

  constructor(parts: NetworkMakerParts) {
    this.#isolation = parts.isolation;
    this.#home = parts.home;
    this.#maker = new NetworkMaker(parts);
  }

  /**
   * Gives a command a parked process, with a network of its own unless the request is `none`. Throws a RuntimeFailure if
   * that is not possible.
   */
  async open(request: 'none' | NetworkRequest): Promise<PooledNetwork> {
    const kind = this.#kindOf(request);
    const spare = kind === undefined ? undefined : await this.#takeSpare(kind);
    const hasNoNetwork = kind === BARE || request === 'none';
    const pooled = spare ?? (await this.#maker.make(hasNoNetwork ? undefined : request));
    if (kind !== undefined && !this.#spares.has(kind)) {
      const timer = setTimeout(() => this.#keepSpare(kind), spareAfterMs(request)).unref();
      this.#spares.set(kind, { timer });
    }
    // Without a network of its own, a command listens on a port of the machine, which must be free.
    return kind === BARE && request !== 'none' && request.listens
      ? this.#maker.withPort(pooled, request.listensAt)
      : pooled;
  }

  /** Ends all spare processes and networks. */
  async close(): Promise<void> {
    for (const spare of this.#spares.values()) if ('timer' in spare) clearTimeout(spare.timer);
    await this.#maker.close();
  }

  /**
   * Kind of a request: requests of the same kind can share spares; undefined for a network that is made for one
   * command. The kind contains the machine's addresses, because a network is outdated once those change.
   */
  #kindOf(request: 'none' | NetworkRequest): string | undefined {
    if (request === 'none' || !this.#isolation.network) return BARE;
    if (request.target || request.listensAt !== undefined) return undefined;
    return JSON.stringify(this.#isolation.network({ home: this.#home }));
  }

  #keepSpare(kind: string): void {
    const planned = this.#spares.get(kind);
    if (this.#maker.isClosed || (planned && 'made' in planned)) return;
    // Spares are made as sites need them: listening on the usual port, with access to everything that is open to sites.
    const made = this.#maker.make(kind === BARE ? undefined : { listens: true });
    const spare: Spare = { made };
    this.#spares.set(kind, spare);
    const forget = () => {
      if (this.#spares.get(kind) === spare) this.#spares.delete(kind);
    };
    made.then(async ({ parked, network, end }) => {
      await Promise.race([parked.exit, ...(network ? [network.ended] : [])]);
      if (this.#spares.get(kind) !== spare) return;
      forget();
      await end();
    }, forget);
  }

  /** Takes the spare of a kind, and ends spares of other kinds: their networks are outdated. */
  async #takeSpare(kind: string): Promise<PooledNetwork | undefined> {
    for (const other of this.#spares.keys()) {
      if (other === kind || other === BARE || kind === BARE) continue;
      this.#removeSpare(other)
        ?.then(({ end }) => end())
        .catch(() => {});
    }
    return this.#removeSpare(kind)?.catch(() => undefined);
  }

  #removeSpare(kind: string): Promise<PooledNetwork> | undefined {
    const spare = this.#spares.get(kind);
    this.#spares.delete(kind);
    if (spare && 'made' in spare) return spare.made;
    clearTimeout(spare?.timer);
    return undefined;
  }
}

function spareAfterMs(request: 'none' | NetworkRequest): number {
  if (request === 'none') return SPARE_AFTER_MS.git;
  return request.listens ? SPARE_AFTER_MS.site : SPARE_AFTER_MS.build;
}
