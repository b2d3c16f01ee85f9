import {
  NetworkMaker,
  type NetworkMakerParts,
  type NetworkRequest,
  type PooledNetwork,
} from './network-maker.ts';

// Pool of networks for commands. Making one takes longer than the rest of a sandbox; so after one was used, another of
// the same kind is prepared in advance.

/**
 * Delay between the start of a command and the preparation of a process and network for the next command, by the kind
 * of the command just started. The delay leaves the machine to that command while it starts: a site has much to do
 * then, git little. After the start of a build there is no delay.
 */
const SPARE_AFTER_MS = { site: 1_000, git: 100, build: 0 };
/** Key of the processes that are started in advance without a network of their own. */
const BARE = 'bare';

/**
 * Process and network prepared for the next command. `timer`: their preparation has not begun yet; `made`: they are
 * being made, or are ready.
 */
type Spare = { timer: NodeJS.Timeout } | { made: Promise<PooledNetwork> };

/**
 * Processes started in advance, each with a network of its own if it needs one, of which each later becomes a command.
 */
export class NetworkPool {
  readonly #isolation: NetworkMakerParts['isolation'];
  readonly #home: NetworkMakerParts['home'];
  readonly #maker: NetworkMaker;
  /** Processes and networks prepared for the next commands, by the key of the requests that they suit (`#kindOf`). */
  readonly #spares = new Map<string, Spare>();

  constructor(parts: NetworkMakerParts) {
    this.#isolation = parts.isolation;
    this.#home = parts.home;
    this.#maker = new NetworkMaker(parts);
  }

  /**
   * Gives a command a shell process that becomes the command, with a network of its own unless the request is `none`.
   * The process is one started in advance, if there is any. Throws a RuntimeFailure.
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
    // A command without a network of its own listens on a port of the machine itself, so a free port is chosen for it.
    return kind === BARE && request !== 'none' && request.listens
      ? this.#maker.withPort(pooled, request.listensAt)
      : pooled;
  }

  /** Ends all processes and networks, also those prepared for later commands. */
  async close(): Promise<void> {
    for (const spare of this.#spares.values()) if ('timer' in spare) clearTimeout(spare.timer);
    await this.#maker.close();
  }

  /**
   * Key of a request for a network: requests with the same key can use the same prepared network. Undefined for a
   * network that has to be made for this command alone. The key contains the machine's addresses, because a network is
   * outdated once those change.
   */
  #kindOf(request: 'none' | NetworkRequest): string | undefined {
    if (request === 'none' || !this.#isolation.network) return BARE;
    if (request.target || request.listensAt !== undefined) return undefined;
    return JSON.stringify(this.#isolation.network({ home: this.#home }));
  }

  #keepSpare(kind: string): void {
    const planned = this.#spares.get(kind);
    if (this.#maker.isClosed || (planned && 'made' in planned)) return;
    // Networks are prepared for sites, which listen on the usual port and may reach all addresses that are open to
    // sites.
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

  /**
   * Takes the process and network prepared for requests with this key. Ends those prepared under the machine's former
   * addresses.
   */
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
