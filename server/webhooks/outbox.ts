import { type Kysely, type RawBuilder, sql } from 'kysely';
import { toParameter } from '../kernel/database/transaction.ts';
import { newId } from '../kernel/identifiers.ts';
import type { Kind } from './kinds.ts';
import { TRIED_FOR_HOURS } from './retry-times.ts';

/** Event or application that messages are about. */
export type Subject = { event: string } | { application: string };

/** Endpoint that receives some kinds of messages about a subject. */
export interface Listener {
  id: string;
  kinds: readonly string[];
}

/** Message about a change, stored in the transaction of the change: neither is there without the other. */
export interface NewMessage {
  kind: Kind;
  data: object;
  /** Data for people who may not see guests' contact details, if it differs. */
  dataWithoutContacts?: object | undefined;
}

/** Largest size of a message's data, in bytes of its JSON. Larger data is left out, and the message says so. */
export const MOST_DATA_BYTES = 256 * 1024;

/**
 * Finds the endpoints that receive messages of these kinds about a subject, and keeps them from being deleted until the
 * transaction ends. `audience` is an SQL query for the accounts (`account_id`) that may read the subject.
 */
export async function findListeners(
  transaction: Kysely<unknown>,
  subject: Subject,
  kinds: readonly Kind[],
  audience: RawBuilder<unknown>,
): Promise<Listener[]> {
  if (kinds.length === 0) return [];
  const restriction =
    'event' in subject
      ? sql`application_id is null and (event_id is null or event_id = ${subject.event})`
      : sql`event_id is null and (application_id is null or application_id = ${subject.application})`;
  const { rows } = await sql<Listener>`
    select id, kinds from webhook_endpoints
    where account_id in (${audience}) and enabled and kinds && ${[...kinds]}::text[] and ${restriction}
    order by id for key share`.execute(transaction);
  return rows;
}

/** Stores messages about a subject, in their order, for the listeners that receive their kinds. */
export async function queueMessages(
  transaction: Kysely<unknown>,
  subject: Subject,
  listeners: readonly Listener[],
  messages: readonly NewMessage[],
  now: Temporal.Instant,
): Promise<void> {
  const queued = messages
    .map((message) => ({
      ...message,
      id: newId(),
      endpoints: listeners.filter(({ kinds }) => kinds.includes(message.kind)).map(({ id }) => id),
    }))
    .filter(({ endpoints }) => endpoints.length > 0);
  if (queued.length === 0) return;
  const subjectId = 'event' in subject ? subject.event : subject.application;
  for (const { id, kind, data, dataWithoutContacts } of queued) {
    await sql`
      insert into webhook_messages (id, kind, subject_id, is_event, happened_at, data, data_without_contacts)
      values (${id}, ${kind}, ${subjectId}, ${'event' in subject}, ${toParameter(now)}, ${jsonOf(data)}::json,
        ${dataWithoutContacts ? jsonOf(dataWithoutContacts) : null}::json)`.execute(transaction);
  }
  const deliveries = queued.flatMap(({ id, endpoints }) =>
    endpoints.map((endpoint) => ({ message: id, endpoint })),
  );
  await addDeliveries(transaction, subjectId, deliveries, now);
}

/** Adds deliveries of messages about one subject to the endpoints' lanes, and wakes the servers at the commit. */
async function addDeliveries(
  transaction: Kysely<unknown>,
  subjectId: string,
  deliveries: readonly { message: string; endpoint: string }[],
  now: Temporal.Instant,
): Promise<void> {
  await sql`
    insert into webhook_deliveries (endpoint_id, message_id, subject_id, give_up_at, created_at)
    select endpoint, message, ${subjectId}::uuid, ${toParameter(giveUpTime(now))}::timestamptz, ${toParameter(now)}::timestamptz
    from json_to_recordset(${JSON.stringify(deliveries)}::json) as one (endpoint uuid, message uuid)`.execute(
    transaction,
  );
  const endpoints = [...new Set(deliveries.map(({ endpoint }) => endpoint))].sort();
  await openLanes(
    transaction,
    endpoints.map((endpoint) => ({ endpoint, subject: subjectId })),
    now,
  );
}

/**
 * Makes lanes due whose deliveries wait. Unless `due` is `now`, a lane that exists keeps its time: its first delivery
 * may have failed.
 */
export async function openLanes(
  transaction: Kysely<unknown>,
  lanes: readonly { endpoint: string; subject: string }[],
  now: Temporal.Instant,
  due: 'now' | 'in turn' = 'in turn',
): Promise<void> {
  const dueAt = due === 'now' ? sql`excluded.due_at` : sql`webhook_lanes.due_at`;
  await sql`
    insert into webhook_lanes (endpoint_id, subject_id, due_at)
    select endpoint, subject, ${toParameter(now)}::timestamptz
    from json_to_recordset(${JSON.stringify(lanes)}::json) as one (endpoint uuid, subject uuid)
    on conflict (endpoint_id, subject_id) do update
    set version = webhook_lanes.version + 1, due_at = least(webhook_lanes.due_at, ${dueAt})`.execute(
    transaction,
  );
}

export function giveUpTime(now: Temporal.Instant): Temporal.Instant {
  return now.add({ hours: TRIED_FOR_HOURS });
}

/**
 * Deletes messages that name one of an event's guests, or all about its guests, when the guests' data is erased.
 * Messages about removed guests remain: they contain only ids.
 */
export async function eraseMessages(
  transaction: Kysely<unknown>,
  eventId: string,
  guestId?: string,
): Promise<void> {
  await sql`
    delete from webhook_messages
    where subject_id = ${eventId} and kind <> 'guest.removed'
      and ${guestId === undefined ? sql`(kind like 'guest.%' or kind like 'answer.%' or kind like 'message.%')` : sql`position(${guestId} in data::text) > 0`}`.execute(
    transaction,
  );
}

/** JSON of a message's data. Data that is too large is replaced by its ids. */
function jsonOf(data: object): string {
  const json = JSON.stringify(data);
  if (Buffer.byteLength(json) <= MOST_DATA_BYTES) return json;
  const ids = Object.entries(data).filter(([name]) => name.endsWith('_id') || name.endsWith('_ids'));
  return JSON.stringify({ ...Object.fromEntries(ids), too_large: true });
}
