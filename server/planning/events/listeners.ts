import { type Kysely, type RawBuilder, sql } from 'kysely';
import { isUuid } from '../../kernel/identifiers.ts';
import type { EventKind } from '../../webhooks/kinds.ts';
import { findListeners, type Listener, type NewMessage, queueMessages } from '../../webhooks/outbox.ts';

const UUID = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';

/**
 * SQL for the accounts that may read an event, a deleted one too: `account_id`, and `contacts`, true if they see the
 * guests' contact details. Organizers who are no users of this server have no account.
 */
function readersOf(eventId: string): RawBuilder<unknown> {
  return sql`
    select users.account_id, true as contacts
    from events join users on users.verified
      and users.user_id = case when events.organizer_id ~ ${UUID} then events.organizer_id::uuid end
    where events.id = ${eventId}
    union all
    select users.account_id, shared.access <> 'view_without_contacts' as contacts
    from co_organizers shared join users on users.verified and lower(users.email) = shared.email
    where shared.event_id = ${eventId}`;
}

/** Access of an account to an event, a deleted one too; undefined if it may not read the event. */
export async function readEventAs(
  db: Kysely<unknown>,
  accountId: string,
  eventId: string,
): Promise<{ contacts: boolean } | undefined> {
  const { rows } = await sql<{ contacts: boolean | null }>`
    select bool_or(contacts) as contacts from (${readersOf(eventId)}) readers
    where account_id = ${accountId}`.execute(db);
  const contacts = rows[0]?.contacts ?? null;
  return contacts === null ? undefined : { contacts };
}

/** Webhooks that receive messages of these kinds about an event; none for a malformed id. */
export async function findEventListeners(
  transaction: Kysely<unknown>,
  eventId: string,
  kinds: readonly EventKind[],
): Promise<Listener[]> {
  if (!isUuid(eventId)) return [];
  const audience = sql`select account_id from (${readersOf(eventId)}) readers`;
  return findListeners(transaction, { event: eventId }, kinds, audience);
}

/** SQL, true if an organizer has webhooks, of whatever kinds. Organizers who are no users of this server have none. */
export function hasWebhooks(organizerId: string): RawBuilder<boolean> {
  if (!isUuid(organizerId)) return sql`false`;
  return sql`
    exists (
      select from users join webhook_endpoints endpoint on endpoint.account_id = users.account_id
      where users.user_id = ${organizerId}
    )`;
}

/** Queues one message about an event, if anybody listens; `describe` is called only then. */
export async function queueEventMessage(
  transaction: Kysely<unknown>,
  eventId: string,
  kind: EventKind,
  describe: () => Promise<Omit<NewMessage, 'kind'>>,
  now: Temporal.Instant,
): Promise<void> {
  const listeners = await findEventListeners(transaction, eventId, [kind]);
  if (listeners.length === 0) return;
  await queueMessages(transaction, { event: eventId }, listeners, [{ kind, ...(await describe()) }], now);
}
