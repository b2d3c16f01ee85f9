import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../kernel/config.ts';
import type { Logger } from '../../kernel/log.ts';
import { addressAt } from '../applications/address.ts';
import type { AddressedRequest } from './addressee.ts';
import type { Backend } from './backend.ts';
import { type BackendChoice, chooseBackend } from './balancing.ts';
import { type ClientOrigin, clientOrigins } from './client-origin.ts';
import { parseHostName } from './hosts.ts';
import type { IncomingRequest } from './incoming-request.ts';
import { LoginCheck, type LoginVerdict } from './login-check.ts';
import type { SiteProblem } from './messages.ts';
import type { OutgoingResponse } from './outgoing-response.ts';
import { answerProblem } from './pages.ts';
import { ProxiedRequest, type ProxyParts, type SiteRequest } from './proxy.ts';
import { type OperatorLimits, requestLimits } from './request-limits.ts';
import {
  decideRetry,
  type FailedRequest,
  isBackendGone,
  problemForFailure,
  type RequestFailure,
} from './retry-policy.ts';
import type { RoutingTable, Site } from './routing-table.ts';
import { problemOfSite } from './site-problem.ts';
import { SiteWaits, type WaitingClient } from './site-waits.ts';
import { SiteWarnings } from './site-warnings.ts';
import { createCachedRules } from './static/cached-rules.ts';
import { createFiles } from './static/files.ts';
import { PreparedAnswers, sendPrepared } from './static/prepared-answers.ts';
import { type Refuse, serveFile } from './static/serve.ts';
import type { TrafficMeter } from './traffic-meter.ts';
import { openTunnel } from './tunnel.ts';
import type { UpstreamLimits } from './upstream-connection.ts';
import { redirectFor, setRuleHeaders, type VisitorRules, visitorOf } from './visitor-rules.ts';

export interface RouterLimits extends UpstreamLimits, OperatorLimits {
  /** Maximum number of concurrent requests per backend; further requests get a 503. */
  requestsAtOnce: number;
  /** Maximum number of open WebSockets per backend. */
  tunnelsAtOnce: number;
  /**
   * Limits for requests that wait for a site that is expected back. `returnMs`: the longest wait of a request.
   * `waitingAtOnce`: the maximum number of requests that wait at the same time.
   */
  returnMs: number;
  waitingAtOnce: number;
}

export interface RouterParts {
  config: Pick<Config, 'publicUrl' | 'appsDomain' | 'appsPort' | 'trustedProxies'>;
  sites: RoutingTable;
  meter: TrafficMeter;
  log: Logger;
  limits: RouterLimits;
  /** True while the gateway shuts down: every answer is then the last on its connection. */
  isRetiring(): boolean;
}

export type AddressedToSite = AddressedRequest & Pick<SiteRequest, 'tried' | 'hidesLogin'> & { host: string };

/** Delay before an unreachable server of a site is tried again. */
const RETRY_MS = 500;

/** Handles requests to sites, including those for sites that do not exist. */
export class Router {
  readonly #sites: RoutingTable;
  readonly #meter: TrafficMeter;
  readonly #limits: RouterLimits;
  readonly #isRetiring: () => boolean;
  readonly #addressOf: (host: string) => string;
  /**
   * Domains below which both the platform and sites have their host names, so that both could see each other's cookies.
   */
  readonly #ours: readonly string[];
  readonly #originOf: (request: IncomingRequest) => ClientOrigin;
  readonly #waits: SiteWaits;
  readonly #warnings: SiteWarnings;
  readonly #logins = new LoginCheck();
  readonly #statics = { files: createFiles(), rules: createCachedRules(), prepared: new PreparedAnswers() };
  readonly #proxyParts: ProxyParts;

