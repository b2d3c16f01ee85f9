import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Config } from '../../kernel/config.ts';
import { endConnection } from '../../kernel/http/broken-request.ts';
import type { Logger } from '../../kernel/log.ts';
import type { AccessLog } from '../access-log/access-log.ts';
import { Traffic } from '../figures/traffic.ts';
import { type AddressedRequest, parseAddressee } from './addressee.ts';
import { answerHealth, type BackendHealth } from './health.ts';
import { type HostOwner, hostOwners } from './hosts.ts';
import { answerProblem } from './pages.ts';
import { watchPlatformUpload } from './platform-upload.ts';
import { mostBodyBytes } from './request-limits.ts';
import { type AddressedToSite, Router, type RouterLimits } from './router.ts';
import type { RoutingTable } from './routing-table.ts';
import { TrafficMeter } from './traffic-meter.ts';

export interface GatewayParts {
  config: Pick<
    Config,
    | 'publicUrl'
    | 'host'
    | 'appsDomain'
    | 'appsPort'
    | 'platformHosts'
    | 'trustedProxies'
    | 'appsWaitSeconds'
    | 'appsResponseSeconds'
    | 'appsBodyMb'
  >;
  sites: RoutingTable;
  /** Counts of requests to sites; absent: counted for nobody. */
  traffic?: Traffic;
  /** Log that lists the requests to sites; absent: none. */
  accessLog?: AccessLog;
  log: Logger;
  limits?: Partial<GatewayLimits>;
}

export interface GatewayLimits extends RouterLimits {
  /** Time span, in milliseconds, over which an upload to the platform must keep the minimum rate. */
  platformPaceMs: number;
}

const LIMITS: Omit<GatewayLimits, 'returnMs' | 'mostAnswerMs' | 'mostBodyBytes'> = {
  connectMs: 5_000,
  answerMs: 60_000,
  streamMs: 300_000,
  requestsAtOnce: 1_000,
  tunnelsAtOnce: 10_000,
  waitingAtOnce: 1_000,
  platformPaceMs: 60_000,
};
const KEEP_ALIVE_MS = 72_000;

/** Answers a request to one of the platform's own host names. */
type PlatformAnswer = (
  request: IncomingMessage,
  response: ServerResponse,
  addressed: AddressedRequest,
) => void;

/**
 * Gateway of a server. It routes each request by its `Host` header before the platform sees anything of the request.
 */
export class Gateway {
  readonly #sites: RoutingTable;
  readonly #log: Logger;
  readonly #limits: GatewayLimits;
  readonly #ownerOf: (host: string) => HostOwner;
  readonly #router: Router;
  #isRetiring = false;
  /** Server of the port for sites; undefined until it listens. */
  #sitesServer: Server | undefined;

  constructor({ config, sites, traffic = new Traffic(), accessLog, log, limits: changed }: GatewayParts) {
    const limits = {
      ...LIMITS,
      returnMs: config.appsWaitSeconds * 1_000,
      mostAnswerMs: config.appsResponseSeconds * 1_000,
      mostBodyBytes: mostBodyBytes(config.appsBodyMb),
      ...changed,
    };
    this.#sites = sites;
    this.#log = log;
    this.#limits = limits;
    this.#ownerOf = hostOwners(config);
    const meter = new TrafficMeter({ traffic, accessLog, sites, trustedProxies: config.trustedProxies });
    this.#router = new Router({ config, sites, meter, log, limits, isRetiring: () => this.#isRetiring });
  }

