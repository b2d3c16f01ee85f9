import { type Kysely, sql } from 'kysely';
import type { BackendLocation } from '../model/backend-location.ts';
import type { ApplicationLimits } from './request-limits.ts';
import type { Route } from './routing-table.ts';

/** Environment with the facts that the routing table needs. */
export interface RoutingRow extends ApplicationLimits {
  environment_id: string;
  application_uuid: string;
  /** Number of the last change of the application's rules; null if it has none. */
  rules_version: number | null;
  subdomain: string;
  /** Routes of the environment's verified custom domains. */
  domains: readonly Route[];
  /** Desired state of the site; null before the first deployment is live. */
  desired: 'live' | 'stopped' | 'asleep' | 'down' | null;
  /** True while a release of the site is being built or started. */
  is_coming: boolean;
  /** Locations of the web processes that take requests, by instance. */
  serving: readonly { id: string; targets: readonly BackendLocation[] }[];
  sticky: boolean;
  is_preview: boolean;
  /** True if the owner has set the site's web process to zero replicas. */
  is_off: boolean;
  machine: string | null;
  address: string | null;
  /** True if the sites run in a cluster; every gateway then reaches all targets except files on a disk. */
  is_clustered: boolean | null;
  /** True if the server that runs the sites has renewed its lease in time. */
  is_heard: boolean | null;
}

/**
 * Instance to which gateways send no more requests; the lease holder waits until each gateway has acknowledged that.
 */
export interface DrainingInstance {
  instance_id: string;
  targets: readonly BackendLocation[];
  is_ours: boolean;
}

/**
 * Reads the environments with these ids, or all, with the facts that the routing table needs. `machine`: identity of
 * this machine. `lateMs`: time before the lease's end at which its renewal counts as late.
 */
export async function readRoutingRows(
  db: Kysely<unknown>,
  { machine, lateMs }: { machine: string; lateMs: number },
  only: readonly string[] | undefined,
): Promise<RoutingRow[]> {
  const { rows } = await sql<RoutingRow>`
    select environments.environment_id, environments.application_uuid, environments.subdomain, sites.state as desired,
      (select version from site_rules
        where site_rules.application_uuid = environments.application_uuid) as rules_version,
      (select coalesce(jsonb_agg(jsonb_build_object('host', domains.hostname, 'redirectTo', target.hostname)), '[]')
        from domains
        left join domains target on target.environment_id = domains.environment_id
          and target.hostname = domains.redirect_to and target.proved_at is not null
        where domains.environment_id = environments.environment_id and domains.proved_at is not null) as domains,
      exists(select from deployments
        where deployments.environment_id = environments.environment_id
          and status in ('building', 'starting')) as is_coming,
      coalesce(serving.all_of_it, '[]') as serving, applications.sticky,
      applications.response_seconds, applications.max_body_mb,
      exists (select from previews where previews.environment_id = environments.environment_id) as is_preview, environments.processes -> 'web' = '0' as is_off,
      lease.machine, lease.address, lease.cluster is not null as is_clustered,
      lease.held_until > clock_timestamp() + ${lateMs} * interval '1 millisecond' as is_heard
    from environments
    join applications on applications.application_uuid = environments.application_uuid
    left join sites on sites.environment_id = environments.environment_id
    left join hosting_lease lease on lease.held_until > clock_timestamp()
      or (lease.outlives and (lease.machine = ${machine} or lease.cluster is not null))
    left join lateral (
      select jsonb_agg(jsonb_build_object('id', instance_id, 'targets', instances.targets) order by number) as all_of_it
      from instances
      where instances.environment_id = environments.environment_id
        and state = 'serving' and process = 'web' and generation = lease.generation
    ) serving on true
    ${only ? sql`where environments.environment_id = any(${only}::uuid[])` : sql``}`.execute(db);
  return rows;
}

