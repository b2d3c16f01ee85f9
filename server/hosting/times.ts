import type { Database } from '../kernel/database/database.ts';
import type { ControllerTimes } from './controller/controller.ts';
import type { LeaseTimes } from './controller/lease/lease-term.ts';
import { RESTART_TIMES, type RestartTimes } from './model/lifecycle.ts';

/** Times of the gateway's routing table, in milliseconds. */
export interface RoutingTimes {
  /** Interval at which the whole routing table is read from the database, to find changes that notifications missed. */
  lookMs: number;
  /** Time without a holder of the lease, the right to run sites, after which sites count as unavailable. */
  unhostedMs: number;
  /** Interval at which each gateway records that it runs, and reads who holds the lease. */
  heartbeatMs: number;
  /**
   * Time before the end of the lease at which its renewal by the lease holder counts as late. From then on, requests
   * wait.
   */
  lateMs: number;
  /** Longest time that the last requests to a replaced instance may take. */
  drainMs: number;
}

/** Times of the figures of sites, in milliseconds. */
export interface FiguresTimes {
  /** Interval at which a gateway writes its counts of requests to the database. */
  writeMs: number;
  /** Interval at which a gateway writes lines of access logs to the database. */
  listMs: number;
  /** Interval at which the use of memory and processors by the processes of sites is measured. */
  measureMs: number;
}

/** Intervals and waiting times of hosting, in milliseconds. An operator can't set them: only tests change them. */
export interface HostingTimes {
  lease: LeaseTimes;
  controller: ControllerTimes;
  routing: RoutingTimes;
  restarts: RestartTimes;
  figures: FiguresTimes;
}

/** Times of hosting that a test changes; all others keep their defaults. */
export type HostingTimeOptions = { [group in keyof HostingTimes]?: Partial<HostingTimes[group]> };

const DEFAULTS: HostingTimes = {
  lease: { holdMs: 10_000, renewMs: 2_000, marginMs: 4_000, askMs: 2_000, awayMs: 10_000 },
  controller: {
    lookMs: 10_000,
    busyLookMs: 100,
    sweepRetryMs: 60_000,
    gatewayGoneMs: 10_000,
  },
  routing: { lookMs: 15_000, unhostedMs: 15_000, heartbeatMs: 3_000, lateMs: 5_000, drainMs: 30_000 },
  restarts: RESTART_TIMES,
  figures: { writeMs: 15_000, listMs: 1_000, measureMs: 60_000 },
};

/**
 * Times on an embedded database. It belongs to one process: no other server waits for the lease, no other gateway for
 * changes, and no notification gets lost.
 */
const EMBEDDED: HostingTimeOptions = {
  lease: { holdMs: 60_000, renewMs: 20_000 },
  controller: { gatewayGoneMs: 30_000 },
  routing: { lookMs: 60_000, heartbeatMs: 10_000 },
};

export function hostingTimes(kind: Database['kind'], options: HostingTimeOptions = {}): HostingTimes {
  const own = kind === 'embedded' ? EMBEDDED : {};
  return {
    lease: { ...DEFAULTS.lease, ...own.lease, ...options.lease },
    controller: { ...DEFAULTS.controller, ...own.controller, ...options.controller },
    routing: { ...DEFAULTS.routing, ...own.routing, ...options.routing },
    restarts: { ...DEFAULTS.restarts, ...own.restarts, ...options.restarts },
    figures: { ...DEFAULTS.figures, ...own.figures, ...options.figures },
  };
}
