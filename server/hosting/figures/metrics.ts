import { type Kysely, sql } from 'kysely';
import { Gauge, type Registry } from 'prom-client';

/** Maximum number of sites with metrics of their own, those with the most requests; others are added up. */
const MOST_SITES = 200;
/** Value of the label `site` for all other sites together. */
const OTHERS = '(others)';
const CLASSES = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const;

interface SiteRow {
  site: string;
  is_up: boolean | null;
  responses: number[] | null;
  bytes_in: number | null;
  bytes_out: number | null;
}

/**
 * Adds metrics of hosting: sites, their requests, deployments and the lease. They are read from the database, so every
 * server reports the same. If the database can't be reached, they are left out.
 */
export function measureHosting(registry: Registry, db: Kysely<unknown>): void {
  measureSites(registry, db);
  measureDeployments(registry, db);
  measureQueue(registry, db);
  new Gauge({
    name: 'simcha_lease_seconds',
    help: 'Time for which a server still has the right to run sites; 0 or less: no server runs them.',
    registers: [registry],
    async collect() {
      const [row] = await read<{ seconds: number }>(
        sql`select extract(epoch from held_until - clock_timestamp())::float8 as seconds from hosting_lease`,
        db,
      );
      this.reset();
      if (row) this.set(row.seconds);
    },
  });
}

function measureSites(registry: Registry, db: Kysely<unknown>): void {
  const rows = shared(() => readSites(db));
  new Gauge({
    name: 'simcha_sites',
    help: 'Sites, with previews, by state.',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      const counts = await read<{ state: string; count: number }>(
        sql`select status as state, count(*)::integer as count from environments group by status`,
        db,
      );
      this.reset();
      for (const { state, count } of counts) this.set({ state }, count);
    },
  });
  new Gauge({
    name: 'simcha_site_up',
    help: '1 if the site is live, 0 if it should be and is not.',
    labelNames: ['site'],
    registers: [registry],
    async collect() {
      const sites = await rows();
      this.reset();
      for (const { site, is_up: isUp } of sites) if (isUp !== null) this.set({ site }, isUp ? 1 : 0);
    },
  });
  new Gauge({
    name: 'simcha_site_requests_total',
    help: 'Requests to the site so far, by class of status.',
    labelNames: ['site', 'class'],
    registers: [registry],
    async collect() {
      const sites = await rows();
      this.reset();
      for (const { site, responses } of sites)
        for (const [index, count] of (responses ?? []).entries())
          this.set({ site, class: CLASSES[index] ?? '' }, count);
    },
  });
  new Gauge({
    name: 'simcha_site_bytes_total',
    help: 'Bytes on connections to the site so far.',
    labelNames: ['site', 'direction'],
    registers: [registry],
    async collect() {
      const sites = await rows();
      this.reset();
      for (const { site, bytes_in: bytesIn, bytes_out: bytesOut } of sites) {
        this.set({ site, direction: 'in' }, bytesIn ?? 0);
        this.set({ site, direction: 'out' }, bytesOut ?? 0);
      }
    },
  });
}

/** The sites with the most requests, and a row for all others together. */
function readSites(db: Kysely<unknown>): Promise<SiteRow[]> {
  return read<SiteRow>(
    sql`
      with ranked as (
        select environments.subdomain, status, responses, bytes_in, bytes_out,
          row_number() over (order by bytes_out desc nulls last, environments.subdomain) as rank
        from environments left join request_totals using (environment_id)
      )
      select subdomain as site,
        case when status in ('live', 'deploying') then true when status in ('down', 'failed') then false end as is_up,
        responses::float8[] as responses, bytes_in::float8 as bytes_in, bytes_out::float8 as bytes_out
      from ranked where rank <= ${sql.lit(MOST_SITES)}
      union all
      select ${sql.lit(OTHERS)}, null, sum_elements(responses)::float8[], sum(bytes_in)::float8, sum(bytes_out)::float8
      from ranked where rank > ${sql.lit(MOST_SITES)} having count(*) > 0`,
    db,
  );
}

function measureDeployments(registry: Registry, db: Kysely<unknown>): void {
  const rows = shared(() => readResults(db));
  new Gauge({
    name: 'simcha_deployments',
    help: 'Deployments that ended within the last 24 hours, by result.',
    labelNames: ['result'],
    registers: [registry],
    async collect() {
      const results = await rows();
      this.reset();
      for (const { result, count } of results) this.set({ result }, count);
    },
  });
  new Gauge({
    name: 'simcha_deployment_seconds',
    help: 'Time from the request to the end of deployments that went live within the last 24 hours.',
    labelNames: ['quantile'],
    registers: [registry],
    async collect() {
      const live = (await rows()).find(({ result }) => result === 'live');
      this.reset();
      if (!live) return;
      this.set({ quantile: '0.5' }, live.median);
      this.set({ quantile: '0.95' }, live.slow);
    },
  });
}

interface ResultRow {
  result: string;
  count: number;
  /** Quantiles of the duration, in seconds. */
  median: number;
  slow: number;
}

function readResults(db: Kysely<unknown>): Promise<ResultRow[]> {
  return read<ResultRow>(
    sql`
      select status as result, count(*)::integer as count,
        percentile_cont(0.5) within group (order by seconds) as median,
        percentile_cont(0.95) within group (order by seconds) as slow
      from (
        select status, extract(epoch from ended_at - (history -> 0 ->> 'at')::timestamptz)::float8 as seconds
        from (select status, history, (history -> -1 ->> 'at')::timestamptz as ended_at from deployments) as ended
        where status not in ('queued', 'building', 'starting')
          and ended_at > clock_timestamp() - interval '24 hours'
      ) as recent group by status`,
    db,
  );
}

function measureQueue(registry: Registry, db: Kysely<unknown>): void {
  const rows = shared(() =>
    read<{ status: string; count: number; seconds: number }>(
      sql`
        select status, count(*)::integer as count,
          extract(epoch from clock_timestamp() - min((history -> 0 ->> 'at')::timestamptz))::float8 as seconds
        from deployments where status in ('queued', 'building', 'starting') group by status`,
      db,
    ),
  );
  new Gauge({
    name: 'simcha_deployments_unfinished',
    help: 'Deployments that wait, are built or are started.',
    labelNames: ['status'],
    registers: [registry],
    async collect() {
      const found = await rows();
      for (const status of ['queued', 'building', 'starting'])
        this.set({ status }, found.find((one) => one.status === status)?.count ?? 0);
    },
  });
  new Gauge({
    name: 'simcha_deployments_oldest_waiting_seconds',
    help: 'Time since the oldest deployment that waits was requested; 0 if there is none.',
    registers: [registry],
    async collect() {
      this.set((await rows()).find(({ status }) => status === 'queued')?.seconds ?? 0);
    },
  });
}

/** Shares one read among gauges that are collected at the same time. */
function shared<T>(readRows: () => Promise<T>): () => Promise<T> {
  let pending: Promise<T> | undefined;
  return () => {
    pending ??= readRows().finally(() => {
      pending = undefined;
    });
    return pending;
  };
}

/** Rows of a query; none if the database can't be reached. */
async function read<T>(query: ReturnType<typeof sql>, db: Kysely<unknown>): Promise<T[]> {
  const answer = await query.execute(db).catch(() => ({ rows: [] }));
  return answer.rows as T[];
}
