import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { BlockList, isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Config } from '../kernel/config.ts';
import type { Logger } from '../kernel/log.ts';
import { type Addressed, addresseeOf } from './addressee.ts';
import { hostName, hostOwners } from './hosts.ts';
import type { SiteProblem } from './messages.ts';
import { answerProblem } from './pages.ts';
import { type ProxyParts, passOn, type Visit } from './proxy.ts';
import { type Door, leave, type Site, type SiteTable } from './sites.ts';
import { createFiles } from './static/files.ts';
import { serveFile } from './static/serve.ts';
import { openTunnel } from './tunnel.ts';
import { createUpstream, type Upstream, type UpstreamLimits } from './upstream.ts';

export interface GatewayParts {
  config: Pick<Config, 'publicUrl' | 'host' | 'appsDomain' | 'platformHosts' | 'trustedProxies'>;
  sites: SiteTable;
  log: Logger;
  limits?: Partial<GatewayLimits>;
}

export interface GatewayLimits extends UpstreamLimits {
  /** Requests at one site at a time; more are asked to come again. */
  requestsAtOnce: number;
  /** How long a request to the platform may take to arrive in full. */
  platformUploadMs: number;
}

export interface Gateway {
  /** A server that hands the platform its own requests and serves the sites. For Fastify's `serverFactory`. */
  commonServer(platform: RequestListener): Server;
  /** Listens for sites alone; does nothing without a port. */
  listen(host: string, port: number | undefined): Promise<void>;
  /** From now on every answer of a site is the last on its connection, and WebSockets end. */
  retire(): void;
  /** Finishes what is under way on the port for sites, and closes every connection to a site. */
  close(): Promise<void>;
}

const LIMITS: GatewayLimits = {
  connectMs: 5_000,
  answerMs: 60_000,
  streamMs: 300_000,
  requestsAtOnce: 1_000,
  platformUploadMs: 60_000,
};
const KEEP_ALIVE_MS = 72_000;

