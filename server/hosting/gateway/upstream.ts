import { Exchange, type OutgoingRequest } from './exchange.ts';
import { type ConnectionOwner, UpstreamConnection, type UpstreamLimits } from './upstream-connection.ts';

/**
 * Maximum idle time of a connection that may carry a request which can't be repeated. Servers close idle connections
 * after some seconds (node: 5 s), and such a request would be lost.
 */
const FRESH_MS = 2_000;

/**
 * Keep-alive connections to one server, with one request at a time on each. The reasons against undici are in
 * docs/decisions/0010-gateway-client.md.
 */
export class Upstream implements ConnectionOwner {
  readonly limits: UpstreamLimits;
  readonly #address: { host: string; port: number; noDelay: boolean };
  readonly #idle: UpstreamConnection[] = [];
  /** All connections that have not ended. */
  readonly #open = new Set<UpstreamConnection>();
  #isClosed = false;

  constructor(origin: string, limits: UpstreamLimits) {
    this.#address = { ...connectOptions(origin), noDelay: true };
    this.limits = limits;
  }

  send(outgoing: OutgoingRequest): Exchange {
    const exchange = new Exchange(outgoing);
    const reused = exchange.isRepeatable() ? this.#idle.pop() : this.#takeFresh();
    (reused ?? this.#connect()).begin(exchange);
    return exchange;
  }

  /** Closes idle connections now, and busy ones after their current request. */
  close(): void {
    this.#isClosed = true;
    for (const { socket } of this.#idle.splice(0)) socket.destroy();
  }

  /** Ends all open requests as failed. None of them is sent again to the same server. */
  endRequests(error: Error): void {
    for (const connection of [...this.#open]) connection.giveUp(error);
  }

  keep(connection: UpstreamConnection): boolean {
    if (!this.#isClosed) this.#idle.push(connection);
    return !this.#isClosed;
  }

  forget(connection: UpstreamConnection): void {
    this.#open.delete(connection);
    const at = this.#idle.indexOf(connection);
    if (at !== -1) this.#idle.splice(at, 1);
  }

  repeat(exchange: Exchange): void {
    this.#connect().begin(exchange);
  }

  #connect(): UpstreamConnection {
    const connection = new UpstreamConnection(this.#address, this);
    this.#open.add(connection);
    return connection;
  }

  #takeFresh(): UpstreamConnection | undefined {
    const last = this.#idle.at(-1);
    return last && performance.now() - last.idleSince < FRESH_MS ? this.#idle.pop() : undefined;
  }
}

/**
 * Host and port of an origin such as `http://[::1]:8080`, in the form that node's `connect` takes: IPv6 addresses
 * without brackets.
 */
export function connectOptions(origin: string): { host: string; port: number } {
  const { hostname, port } = new URL(origin);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 80) };
}
