import { EventEmitter } from 'node:events';
import type { SitesAvailability } from '../../kernel/http/health.ts';
import type { Backend, Target } from './backend.ts';
import { BackendPool } from './backend-pool.ts';
import type { ApplicationLimits } from './request-limits.ts';
import type { VisitorRules } from './visitor-rules.ts';

/**
 * State of a site. `starting`: its first start. `returning`: expected back soon after its machine, its server or the
 * site itself was down; requests may wait. `asleep`: not visited for long; a request wakes the site and waits.
 * `elsewhere`: run by another server that has no address to pass requests to. `unhosted`: no server has run sites for a
 * while.
 */
export type SiteState =
  | 'live'
  | 'starting'
  | 'returning'
  | 'asleep'
  | 'elsewhere'
  | 'unhosted'
  | 'stopped'
  | 'down';

/**
 * State of hosting: whether a server runs the sites. `late`: its lease renewal is overdue; `nobody`: overdue for long.
 */
export type HostingState = 'hosted' | 'late' | 'nobody';

/** Way to a site. */
export interface Route {
  /** Host name in lower case, without a port, such as `demo.localhost`. */
  host: string;
  /** Host name to which requests are redirected; missing or null if the host shows the site. */
  redirectTo?: string | null;
}

export interface SiteSettings {
  /** Routes of the site, without those of its custom domains. */
  routes: readonly Route[];
  state: SiteState;
  /** Targets for the site's requests; each request goes to one of them. */
  targets?: readonly Target[];
  /** True if a visitor keeps the same replica (sticky sessions). */
  sticky?: boolean;
  /** True for previews: they fall asleep when nobody visits them, so each visit is recorded. */
  isPreview?: boolean;
}

/** Site of an environment, with its present state and the backends that take its requests. */
export interface Site {
  readonly environmentId: string;
  readonly state: SiteState;
  /** Backends that take the site's requests; empty if nothing serves the site now. */
  readonly backends: readonly Backend[];
  readonly sticky: boolean;
  readonly isPreview: boolean;
  /** Index of the backend that got the last request: equally busy backends take turns. */
  turn: number;
}

interface SiteEntry extends Site {
  readonly routes: readonly Route[];
}

interface RouteEntry {
  readonly route: Route;
  readonly environmentId: string;
}

const NO_LIMITS: ApplicationLimits = { response_seconds: null, max_body_mb: null };

/** Routing table: host → site → backends. The table sync writes it; the gateway reads it on every request. */
export class RoutingTable {
  /**
   * True once the routing table was filled from the database. From then on, a host that the routing table lacks has no
   * site.
   */
  isComplete = true;
  hosted: HostingState = 'hosted';
  /**
   * Function that reads the site of a host from the database if the routing table lacks the host. Resolves when the
   * routing table has the site, or after a short limit; before the routing table was filled from the database, after at
   * most `mostMs`.
   */
  lookUp: ((host: string, mostMs?: number) => Promise<void>) | undefined;
  /** Starts a sleeping site. */
  wake: ((environmentId: string) => void) | undefined;
  /** Records a visit to a preview. */
  noteVisit: ((environmentId: string) => void) | undefined;

  readonly #sites = new Map<string, SiteEntry>();
  /** Routes of all sites, by host. */
  readonly #routes = new Map<string, RouteEntry>();
  /** Routes of verified custom domains, by environment. */
  readonly #domains = new Map<string, readonly Route[]>();
  /** Rules that apply before a site, by environment. */
  readonly #rules = new Map<string, VisitorRules>();
  /** Limits that applications set for requests to their sites, by environment. */
  readonly #limits = new Map<string, ApplicationLimits>();
  readonly #backends = new BackendPool();
  /** Emits an environment's id when its site changes. */
  readonly #changes = new EventEmitter().setMaxListeners(0);

  find(host: string): Site | undefined {
    const entry = this.#routes.get(host);
    return entry && this.#sites.get(entry.environmentId);
  }

  /** Host name to which requests for a host are redirected; undefined if the host shows its site. */
  redirectOf(host: string): string | undefined {
    return this.#routes.get(host)?.route.redirectTo ?? undefined;
  }

  /** Rules that apply before the site of a host. */
  rulesOf(host: string): VisitorRules | undefined {
    return this.#rules.get(this.#routes.get(host)?.environmentId ?? '');
  }

  /** Limits that the application of a host's site sets for requests. */
  limitsOf(host: string): ApplicationLimits {
    return this.#limits.get(this.#routes.get(host)?.environmentId ?? '') ?? NO_LIMITS;
  }

  /** True if the host belongs to a site, deployed or not. */
  hasHost(host: string): boolean {
    return this.#routes.has(host);
  }

  /**
   * Replaces an environment's routes and targets in one step. New requests go to the new targets; requests that are
   * already open continue at the old targets.
   */
  set(environmentId: string, settings: SiteSettings): void {
    const { routes, state, targets = [], sticky = false, isPreview = false } = settings;
    const before = this.#sites.get(environmentId)?.routes ?? [];
    this.#replaceRoutes(environmentId, before, [...routes, ...(this.#domains.get(environmentId) ?? [])]);
    const backends = this.#backends.backendsFor(targets);
    this.#sites.set(environmentId, { environmentId, routes, state, backends, sticky, isPreview, turn: 0 });
    this.#changes.emit(environmentId);
  }

  remove(environmentId: string): void {
    const routes = this.#sites.get(environmentId)?.routes ?? [];
    this.#replaceRoutes(environmentId, [...routes, ...(this.#domains.get(environmentId) ?? [])], []);
    this.#sites.delete(environmentId);
    this.#domains.delete(environmentId);
    this.#changes.emit(environmentId);
  }