/** Finds the ids of the environments to which these host names belong. */
export async function findEnvironments(
  db: Kysely<unknown>,
  hosts: readonly string[],
  appsDomain: string,
): Promise<string[]> {
  const underApps = `.${appsDomain}`;
  const subdomains = hosts
    .filter((host) => host.endsWith(underApps))
    .map((host) => host.slice(0, -underApps.length));
  const { rows } = await sql<{ id: string }>`
    select environment_id as id from environments where subdomain = any(${subdomains}::text[])
    union select environment_id from domains where hostname = any(${hosts}::text[])`.execute(db);
  return rows.map(({ id }) => id);
}

export interface LeaseState {
  /** Time until the lease ends, on the database's clock, in milliseconds; negative after its end. */
  leftMs: number;
  /** True if the sites of the lease's holder keep running after the lease's end, on this machine or in its cluster. */
  isLeftRunning: boolean;
}

interface LeaseRow {
  left_ms: number | null;
  is_left_running: boolean | null;
}

/** Columns of `hosting_lease` that `toLeaseState` reads. */
const leaseColumns = (machine: string) => sql`
  (extract(epoch from held_until - clock_timestamp()) * 1000)::float as left_ms,
  outlives and (machine = ${machine} or cluster is not null) as is_left_running`;

const toLeaseState = (row: LeaseRow | undefined): LeaseState => ({
  leftMs: row?.left_ms ?? Number.NEGATIVE_INFINITY,
  isLeftRunning: row?.is_left_running ?? false,
});

export async function readLease(db: Kysely<unknown>, machine: string): Promise<LeaseState> {
  const { rows } = await sql<LeaseRow>`select ${leaseColumns(machine)} from hosting_lease`.execute(db);
  return toLeaseState(rows[0]);
}

/** Draining instances for which this gateway has not yet acknowledged that it sends them no more requests. */
export async function readDrainingInstances(
  db: Kysely<unknown>,
  machine: string,
  gatewayId: string,
): Promise<DrainingInstance[]> {
  const { rows } = await sql<DrainingInstance>`
    select instances.instance_id, instances.targets,
      lease.machine = ${machine} or lease.cluster is not null as is_ours
    from instances join hosting_lease lease on lease.generation = instances.generation
    where instances.state = 'draining' and instances.targets <> '[]' and not exists (
      select from instances_let_go let_go
      where let_go.instance_id = instances.instance_id and let_go.gateway_id = ${gatewayId})`.execute(db);
  return rows;
}

/**
 * Records that this gateway sends no more requests to an instance. `hasTunnels`: WebSockets to the instance are still
 * open.
 */
export async function recordDrained(
  db: Kysely<unknown>,
  gatewayId: string,
  instanceId: string,
  hasTunnels: boolean,
): Promise<void> {
  await sql`
    insert into instances_let_go (instance_id, gateway_id, has_tunnels)
    select instance_id, ${gatewayId}, ${hasTunnels} from instances where instance_id = ${instanceId}
    on conflict do nothing`.execute(db);
}

/** Records that this gateway runs, and reads the lease, in one statement. */
export async function recordHeartbeat(
  db: Kysely<unknown>,
  gatewayId: string,
  machine: string,
): Promise<LeaseState> {
  const { rows } = await sql<LeaseRow>`
    with heartbeat as (
      insert into gateways (gateway_id, seen_at) values (${gatewayId}, clock_timestamp())
      on conflict (gateway_id) do update set seen_at = excluded.seen_at
      returning gateway_id)
    select ${leaseColumns(machine)} from heartbeat left join hosting_lease on true`.execute(db);
  return toLeaseState(rows[0]);
}

/** Forgets gateways that ended long ago without saying so. */
export async function forgetGateways(db: Kysely<unknown>): Promise<void> {
  await sql`delete from gateways where seen_at < clock_timestamp() - interval '1 hour'`.execute(db);
}

export async function removeGateway(db: Kysely<unknown>, gatewayId: string): Promise<void> {
  await sql`delete from gateways where gateway_id = ${gatewayId}`.execute(db);
}
