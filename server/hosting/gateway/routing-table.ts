import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SitesAvailability } from '../../kernel/http/health.ts';
import type { ServerTarget } from '../model/backend-location.ts';
import type { RunPlan } from '../model/plan.ts';
import type { Upstream } from './upstream.ts';

/** Where a site's requests go: files on this disk, a server that this machine reaches, or the gateway of the machine that runs the site. */
export type Target =
  | { kind: 'static'; folder: string; spa?: RunPlan['spa'] }
  | ServerTarget
  | { kind: 'fellow'; origin: string; site: string };
/**
 * `starting` for the first time; `returning` after its machine, its server or itself was away: requests may wait for it.
 * `asleep`: nobody has visited it for long; a request wakes it, and waits for it as well. `elsewhere`: another server runs it, which has no address that requests could be passed on to. `unhosted`: no server runs
 * sites, nor has one for a while.
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

/** Whether somebody runs the sites: `late` when they have not been heard of for a moment, `nobody` when not for long. */
export type Hosted = 'hosted' | 'late' | 'nobody';

export interface SiteSettings {
  /** Lower-case host names without a port, such as `demo.localhost`. */
  hosts: string[];
  state: SiteState;
  /** Where its requests go, each to one of them. */
  targets?: readonly Target[];
  /** A visitor comes back to the one they had. */
  sticky?: boolean;
  /** It falls asleep where nobody visits it: each visit is told. */
  isPreview?: boolean;
}

/** Which site answers at which host. What deploys calls it; the gateway reads it on every request. */
export interface Sites {
  /** An atomic switch: requests that arrive from now on go to the new target; those under way end where they are. */
  set(applicationUuid: string, site: SiteSettings): void;
  remove(applicationUuid: string): void;
  /**
   * Resolves when no request is under way to that target, or after `mostMs`, with whether WebSockets are open to it: they are the
   * site's to close, and are closed `mostMs` later otherwise. Switch the site to another target first.
   */
  drain(target: Target, mostMs: number): Promise<boolean>;
  /**
   * What was there is gone, such as with its machine: what is under way to it is given up, and nobody gets it until it is back.
   */
  lose(target: Target): void;
}

/** A site's own target, with what is under way to it. */
export interface Backend {
  readonly target: Target;
  requests: number;
  /** How many it has let out again. */
  left: number;
  /** Ends one connection that is no request any more (a WebSocket), and tells its client that it may come back. */
  readonly tunnels: Set<() => void>;
  /** Nothing new goes to it. */
  isRetired: boolean;
  /** Each gives up one request that is under way. */
  readonly giveUps: Set<() => void>;
  /** Nobody is behind it any more. */
  isLost: boolean;
  upstream: Upstream | undefined;
  /** Called when `requests` falls to none. */
  idle: (() => void) | undefined;
}

export interface Site {
  readonly applicationUuid: string;
  readonly state: SiteState;
  /** None where nobody answers for it now. */
  readonly doors: readonly Backend[];
  readonly sticky: boolean;
  readonly isPreview: boolean;
  /** Whose turn it was last among those that are as free. */
  turn: number;
}

export interface RoutingTable extends Sites {
  find(host: string): Site | undefined;
  /** Whether the host is anybody's, deployed or not. */
  knows(host: string): boolean;
  /** The application's proved custom domains: they lead to its site, whatever `set` says its hosts are. */
  setDomains(applicationUuid: string, hosts: readonly string[]): void;
  /**
   * Asks anew for a site that this table has nothing to answer with for; resolves when the table knows, or soon anyway: a
   * table that was never filled is waited for, `mostMs` at most.
   */
  look: ((host: string, mostMs?: number) => Promise<void>) | undefined;
  /** Has a site run that is asleep. */
  wake: ((applicationUuid: string) => void) | undefined;
  /** Takes note of a visit to a preview. */
  noteVisit: ((applicationUuid: string) => void) | undefined;
  /** The previews that are being visited: a request is under way, or a WebSocket open. */
  visited(): string[];
  /** Whether a host that is not in it is nobody's: not before it was filled for the first time. */
  isComplete: boolean;
  hosted: Hosted;
  /**
   * `ok` where it is filled, somebody runs the sites, and none is coming back or another server's alone. One that is down is no
   * matter of this server's: whoever deploys could have it say otherwise for ever.
   */
  reach(): SitesAvailability;
  /**
   * The host's site can't be reached by that door: it is the others' until the table is read again. Where there is no other,
   * requests wait until it is told where it is by now.
   */
  setAside(host: string, door: Backend): void;
  /** The same of every site that this machine has. */
  setOwnAside(): void;
  /** All that lead anywhere now. */
  doors(): Iterable<Backend>;
  /** What was lost: no site gets it as long as it has another. */
  gone(): Iterable<Target>;
  isBack(target: Target): void;
  /** Calls back when the host's site is another than it was, once. Gives what forgets it. */
  onChange(host: string, changed: () => void): () => void;
  /** Calls back when the host's site is behind other doors than this one, once. Gives what forgets it. */
  onMove(host: string, door: Backend, moved: () => void): () => void;
  endTunnels(): void;
  /** Ends every WebSocket and closes every connection to a target. */
  close(): void;
}

/** Over so long the ends of WebSockets are spread that end together. */
const SPREAD_MS = 2_000;

interface Entry extends Site {
  hosts: readonly string[];
}

export function createRoutingTable(): RoutingTable {
  const sites = new Map<string, Entry>();
  /** Those that nothing new goes to, while WebSockets are open to them. */
  const retired = new Set<Backend>();
  const byHost = new Map<string, string>();
  const domains = new Map<string, readonly string[]>();
  const doors = new Map<string, Backend>();
  /** What was lost, and is not known to be back. */
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
        // Where none is left, what is read may be better than what is known.
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

/** Counts a request out; the last one lets a drain go on. */
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

/** Those who come back do not all come at once. */
export function soon(end: () => void): void {
  setTimeout(end, Math.random() * SPREAD_MS).unref();
}

/** The same of two that lead to the same place. */
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
