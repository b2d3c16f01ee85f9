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
import { addresseeOf } from './addressee.ts';
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
  /** How long a request to the platform may come more slowly than any that goes on. */
  platformPaceMs: number;
}

export interface Gateway {
  /** A server that hands the platform its own requests and serves the sites. For Fastify's `serverFactory`. */
  commonServer(platform: RequestListener): Server;
  /**
   * Listens for sites alone; does nothing without a port. One that is `shared` other processes may listen on too. At the
   * platform's names it tells of its own health, which shadows nothing: they are never a site's.
   */
  listen(host: string, port: number | undefined, how?: { shared: boolean }): Promise<void>;
  /** The port that `listen` got. */
  sitesPort(): number | undefined;
  /** From now on every answer of a site is the last on its connection, and WebSockets end. */
  retire(): void;
  /** Finishes what is under way on the port for sites, cutting off what is not done in `mostMs`. */
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
/** What is small is all here in the first minute: this is for an archive that is large. */
const LEAST_BYTES_A_SECOND = 16 * 1024;
const KEEP_ALIVE_MS = 72_000;

/** Tells by the `Host` header who a request is for, before the platform sees anything of it. */
export function createGateway({ config, sites, log, limits: changed }: GatewayParts): Gateway {
  const limits = { ...LIMITS, returnMs: config.appsWaitSeconds * 1_000, ...changed };
  const ownerOf = hostOwners(config);
  let retiring = false;
  let sitesServer: Server | undefined;
  const visits = createRouter({ config, sites, log, limits, isRetiring: () => retiring });

  const health = () => ({ isReady: sites.isComplete && !retiring, hosting: sites.reach() });
  const listener =
    (platform: RequestListener | undefined): RequestListener =>
    (request, response) => {
      const addressed = addresseeOf(request);
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
        visits.answer(addressed as AddressedToSite, request, response);
      }
    };

  const newServer = (platform: RequestListener | undefined): Server => {
    const server = createServer(
      {
        keepAliveTimeout: KEEP_ALIVE_MS,
        // A large upload may take its time; what the platform takes is timed by itself.
        requestTimeout: 0,
        headersTimeout: 60_000,
        // Anything else that asks for an upgrade is answered as if it had not.
        shouldUpgradeCallback: (request) => wantsWebSocket(request) && isForSite(request),
      },
      listener(platform),
    );
    server.on('upgrade', (request, client, early) => {
      visits.upgrade(addresseeOf(request) as AddressedToSite, request, client, early);
    });
    // Such as a connection that can't be taken because too many files are open. One that can't listen is the starter's.
    server.on('listening', () =>
      server.on('error', (error) => log.error({ err: error }, 'a connection could not be taken')),
    );
    return server;
  };

  const isForSite = (request: IncomingMessage): boolean => {
    const host = addresseeOf(request)?.host;
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

/** What node's parser refuses on the port for sites; the common port has the platform's own words. */
function refuseBrokenRequest({ code = '' }: NodeJS.ErrnoException, socket: Duplex): void {
  const status = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }[code] ?? 400;
  const line = `HTTP/1.1 ${status} ${STATUS_CODES[status]}`;
  if (socket.writable) endConnection(socket, `${line}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
  else socket.destroy();
}

function wantsWebSocket(request: IncomingMessage): boolean {
  return request.method === 'GET' && /^websocket$/i.test(request.headers.upgrade?.trim() ?? '');
}

/** What ends the watches of a connection's bodies. */
const watched = new WeakMap<Socket, Set<() => void>>();

/** The server itself sets no limit on a body's time, for the sake of sites. */
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
    // Who counted its own bytes would begin to read it.
    received: () => socket.bytesRead,
    // All of it is here, or as much as is taken before somebody reads on.
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

/** They end with the connection: a request that was answered before its body was there says nothing more. */
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
