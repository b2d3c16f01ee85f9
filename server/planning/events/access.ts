import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Caller } from '../../identity/tokens.ts';
import { isUuid } from '../../kernel/identifiers.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Author } from '../../kernel/writes/history.ts';
import type { Status } from './lifecycle.ts';
import { messages } from './messages.ts';

/** What a caller may do with an event: a co-organizer's `edit` is everything but deleting, sharing and copying it and erasing its guests. */
export type Access = 'owner' | 'edit' | 'view';

/** What the areas that belong to an event (guests, vendors, …) need to know of it. */
export interface OpenEvent {
  id: string;
  organizer_id: string;
  status: Status;
  access: Access;
}

/**
 * The event, for somebody who may read it: a foreign one is a 403, an absent or deleted one a 404.
 * A malformed id is the id of nothing.
 */
export async function readableEvent(db: Kysely<unknown>, caller: Caller, id: string): Promise<OpenEvent> {
  return readable(await find(db, caller, id, false));
}

/**
 * The event, for somebody who may change what belongs to it, locked until the transaction ends:
 * absent, deleted and foreign ones are all a 404, one to look at only a 403, a cancelled one a 400.
 */
export async function writableEvent(
  transaction: Kysely<unknown>,
  caller: Caller,
  id: string,
): Promise<OpenEvent> {
  return notCancelled(editable(await find(transaction, caller, id, true)));
}

/** The same, not locked: for what is worth knowing before the work that leads to a change. */
export async function changeableEvent(db: Kysely<unknown>, caller: Caller, id: string): Promise<OpenEvent> {
  return notCancelled(editable(await find(db, caller, id, false)));
}

/** The same in any status, not locked: whoever was answered once and may still edit may hear the answer again. */
export async function editorOf(db: Kysely<unknown>, caller: Caller, id: string): Promise<OpenEvent> {
  return editable(await find(db, caller, id, false));
}

/** The event, for its organizer alone and in any status, locked: a 404 for strangers, a 403 for co-organizers. */
export async function ownedEvent(
  transaction: Kysely<unknown>,
  caller: Caller,
  id: string,
): Promise<OpenEvent> {
  return owned(await find(transaction, caller, id, true));
}

/** The event, for its organizer alone to change, locked: as `ownedEvent`, and a 400 when cancelled. */
export async function ownedOpenEvent(
  transaction: Kysely<unknown>,
  caller: Caller,
  id: string,
): Promise<OpenEvent> {
  return notCancelled(await ownedEvent(transaction, caller, id));
}

/** The event, for whoever it is shared with, in any status, locked: a 404 for strangers. */
export async function sharedEvent(
  transaction: Kysely<unknown>,
  caller: Caller,
  id: string,
): Promise<OpenEvent> {
  return known(await find(transaction, caller, id, true));
}

function notCancelled(event: OpenEvent): OpenEvent {
  if (event.status === 'cancelled') throw new Refusal(400, 'cancelled', messages.cancelledIsFinal);
  return event;
}

interface Seen {
  access: Access | null;
}

/** Throws unless the caller may read it. */
export function readable<T extends Seen>(event: T | undefined): T & { access: Access } {
  if (!event) throw noSuchEvent();
  if (!event.access) throw new Refusal(403, 'forbidden', messages.notYours);
  return event as T & { access: Access };
}

/** Throws unless the caller may change it: to strangers it does not exist. */
export function editable<T extends Seen>(event: T | undefined): T & { access: Access } {
  const seen = known(event);
  if (seen.access === 'view') throw new Refusal(403, 'forbidden', messages.viewOnly);
  return seen;
}

/** Throws unless the caller is its organizer. */
export function owned<T extends Seen>(event: T | undefined): T & { access: Access } {
  const seen = known(event);
  if (seen.access !== 'owner') throw new Refusal(403, 'forbidden', messages.ownerOnly);
  return seen;
}

/** What a stranger may not change is not there for them. */
function known<T extends Seen>(event: T | undefined): T & { access: Access } {
  if (!event?.access) throw noSuchEvent();
  return event as T & { access: Access };
}

/** SQL for the caller's `Access` to a row of `events`; null for strangers. An owner costs no look elsewhere. */
export function accessOf(caller: Caller): RawBuilder<Access | null> {
  return sql`
    case when events.organizer_id = ${caller.id} then 'owner' else (
      select shared.access from co_organizers shared
      where shared.event_id = events.id and shared.email = ${caller.email ?? null}
    ) end`;
}

/** A caller as the history names them. */
export function authorOf({ id, email }: Caller): Author {
  return { kind: 'organizer', id, ...(email && { email }) };
}

export function noSuchEvent(): Refusal {
  return new Refusal(404, 'not_found', messages.noSuchEvent);
}

async function find(
  db: Kysely<unknown>,
  caller: Caller,
  id: string,
  lock: boolean,
): Promise<(Omit<OpenEvent, 'access'> & Seen) | undefined> {
  if (!isUuid(id)) return undefined;
  const { rows } = await sql<Omit<OpenEvent, 'access'> & Seen>`
    select id, organizer_id, status, ${accessOf(caller)} as access
    from events where id = ${id} and deleted_at is null
    ${lock ? sql`for update` : sql``}`.execute(db);
  return rows[0];
}
