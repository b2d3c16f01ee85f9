import { type Kysely, sql } from 'kysely';
import { toParameter } from '../kernel/database/transaction.ts';
import { newId } from '../kernel/identifiers.ts';
import type { Outcome, Problem } from './http-post.ts';

/** Lane that this server has leased: an endpoint's waiting deliveries about one event or application. */
export interface LeasedLane {
  lease: string;
  endpointId: string;
  subjectId: string;
}

/** Endpoint with all that sending a message to it takes. */
export interface StoredEndpoint {
  id: string;
  account_id: string;
  url: string;
  secret_sealed: string;
  previous_secret_sealed: string | null;
  previous_until: Date | null;
}

/** First delivery of a lane, with all that sending it takes. */
export interface NextDelivery {
  /** Version of the lane when the delivery was read. */
  version: number;
  number: string;
  tries: number;
  give_up_at: Date;
  endpoint: StoredEndpoint;
  enabled: boolean;
  failing_since: Date | null;
  message_id: string;
  kind: string;
  is_event: boolean;
  happened_at: Date;
  data: object;
  data_without_contacts: object | null;
}

/** Number of lanes of one endpoint that all servers together work on at the same time. */
export const MOST_LANES_PER_ENDPOINT = 4;

const isFree = sql`(lane.leased_until is null or lane.leased_until < clock_timestamp())`;
const leasedLanes = (endpointId: ReturnType<typeof sql>) => sql`(
  select count(*) from webhook_lanes leased
  where leased.endpoint_id = ${endpointId} and leased.leased_until >= clock_timestamp())`;

const isDue = (now: Temporal.Instant) => sql`lane.due_at <= ${toParameter(now)}::timestamptz and ${isFree}`;

/** SQL condition: a lane is due that no server has leased. */
export const hasDueLane = (now: Temporal.Instant) =>
  sql<boolean>`exists (select from webhook_lanes lane where ${isDue(now)})`;

/**
 * Leases the lane that is due for the longest time, of an endpoint with fewer than `MOST_LANES_PER_ENDPOINT` leased
 * lanes. The endpoint's row is locked first, so that the limit holds for all servers together. The database's clock
 * decides about leases, because servers' clocks may differ.
 */
export function leaseLane(
  db: Kysely<unknown>,
  leaseMs: number,
  now: Temporal.Instant,
): Promise<LeasedLane | undefined> {
  return db.transaction().execute(async (transaction) => {
    const due = isDue(now);
    const { rows: endpoints } = await sql<{ id: string }>`
      select endpoint.id from webhook_lanes lane join webhook_endpoints endpoint on endpoint.id = lane.endpoint_id
      where ${due} and ${leasedLanes(sql`endpoint.id`)} < ${MOST_LANES_PER_ENDPOINT}
      order by lane.due_at limit 1 for no key update of endpoint skip locked`.execute(transaction);
    const [endpoint] = endpoints;
    if (!endpoint) return undefined;
    const lease = newId();
    const { rows } = await sql<{ subject_id: string }>`
      update webhook_lanes set lease = ${lease}, leased_until = ${untilAfter(leaseMs)}
      where endpoint_id = ${endpoint.id} and ${leasedLanes(sql`${endpoint.id}`)} < ${MOST_LANES_PER_ENDPOINT}
        and subject_id = (
          select subject_id from webhook_lanes lane where endpoint_id = ${endpoint.id} and ${due}
          order by due_at limit 1 for update skip locked)
      returning subject_id`.execute(transaction);
    return rows[0] && { lease, endpointId: endpoint.id, subjectId: rows[0].subject_id };
  });
}

/** Prolongs the leases of lanes that this server still works on. */
export async function renewLeases(
  db: Kysely<unknown>,
  leases: readonly string[],
  leaseMs: number,
): Promise<void> {
  await sql`
    update webhook_lanes set leased_until = ${untilAfter(leaseMs)}
    where lease = any(${[...leases]}::uuid[])`.execute(db);
}

