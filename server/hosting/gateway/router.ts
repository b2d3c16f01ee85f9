import type { IncomingMessage, ServerResponse } from 'node:http';
import { BlockList, isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../kernel/config.ts';
import type { Logger } from '../../kernel/log.ts';
import type { AddressedRequest } from './addressee.ts';
import { chooseBackend } from './balancing.ts';
import { wasPassedOn } from './headers.ts';
import { parseHostName } from './hosts.ts';
import type { SiteProblem } from './messages.ts';
import { answerProblem } from './pages.ts';
import { type ProxyParts, proxyRequest, type SiteRequest } from './proxy.ts';
import { decideRetry, type FailedRequest, isBackendGone, problemForFailure } from './retry-policy.ts';
import { type Backend, leaveBackend, type RoutingTable, type Site } from './routing-table.ts';
import { createCachedRules } from './static/cached-rules.ts';
import { createFiles } from './static/files.ts';
import { serveFile } from './static/serve.ts';
import { openTunnel } from './tunnel.ts';
import { createUpstream, type Upstream, type UpstreamFailure, type UpstreamLimits } from './upstream.ts';

export interface RouterLimits extends UpstreamLimits {
  /** Maximum number of concurrent requests per backend; further requests get a 503. */
  requestsAtOnce: number;
  /** Maximum number of open WebSockets per backend. */
  tunnelsAtOnce: number;
  /**
   * `returnMs`: how long a request waits for a returning site. `waitingAtOnce`: how many requests may wait at the same
   * time.
   */
  returnMs: number;
  waitingAtOnce: number;
}

/** Minimum time between two warnings about the same site. */
const COMPLAINT_MS = 10_000;

export interface RouterParts {
  config: Pick<Config, 'publicUrl' | 'appsDomain' | 'trustedProxies'>;
  sites: RoutingTable;
  log: Logger;
  limits: RouterLimits;
  /** True while the gateway shuts down: every answer is then the last on its connection. */
  isRetiring(): boolean;
}

export type AddressedToSite = AddressedRequest & Pick<SiteRequest, 'tried'> & { host: string };

/** Handles requests to sites, including those for sites that do not exist. */
export interface Router {
  answer(addressed: AddressedToSite, request: IncomingMessage, response: ServerResponse): void;
  /** Handles a WebSocket request. `early`: bytes that arrived together with the request. */
  upgrade(addressed: AddressedToSite, request: IncomingMessage, client: Duplex, early: Buffer): void;
}

export function createRouter({ config, sites, log, limits, isRetiring }: RouterParts): Router {
  const ours = [config.appsDomain, parseHostName(new URL(config.publicUrl).host) ?? config.appsDomain];
  const isTrusted = trustedAddresses(config.trustedProxies);
  const statics = { files: createFiles(), rules: createCachedRules() };

  /** Time of the last warning per backend, and the number of warnings suppressed since. */
  const complaints = new WeakMap<Backend, { at: number; more: number }>();
  /** Rate limit for warnings, so that someone who makes a site fail on purpose can't fill the log. */
  const warnOf = (
    site: Pick<Site, 'applicationUuid' | 'backends'> | undefined,
    about: { failure?: UpstreamFailure; err: Error },
    message: string,
  ) => {
    const [backend] = site?.backends ?? [];
    const last = backend && complaints.get(backend);
    const now = performance.now();
    if (last && now < last.at + COMPLAINT_MS) {
      last.more += 1;
      return;
    }
    if (backend) complaints.set(backend, { at: now, more: 0 });
    const more = last?.more ? { more_since_the_last: last.more } : {};
    log.warn({ site: site?.applicationUuid, ...about, ...more }, message);
  };

  const proxyParts: ProxyParts = {
    ours,
    paceMs: limits.answerMs,
    fail(siteRequest, failure, error) {
      const { request, response, host, toPeer = false, body, waitsUntil, tried } = siteRequest;
      const backend = siteRequest.releaseBackend?.();
      const failed: FailedRequest = {
        failure,
        method: request.method ?? '',
        hasBody: body !== undefined,
        toPeer,
        backendLost: backend?.isLost === true,
        alreadyTried: tried !== undefined,
        others: sites.find(host)?.backends.some((other) => other !== backend) === true,
        mayWait: sites.lookUp !== undefined && performance.now() < waitsUntil,
      };
      const decision = backend ? decideRetry(failed) : 'fail';
      if (backend && decision !== 'fail') {
        const isGone = failed.mayWait && isBackendGone(failed);
        if (isGone) sites.removeBackend(host, backend);
        if (decision === 'wait')
          void sleep(RETRY_MS).then(() => answerOnceSettled(siteRequest, request, response, waitsUntil));
        else
          answerNow(isGone ? siteRequest : { ...siteRequest, tried: backend }, request, response, waitsUntil);
        return;
      }
      if (failure !== 'upload_late') {
        warnOf(sites.find(host), { failure, err: error }, 'a site did not answer');
      }
      // The unread rest of the request would be parsed as the next request.
      if (!request.complete) response.shouldKeepAlive = false;
      answerProblem(request, response, problemForFailure(failure, toPeer), host);
    },
  };

  const serve = (siteRequest: SiteRequest, site: Site, backend: Backend) => {
    const { request, response, host } = siteRequest;
    backend.requests += 1;
    /** Unregisters the listener that gives up the request when its backend is lost. */
    let forget = () => {};
    const onClose = () => {
      forget();
      leaveBackend(backend);
      if (isRetiring()) request.socket.destroySoon();
    };
    response.on('close', onClose);
    const { target } = backend;
    if (target.kind !== 'static') {
      const toPeer = target.kind === 'peer';
      const releaseBackend = () => {
        forget();
        response.off('close', onClose);
        leaveBackend(backend);
        return backend;
      };
      const giveUp = proxyRequest(
        { ...siteRequest, toPeer, releaseBackend },
        upstreamOf(backend, target.origin),
        proxyParts,
      );
      if (toPeer) {
        // A frozen peer sends nothing but keeps the connection open; the request ends when the site moves.
        forget = sites.onMove(host, backend, () =>
          giveUp('broken', new Error('another server has the site')),
        );
        return;
      }
      const lost = () => {
        if (response.headersSent) response.destroy();
        else giveUp('broken', new Error('the site’s machine is gone'));
      };
      backend.giveUps.add(lost);
      forget = () => void backend.giveUps.delete(lost);
      return;
    }
    // Static files take no request body.
    if (siteRequest.body !== undefined) response.shouldKeepAlive = false;
    serveFile(siteRequest, target, statics, (problem, headers) =>
      answerProblem(request, response, problem, host, headers),
    ).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ERR_STREAM_PREMATURE_CLOSE' || response.destroyed) return;
      warnOf(site, { err: error }, 'a file of a site could not be read');
      if (response.headersSent) response.destroy();
      else answerProblem(request, response, 'site_broken', host);
    });
  };

  const upstreamOf = (backend: Backend, origin: string): Upstream => {
    backend.upstream ??= createUpstream(origin, limits);
    return backend.upstream;
  };

  const originOf = (request: IncomingMessage) => {
    const socket = request.socket as Socket & { [TRUSTED]?: boolean };
    const address = plainAddress(socket.remoteAddress ?? '');
    socket[TRUSTED] ??= isTrusted(address);
    return { address, trusted: socket[TRUSTED] };
  };
  /**
   * True for requests passed on by a peer gateway. Untrusted clients can send the header too, but it is ignored for
   * them.
   */
  const isFromPeer = (request: IncomingMessage) => wasPassedOn(request) && originOf(request).trusted;

  /** Problem that keeps the request from the site; undefined if there is none. */
  const problemOf = (site: Site | undefined, request: IncomingMessage): SiteProblem | undefined => {
    if (!site) return sites.isComplete ? 'no_such_site' : 'site_starting';
    const [backend] = site.backends;
    if (isComing(site) && !backend) return 'site_starting';
    if (site.state === 'elsewhere' || site.state === 'unhosted') return 'site_elsewhere';
    if (site.state === 'stopped') return 'site_stopped';
    if (site.state === 'down' || !backend) return 'site_down';
    // Two servers that each believe that the other one runs the site would pass the request back and forth.
    if (backend.target.kind === 'peer' && isFromPeer(request)) return 'site_starting';
    return undefined;
  };

  const isBusy = ({ requests, tunnels }: Backend) =>
    requests >= limits.requestsAtOnce || tunnels.size >= limits.tunnelsAtOnce;

  let waiting = 0;
  /** Resolves when the host's site changes, when `client` disconnects, or after `mostMs`. */
  const nextChange = (host: string, client: Duplex | ServerResponse, mostMs: number): Promise<void> =>
    new Promise((resolve) => {
      waiting += 1;
      const done = () => {
        waiting -= 1;
        forget();
        clearTimeout(late);
        client.off('close', done);
        resolve();
      };
      const forget = sites.onChange(host, done);
      const late = setTimeout(done, mostMs);
      client.once('close', done);
    });

  /** Reads unknown sites from the database and waits for returning ones, until `deadline`. */
  const waitUntilSettled = async (
    host: string,
    client: Duplex | ServerResponse,
    deadline: number,
  ): Promise<void> => {
    const isFull = waiting >= limits.waitingAtOnce;
    waiting += 1;
    try {
      await sites.lookUp?.(host, isFull ? 0 : deadline - performance.now());
    } finally {
      waiting -= 1;
    }
    const site = sites.find(host);
    if (site?.state === 'asleep') sites.wake?.(site.applicationUuid);
    while (
      isComingBack(sites.find(host)) &&
      waiting < limits.waitingAtOnce &&
      performance.now() < deadline &&
      !client.destroyed &&
      !isRetiring()
    ) {
      await nextChange(host, client, deadline - performance.now());
    }
  };
  const answerOnceSettled = (
    addressed: AddressedToSite,
    request: IncomingMessage,
    response: ServerResponse,
    waitsUntil: number,
  ): void => {
    void waitUntilSettled(addressed.host, response, waitsUntil).then(() => {
      if (!response.destroyed) answerNow(addressed, request, response, waitsUntil);
    });
  };
  const isUnsettled = (host: string, request: IncomingMessage): boolean => {
    if (!sites.lookUp) return false;
    const site = sites.find(host);
    // A passed-on request means that the peer believes the site is here, so this table may be outdated.
    return site?.state !== 'live' || (site.backends[0]?.target.kind === 'peer' && isFromPeer(request));
  };

  const router: Router = {
    answer(addressed, request, response) {
      if (!isUnsettled(addressed.host, request))
        return answerNow(addressed, request, response, performance.now() + limits.returnMs);
      answerOnceSettled(addressed, request, response, performance.now() + limits.returnMs);
    },

    upgrade(addressed, request, client, early) {
      // node removes its error listener from the socket at an upgrade; without one, a client's disconnect would crash
      // the process.
      client.on('error', () => {});
      if (!isUnsettled(addressed.host, request)) return upgradeNow(addressed, request, client, early);
      void waitUntilSettled(addressed.host, client, performance.now() + limits.returnMs).then(() => {
        if (!client.destroyed) upgradeNow(addressed, request, client, early);
      });
    },
  };
  return router;

  function answerNow(
    addressed: AddressedToSite,
    request: IncomingMessage,
    response: ServerResponse,
    waitsUntil: number,
  ): void {
    if (isRetiring()) response.shouldKeepAlive = false;
    const { host, tried } = addressed;
    const site = sites.find(host);
    const problem = problemOf(site, request);
    const choice = problem || !site ? undefined : chooseBackend(site, request.headers.cookie, tried);
    if (!site || !choice || isBusy(choice.backend)) {
      if (addressed.body !== undefined) response.shouldKeepAlive = false;
      answerProblem(request, response, problem ?? (choice ? 'site_busy' : 'no_such_site'), host);
      return;
    }
    const { backend, cookie } = choice;
    if (site.isPreview) {
      sites.noteVisit?.(site.applicationUuid);
      // Previews are excluded from search engines, so that searches find the released site only.
      response.setHeader('x-robots-tag', 'noindex');
    }
    serve({ ...addressed, ...originOf(request), request, response, waitsUntil, cookie }, site, backend);
  }

  function upgradeNow(
    addressed: AddressedToSite,
    request: IncomingMessage,
    client: Duplex,
    early: Buffer,
  ): void {
    const { host } = addressed;
    const site = sites.find(host);
    const problem = problemOf(site, request);
    const choice = problem || !site ? undefined : chooseBackend(site, request.headers.cookie);
    const target = choice?.backend.target;
    const refuse = (status: string) =>
      client.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`, () =>
        client.destroy(),
      );
    if (isRetiring() || !choice || !target || target.kind === 'static' || isBusy(choice.backend)) {
      refuse(
        problem === 'no_such_site' || target?.kind === 'static' ? '404 Not Found' : '503 Service Unavailable',
      );
      return;
    }
    const { backend, cookie } = choice;
    if (site?.isPreview) sites.noteVisit?.(site.applicationUuid);
    const toPeer = target.kind === 'peer';
    if (toPeer)
      client.once(
        'close',
        sites.onMove(host, backend, () => client.destroy()),
      );
    openTunnel(
      {
        method: 'GET',
        target: addressed.target,
        headers: request.rawHeaders,
        host: addressed.hostHeader,
        ...originOf(request),
        body: undefined,
        toPeer,
      },
      client,
      early,
      backend,
      upstreamOf(backend, target.origin),
      {
        host,
        ours,
        cookie,
        fail(error) {
          warnOf(site, { err: error }, 'a site did not accept a WebSocket');
          refuse('502 Bad Gateway');
        },
      },
    );
  }
}

function isComing({ state }: Site): boolean {
  return state === 'starting' || state === 'returning' || state === 'asleep';
}

/** True for states that are worth waiting for. A first start may take too long for that. */
function isComingBack(site: Site | undefined): boolean {
  return site?.state === 'returning' || site?.state === 'asleep';
}

/** Delay before an unreachable server is tried again. */
const RETRY_MS = 500;
const TRUSTED = Symbol('comes from a trusted proxy');

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
