import { type Kysely, sql } from 'kysely';
import type { Caller } from '../../identity/tokens.ts';
import { isUuid } from '../../kernel/identifiers.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { accessOf, type EventAccess, requireEditable, type StoredAccess } from '../events/access.ts';
import type { NewRound } from './fields.ts';
import { type EventTiming, hindranceOf, type RoundKind } from './kinds.ts';
import { messages } from './messages.ts';

/**
 * Event in any status, as rounds of messages need it: guests of a cancelled event can be notified of the cancellation.
 */
export interface RoundEvent extends EventTiming {
  id: string;
  access: EventAccess;
}

export async function findRoundEvent(
  db: Kysely<unknown>,
  caller: Caller,
  eventId: string,
  lock = false,
): Promise<(Omit<RoundEvent, 'access'> & { access: StoredAccess | null }) | undefined> {
  if (!isUuid(eventId)) return undefined;
  const { rows } = await sql<Omit<RoundEvent, 'access'> & { access: StoredAccess | null }>`
    select id, status, event_date, ${accessOf(caller)} as access
    from events where id = ${eventId} and deleted_at is null ${lock ? sql`for no key update` : sql``}`.execute(
    db,
  );
  return rows[0];
}

/** Finds and locks an event so that the server can work on its rounds by itself. Finds deleted events too. */
export async function lockRoundEvent(
  transaction: Kysely<unknown>,
  eventId: string,
): Promise<EventTiming & { id: string; is_deleted: boolean }> {
  const { rows } = await sql<EventTiming & { id: string; is_deleted: boolean }>`
    select id, status, event_date, deleted_at is not null as is_deleted
    from events where id = ${eventId} for no key update`.execute(transaction);
  if (!rows[0]) throw new Error('an event is never removed');
  return rows[0];
}

/** Finds and locks an event in any status, for a caller who may edit it. */
export async function lockEditableEvent(
  transaction: Kysely<unknown>,
  caller: Caller,
  eventId: string,
): Promise<RoundEvent> {
  return requireEditable(await findRoundEvent(transaction, caller, eventId, true));
}

/** Throws a 409 if a round can't be sent at the time given for it, judging by the event's present status and date. */
export function refuseUntimely(
  kind: RoundKind,
  { send_at }: Pick<NewRound, 'send_at'>,
  event: RoundEvent,
  now: Temporal.Instant,
): void {
  const hindrance = hindranceOf(kind, event, send_at ? Temporal.Instant.from(send_at) : now);
  if (!hindrance) return;
  throw new Refusal(409, hindrance, messages.hindrances[hindrance], send_at ? { field: 'send_at' } : {});
}