/**
 * Reads a leased lane's first waiting delivery; `empty` if none waits. Undefined if the lane is no longer this
 * server's, or its endpoint was deleted.
 */
export async function readNext(
  db: Kysely<unknown>,
  { lease }: LeasedLane,
): Promise<NextDelivery | { empty: true; version: number } | undefined> {
  const { rows } = await sql<
    (Omit<NextDelivery, 'endpoint'> & StoredEndpoint) | { number: null; version: number }
  >`
    select lane.version, delivery.number::text, delivery.tries, delivery.give_up_at, endpoint.id, endpoint.account_id,
      endpoint.url, endpoint.enabled, endpoint.secret_sealed, endpoint.previous_secret_sealed, endpoint.previous_until,
      endpoint.failing_since, message.id as message_id, message.kind, message.is_event, message.happened_at,
      message.data, message.data_without_contacts
    from webhook_lanes lane
    join webhook_endpoints endpoint on endpoint.id = lane.endpoint_id
    left join lateral (
      select * from webhook_deliveries
      where endpoint_id = lane.endpoint_id and subject_id = lane.subject_id and state = 'waiting'
      order by number limit 1
    ) delivery on true
    left join webhook_messages message on message.id = delivery.message_id
    where lane.lease = ${lease}`.execute(db);
  const [row] = rows;
  if (!row) return undefined;
  if (row.number === null) return { empty: true, version: row.version };
  const { id, account_id, url, secret_sealed, previous_secret_sealed, previous_until, ...next } = row;
  return {
    ...next,
    endpoint: { id, account_id, url, secret_sealed, previous_secret_sealed, previous_until },
  };
}

/** Deletes an empty lane. False if a delivery was added since `version`, or the lane is no longer this server's. */
export async function removeLane(
  db: Kysely<unknown>,
  { lease }: LeasedLane,
  version: number,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    delete from webhook_lanes where lease = ${lease} and version = ${version}`.execute(db);
  return numAffectedRows > 0n;
}

/** Gives a lane back, to be worked on again at the given time. */
export async function releaseLane(
  db: Kysely<unknown>,
  { lease }: LeasedLane,
  dueAt: Temporal.Instant,
): Promise<void> {
  await sql`
    update webhook_lanes set lease = null, leased_until = null, due_at = ${toParameter(dueAt)}
    where lease = ${lease}`.execute(db);
}

/**
 * Records a try to deliver a message; `state` is `waiting` if there will be another one. A delivery that another server
 * has ended meanwhile stays ended.
 */
export async function recordTry(
  db: Kysely<unknown>,
  number: string,
  state: 'waiting' | 'succeeded' | 'failed',
  { problem, status, answer, durationMs }: Outcome,
  now: Temporal.Instant,
): Promise<void> {
  await sql`
    update webhook_deliveries set state = ${state}, problem = ${problem ?? null}, tries = tries + 1,
      tried_at = ${toParameter(now)}, status = ${status}, answer = ${answer}, duration_ms = ${durationMs}
    where number = ${number} and state = 'waiting'`.execute(db);
}

/** Ends a delivery that is not tried, or not tried again. It keeps the problem of its last try, if there was one. */
export async function failDelivery(db: Kysely<unknown>, number: string, problem: Problem): Promise<void> {
  await sql`
    update webhook_deliveries set state = 'failed', problem = coalesce(problem, ${problem})
    where number = ${number}`.execute(db);
}

/** Ends all deliveries of an endpoint that wait, because it was turned off. */
export async function failWaiting(db: Kysely<unknown>, endpointId: string): Promise<void> {
  await sql`
    update webhook_deliveries set state = 'failed', problem = 'endpoint_off'
    where endpoint_id = ${endpointId} and state = 'waiting'`.execute(db);
}

function untilAfter(leaseMs: number) {
  return sql`clock_timestamp() + ${leaseMs} * interval '1 millisecond'`;
}
