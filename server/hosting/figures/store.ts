import { type Kysely, type RawBuilder, sql } from 'kysely';
import { toParameter } from '../../kernel/database/transaction.ts';
import type { DeploymentAction } from '../model/lifecycle.ts';
import { FIVE_MINUTES, HOURS, MINUTES } from './levels.ts';
import type { TrafficCounts } from './traffic.ts';

/** Counts of an interval, from all servers. */
export interface RequestInterval {
  /** Start of the interval, in seconds since 1970. */
  at: number;
  responses: number[];
  bytes_in: number;
  bytes_out: number;
  durations: number[];
}

export interface ProcessInterval {
  process: string;
  /** Start of the interval, in seconds since 1970. */
  at: number;
  memory_bytes: number;
  processor_ms: number;
}

/** Use of a machine by one process of a site since the last measurement, all its replicas together. */
export interface ProcessUse {
  environmentId: string;
  process: string;
  memoryBytes: number;
  processorMs: number;
}

/** Deployment that ended within the time of the figures. */
export interface EndedDeployment {
  deployment_uuid: string;
  action: DeploymentAction;
  status: 'live' | 'failed';
  commit_hash: string | null;
  ended_at: string;
}

/** Time of the figures to read, and the length of the intervals into which they are added up, in seconds. */
export interface FiguresRange {
  since: Temporal.Instant;
  step: number;
}

const MOST_DEPLOYMENTS = 200;

/** SQL that adds counts to a row which another server, or an earlier write, has begun. */
const addRequests = sql`
  on conflict (environment_id, seconds, started_at) do update set
    responses = add_elements(request_figures.responses, excluded.responses),
    bytes_in = request_figures.bytes_in + excluded.bytes_in,
    bytes_out = request_figures.bytes_out + excluded.bytes_out,
    durations = add_elements(request_figures.durations, excluded.durations)`;
const addUse = sql`
  on conflict (environment_id, process, seconds, started_at) do update set
    memory_bytes = greatest(process_figures.memory_bytes, excluded.memory_bytes),
    processor_ms = process_figures.processor_ms + excluded.processor_ms`;

/**
 * Adds a gateway's counts to the minute of `at`. Counts of environments that are gone are left out. The environments'
 * order is that of every server, so that two servers never wait for each other's rows.
 */
export async function addTraffic(
  db: Kysely<unknown>,
  traffic: ReadonlyMap<string, TrafficCounts>,
  at: Temporal.Instant,
): Promise<void> {
  const rows = [...traffic].map(([environment_id, { responses, bytesIn, bytesOut, durations }]) => ({
    environment_id,
    responses,
    bytes_in: bytesIn,
    bytes_out: bytesOut,
    durations,
  }));
  await sql`
    with counted as materialized (
      select environment_id, responses, bytes_in, bytes_out, durations
      from json_to_recordset(${JSON.stringify(rows)}::json) as counted
        (environment_id uuid, responses bigint[], bytes_in bigint, bytes_out bigint, durations bigint[])
      join environments using (environment_id)
      order by environment_id
      for key share of environments
    ), totals as (
      insert into request_totals (environment_id, responses, bytes_in, bytes_out)
      select environment_id, responses, bytes_in, bytes_out from counted order by environment_id
      on conflict (environment_id) do update set
        responses = add_elements(request_totals.responses, excluded.responses),
        bytes_in = request_totals.bytes_in + excluded.bytes_in,
        bytes_out = request_totals.bytes_out + excluded.bytes_out
    )
    insert into request_figures
      (environment_id, seconds, started_at, responses, bytes_in, bytes_out, durations)
    select environment_id, ${sql.lit(MINUTES.seconds)}, date_trunc('minute', ${toParameter(at)}::timestamptz),
      responses, bytes_in, bytes_out, durations
    from counted order by environment_id
    ${addRequests}`.execute(db);
}

/** Adds the use of machines by processes to the minute of `at`. */
export async function addProcessUse(
  db: Kysely<unknown>,
  uses: readonly ProcessUse[],
  at: Temporal.Instant,
): Promise<void> {
  const rows = uses.map(({ environmentId, process, memoryBytes, processorMs }) => ({
    environment_id: environmentId,
    process,
    memory_bytes: Math.round(memoryBytes),
    processor_ms: Math.round(processorMs),
  }));
  await sql`
    insert into process_figures (environment_id, process, seconds, started_at, memory_bytes, processor_ms)
    select environment_id, process, ${sql.lit(MINUTES.seconds)},
      date_trunc('minute', ${toParameter(at)}::timestamptz), memory_bytes, processor_ms
    from json_to_recordset(${JSON.stringify(rows)}::json) as used
      (environment_id uuid, process text, memory_bytes bigint, processor_ms bigint)
    join environments using (environment_id)
    order by environment_id, process
    for key share of environments
    ${addUse}`.execute(db);
}