  /**
   * Creates the server of the common port: it passes the platform's requests to `platform` and serves the sites. For
   * Fastify's `serverFactory`.
   */
  commonServer(platform: RequestListener): Server {
    return this.#newServer((request, response, addressed) => {
      if (addressed.body !== undefined) watchPlatformUpload(request, this.#limits.platformPaceMs);
      platform(request, response);
    });
  }

  /**
   * Listens on the port for sites; does nothing without a port. Other processes may listen on a `shared` port too.
   * Requests to the platform's own host names get health answers on this port; they hide no site, because no site has
   * such a name.
   */
  async listen(host: string, port: number | undefined, { shared } = { shared: false }): Promise<void> {
    if (port === undefined) return;
    const server = this.#newServer((request, response, { host, target }) => {
      if (this.#isRetiring) response.shouldKeepAlive = false;
      if (!answerHealth(request, response, target, () => this.#health()))
        answerProblem(request, response, 'no_such_site', host);
    });
    server.on('clientError', refuseBrokenRequest);
    server.listen({ port, host, reusePort: shared });
    await once(server, 'listening');
    this.#sitesServer = server;
    this.#log.info(`sites are served on http://${host}:${port}`);
  }

  /** Port that `listen` has bound; useful after `listen` with port 0. */
  sitesPort(): number | undefined {
    return (this.#sitesServer?.address() as AddressInfo | undefined)?.port;
  }

  /**
   * Tells the gateway that it will close soon: every answer of a site is now the last one on its connection, and
   * WebSockets are closed.
   */
  retire(): void {
    this.#isRetiring = true;
    this.#sites.endTunnels();
  }

  /** Closes the port for sites. Open requests may finish within `mostMs`; then they are cut off. */
  async close(mostMs: number): Promise<void> {
    const server = this.#sitesServer;
    if (!server) return;
    const cutOff = setTimeout(() => server.closeAllConnections(), mostMs);
    const closed = once(server, 'close');
    server.close();
    await closed;
    clearTimeout(cutOff);
  }

  #newServer(answerPlatform: PlatformAnswer): Server {
    const server = createServer(
      {
        keepAliveTimeout: KEEP_ALIVE_MS,
        // Node's own time limit for requests is off, because large uploads may take long; uploads to the platform have
        // their own pace check.
        requestTimeout: 0,
        headersTimeout: 60_000,
        // Only requests for a site's WebSocket are upgraded; all other upgrade requests are answered like plain
        // requests.
        shouldUpgradeCallback: (request) => wantsWebSocket(request) && this.#isForSite(request),
      },
      (request, response) => this.#answer(request, response, answerPlatform),
    );
    server.on('upgrade', (request, client, early) => {
      this.#router.upgrade(parseAddressee(request) as AddressedToSite, request, client, early);
    });
    // Errors after `listening`, such as a connection refused for lack of file descriptors. Errors before it are handled
    // by the caller of `listen`.
    server.on('listening', () =>
      server.on('error', (error) => this.#log.error({ err: error }, 'a connection could not be accepted')),
    );
    return server;
  }

  #answer(request: IncomingMessage, response: ServerResponse, answerPlatform: PlatformAnswer): void {
    const addressed = parseAddressee(request);
    if (addressed === undefined) {
      response.shouldKeepAlive = false;
      answerProblem(request, response, 'bad_request');
    } else if (addressed.host === undefined || this.#ownerOf(addressed.host) === 'platform') {
      answerPlatform(request, response, addressed);
    } else {
      this.#router.answer(addressed as AddressedToSite, request, response);
    }
  }

  #isForSite(request: IncomingMessage): boolean {
    const host = parseAddressee(request)?.host;
    return host !== undefined && this.#ownerOf(host) === 'site';
  }

  #health(): BackendHealth {
    return {
      isReady: this.#sites.isComplete && !this.#isRetiring,
      hosting: this.#sites.availability(),
    };
  }
}

/**
 * Answers requests that node's parser refuses on the port for sites. The common port uses the platform's own error
 * answers.
 */
function refuseBrokenRequest({ code = '' }: NodeJS.ErrnoException, socket: Duplex): void {
  const status = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }[code] ?? 400;
  const line = `HTTP/1.1 ${status} ${STATUS_CODES[status]}`;
  if (socket.writable) endConnection(socket, `${line}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
  else socket.destroy();
}

function wantsWebSocket(request: IncomingMessage): boolean {
  return request.method === 'GET' && /^websocket$/i.test(request.headers.upgrade?.trim() ?? '');
}