  /** Sets the rules that apply before a site; they stay until they are set again, whatever becomes of the site. */
  setRules(environmentId: string, rules: VisitorRules | undefined): void {
    if (rules) this.#rules.set(environmentId, rules);
    else this.#rules.delete(environmentId);
  }

  /** Sets the limits for requests to a site; they stay as rules do. */
  setLimits(environmentId: string, limits: ApplicationLimits | undefined): void {
    if (limits) this.#limits.set(environmentId, limits);
    else this.#limits.delete(environmentId);
  }

  /** Sets the verified custom domains. They lead to the site in addition to the routes given to `set`. */
  setDomains(environmentId: string, domains: readonly Route[]): void {
    const before = this.#domains.get(environmentId) ?? [];
    this.#replaceRoutes(environmentId, before, [
      ...(this.#sites.get(environmentId)?.routes ?? []),
      ...domains,
    ]);
    if (domains.length > 0) this.#domains.set(environmentId, domains);
    else this.#domains.delete(environmentId);
  }

  /**
   * Resolves when no request to that target is open, or after `mostMs`. The result is true if WebSockets are still
   * open; the site may close them itself, and after another `mostMs` the gateway does. The caller must have switched
   * the site to another target before.
   */
  async drain(target: Target, mostMs: number): Promise<boolean> {
    const backend = this.#backends.find(target);
    if (!backend) return false;
    await backend.untilIdle(mostMs);
    const isInUse = this.#sites.values().some(({ backends }) => backends.includes(backend));
    return !isInUse && this.#backends.retire(backend, mostMs);
  }

  /**
   * Marks a target as lost, for example with its machine: requests under way are given up, and no requests go there
   * until it is back.
   */
  markLost(target: Target): void {
    const backend = this.#backends.removeLost(target);
    if (!backend) return;
    for (const site of this.#sites.values()) this.#removeFromSite(site, backend);
    backend.lose();
  }

  markReachable(target: Target): void {
    this.#backends.markReachable(target);
  }

  /** Lost targets of all sites. A site uses its lost targets only if it has no other target. */
  lostTargets(): Iterable<Target> {
    return this.#backends.lostTargets();
  }

  /** All backends that get new requests. */
  backends(): Iterable<Backend> {
    return this.#backends.values();
  }

  /**
   * Removes an unreachable backend from the site of this host, until the site is read from the database again. If the
   * site has no other backend, its requests wait for the next routing-table update.
   */
  removeBackend(host: string, backend: Backend): void {
    const site = this.#sites.get(this.#routes.get(host)?.environmentId ?? '');
    if (site) this.#removeFromSite(site, backend);
  }

  /** Removes all backends on this machine from all sites. */
  removeOwnBackends(): void {
    for (const site of this.#sites.values()) {
      if (site.backends.some(({ target }) => target.kind !== 'peer')) this.#setRemaining(site, []);
    }
  }

  /** Previews with an open request or an open WebSocket. */
  visited(): string[] {
    return [...this.#sites.values()]
      .filter(({ isPreview, backends }) => isPreview && backends.some(isInUseNow))
      .map(({ environmentId }) => environmentId);
  }

  /**
   * State for health checks: `ok` if the routing table is filled, a server runs the sites, and no site is coming back
   * or reachable only on another server. A site that is down does not matter: any developer could otherwise make this
   * server report a failure permanently.
   */
  availability(): SitesAvailability {
    if (this.hosted === 'nobody') return 'unhosted';
    const isAny = (state: SiteState) => this.#sites.values().some((site) => site.state === state);
    if (!this.isComplete || this.hosted === 'late' || isAny('returning')) return 'starting';
    return isAny('elsewhere') ? 'elsewhere' : 'ok';
  }

  /**
   * Calls `changed` once, as soon as the routing table gets a change of the site with this host. Returns a function
   * that unsubscribes.
   */
  onChange(host: string, changed: () => void): () => void {
    const environmentId = this.#routes.get(host)?.environmentId ?? '';
    this.#changes.once(environmentId, changed);
    return () => void this.#changes.off(environmentId, changed);
  }

  /**
   * Calls `moved` once, as soon as the site with this host has backends, and the given one is no longer among them.
   * Returns a function that unsubscribes.
   */
  onMove(host: string, backend: Backend, moved: () => void): () => void {
    const environmentId = this.#routes.get(host)?.environmentId ?? '';
    const look = () => {
      const now = this.#sites.get(environmentId)?.backends ?? [];
      if (now.length === 0 || now.includes(backend)) return;
      this.#changes.off(environmentId, look);
      moved();
    };
    this.#changes.on(environmentId, look);
    return () => void this.#changes.off(environmentId, look);
  }

  endTunnels(): void {
    this.#backends.endTunnels();
  }

  /** Closes all WebSockets and all connections to targets. */
  close(): void {
    this.#backends.close();
  }

  #replaceRoutes(environmentId: string, before: readonly Route[], routes: readonly Route[]): void {
    for (const { host } of before) {
      if (this.#routes.get(host)?.environmentId === environmentId) this.#routes.delete(host);
    }
    for (const route of routes) this.#routes.set(route.host, { route, environmentId });
  }

  #removeFromSite(site: SiteEntry, backend: Backend): void {
    if (!site.backends.includes(backend)) return;
    this.#setRemaining(
      site,
      site.backends.filter((other) => other !== backend),
    );
  }

  #setRemaining(site: SiteEntry, backends: readonly Backend[]): void {
    const state = backends.length > 0 ? site.state : 'returning';
    this.#sites.set(site.environmentId, { ...site, state, backends });
    this.#changes.emit(site.environmentId);
  }
}

function isInUseNow({ requests, tunnels }: Backend): boolean {
  return requests > 0 || tunnels.size > 0;
}