/** Adds up old intervals to longer ones, and deletes those that are too old for any level (levels.ts). */
export async function thinFigures(db: Kysely<unknown>, now: Temporal.Instant): Promise<void> {
  const moved = sql`environment_id, longer.seconds, date_bin(${secondsOf(sql`longer.seconds`)}, started_at, 'epoch')`;
  await sql`
    with gone as (delete from request_figures where ${isOld(now)} returning *)
    insert into request_figures
      (environment_id, seconds, started_at, responses, bytes_in, bytes_out, durations)
    select ${moved}, sum_elements(responses), sum(bytes_in), sum(bytes_out), sum_elements(durations)
    from gone cross join lateral (${longerInterval}) as longer
    where started_at >= ${ageLimit(now, HOURS.keptSeconds)}
    group by 1, 2, 3
    ${addRequests}`.execute(db);
  await sql`
    with gone as (delete from process_figures where ${isOld(now)} returning *)
    insert into process_figures (environment_id, seconds, started_at, process, memory_bytes, processor_ms)
    select ${moved}, process, max(memory_bytes), sum(processor_ms)
    from gone cross join lateral (${longerInterval}) as longer
    where started_at >= ${ageLimit(now, HOURS.keptSeconds)}
    group by 1, 2, 3, 4
    ${addUse}`.execute(db);
}

const longerInterval = sql`
  select case gone.seconds when ${sql.lit(MINUTES.seconds)} then ${sql.lit(FIVE_MINUTES.seconds)}
    else ${sql.lit(HOURS.seconds)} end as seconds`;

/**
 * SQL condition of intervals that are older than their level allows. Only whole longer intervals become old, so that
 * each is added up once.
 */
function isOld(now: Temporal.Instant): RawBuilder<unknown> {
  const oldest = ({ keptSeconds }: { keptSeconds: number }, longer: { seconds: number }) =>
    sql`date_bin(${secondsOf(sql.lit(longer.seconds))}, ${ageLimit(now, keptSeconds)}, 'epoch')`;
  return sql`
    seconds = ${sql.lit(MINUTES.seconds)} and started_at < ${oldest(MINUTES, FIVE_MINUTES)}
    or seconds = ${sql.lit(FIVE_MINUTES.seconds)} and started_at < ${oldest(FIVE_MINUTES, HOURS)}
    or started_at < ${ageLimit(now, HOURS.keptSeconds)}`;
}

function ageLimit(now: Temporal.Instant, seconds: number): RawBuilder<unknown> {
  return sql`${toParameter(now.subtract({ seconds }))}::timestamptz`;
}

function secondsOf(count: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`${count} * interval '1 second'`;
}

/** Counts of an environment's requests, added up to intervals of `step` seconds; intervals without requests are absent. */
export async function readTraffic(
  db: Kysely<unknown>,
  environmentId: string,
  range: FiguresRange,
): Promise<RequestInterval[]> {
  const { rows } = await sql<RequestInterval>`
    select ${intervalOf(range)} as at, sum_elements(responses)::float8[] as responses,
      sum(bytes_in)::float8 as bytes_in, sum(bytes_out)::float8 as bytes_out,
      sum_elements(durations)::float8[] as durations
    from request_figures where ${isWithin(environmentId, range)}
    group by 1 order by 1`.execute(db);
  return rows;
}

export async function readProcessUse(
  db: Kysely<unknown>,
  environmentId: string,
  range: FiguresRange,
): Promise<ProcessInterval[]> {
  const { rows } = await sql<ProcessInterval>`
    select process, ${intervalOf(range)} as at, max(memory_bytes)::float8 as memory_bytes,
      sum(processor_ms)::float8 as processor_ms
    from process_figures where ${isWithin(environmentId, range)}
    group by 1, 2 order by 1, 2`.execute(db);
  return rows;
}

function intervalOf({ step }: FiguresRange): RawBuilder<unknown> {
  return sql`extract(epoch from date_bin(${secondsOf(sql.lit(step))}, started_at, 'epoch'))::float8`;
}

function isWithin(environmentId: string, { since }: FiguresRange): RawBuilder<unknown> {
  return sql`environment_id = ${environmentId} and started_at >= ${toParameter(since)}::timestamptz`;
}

/** Newest deployments of an environment that ended after `since`, the oldest of them first. */
export async function readEndedDeployments(
  db: Kysely<unknown>,
  environmentId: string,
  since: Temporal.Instant,
): Promise<EndedDeployment[]> {
  const { rows } = await sql<EndedDeployment>`
    select * from (
      select deployment_uuid, action, status, commit_hash, history -> -1 ->> 'at' as ended_at from deployments
      where environment_id = ${environmentId} and status in ('live', 'failed')
        and (history -> -1 ->> 'at')::timestamptz >= ${toParameter(since)}::timestamptz
      order by deployment_uuid desc limit ${sql.lit(MOST_DEPLOYMENTS)}
    ) as newest order by ended_at`.execute(db);
  return rows;
}
