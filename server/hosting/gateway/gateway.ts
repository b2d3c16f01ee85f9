import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  STATUS_CODES,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Config } from '../../kernel/config.ts';
import { endConnection } from '../../kernel/http/broken-request.ts';
import type { Logger } from '../../kernel/log.ts';
import { parseAddressee } from './addressee.ts';
import { answerHealth } from './health.ts';
import { hostOwners } from './hosts.ts';
import { answerProblem } from './pages.ts';
import { type AddressedToSite, createRouter, type RouterLimits } from './router.ts';
import type { RoutingTable } from './routing-table.ts';
import { watchPace } from './upload.ts';

export interface GatewayParts {
  config: Pick<
    Config,
    'publicUrl' | 'host' | 'appsDomain' | 'platformHosts' | 'trustedProxies' | 'appsWaitSeconds'
  >;
  sites: RoutingTable;
  log: Logger;
  limits?: Partial<GatewayLimits>;
}

export interface GatewayLimits extends RouterLimits {
  /** Time span, in milliseconds, over which an upload to the platform must keep the minimum rate. */
  platformPaceMs: number;
}

export interface Gateway {
  /**
   * Creates the server of the common port: it passes the platform's requests to `platform` and serves the sites. For
   * Fastify's `serverFactory`.
   */
  commonServer(platform: RequestListener): Server;
  /**
   * Listens for sites only; does nothing without a port. Other processes may listen on a `shared` port too. Requests to
   * the platform's own names get health answers here; no site is hidden by that, because sites never have these names.
   */
  listen(host: string, port: number | undefined, how?: { shared: boolean }): Promise<void>;
  /** Port that `listen` has bound; useful after `listen` with port 0. */
  sitesPort(): number | undefined;
  /** Starts retiring: every answer of a site is now the last on its connection, and WebSockets are closed. */
  retire(): void;
  /** Closes the port for sites. Requests under way may finish within `mostMs`; then they are cut off. */
  close(mostMs: number): Promise<void>;
}

const LIMITS: Omit<GatewayLimits, 'returnMs'> = {
  connectMs: 5_000,
  answerMs: 60_000,
  streamMs: 300_000,
  requestsAtOnce: 1_000,
  tunnelsAtOnce: 10_000,
  waitingAtOnce: 1_000,
  platformPaceMs: 60_000,
};
/**
 * Minimum upload rate to the platform. Small bodies arrive completely within the first minute, so the rate matters for
 * large archives only.
 */
const LEAST_BYTES_A_SECOND = 16 * 1024;
const KEEP_ALIVE_MS = 72_000;

/** Creates the gateway. It routes each request by its `Host` header before the platform sees anything of it. */
export function createGateway({ config, sites, log, limits: changed }: GatewayParts): Gateway {
  const limits = { ...LIMITS, returnMs: config.appsWaitSeconds * 1_000, ...changed };
  const ownerOf = hostOwners(config);
  let retiring = false;
  let sitesServer: Server | undefined;
  const router = createRouter({ config, sites, log, limits, isRetiring: () => retiring });

  const health = () => ({ isReady: sites.isComplete && !retiring, hosting: sites.availability() });
  const listener =
    (platform: RequestListener | undefined): RequestListener =>
    (request, response) => {
      const addressed = parseAddressee(request);
      if (addressed === undefined) {
        response.shouldKeepAlive = false;
        answerProblem(request, response, 'bad_request');
      } else if (addressed.host === undefined || ownerOf(addressed.host) === 'platform') {
        if (!platform) {
          if (retiring) response.shouldKeepAlive = false;
          if (!answerHealth(request, response, addressed.target, health))
            answerProblem(request, response, 'no_such_site', addressed.host);
          return;
        }
        if (addressed.body !== undefined) expectBody(request, limits.platformPaceMs);
        platform(request, response);
      } else {
        router.answer(addressed as AddressedToSite, request, response);
      }
    };

  const newServer = (platform: RequestListener | undefined): Server => {
    const server = createServer(
      {
        keepAliveTimeout: KEEP_ALIVE_MS,
        // No limit of node's own: large uploads may take long, and uploads to the platform have their own pace check.
        requestTimeout: 0,
        headersTimeout: 60_000,
        // All other upgrade requests are answered like plain requests.
        shouldUpgradeCallback: (request) => wantsWebSocket(request) && isForSite(request),
      },
      listener(platform),
    );
    server.on('upgrade', (request, client, early) => {
      router.upgrade(parseAddressee(request) as AddressedToSite, request, client, early);
    });
    // Errors after `listening`, such as a connection refused for lack of file descriptors. Errors before it are handled
    // by the caller of `listen`.
    server.on('listening', () =>
      server.on('error', (error) => log.error({ err: error }, 'a connection could not be accepted')),
    );
    return server;
  };

  const isForSite = (request: IncomingMessage): boolean => {
    const host = parseAddressee(request)?.host;
    return host !== undefined && ownerOf(host) === 'site';
  };

  return {
    commonServer: newServer,
    async listen(host, port, { shared } = { shared: false }) {
      if (port === undefined) return;
      const server = newServer(undefined);
      server.on('clientError', refuseBrokenRequest);
      server.listen({ port, host, reusePort: shared });
      await once(server, 'listening');
      sitesServer = server;
      log.info(`sites are served on http://${host}:${port}`);
    },
    sitesPort: () => (sitesServer?.address() as AddressInfo | undefined)?.port,
    retire() {
      retiring = true;
      sites.endTunnels();
    },
    async close(mostMs) {
      if (!sitesServer) return;
      const cutOff = setTimeout(() => sitesServer?.closeAllConnections(), mostMs);
      const closed = once(sitesServer, 'close');
      sitesServer.close();
      await closed;
      clearTimeout(cutOff);
    },
  };
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

/** Functions that end the pace checks of a connection's request bodies. */
const watched = new WeakMap<Socket, Set<() => void>>();

/** Checks the pace of a request body; the server itself has no body timeout, so that sites can receive slow uploads. */
function expectBody(request: IncomingMessage, everyMs: number): void {
  const { socket } = request;
  const watches = watchesOf(socket);
  const done = () => {
    endWatch();
    watches.delete(done);
  };
  const pace = {
    everyMs,
    leastBytesASecond: LEAST_BYTES_A_SECOND,
    // Socket counters are used because a `data` listener of our own would start reading the body.
    received: () => socket.bytesRead,
    // True if the whole body has arrived, or as much as node buffers until somebody reads on.
    waits: () => request.complete || request.readableLength >= request.readableHighWaterMark,
  };
  const endWatch = watchPace(pace, () => {
    done();
    const late = Object.assign(new Error('the body took too long'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    const { server } = socket as Socket & { server?: Server };
    server?.emit('clientError', late, socket);
  });
  watches.add(done);
  request.on('end', done);
  request.on('close', done);
}

/** Pace checks end with the connection: a request answered before its body arrived emits no further event. */
function watchesOf(socket: Socket): Set<() => void> {
  const known = watched.get(socket);
  if (known) return known;
  const watches = new Set<() => void>();
  watched.set(socket, watches);
  socket.once('close', () => {
    for (const end of watches) end();
  });
  return watches;
}