  constructor({ config, sites, meter, log, limits, isRetiring }: RouterParts) {
    this.#sites = sites;
    this.#meter = meter;
    this.#limits = limits;
    this.#isRetiring = isRetiring;
    this.#addressOf = (host) => addressAt(config, host);
    this.#ours = [config.appsDomain, parseHostName(new URL(config.publicUrl).host) ?? config.appsDomain];
    this.#originOf = clientOrigins(config.trustedProxies);
    this.#waits = new SiteWaits({ sites, waitingAtOnce: limits.waitingAtOnce, isRetiring });
    this.#warnings = new SiteWarnings(log);
    this.#proxyParts = {
      ours: this.#ours,
      paceMs: limits.answerMs,
      leave: (backend, request) => this.#leave(backend, request),
      fail: (siteRequest, backend, failure, error) =>
        this.#handleFailure(siteRequest, backend, failure, error),
    };
  }

  answer(addressed: AddressedToSite, request: IncomingRequest, response: OutgoingResponse): void {
    const now = performance.now();
    const waitsUntil = now + this.#limits.returnMs;
    // The gateway that a client reached counts its request; a gateway to which that one passes the request does not.
    if (!this.#isFromPeer(request)) this.#meter.watch(addressed.host, request, response, now);
    if (!this.#isUnsettled(addressed.host, request)) {
      this.#admit(addressed, request, response, waitsUntil);
      return;
    }
    void this.#waits.untilSettled(addressed.host, response, waitsUntil).then(() => {
      if (!response.isClosed) this.#admit(addressed, request, response, waitsUntil);
    });
  }

  /** Applies the rules of a request's site, and answers the request if they let it pass. */
  #admit(
    addressed: AddressedToSite,
    request: IncomingRequest,
    response: OutgoingResponse,
    waitsUntil: number,
  ): void {
    const rules = this.#rulesFor(addressed);
    if (!rules) {
      this.#answerNow(addressed, request, response, waitsUntil);
      return;
    }
    const refuse = (problem: SiteProblem, headers?: Record<string, string>) => {
      if (addressed.body !== undefined) response.keepsAlive = false;
      answerProblem(request, response, problem, addressed.host, headers);
    };
    if (rules.isInMaintenance) {
      refuse('site_maintenance');
      return;
    }
    const pass = () => {
      const redirect = redirectFor(rules, addressed);
      if (redirect) {
        if (addressed.body !== undefined) response.keepsAlive = false;
        response.writeHead(redirect.status, { location: redirect.to, 'content-length': 0 });
        response.end();
        return;
      }
      setRuleHeaders(rules, addressed.target, response);
      this.#answerNow({ ...addressed, hidesLogin: rules.login !== undefined }, request, response, waitsUntil);
    };
    void this.#checkLogin(rules, request).then((verdict) => {
      if (response.isClosed) return;
      if (verdict === 'right') pass();
      else if (verdict === 'too_many') refuse('too_many_passwords');
      else refuse('password_needed', { 'www-authenticate': 'Basic realm="Simcha", charset="UTF-8"' });
    });
  }

  /** Rules that apply to a request before its site; undefined if there are none. */
  #rulesFor(addressed: AddressedToSite): VisitorRules | undefined {
    const isRedirected = this.#sites.redirectOf(addressed.host) !== undefined;
    return isRedirected ? undefined : this.#sites.rulesOf(addressed.host);
  }

  async #checkLogin({ login }: VisitorRules, request: IncomingRequest): Promise<LoginVerdict> {
    if (!login) return 'right';
    const authorization = request.header('authorization');
    if (authorization === undefined) return 'wrong';
    const { address, trusted } = this.#originOf(request);
    return this.#logins.check(login, authorization, visitorOf(request, address, trusted));
  }

  /** Handles a WebSocket request. `early`: bytes that arrived together with the request. */
  upgrade(addressed: AddressedToSite, request: IncomingRequest, client: Socket, early: Buffer): void {
    const onStatus = this.#isFromPeer(request)
      ? () => {}
      : this.#meter.watchUpgrade(addressed.host, request, client);
    const upgrading: Upgrading = { addressed, request, client, early, onStatus };
    if (!this.#isUnsettled(addressed.host, request)) {
      this.#admitUpgrade(upgrading);
      return;
    }
    const waitsUntil = performance.now() + this.#limits.returnMs;
    void this.#waits.untilSettled(addressed.host, waitingSocket(client), waitsUntil).then(() => {
      if (!client.destroyed) this.#admitUpgrade(upgrading);
    });
  }

  /** Applies the rules of a WebSocket's site, and opens the WebSocket if they let it pass. */
  #admitUpgrade(upgrading: Upgrading): void {
    const { addressed, request, client, onStatus } = upgrading;
    const rules = this.#rulesFor(addressed);
    if (!rules) {
      this.#upgradeNow(upgrading);
      return;
    }
    if (rules.isInMaintenance) {
      onStatus(503);
      refuseUpgrade(client, '503 Service Unavailable');
      return;
    }
    void this.#checkLogin(rules, request).then((verdict) => {
      if (client.destroyed) return;
      if (verdict === 'right') {
        const hidesLogin = rules.login !== undefined;
        this.#upgradeNow({ ...upgrading, addressed: { ...addressed, hidesLogin } });
        return;
      }
      onStatus(401);
      refuseUpgrade(client, '401 Unauthorized\r\nwww-authenticate: Basic realm="Simcha"');
    });
  }

  #isUnsettled(host: string, request: IncomingRequest): boolean {
    if (!this.#sites.lookUp || this.#sites.redirectOf(host) !== undefined) return false;
    const site = this.#sites.find(host);
    // If a peer gateway has passed the request on, the peer believes that the site is here, so this routing table may
    // be outdated.
    return site?.state !== 'live' || (site.backends[0]?.target.kind === 'peer' && this.#isFromPeer(request));
  }

  /**
   * True for requests passed on by a peer gateway. Other clients can send the same header, but it counts only from
   * trusted addresses.
   */
  #isFromPeer(request: IncomingRequest): boolean {
    return request.head.isPassedOn && this.#originOf(request).trusted;
  }

  #answerOnceSettled(
    addressed: AddressedToSite,
    request: IncomingRequest,
    response: OutgoingResponse,
    waitsUntil: number,
  ): void {
    void this.#waits.untilSettled(addressed.host, response, waitsUntil).then(() => {
      if (!response.isClosed) this.#answerNow(addressed, request, response, waitsUntil);
    });
  }

  #answerNow(
    addressed: AddressedToSite,
    request: IncomingRequest,
    response: OutgoingResponse,
    waitsUntil: number,
  ): void {
    if (this.#isRetiring()) response.keepsAlive = false;
    const { host, tried, hostHeader, target, body, hidesLogin } = addressed;
    const redirect = this.#redirectOf(addressed);
    if (redirect !== undefined) {
      if (addressed.body !== undefined) response.keepsAlive = false;
      response.writeHead(308, { location: redirect, 'content-length': 0 });
      response.end();
      return;
    }
    const site = this.#sites.find(host);
    const problem = this.#problemOf(site, request);
    const choice = problem || !site ? undefined : chooseBackend(site, request, tried);
    if (!site || !choice || this.#isBusy(choice.backend)) {
      if (addressed.body !== undefined) response.keepsAlive = false;
      answerProblem(request, response, problem ?? (choice ? 'site_busy' : 'no_such_site'), host);
      return;
    }
    const { backend, cookie } = choice;
    if (site.isPreview) {
      this.#sites.noteVisit?.(site.environmentId);
      // Previews are excluded from search engines, so that searches find the released site only.
      response.setHeader('x-robots-tag', 'noindex');
    }
    const limits = requestLimits(this.#sites.limitsOf(host), this.#limits);
    const { address, trusted } = this.#originOf(request);
    const toPeer = backend.target.kind === 'peer';
    const siteRequest = {
      request,
      response,
      hostHeader,
      host,
      target,
      body,
      address,
      trusted,
      hidesLogin,
      toPeer,
      tried,
      waitsUntil,
      cookie,
      limits,
    };
    if (backend.target.kind === 'static') this.#sendFile(siteRequest, site, backend, backend.target);
    else if (typeof body === 'number' && body > limits.bodyBytes)
      answerProblem(request, response, 'upload_too_large', host);
    else this.#proxy(siteRequest, backend, backend.target);
  }

  /** Address to which a request's host redirects, with the request's path and query; undefined if the host shows a site. */
  #redirectOf({ host, target }: AddressedToSite): string | undefined {
    const redirectTo = this.#sites.redirectOf(host);
    // The target of `OPTIONS *` is no path.
    return redirectTo && this.#addressOf(redirectTo) + (target === '*' ? '/' : target);
  }

  /** Problem because of which the request is not passed to the site; undefined if there is none. */
  #problemOf(site: Site | undefined, request: IncomingRequest): SiteProblem | undefined {
    const problem = problemOfSite(site, this.#sites.isComplete);
    if (problem !== undefined) return problem;
    // This request comes from another server's gateway, and this server would pass it on to another server too: the two
    // could pass it back and forth forever.
    return site?.backends[0]?.target.kind === 'peer' && this.#isFromPeer(request)
      ? 'site_starting'
      : undefined;
  }

  #isBusy({ requests, tunnels }: Backend): boolean {
    return requests >= this.#limits.requestsAtOnce || tunnels.size >= this.#limits.tunnelsAtOnce;
  }

  #sendFile(siteRequest: SiteRequest, site: Site, backend: Backend, target: StaticTarget): void {
    const { request, response, host } = siteRequest;
    backend.requests += 1;
    response.onClose(() => this.#leave(backend, request));
    // No static site reads a request's body. After a request with a body, its connection is closed, because the unread
    // body would be taken for the next request.
    if (siteRequest.body !== undefined) response.keepsAlive = false;
    const { prepared } = this.#statics;
    const key = prepared.keyOf(siteRequest, target);
    const answer = key === undefined ? undefined : prepared.find(key);
    if (answer) {
      sendPrepared(siteRequest, answer);
      return;
    }
    const refuse: Refuse = (problem, headers) => answerProblem(request, response, problem, host, headers);
    serveFile(siteRequest, target, this.#statics, refuse, key).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ERR_STREAM_PREMATURE_CLOSE' || response.isClosed) return;
      this.#warnings.warn(site, { err: error }, 'a file of a site could not be read');
      if (response.hasBegun) response.destroy();
      else answerProblem(request, response, 'site_broken', host);
    });
  }

  #proxy(siteRequest: SiteRequest, backend: Backend, target: ServedTarget): void {
    backend.requests += 1;
    const upstream = backend.upstreamTo(target.origin, this.#limits);
    const proxied = new ProxiedRequest(siteRequest, backend, upstream, this.#proxyParts);
    // Another server's gateway that hangs sends nothing but keeps the connection open, so the request is ended when the
    // site moves to a different server.
    if (siteRequest.toPeer)
      proxied.onRelease = this.#sites.onMove(siteRequest.host, backend, () =>
        proxied.giveUp('broken', new Error('another server has the site')),
      );
  }

  #leave(backend: Backend, request: IncomingRequest): void {
    backend.leave();
    if (this.#isRetiring()) request.socket.destroySoon();
  }

  /** Handles the failure of a request to a backend, which the request has left. */
  #handleFailure(siteRequest: SiteRequest, backend: Backend, failure: RequestFailure, error: Error): void {
    const { request, response, host, toPeer = false, body, waitsUntil, tried } = siteRequest;
    const failed: FailedRequest = {
      failure,
      method: request.method,
      hasBody: body !== undefined,
      toPeer,
      backendLost: backend.isLost,
      alreadyTried: tried !== undefined,
      others: this.#sites.find(host)?.backends.some((other) => other !== backend) === true,
      mayWait: this.#sites.lookUp !== undefined && performance.now() < waitsUntil,
    };
    const decision = decideRetry(failed);
    if (decision !== 'fail') {
      const isGone = failed.mayWait && isBackendGone(failed);
      if (isGone) this.#sites.removeBackend(host, backend);
      const again = isGone ? siteRequest : { ...siteRequest, tried: backend };
      if (decision === 'other-backend') this.#answerNow(again, request, response, waitsUntil);
      else void sleep(RETRY_MS).then(() => this.#answerOnceSettled(again, request, response, waitsUntil));
      return;
    }
    if (failure === 'too_large') {
      answerProblem(request, response, 'upload_too_large', host);
      return;
    }
    if (failure !== 'upload_late') {
      this.#warnings.warn(this.#sites.find(host), { failure, err: error }, 'a site did not answer');
    }
    // The unread rest of the request would be parsed as the next request.
    if (!request.isComplete) response.keepsAlive = false;
    answerProblem(request, response, problemForFailure(failure, toPeer), host);
  }

  #upgradeNow(upgrading: Upgrading): void {
    const { addressed, request, client, onStatus } = upgrading;
    const redirect = this.#redirectOf(addressed);
    if (redirect !== undefined) {
      onStatus(308);
      refuseUpgrade(client, `308 Permanent Redirect\r\nlocation: ${redirect}`);
      return;
    }
    const site = this.#sites.find(addressed.host);
    const problem = this.#problemOf(site, request);
    const choice = problem || !site ? undefined : chooseBackend(site, request);
    const target = choice?.backend.target;
    if (
      this.#isRetiring() ||
      !site ||
      !choice ||
      !target ||
      target.kind === 'static' ||
      this.#isBusy(choice.backend)
    ) {
      const isMissing = problem === 'no_such_site' || target?.kind === 'static';
      onStatus(isMissing ? 404 : 503);
      refuseUpgrade(client, isMissing ? '404 Not Found' : '503 Service Unavailable');
      return;
    }
    if (site.isPreview) this.#sites.noteVisit?.(site.environmentId);
    this.#openTunnel(upgrading, { site, target, ...choice });
  }

  #openTunnel(
    {
      addressed: { host, hostHeader, target: path, hidesLogin },
      request,
      client,
      early,
      onStatus,
    }: Upgrading,
    { site, target, backend, cookie }: BackendChoice & { site: Site; target: ServedTarget },
  ): void {
    const toPeer = target.kind === 'peer';
    if (toPeer)
      client.once(
        'close',
        this.#sites.onMove(host, backend, () => client.destroy()),
      );
    openTunnel(
      {
        method: 'GET',
        target: path,
        headers: request.head.headers,
        host: hostHeader,
        ...this.#originOf(request),
        body: undefined,
        toPeer,
        hidesLogin,
      },
      client,
      early,
      backend,
      backend.upstreamTo(target.origin, this.#limits),
      {
        host,
        ours: this.#ours,
        cookie,
        onStatus,
        fail: (error) => {
          onStatus(502);
          this.#warnings.warn(site, { err: error }, 'a site did not accept a WebSocket');
          refuseUpgrade(client, '502 Bad Gateway');
        },
      },
    );
  }
}

/** Request for a WebSocket. `onStatus` learns the status of its answer. */
interface Upgrading {
  addressed: AddressedToSite;
  request: IncomingRequest;
  client: Socket;
  /** Bytes that arrived together with the request. */
  early: Buffer;
  onStatus: (status: number) => void;
}

type StaticTarget = Extract<Backend['target'], { kind: 'static' }>;
type ServedTarget = Exclude<Backend['target'], { kind: 'static' }>;

/** Client of a WebSocket that waits for its site. */
function waitingSocket(socket: Socket): WaitingClient {
  return {
    get isClosed() {
      return socket.destroyed;
    },
    onClose: (listener) => void socket.once('close', listener),
    offClose: (listener) => void socket.off('close', listener),
  };
}

function refuseUpgrade(client: Socket, status: string): void {
  client.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`, () => client.destroy());
}
