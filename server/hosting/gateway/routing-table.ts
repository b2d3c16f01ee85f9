import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SitesAvailability } from '../../kernel/http/health.ts';
import type { ServerTarget } from '../model/backend-location.ts';
import type { RunPlan } from '../model/plan.ts';
import type { Upstream } from './upstream.ts';

/**
 * Target of a site's requests: files on this disk, a server that this machine can reach, or the gateway of the machine
 * that runs the site.
 */
export type Target =
  | { kind: 'static'; folder: string; spa?: RunPlan['spa'] }
  | ServerTarget
  | { kind: 'peer'; origin: string; site: string };
/**
 * State of a site. `starting`: its first start. `returning`: back soon after its machine, its server or the site itself
 * was down; requests may wait. `asleep`: not visited for long; a request wakes it and waits. `elsewhere`: run by
 * another server that has no address to pass requests to. `unhosted`: no server has run sites for a while.
 */
export type RouteState =
  | 'live'
  | 'starting'
  | 'returning'
  | 'asleep'
  | 'elsewhere'
  | 'unhosted'
  | 'stopped'
  | 'down';

/** Whether a server runs the sites. `late`: its lease renewal is overdue; `nobody`: overdue for long. */
export type HostingState = 'hosted' | 'late' | 'nobody';

export interface SiteSettings {
  /** Host names in lower case, without a port, such as `demo.localhost`. */
  hosts: string[];
  state: RouteState;
  /** Targets for requests; each request goes to one of them. */
  targets?: readonly Target[];
  /** True if a visitor keeps the same replica (sticky sessions). */
  sticky?: boolean;
  /** Previews fall asleep when nobody visits them, so each visit is recorded. */
  isPreview?: boolean;
}

/** Routing changes. The table sync writes them; the gateway reads the table on every request. */
export interface RoutingChanges {
  /** Switches atomically: requests that arrive from now on go to the new target, those under way end at the old one. */
  set(applicationUuid: string, site: SiteSettings): void;
  remove(applicationUuid: string): void;
  /**
   * Resolves when no request to that target is under way, or after `mostMs`. The result is true if WebSockets are still
   * open; the site may close them itself, and after another `mostMs` the gateway does. Switch the site to another
   * target first.
   */
  drain(target: Target, mostMs: number): Promise<boolean>;
  /**
   * Marks a target as lost, for example with its machine: requests under way are given up, and no requests go there
   * until it is back.
   */
  markLost(target: Target): void;
}

/** Target of a site, with its requests and connections. */
export interface Backend {
  readonly target: Target;
  requests: number;
  /** Number of requests finished so far. */
  finished: number;
  /** Functions that each close one WebSocket and tell its client to reconnect. */
  readonly tunnels: Set<() => void>;
  /** True once no new requests go to it. */
  isRetired: boolean;
  /** Functions that each give up one request under way. */
  readonly giveUps: Set<() => void>;
  /** True once its server is gone. */
  isLost: boolean;
  upstream: Upstream | undefined;
  /** Called when `requests` falls to zero. */
  idle: (() => void) | undefined;
}

export interface Site {
  readonly applicationUuid: string;
  readonly state: RouteState;
  /** Empty if nothing serves the site now. */
  readonly backends: readonly Backend[];
  readonly sticky: boolean;
  readonly isPreview: boolean;
  /** Index of the last choice, for round-robin among equally busy backends. */
  turn: number;
}

export interface RoutingTable extends RoutingChanges {
  find(host: string): Site | undefined;
  /** True if the host belongs to a site, deployed or not. */
  hasHost(host: string): boolean;
  /** Sets the application's verified custom domains. They lead to its site in addition to the hosts given to `set`. */
  setDomains(applicationUuid: string, hosts: readonly string[]): void;
  /**
   * Reads a site that is missing in the table from the database. Resolves when the table has it, or after a short
   * limit; while the table is not yet filled, after at most `mostMs`.
   */
  lookUp: ((host: string, mostMs?: number) => Promise<void>) | undefined;
  /** Starts a sleeping site. */
  wake: ((applicationUuid: string) => void) | undefined;
  /** Records a visit to a preview. */
  noteVisit: ((applicationUuid: string) => void) | undefined;
  /** Previews with a request under way or an open WebSocket. */
  visited(): string[];
  /** True after the table was filled for the first time; only then does a missing host mean that no site has it. */
  isComplete: boolean;
  hosted: HostingState;
  /**
   * `ok` if the table is filled, a server runs the sites, and no site is returning or reachable on another server only.
   * Sites that are down do not count: any developer could otherwise make this server report a failure permanently.
   */
  availability(): SitesAvailability;
  /**
   * Takes an unreachable backend out of the host's site until the table is read again. If this was the last backend,
   * requests wait for the next routing-table update.
   */
  removeBackend(host: string, backend: Backend): void;
  /** Takes out all backends on this machine, for all sites. */
  removeOwnBackends(): void;
  /** All backends in use. */
  backends(): Iterable<Backend>;
  /** Lost targets. A site uses them only if it has no other target. */
  lostTargets(): Iterable<Target>;
  markReachable(target: Target): void;
  /** Calls `changed` once, when the host's site changes. Returns a function that unsubscribes. */
  onChange(host: string, changed: () => void): () => void;
  /**
   * Calls `moved` once, when the host's site has other backends than this one. Returns a function that unsubscribes.
   */
  onMove(host: string, backend: Backend, moved: () => void): () => void;
  endTunnels(): void;
  /** Closes all WebSockets and all connections to targets. */
  close(): void;
}

