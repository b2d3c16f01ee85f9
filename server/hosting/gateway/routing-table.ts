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
  | { kind: 'fellow'; origin: string; site: string };
/**
 * State of a site. `starting`: its first start. `returning`: back soon after its machine, its server or the site itself
 * was down; requests may wait. `asleep`: not visited for long; a request wakes it and waits. `elsewhere`: run by
 * another server that has no address to pass requests to. `unhosted`: no server has run sites for a while.
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

/** Whether a server runs the sites. `late`: its lease renewal is overdue; `nobody`: overdue for long. */
export type Hosted = 'hosted' | 'late' | 'nobody';

export interface SiteSettings {
  /** Host names in lower case, without a port, such as `demo.localhost`. */
  hosts: string[];
  state: SiteState;
  /** Targets for requests; each request goes to one of them. */
  targets?: readonly Target[];
  /** True if a visitor keeps the same replica (sticky sessions). */
  sticky?: boolean;
  /** Previews fall asleep when nobody visits them, so each visit is recorded. */
  isPreview?: boolean;
}

/** Routing changes. The table sync writes them; the gateway reads the table on every request. */
export interface Sites {
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
  lose(target: Target): void;
}

/** Target of a site, with its requests and connections. */
export interface Backend {
  readonly target: Target;
  requests: number;
  /** Number of requests finished so far. */
  left: number;
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
  readonly state: SiteState;
  /** Empty if nothing serves the site now. */
  readonly doors: readonly Backend[];
  readonly sticky: boolean;
  readonly isPreview: boolean;
  /** Index of the last choice, for round-robin among equally busy backends. */
  turn: number;
}

export interface RoutingTable extends Sites {
  find(host: string): Site | undefined;
  /** True if the host belongs to a site, deployed or not. */
  knows(host: string): boolean;
  /** Sets the application's verified custom domains. They lead to its site in addition to the hosts given to `set`. */
  setDomains(applicationUuid: string, hosts: readonly string[]): void;
  /**
   * Reads a site that is missing in the table from the database. Resolves when the table has it, or after a short
   * limit; while the table is not yet filled, after at most `mostMs`.
   */
  look: ((host: string, mostMs?: number) => Promise<void>) | undefined;
  /** Starts a sleeping site. */
  wake: ((applicationUuid: string) => void) | undefined;
  /** Records a visit to a preview. */
  noteVisit: ((applicationUuid: string) => void) | undefined;
  /** Previews with a request under way or an open WebSocket. */
  visited(): string[];
  /** True after the table was filled for the first time; only then does a missing host mean that no site has it. */
  isComplete: boolean;
  hosted: Hosted;
  /**
   * `ok` if the table is filled, a server runs the sites, and no site is returning or reachable on another server only.
   * Sites that are down do not count: any developer could otherwise make this server report a failure permanently.
   */
  reach(): SitesAvailability;
  /**
   * Takes an unreachable backend out of the host's site until the table is read again. If this was the last backend,
   * requests wait for the next routing-table update.
   */
  setAside(host: string, door: Backend): void;
  /** Takes out all backends on this machine, for all sites. */
  setOwnAside(): void;
  /** All backends in use. */
  doors(): Iterable<Backend>;
  /** Lost targets. A site uses them only if it has no other target. */
  gone(): Iterable<Target>;
  isBack(target: Target): void;
  /** Calls `changed` once, when the host's site changes. Returns a function that unsubscribes. */
  onChange(host: string, changed: () => void): () => void;
  /**
   * Calls `moved` once, when the host's site has other backends than this one. Returns a function that unsubscribes.
   */
  onMove(host: string, door: Backend, moved: () => void): () => void;
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
  const doors = new Map<string, Backend>();
  /** Lost targets that are not known to be back. */
  const gone = new Map<string, Target>();
  const changes = new EventEmitter().setMaxListeners(0);

  const claim = (applicationUuid: string, before: readonly string[], hosts: readonly string[]) => {
    for (const host of before) if (byHost.get(host) === applicationUuid) byHost.delete(host);
    for (const host of hosts) byHost.set(host, applicationUuid);
  };
  const doorTo = (target: Target): Backend => {
    const key = keyOf(target);
    const door = doors.get(key) ?? {
      target,
      requests: 0,
      left: 0,
      tunnels: new Set(),
      giveUps: new Set(),
      isRetired: false,
      isLost: false,
      upstream: undefined,
      idle: undefined,
    };
    doors.set(key, door);
    return door;
  };
  const setAside = (site: Entry, doors: readonly Backend[] = []) => {
    const state = doors.length > 0 ? site.state : 'returning';
    sites.set(site.applicationUuid, { ...site, state, doors });
    changes.emit(site.applicationUuid);
  };
  const setAsideDoor = (site: Entry, door: Backend) => {
    if (!site.doors.includes(door)) return;
    setAside(
      site,
      site.doors.filter((one) => one !== door),
    );
  };
  const isInUse = (door: Backend) => sites.values().some(({ doors }) => doors.includes(door));

