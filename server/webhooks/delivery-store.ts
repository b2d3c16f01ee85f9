import { type Kysely, sql } from 'kysely';
import { pageOfRows } from '../kernel/database/pages.ts';
import { toParameter } from '../kernel/database/transaction.ts';
import type { Page } from '../kernel/paging.ts';
import type { WebhookDelivery } from './contract.ts';
import type { Outcome } from './http-post.ts';
import { TEST_KIND } from './kinds.ts';
import { giveUpTime, openLanes } from './outbox.ts';

/** Message of a delivery, with what is stored for each kind of reader. */
export interface StoredMessage {
  id: string;
  kind: string;
  subject_id: string;
  is_event: boolean;
  happened_at: Date;
  data: object;
  data_without_contacts: object | null;
}

type Times = 'created_at' | 'tried_at' | 'next_try_at';
type DeliveryRow = Omit<WebhookDelivery, Times> & Record<Times, Date | null> & { number: string };

/** Time for which messages and their deliveries are kept. */
const KEPT = { hours: 30 * 24 };
/** Number of an endpoint's deliveries that are kept, those that wait included. */
export const MOST_DELIVERIES = 10_000;
/** Largest number of deliveries that one request replays. */
const MOST_REPLAYED = 10_000;

const columns = sql`
  delivery.number, delivery.number::text as id, message.id as message_id, message.kind,
  case when message.is_event then message.subject_id end as event_id,
  case when not message.is_event and message.kind <> ${TEST_KIND} then message.subject_id end as application_id,
  delivery.state, delivery.problem, delivery.tries, delivery.status, delivery.answer, delivery.duration_ms,
  delivery.created_at, delivery.tried_at,
  case when delivery.state = 'waiting' and not exists (
    select from webhook_deliveries earlier
    where earlier.endpoint_id = delivery.endpoint_id and earlier.subject_id = delivery.subject_id
      and earlier.state = 'waiting' and earlier.number < delivery.number
  ) then (
    select due_at from webhook_lanes lane
    where lane.endpoint_id = delivery.endpoint_id and lane.subject_id = delivery.subject_id
  ) end as next_try_at`;
const tables = sql`webhook_deliveries delivery join webhook_messages message on message.id = delivery.message_id`;

/** A page of an endpoint's deliveries, the newest first. */
export async function listDeliveries(
  db: Kysely<unknown>,
  endpointId: string,
  { state }: { state?: string | undefined },
  page: Page,
): Promise<{ deliveries: WebhookDelivery[]; total: number }> {
  const from = sql`${tables} where delivery.endpoint_id = ${endpointId} ${state ? sql`and delivery.state = ${state}` : sql``}`;
  const { rows, total } = await pageOfRows<DeliveryRow>(db, { columns, from, order: sql`number desc` }, page);
  return { deliveries: rows.map(present), total };
}

export async function findDelivery(
  db: Kysely<unknown>,
  endpointId: string,
  id: string,
): Promise<WebhookDelivery | undefined> {
  if (!isNumber(id)) return undefined;
  const { rows } = await sql<DeliveryRow>`
    select ${columns} from ${tables}
    where delivery.endpoint_id = ${endpointId} and delivery.number = ${id}`.execute(db);
  return rows[0] && present(rows[0]);
}

export async function findMessage(db: Kysely<unknown>, id: string): Promise<StoredMessage | undefined> {
  const { rows } = await sql<StoredMessage>`
    select id, kind, subject_id, is_event, happened_at, data, data_without_contacts
    from webhook_messages where id = ${id}`.execute(db);
  return rows[0];
}

/** Makes a delivery that has ended wait again. One that waits already stays as it is. */
export async function replayDelivery(
  transaction: Kysely<unknown>,
  endpointId: string,
  id: string,
  now: Temporal.Instant,
): Promise<void> {
  await replay(transaction, endpointId, sql`number = ${id} and state <> 'waiting'`, now);
}

/** Makes the failed deliveries of an endpoint since a time wait again; returns their number. */
export async function replayFailed(
  transaction: Kysely<unknown>,
  endpointId: string,
  since: Temporal.Instant,
  now: Temporal.Instant,
): Promise<number> {
  return replay(transaction, endpointId, sql`state = 'failed' and created_at >= ${toParameter(since)}`, now);
}

async function replay(
  transaction: Kysely<unknown>,
  endpointId: string,
  condition: ReturnType<typeof sql>,
  now: Temporal.Instant,
): Promise<number> {
  const { rows } = await sql<{ subject_id: string }>`
    update webhook_deliveries set state = 'waiting', tries = 0, give_up_at = ${toParameter(giveUpTime(now))}
    where number in (
      select number from webhook_deliveries where endpoint_id = ${endpointId} and ${condition}
      order by number desc limit ${MOST_REPLAYED}
    ) returning subject_id`.execute(transaction);
  const subjects = [...new Set(rows.map(({ subject_id }) => subject_id))].sort();
  const lanes = subjects.map((subject) => ({ endpoint: endpointId, subject }));
  if (lanes.length > 0) await openLanes(transaction, lanes, now, 'now');
  return rows.length;
}

/** Stores the message with which an endpoint was tried, and its outcome; returns the delivery's id. */
export async function addTest(
  db: Kysely<unknown>,
  endpointId: string,
  message: { id: string; data: object; sentAt: Temporal.Instant },
  { problem, status, answer, durationMs }: Outcome,
): Promise<string> {
  const at = toParameter(message.sentAt);
  const { rows } = await sql<{ id: string }>`
    with added as (
      insert into webhook_messages (id, kind, subject_id, is_event, happened_at, data)
      values (${message.id}, ${TEST_KIND}, ${endpointId}, false, ${at}, ${JSON.stringify(message.data)}::json)
      returning id)
    insert into webhook_deliveries
      (endpoint_id, message_id, subject_id, state, problem, tries, give_up_at, tried_at, status, answer, duration_ms, created_at)
    select ${endpointId}::uuid, id, ${endpointId}::uuid, ${problem === undefined ? 'succeeded' : 'failed'}, ${problem ?? null}, 1,
      ${at}::timestamptz, ${at}::timestamptz, ${status}::integer, ${answer}, ${durationMs}::integer, ${at}::timestamptz
    from added returning number::text as id`.execute(db);
  return rows[0]?.id ?? '';
}

/** Deletes deliveries that are older than `KEPT`, and each endpoint's oldest beyond `MOST_DELIVERIES`. */
export async function forgetDeliveries(db: Kysely<unknown>, now: Temporal.Instant): Promise<void> {
  const before = toParameter(now.subtract(KEPT));
  await sql`delete from webhook_messages where happened_at < ${before}`.execute(db);
  const beyond = sql`
    select delivery.number from webhook_endpoints endpoint
    cross join lateral (
      select number from webhook_deliveries where endpoint_id = endpoint.id
      order by number desc offset ${MOST_DELIVERIES}
    ) delivery`;
  await sql`delete from webhook_deliveries where number in (${beyond})`.execute(db);
  await sql`
    delete from webhook_messages message
    where happened_at < ${toParameter(now.subtract({ hours: 1 }))}
      and not exists (select from webhook_deliveries where message_id = message.id)`.execute(db);
}

function isNumber(text: string): boolean {
  return /^\d{1,18}$/.test(text);
}

function present({ number: _, ...row }: DeliveryRow): WebhookDelivery {
  return {
    ...row,
    created_at: row.created_at?.toISOString() ?? '',
    tried_at: row.tried_at?.toISOString() ?? null,
    next_try_at: row.next_try_at?.toISOString() ?? null,
  };
}
