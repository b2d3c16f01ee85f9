import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerTarget } from '../model/backend-location.ts';
import type { RunPlan } from '../model/plan.ts';
import { Upstream } from './upstream.ts';
import type { UpstreamLimits } from './upstream-connection.ts';

/**
 * Target of a site's requests: files on this disk, a server that this machine can reach, or the gateway of the machine
 * that runs the site.
 */
export type Target =
  | { kind: 'static'; folder: string; spa?: RunPlan['spa'] }
  | ServerTarget
  | { kind: 'peer'; origin: string; site: string };

/** Time over which the closing of many WebSockets is spread, so that their clients do not reconnect all at once. */
export const SPREAD_MS = 2_000;

/** Target of a site, with its requests and connections. */
export class Backend {
  readonly target: Target;
  /** Number of open requests to the backend. */
  requests = 0;
  /** Number of requests to the backend that have finished so far. */
  finished = 0;
  /** Functions that each close one WebSocket and tell its client to reconnect. */
  readonly tunnels = new Set<() => void>();
  /** True once no new requests go to the backend. */
  isRetired = false;
  /** True once the backend's server is gone. */
  isLost = false;
  #upstream: Upstream | undefined;
  /** Called when the number of the backend's open requests falls to zero. */
  #onIdle: (() => void) | undefined;

  constructor(target: Target) {
    this.target = target;
  }

  /** Connections to the backend's server, opened by the first request. */
  upstreamTo(origin: string, limits: UpstreamLimits): Upstream {
    this.#upstream ??= new Upstream(origin, limits);
    return this.#upstream;
  }

  /** Counts a finished request; the last one lets a waiting drain continue. */
  leave(): void {
    this.requests -= 1;
    this.finished += 1;
    if (this.requests > 0 || !this.#onIdle) return;
    const onIdle = this.#onIdle;
    this.#onIdle = undefined;
    onIdle();
  }

  /** Resolves when the backend has no open request, or after `mostMs`. */
  async untilIdle(mostMs: number): Promise<void> {
    if (this.requests === 0) return;
    const waiting = new AbortController();
    const idle = new Promise<void>((resolve) => {
      const before = this.#onIdle;
      this.#onIdle = () => {
        before?.();
        resolve();
      };
    });
    await Promise.race([idle, sleep(mostMs, undefined, { signal: waiting.signal }).catch(() => {})]);
    waiting.abort();
  }

  /** Closes the connections to the backend; a connection with an open request closes after it. */
  retire(): void {
    this.isRetired = true;
    this.#upstream?.close();
    this.#upstream = undefined;
  }

  /** Marks the backend's server as gone: its requests and WebSockets end. */
  lose(): void {
    this.isLost = true;
    const upstream = this.#upstream;
    this.retire();
    upstream?.endRequests(new Error('the site’s machine is gone'));
    this.endTunnels();
  }

  endTunnels(): void {
    for (const end of this.tunnels) runAfterRandomDelay(end);
  }

  endTunnelsAtOnce(): void {
    for (const end of this.tunnels) end();
  }
}

/** Runs `end`, which closes a WebSocket, after a random delay, so that not all clients reconnect at once. */
export function runAfterRandomDelay(end: () => void): void {
  setTimeout(end, Math.random() * SPREAD_MS).unref();
}

/** Key that is equal for two targets with the same destination. */
export function keyOfTarget(target: Target): string {
  switch (target.kind) {
    case 'static':
      return `static ${target.spa ?? ''} ${target.folder}`;
    case 'server':
      return `server ${target.origin}`;
    case 'peer':
      return `peer ${target.origin} ${target.site}`;
  }
}
