import { type Kysely, sql } from 'kysely';
import { toParameter } from '../../kernel/database/transaction.ts';
import { PRODUCTION } from '../model/environments.ts';
import type { HealthFacts } from './health.ts';

/** Site with its owner and what it uses. */
export interface CostlySite {
  environment_id: string;
  application_uuid: string;
  name: string;
  preview: string | null;
  subdomain: string;
  owner: string;
  status: string;
  memory_bytes: number;
  /** Processor time and requests of the last 24 hours. */
  processor_ms: number;
  requests: number;
  disk_bytes: number;
}

export interface HostingDeveloper {
  account_id: string;
  email: string;
  applications: number;
}

export interface CertifiedDomain {
  hostname: string;
  subdomain: string;
  is_proved: boolean;
  problem: string | null;
  certificate_asked_at: string | null;
}

export interface QueuedDeployment {
  deployment_uuid: string;
  subdomain: string;
  owner: string;
  status: string;
  requested_at: string;
}

const MOST_SITES = 200;
const MOST_DEVELOPERS = 100;
const MOST_DOMAINS = 200;
const MOST_QUEUED = 100;

/** Facts about the health of the platform that the database has. */
export async function readHealthFacts(
  db: Kysely<unknown>,
  now: Temporal.Instant,
): Promise<Omit<HealthFacts, 'diskFree' | 'diskSize'>> {
  const at = sql`${toParameter(now)}::timestamptz`;
  const { rows } = await sql<Omit<HealthFacts, 'diskFree' | 'diskSize'>>`
    select
      (select extract(epoch from held_until - clock_timestamp())::float8 from hosting_lease) as "leaseSeconds",
      down.count as "sitesDown", down.seconds as "downSeconds",
      queued.count as "deploymentsWaiting", queued.seconds as "deploymentSeconds",
      due.count as "mailsDue", due.seconds as "mailSeconds"
    from
      (select count(*)::integer as count,
        coalesce(extract(epoch from ${at} - min(changed_at)), 0)::float8 as seconds
        from sites where state = 'down') as down,
      (select count(*)::integer as count,
        coalesce(extract(epoch from ${at} - min((history -> 0 ->> 'at')::timestamptz)), 0)::float8 as seconds
        from deployments where status = 'queued') as queued,
      (select count(*)::integer as count, coalesce(extract(epoch from ${at} - min(due_at)), 0)::float8 as seconds
        from mails where settled_at is null and due_at <= ${at}) as due`.execute(db);
  return rows[0] as Omit<HealthFacts, 'diskFree' | 'diskSize'>;
}

/** Sites by cost: those that use the most memory, then the most processor time, come first. */
export async function readCostlySites(db: Kysely<unknown>, now: Temporal.Instant): Promise<CostlySite[]> {
  const dayAgo = toParameter(now.subtract({ hours: 24 }));
  const { rows } = await sql<CostlySite>`
    select environments.environment_id, environments.application_uuid, applications.name,
      nullif(environments.name, 'production') as preview, environments.subdomain, users.email as owner,
      environments.status, applications.disk_bytes::float8 as disk_bytes,
      case when environments.status in ('live', 'deploying') then coalesce(memory.bytes, 0) else 0 end as memory_bytes,
      coalesce(used.ms, 0) as processor_ms, coalesce(visits.requests, 0) as requests
    from environments
    join applications using (application_uuid)
    join users on users.account_id = applications.owner_id
    left join lateral (
      select sum(bytes)::float8 as bytes from (
        select distinct on (process) memory_bytes as bytes from process_figures
        where process_figures.environment_id = environments.environment_id
          and started_at >= ${toParameter(now.subtract({ minutes: 10 }))}
        order by process, started_at desc, seconds
      ) as newest
    ) as memory on true
    left join lateral (
      select sum(processor_ms)::float8 as ms from process_figures
      where process_figures.environment_id = environments.environment_id and started_at >= ${dayAgo}
    ) as used on true
    left join lateral (
      select sum((select sum(one) from unnest(responses) as one))::float8 as requests from request_figures
      where request_figures.environment_id = environments.environment_id and started_at >= ${dayAgo}
    ) as visits on true
    order by memory_bytes desc, processor_ms desc, applications.disk_bytes desc, environments.subdomain
    limit ${sql.lit(MOST_SITES)}`.execute(db);
  return rows;
}

/** Developers who host something, those with the most applications first. */
export async function readDevelopers(db: Kysely<unknown>): Promise<HostingDeveloper[]> {
  const { rows } = await sql<HostingDeveloper>`
    select account_id, email, count(*)::integer as applications
    from users join applications on applications.owner_id = users.account_id
    group by account_id order by count(*) desc, email limit ${sql.lit(MOST_DEVELOPERS)}`.execute(db);
  return rows;
}

/** Custom domains, those with the newest request for a certificate first. */
export async function readDomains(db: Kysely<unknown>): Promise<CertifiedDomain[]> {
  const { rows } = await sql<CertifiedDomain>`
    select hostname, subdomain, proved_at is not null as is_proved, problem,
      to_json(certificate_asked_at) #>> '{}' as certificate_asked_at
    from domains join environments using (environment_id)
    order by certificate_asked_at desc nulls last, domains.created_at desc
    limit ${sql.lit(MOST_DOMAINS)}`.execute(db);
  return rows;
}

/** Deployments that wait or are under way, in the order in which they were requested. */
export async function readQueue(db: Kysely<unknown>): Promise<QueuedDeployment[]> {
  const { rows } = await sql<QueuedDeployment>`
    select deployment_uuid, subdomain, users.email as owner, deployments.status,
      history -> 0 ->> 'at' as requested_at
    from deployments
    join environments using (environment_id)
    join applications on applications.application_uuid = deployments.application_uuid
    join users on users.account_id = applications.owner_id
    where deployments.status in ('queued', 'building', 'starting')
    order by deployment_uuid limit ${sql.lit(MOST_QUEUED)}`.execute(db);
  return rows;
}

/** Site of an application: production, with the preview null, or a preview. */
export interface HostedSite {
  environment_id: string;
  application_uuid: string;
  preview: string | null;
}

export async function findSite(db: Kysely<unknown>, environmentId: string): Promise<HostedSite | undefined> {
  const { rows } = await sql<HostedSite>`
    select environment_id, application_uuid, nullif(name, ${PRODUCTION}) as preview from environments where environment_id = ${environmentId}`.execute(
    db,
  );
  return rows[0];
}

export async function isAccount(db: Kysely<unknown>, accountId: string): Promise<boolean> {
  const { rows } = await sql`select from users where account_id = ${accountId}`.execute(db);
  return rows.length > 0;
}
