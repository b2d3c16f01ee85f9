import { once } from 'node:events';
import { type IncomingHttpHeaders, type RequestListener, type Server, STATUS_CODES } from 'node:http';
import { type AddressInfo, createServer, type Server as NetServer, type Socket } from 'node:net';
import type { Config } from '../../kernel/config.ts';
import { endConnection } from '../../kernel/http/broken-request.ts';
import type { Logger } from '../../kernel/log.ts';
import type { AccessLog } from '../access-log/access-log.ts';
import { Traffic } from '../figures/traffic.ts';
import type { AddressedRequest } from './addressee.ts';
import type { ConnectionLimits } from './client-connection.ts';
import { ClientConnections } from './client-connections.ts';
import { CommonServer, type SitesHandler } from './common-server.ts';
import type { InvalidMessage } from './head-reader.ts';
import { answerHealth, type BackendHealth } from './health.ts';
import { type HostOwner, hostOwners } from './hosts.ts';
import type { IncomingRequest } from './incoming-request.ts';
import { KEEP_ALIVE_SECONDS, type OutgoingResponse } from './outgoing-response.ts';
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

export interface GatewayLimits extends RouterLimits, ConnectionLimits {
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
  headMs: 60_000,
  idleMs: KEEP_ALIVE_SECONDS * 1_000,
};

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
  #sitesServer: NetServer | undefined;
  #sitesConnections: ClientConnections | undefined;

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
    const server = new CommonServer({
      platform: (request, response) => {
        if (hasBody(request.headers)) watchPlatformUpload(request, this.#limits.platformPaceMs);
        platform(request, response);
      },
      port: this.#portHandler({ hasPlatform: true }),
    });
    return this.#logErrors(server);
  }

  /**
   * Listens on the port for sites; does nothing without a port. Other processes may listen on a `shared` port too.
   * Requests to the platform's own host names get health answers on this port; they hide no site, because no site has
   * such a name.
   */
  async listen(host: string, port: number | undefined, { shared } = { shared: false }): Promise<void> {
    if (port === undefined) return;
    const connections = new ClientConnections({
      ...this.#portHandler({ hasPlatform: false }),
      connectPlatform: (stream) => stream.destroy(),
    });
    const server = createServer({ noDelay: true, allowHalfOpen: true }, (socket) => connections.add(socket));
    this.#logErrors(server);
    server.listen({ port, host, reusePort: shared });
    await once(server, 'listening');
    this.#sitesServer = server;
    this.#sitesConnections = connections;
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
    const cutOff = setTimeout(() => this.#sitesConnections?.destroyAll(), mostMs);
    const closed = once(server, 'close');
    server.close();
    this.#sitesConnections?.endIdle();
    await closed;
    clearTimeout(cutOff);
  }

  #portHandler({ hasPlatform }: { hasPlatform: boolean }): SitesHandler {
    return {
      limits: this.#limits,
      recipientOf: (head, addressed) => {
        if (!addressed) return 'gateway';
        if (addressed.host === undefined || this.#ownerOf(addressed.host) === 'platform')
          return hasPlatform ? 'platform' : 'gateway';
        // Only requests for a site's WebSocket are upgraded; all other upgrade requests are answered like plain ones.
        return head.wantsWebSocket ? 'tunnel' : 'gateway';
      },
      answer: (request, response, addressed) => this.#answer(request, response, addressed),
      upgrade: (request, socket, early, addressed) =>
        this.#router.upgrade(addressed as AddressedToSite, request, socket, early),
      refuse: refuseBrokenRequest,
    };
  }

  #answer(
    request: IncomingRequest,
    response: OutgoingResponse,
    addressed: AddressedRequest | undefined,
  ): void {
    if (addressed === undefined) {
      response.keepsAlive = false;
      answerProblem(request, response, 'bad_request');
    } else if (addressed.host === undefined || this.#ownerOf(addressed.host) === 'platform') {
      this.#answerForPlatform(request, response, addressed);
    } else {
      this.#router.answer(addressed as AddressedToSite, request, response);
    }
  }

  /** Answers a request to the platform's own names on the port for sites. */
  #answerForPlatform(
    request: IncomingRequest,
    response: OutgoingResponse,
    { host, target }: AddressedRequest,
  ): void {
    if (this.#isRetiring) response.keepsAlive = false;
    if (!answerHealth(request, response, target, () => this.#health()))
      answerProblem(request, response, 'no_such_site', host);
  }

  /**
   * Logs errors after `listening`, such as a connection refused for lack of file descriptors. Errors before it are
   * handled by the caller of `listen`.
   */
  #logErrors<Listening extends NetServer>(server: Listening): Listening {
    server.on('listening', () =>
      server.on('error', (error) => this.#log.error({ err: error }, 'a connection could not be accepted')),
    );
    return server;
  }

  #health(): BackendHealth {
    return {
      isReady: this.#sites.isComplete && !this.#isRetiring,
      hosting: this.#sites.availability(),
    };
  }
}

function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/** Answers what is no valid request, on the port for sites. The common port uses the platform's own error answers. */
function refuseBrokenRequest({ code }: InvalidMessage, socket: Socket): void {
  const status = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }[code as string] ?? 400;
  const line = `HTTP/1.1 ${status} ${STATUS_CODES[status]}`;
  if (socket.writable) endConnection(socket, `${line}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
  else socket.destroy();
}