  const table: RoutingTable = {
    set(applicationUuid, { hosts, state, targets = [], sticky = false, isPreview = false }) {
      const before = sites.get(applicationUuid)?.hosts ?? [];
      claim(applicationUuid, before, [...hosts, ...(domains.get(applicationUuid) ?? [])]);
      const there = targets.filter((target) => !gone.has(keyOf(target)));
      sites.set(applicationUuid, {
        applicationUuid,
        hosts,
        state,
        // If all targets are marked as lost, the mark may be outdated, so all of them are used.
        doors: (there.length > 0 ? there : targets).map(doorTo),
        sticky,
        isPreview,
        turn: 0,
      });
      changes.emit(applicationUuid);
    },

    remove(applicationUuid) {
      claim(
        applicationUuid,
        [...(sites.get(applicationUuid)?.hosts ?? []), ...(domains.get(applicationUuid) ?? [])],
        [],
      );
      sites.delete(applicationUuid);
      domains.delete(applicationUuid);
      changes.emit(applicationUuid);
    },

    async drain(target, mostMs) {
      const door = doors.get(keyOf(target));
      if (!door) return false;
      if (door.requests > 0) {
        const waiting = new AbortController();
        await Promise.race([
          new Promise<void>((resolve) => {
            const before = door.idle;
            door.idle = () => {
              before?.();
              resolve();
            };
          }),
          sleep(mostMs, undefined, { signal: waiting.signal }).catch(() => {}),
        ]);
        waiting.abort();
      }
      if (isInUse(door)) return false;
      doors.delete(keyOf(target));
      retire(door);
      if (door.tunnels.size === 0) return false;
      retired.add(door);
      const timer = setTimeout(
        () => {
          retired.delete(door);
          endTunnels(door);
        },
        Math.max(0, mostMs - SPREAD_MS),
      );
      timer.unref();
      return true;
    },

    lose(target) {
      const door = doors.get(keyOf(target));
      if (!door) return;
      doors.delete(keyOf(target));
      gone.set(keyOf(target), target);
      for (const site of sites.values()) setAsideDoor(site, door);
      door.isLost = true;
      for (const giveUp of door.giveUps) giveUp();
      retire(door);
      endTunnels(door);
    },

    find(host) {
      const applicationUuid = byHost.get(host);
      return applicationUuid === undefined ? undefined : sites.get(applicationUuid);
    },

    knows: (host) => byHost.has(host),

    look: undefined,
    wake: undefined,
    noteVisit: undefined,
    visited: () =>
      [...sites.values()]
        .filter(({ isPreview, doors }) => isPreview && doors.some(isVisited))
        .map(({ applicationUuid }) => applicationUuid),
    isComplete: true,
    hosted: 'hosted',
    reach() {
      if (table.hosted === 'nobody') return 'unhosted';
      const isAny = (state: SiteState) => sites.values().some((site) => site.state === state);
      if (!table.isComplete || table.hosted === 'late' || isAny('returning')) return 'starting';
      return isAny('elsewhere') ? 'elsewhere' : 'ok';
    },

    setAside(host, door) {
      const site = sites.get(byHost.get(host) ?? '');
      if (site) setAsideDoor(site, door);
    },

    doors: () => doors.values(),
    gone: () => gone.values(),
    isBack: (target) => void gone.delete(keyOf(target)),

    setOwnAside() {
      for (const site of sites.values()) {
        if (site.doors.some(({ target }) => target.kind !== 'fellow')) setAside(site);
      }
    },

    onChange(host, changed) {
      const applicationUuid = byHost.get(host) ?? '';
      changes.once(applicationUuid, changed);
      return () => void changes.off(applicationUuid, changed);
    },

    onMove(host, door, moved) {
      const applicationUuid = byHost.get(host) ?? '';
      const look = () => {
        const now = sites.get(applicationUuid)?.doors ?? [];
        if (now.length === 0 || now.includes(door)) return;
        changes.off(applicationUuid, look);
        moved();
      };
      changes.on(applicationUuid, look);
      return () => void changes.off(applicationUuid, look);
    },

    setDomains(applicationUuid, hosts) {
      claim(applicationUuid, domains.get(applicationUuid) ?? [], [
        ...(sites.get(applicationUuid)?.hosts ?? []),
        ...hosts,
      ]);
      if (hosts.length > 0) domains.set(applicationUuid, hosts);
      else domains.delete(applicationUuid);
    },

    endTunnels() {
      for (const door of [...doors.values(), ...retired]) {
        door.isRetired = true;
        endTunnels(door);
      }
    },

    close() {
      for (const door of [...doors.values(), ...retired]) {
        retire(door);
        for (const end of door.tunnels) end();
      }
    },
  };
  return table;
}

function isVisited({ requests, tunnels }: Backend): boolean {
  return requests > 0 || tunnels.size > 0;
}

/** Counts a finished request; the last one lets a waiting drain continue. */
export function leaveBackend(door: Backend): void {
  door.requests -= 1;
  door.left += 1;
  if (door.requests > 0 || !door.idle) return;
  const { idle } = door;
  door.idle = undefined;
  idle();
}

function retire(door: Backend): void {
  door.isRetired = true;
  door.upstream?.close();
  door.upstream = undefined;
}

function endTunnels(door: Backend): void {
  for (const end of door.tunnels) soon(end);
}

/** Random delay, so that clients do not reconnect all at once. */
export function soon(end: () => void): void {
  setTimeout(end, Math.random() * SPREAD_MS).unref();
}

/** Key that is equal for two targets with the same destination. */
export function keyOf(target: Target): string {
  switch (target.kind) {
    case 'static':
      return `static ${target.spa ?? ''} ${target.folder}`;
    case 'server':
      return `server ${target.origin}`;
    case 'fellow':
      return `fellow ${target.origin} ${target.site}`;
  }
}
