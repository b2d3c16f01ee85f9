import { type Kysely, sql } from 'kysely';
import { isUuid } from '../kernel/identifiers.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Status } from './lifecycle.ts';
import { messages } from './messages.ts';

/** What the areas that belong to an event (guests, vendors, …) need to know of it. */
export interface OpenEvent {
  id: string;
  organizer_id: string;
  status: Status;
}

/**
 * The event, for somebody who may read it: a foreign one is a 403, an absent or deleted one a 404.
 * A malformed id is the id of nothing.
 */
export async function readableEvent(db: Kysely<unknown>, callerId: string, id: string): Promise<OpenEvent> {
  const event = await find(db, id, false);
  if (!event) throw noSuchEvent();
  if (event.organizer_id !== callerId) throw new Refusal(403, 'forbidden', messages.notYours);
  return event;
}

/**
 * The event, for somebody who may change what belongs to it, locked until the transaction ends:
 * absent, deleted and foreign ones are all a 404, a cancelled one a 400.
 */
export async function writableEvent(
  transaction: Kysely<unknown>,
  callerId: string,
  id: string,
): Promise<OpenEvent> {
  const event = await find(transaction, id, true);
  if (event?.organizer_id !== callerId) throw noSuchEvent();
  if (event.status === 'cancelled') throw new Refusal(400, 'cancelled', messages.cancelledIsFinal);
  return event;
}

export function noSuchEvent(): Refusal {
  return new Refusal(404, 'not_found', messages.noSuchEvent);
}

async function find(db: Kysely<unknown>, id: string, lock: boolean): Promise<OpenEvent | undefined> {
  if (!isUuid(id)) return undefined;
  const { rows } = await sql<OpenEvent>`
    select id, organizer_id, status from events where id = ${id} and deleted_at is null
    ${lock ? sql`for update` : sql``}`.execute(db);
  return rows[0];
}