/** Time over which WebSockets are closed that end together, so that their clients do not reconnect all at once. */
const SPREAD_MS = 2_000;

interface Entry extends Site {
  hosts: readonly string[];
}

export function createRoutingTable(): RoutingTable {
  const sites = new Map<string, Entry>();
  /** Backends that get no new requests but still have open WebSockets. */
  const retired = new Set<Backend>();
  const byHost = new Map<string, string>();
  const domains = new Map<string, readonly string[]>();
  const backends = new Map<string, Backend>();
  /** Lost targets that are not known to be back. */
  const lost = new Map<string, Target>();
  const changes = new EventEmitter().setMaxListeners(0);

  const replaceHosts = (applicationUuid: string, before: readonly string[], hosts: readonly string[]) => {
    for (const host of before) if (byHost.get(host) === applicationUuid) byHost.delete(host);
    for (const host of hosts) byHost.set(host, applicationUuid);
  };
  const backendFor = (target: Target): Backend => {
    const key = keyOf(target);
    const backend = backends.get(key) ?? {
      target,
      requests: 0,
      finished: 0,
      tunnels: new Set(),
      giveUps: new Set(),
      isRetired: false,
      isLost: false,
      upstream: undefined,
      idle: undefined,
    };
    backends.set(key, backend);
    return backend;
  };
  const setRemaining = (site: Entry, backends: readonly Backend[] = []) => {
    const state = backends.length > 0 ? site.state : 'returning';
    sites.set(site.applicationUuid, { ...site, state, backends });
    changes.emit(site.applicationUuid);
  };
  const removeFromSite = (site: Entry, backend: Backend) => {
    if (!site.backends.includes(backend)) return;
    setRemaining(
      site,
      site.backends.filter((one) => one !== backend),
    );
  };
  const isInUse = (backend: Backend) => sites.values().some(({ backends }) => backends.includes(backend));

  const table: RoutingTable = {
    set(applicationUuid, { hosts, state, targets = [], sticky = false, isPreview = false }) {
      const before = sites.get(applicationUuid)?.hosts ?? [];
      replaceHosts(applicationUuid, before, [...hosts, ...(domains.get(applicationUuid) ?? [])]);
      const reachable = targets.filter((target) => !lost.has(keyOf(target)));
      sites.set(applicationUuid, {
        applicationUuid,
        hosts,
        state,
        // If all targets are marked as lost, the mark may be outdated, so all of them are used.
        backends: (reachable.length > 0 ? reachable : targets).map(backendFor),
        sticky,
        isPreview,
        turn: 0,
      });
      changes.emit(applicationUuid);
    },

    remove(applicationUuid) {
      replaceHosts(
        applicationUuid,
        [...(sites.get(applicationUuid)?.hosts ?? []), ...(domains.get(applicationUuid) ?? [])],
        [],
      );
      sites.delete(applicationUuid);
      domains.delete(applicationUuid);
      changes.emit(applicationUuid);
    },

    async drain(target, mostMs) {
      const backend = backends.get(keyOf(target));
      if (!backend) return false;
      if (backend.requests > 0) {
        const waiting = new AbortController();
        await Promise.race([
          new Promise<void>((resolve) => {
            const before = backend.idle;
            backend.idle = () => {
              before?.();
              resolve();
            };
          }),
          sleep(mostMs, undefined, { signal: waiting.signal }).catch(() => {}),
        ]);
        waiting.abort();
      }
      if (isInUse(backend)) return false;
      backends.delete(keyOf(target));
      retire(backend);
      if (backend.tunnels.size === 0) return false;
      retired.add(backend);
      const timer = setTimeout(
        () => {
          retired.delete(backend);
          endTunnels(backend);
        },
        Math.max(0, mostMs - SPREAD_MS),
      );
      timer.unref();
      return true;
    },

    markLost(target) {
      const backend = backends.get(keyOf(target));
      if (!backend) return;
      backends.delete(keyOf(target));
      lost.set(keyOf(target), target);
      for (const site of sites.values()) removeFromSite(site, backend);
      backend.isLost = true;
      for (const giveUp of backend.giveUps) giveUp();
      retire(backend);
      endTunnels(backend);
    },

    find(host) {
      const applicationUuid = byHost.get(host);
      return applicationUuid === undefined ? undefined : sites.get(applicationUuid);
    },

    hasHost: (host) => byHost.has(host),

    lookUp: undefined,
    wake: undefined,
    noteVisit: undefined,
    visited: () =>
      [...sites.values()]
        .filter(({ isPreview, backends }) => isPreview && backends.some(isInUseNow))
        .map(({ applicationUuid }) => applicationUuid),
    isComplete: true,
    hosted: 'hosted',
    availability() {
      if (table.hosted === 'nobody') return 'unhosted';
      const isAny = (state: RouteState) => sites.values().some((site) => site.state === state);
      if (!table.isComplete || table.hosted === 'late' || isAny('returning')) return 'starting';
      return isAny('elsewhere') ? 'elsewhere' : 'ok';
    },

    removeBackend(host, backend) {
      const site = sites.get(byHost.get(host) ?? '');
      if (site) removeFromSite(site, backend);
    },

    backends: () => backends.values(),
    lostTargets: () => lost.values(),
    markReachable: (target) => void lost.delete(keyOf(target)),

    removeOwnBackends() {
      for (const site of sites.values()) {
        if (site.backends.some(({ target }) => target.kind !== 'peer')) setRemaining(site);
      }
    },

    onChange(host, changed) {
      const applicationUuid = byHost.get(host) ?? '';
      changes.once(applicationUuid, changed);
      return () => void changes.off(applicationUuid, changed);
    },

    onMove(host, backend, moved) {
      const applicationUuid = byHost.get(host) ?? '';
      const look = () => {
        const now = sites.get(applicationUuid)?.backends ?? [];
        if (now.length === 0 || now.includes(backend)) return;
        changes.off(applicationUuid, look);
        moved();
      };
      changes.on(applicationUuid, look);
      return () => void changes.off(applicationUuid, look);
    },

    setDomains(applicationUuid, hosts) {
      replaceHosts(applicationUuid, domains.get(applicationUuid) ?? [], [
        ...(sites.get(applicationUuid)?.hosts ?? []),
        ...hosts,
      ]);
      if (hosts.length > 0) domains.set(applicationUuid, hosts);
      else domains.delete(applicationUuid);
    },

    endTunnels() {
      for (const backend of [...backends.values(), ...retired]) {
        backend.isRetired = true;
        endTunnels(backend);
      }
    },

    close() {
      for (const backend of [...backends.values(), ...retired]) {
        retire(backend);
        for (const end of backend.tunnels) end();
      }
    },
  };
  return table;
}

function isInUseNow({ requests, tunnels }: Backend): boolean {
  return requests > 0 || tunnels.size > 0;
}

/** Counts a finished request; the last one lets a waiting drain continue. */
export function leaveBackend(backend: Backend): void {
  backend.requests -= 1;
  backend.finished += 1;
  if (backend.requests > 0 || !backend.idle) return;
  const { idle } = backend;
  backend.idle = undefined;
  idle();
}

function retire(backend: Backend): void {
  backend.isRetired = true;
  backend.upstream?.close();
  backend.upstream = undefined;
}

function endTunnels(backend: Backend): void {
  for (const end of backend.tunnels) runAfterRandomDelay(end);
}

/** Random delay, so that clients do not reconnect all at once. */
export function runAfterRandomDelay(end: () => void): void {
  setTimeout(end, Math.random() * SPREAD_MS).unref();
}

/** Key that is equal for two targets with the same destination. */
export function keyOf(target: Target): string {
  switch (target.kind) {
    case 'static':
      return `static ${target.spa ?? ''} ${target.folder}`;
    case 'server':
      return `server ${target.origin}`;
    case 'peer':
      return `peer ${target.origin} ${target.site}`;
  }
}
