import type { Target } from './backend.ts';
import type { RoutingRow } from './routing-rows.ts';
import type { HostingState, SiteState } from './routing-table.ts';

/**
 * State of a site, with its targets if it is live. `none`: the site has never run and is not being started, so the
 * routing table gets no entry for it.
 */
export type SiteDecision =
  | { state: 'none' }
  | { state: 'live'; targets: readonly Target[]; sticky?: boolean }
  | { state: Exclude<SiteState, 'live'> };

/** Facts that a gateway knows, besides the database's row of a site, when it decides on the site's state. */
export interface GatewayView {
  /** Targets of the site that this gateway can reach directly. */
  targets: readonly Target[];
  hosted: HostingState;
}

type StateRow = Omit<
  RoutingRow,
  | 'subdomain'
  | 'domains'
  | 'is_preview'
  | 'is_clustered'
  | 'application_uuid'
  | 'rules_version'
  | 'response_seconds'
  | 'max_body_mb'
>;

/** State of a site for the gateway on `machine`. */
export function stateOfSite(row: StateRow, machine: string, now: GatewayView): SiteDecision {
  const { desired } = row;
  if (desired === null && !row.is_coming) return { state: 'none' };
  if (desired === 'stopped' || desired === 'asleep') return { state: row.is_coming ? 'starting' : desired };
  if (now.targets.length > 0) return { state: 'live', targets: now.targets, sticky: row.sticky };
  const peer = peerOf(row, machine);
  if (peer) return { state: 'live', targets: [peer] };
  if (row.is_off) return { state: 'stopped' };
  if (desired === 'live') return { state: stateOfAbsentSite(row, machine, now) };
  return { state: desired ?? 'starting' };
}

/**
 * Gateway on another machine that runs the site, if the site serves requests there and that gateway accepts them;
 * undefined otherwise.
 */
function peerOf(row: StateRow, machine: string): Target | undefined {
  const isServed = row.serving.some(({ targets }) => targets.length > 0);
  if (!isServed || row.machine === machine || !row.address || !row.is_heard) return undefined;
  return { kind: 'peer', origin: row.address, site: row.environment_id };
}

/** State of a site that should be live, but has no target that this gateway can reach. */
function stateOfAbsentSite(
  row: StateRow,
  machine: string,
  { hosted }: GatewayView,
): 'elsewhere' | 'unhosted' | 'returning' {
  const isBeyondReach = row.machine !== null && row.machine !== machine && row.address === null;
  if (isBeyondReach) return 'elsewhere';
  return hosted === 'nobody' ? 'unhosted' : 'returning';
}