/** Tells by the `Host` header who a request is for, before the platform sees anything of it. */
export function createGateway({ config, sites, log, limits: changed }: GatewayParts): Gateway {
  const limits = { ...LIMITS, ...changed };
  const ownerOf = hostOwners(config);
  const ours = [config.appsDomain, hostName(new URL(config.publicUrl).host) ?? config.appsDomain];
  const isTrusted = trustedAddresses(config.trustedProxies);
  const files = createFiles();
  let retiring = false;
  let sitesServer: Server | undefined;

  const proxyParts: ProxyParts = {
    ours,
    fail({ request, response, host }, failure, error) {
      const problem = failure === 'late' ? 'site_late' : failure === 'upload_late' ? failure : 'site_broken';
      if (failure !== 'upload_late') {
        log.warn({ site: sites.find(host)?.applicationUuid, failure, err: error }, 'a site did not answer');
      }
      // What is left of the request can't be told from the next one.
      if (!request.complete) response.shouldKeepAlive = false;
      answerProblem(request, response, problem, host);
    },
  };

  const serve = (visit: Visit, site: Site, door: Door) => {
    const { request, response, host } = visit;
    door.requests += 1;
    response.on('close', () => {
      leave(door);
      if (retiring) request.socket.destroySoon();
    });
    if (door.target.kind === 'server') {
      passOn(visit, upstreamOf(door, door.target.origin), proxyParts);
      return;
    }
    // Files take no body.
    if (visit.body !== undefined) response.shouldKeepAlive = false;
    serveFile(visit, door.target.folder, files, (problem, headers) =>
      answerProblem(request, response, problem, host, headers),
    ).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ERR_STREAM_PREMATURE_CLOSE' || response.destroyed) return;
      log.warn({ site: site.applicationUuid, err: error }, 'a file of a site could not be read');
      if (response.headersSent) response.destroy();
      else answerProblem(request, response, 'site_broken', host);
    });
  };

  const upstreamOf = (door: Door, origin: string): Upstream => {
    door.upstream ??= createUpstream(origin, limits);
    return door.upstream;
  };

  const visitSite = (
    addressed: Addressed & { host: string },
    request: IncomingMessage,
    response: ServerResponse,
  ) => {
    if (retiring) response.shouldKeepAlive = false;
    const { host } = addressed;
    const site = sites.find(host);
    const problem = problemOf(site, limits.requestsAtOnce);
    if (problem || !site?.door) {
      if (addressed.body !== undefined) response.shouldKeepAlive = false;
      answerProblem(request, response, problem ?? 'no_such_site', host);
      return;
    }
    serve({ ...addressed, ...originOf(request), request, response }, site, site.door);
  };

  const originOf = (request: IncomingMessage) => {
    const socket = request.socket as Socket & { [TRUSTED]?: boolean };
    const address = plainAddress(socket.remoteAddress ?? '');
    socket[TRUSTED] ??= isTrusted(address);
    return { address, trusted: socket[TRUSTED] };
  };

  const listener =
    (platform: RequestListener | undefined): RequestListener =>
    (request, response) => {
      const addressed = addresseeOf(request);
      if (addressed === undefined) {
        response.shouldKeepAlive = false;
        answerProblem(request, response, 'bad_request');
      } else if (addressed.host === undefined || ownerOf(addressed.host) === 'platform') {
        if (!platform) {
          answerProblem(request, response, 'no_such_site', addressed.host);
          return;
        }
        if (addressed.body !== undefined) expectBody(request, limits.platformUploadMs);
        platform(request, response);
      } else {
        visitSite(addressed as Addressed & { host: string }, request, response);
      }
    };

  const onUpgrade = (request: IncomingMessage, client: Duplex, early: Buffer) => {
    const addressed = addresseeOf(request);
    const host = addressed?.host ?? '';
    const site = sites.find(host);
    const problem = problemOf(site, limits.requestsAtOnce);
    const target = site?.door?.target;
    const refuse = (status: string) =>
      client.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
    if (!addressed || retiring || problem || !site?.door || target?.kind !== 'server') {
      refuse(
        problem === 'no_such_site' || target?.kind === 'static' ? '404 Not Found' : '503 Service Unavailable',
      );
      return;
    }
    openTunnel(
      {
        method: 'GET',
        target: addressed.target,
        headers: request.rawHeaders,
        host: addressed.hostHeader,
        ...originOf(request),
        body: undefined,
      },
      client,
      early,
      site.door,
      upstreamOf(site.door, target.origin),
      {
        host,
        ours,
        fail(error) {
          log.warn({ site: site.applicationUuid, err: error }, 'a site did not take a WebSocket');
          refuse('502 Bad Gateway');
        },
      },
    );
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
    server.on('upgrade', onUpgrade);
    return server;
  };

  const isForSite = (request: IncomingMessage): boolean => {
    const host = addresseeOf(request)?.host;
    return host !== undefined && ownerOf(host) === 'site';
  };

  return {
    commonServer: newServer,
    async listen(host, port) {
      if (port === undefined) return;
      const server = newServer(undefined);
      server.on('clientError', refuseBrokenRequest);
      server.listen(port, host);
      await once(server, 'listening');
      sitesServer = server;
      log.info(`sites are served on http://${host}:${port} too`);
    },
    retire() {
      retiring = true;
      sites.endTunnels();
    },
    async close() {
      const closed = sitesServer && once(sitesServer, 'close');
      sitesServer?.close();
      await closed;
    },
  };
}

/** What node's parser refuses on the port for sites; the common port has the platform's own words. */
function refuseBrokenRequest(_error: Error, socket: Duplex): void {
  if (socket.writable)
    socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
  else socket.destroy();
}

const TRUSTED = Symbol('comes from a trusted proxy');

function wantsWebSocket(request: IncomingMessage): boolean {
  return request.method === 'GET' && /^websocket$/i.test(request.headers.upgrade?.trim() ?? '');
}

function problemOf(site: Site | undefined, requestsAtOnce: number): SiteProblem | undefined {
  if (!site) return 'no_such_site';
  if (site.state === 'starting' && !site.door) return 'site_starting';
  if (site.state === 'stopped') return 'site_stopped';
  if (site.state === 'down' || !site.door) return 'site_down';
  return site.door.requests >= requestsAtOnce ? 'site_busy' : undefined;
}

/** The server itself sets no limit on a body's time, for the sake of sites. */
function expectBody(request: IncomingMessage, ms: number): void {
  const timer = setTimeout(() => {
    const late = Object.assign(new Error('the body took too long'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    const { server } = request.socket as Socket & { server?: Server };
    server?.emit('clientError', late, request.socket);
  }, ms);
  const done = () => clearTimeout(timer);
  request.on('end', done);
  request.on('close', done);
}

function plainAddress(address: string): string {
  return address.startsWith('::ffff:') ? address.slice(7) : address;
}

function trustedAddresses(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (address) => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}
