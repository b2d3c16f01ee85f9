import { type Kysely, type RawBuilder, sql } from 'kysely';
import { isRestricted } from '../../identity/access-tokens/scopes.ts';
import type { Caller } from '../../identity/tokens.ts';
import { isUuid } from '../../kernel/identifiers.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Author } from '../../kernel/writes/history.ts';
import type { EventStatus } from './lifecycle.ts';
import { messages } from './messages.ts';

/**
 * Access to an event. A co-organizer with `edit` may do everything but delete, share or copy it and erase its guests.
 */
export type EventAccess = 'owner' | 'edit' | 'view';

/**
 * Access that an event is shared with. `view_without_contacts` is `view` without the guests' contact details, the notes
 * about them, their links and the messages with them, without vendors and money, and without other co-organizers:
 * `access` is then `view`, and `contacts` is false.
 */
export const SHARED_ACCESS = ['view', 'view_without_contacts', 'edit'] as const;
export type SharedAccess = (typeof SHARED_ACCESS)[number];

/** Access as it is stored: of an event's owner, or that the event is shared with. `openWith` reads it. */
export type StoredAccess = 'owner' | SharedAccess;

/** Event whose guests a caller reads; `contacts` is true if the caller sees their contact details. */
export interface GuestReader {
  id: string;
  contacts: boolean;
}

/** Event as the planning routes read it before they work on its guests, vendors and so on. */
export interface OpenEvent {
  id: string;
  organizer_id: string;
  status: EventStatus;
  access: EventAccess;
  /** False for a co-organizer with `view_without_contacts`. */
  contacts: boolean;
}

/**
 * Finds an event for reading all of it. Throws a 403 for somebody else's event and for one that is shared without
 * contacts, a 404 for a missing or deleted one and for a malformed id.
 */
export async function readableEvent(db: Kysely<unknown>, caller: Caller, id: string): Promise<OpenEvent> {
  const event = await eventReadableWithoutContacts(db, caller, id);
  if (!event.contacts) throw new Refusal(403, 'no_contacts', messages.withoutContacts);
  return event;
}

/**
 * Finds an event like `readableEvent`, also one that is shared without contacts. Only for routes whose responses contain
 * neither contact details nor money, or leave them out if `contacts` is false.
 */
export async function eventReadableWithoutContacts(
  db: Kysely<unknown>,
  caller: Caller,
  id: string,
): Promise<OpenEvent> {
  return requireReadable(await find(db, caller, id, false));
}

/**
 * Finds an event for changes within it and locks it until the transaction ends. Throws a 404 for a missing, deleted or
 * somebody else's event, a 403 for one shared for viewing only, a 400 for a cancelled one.
 */
export async function writableEvent(
  transaction: Kysely<unknown>,
  caller: Caller,
  id: string,
): Promise<OpenEvent> {
  return notCancelled(requireEditable(await find(transaction, caller, id, true)));
}

/**
 * Finds an event like `writableEvent`, with the same checks but without the lock. Fails early, before long work that
 * prepares a change.
 */
export async function changeableEvent(db: Kysely<unknown>, caller: Caller, id: string): Promise<OpenEvent> {
  return notCancelled(requireEditable(await find(db, caller, id, false)));
}

/**
 * Finds an event in any status that the caller can edit, without a lock. Used before the stored response to an earlier
 * request is sent again: only a caller who can still edit the event gets it.
 */
export async function editorOf(db: Kysely<unknown>, caller: Caller, id: string): Promise<OpenEvent> {
  return requireEditable(await find(db, caller, id, false));
}

/** Finds and locks an event in any status for its organizer. Throws a 404 for strangers, a 403 for co-organizers. */
export async function ownedEvent(
  transaction: Kysely<unknown>,
  caller: Caller,
  id: string,
): Promise<OpenEvent> {
  return requireOwner(await find(transaction, caller, id, true));
}

/** Finds and locks an event for its organizer like `ownedEvent`, and also throws a 400 if the event is cancelled. */
export async function ownedOpenEvent(
  transaction: Kysely<unknown>,
  caller: Caller,
  id: string,
): Promise<OpenEvent> {
  return notCancelled(await ownedEvent(transaction, caller, id));
}

/** Finds and locks an event in any status for its organizer and all co-organizers. Throws a 404 for strangers. */
export async function sharedEvent(
  transaction: Kysely<unknown>,
  caller: Caller,
  id: string,
): Promise<OpenEvent> {
  return requireAccess(await find(transaction, caller, id, true));
}

function notCancelled(event: OpenEvent): OpenEvent {
  if (event.status === 'cancelled') throw new Refusal(400, 'cancelled', messages.cancelledIsFinal);
  return event;
}

interface WithAccess {
  access: StoredAccess | null;
}

/** Rights of a caller in an event: their access, and whether they see contact details and money. */
interface Opened {
  access: EventAccess;
  contacts: boolean;
}

/** Rights that a stored access gives. */
export function openWith(stored: StoredAccess): Opened {
  const contacts = stored !== 'view_without_contacts';
  return { access: contacts ? stored : 'view', contacts };
}

type OpenedEvent<T> = Omit<T, 'access'> & Opened;

/** Throws a 404 if the event was not found, and a 403 if the caller may not read it. */
export function requireReadable<T extends WithAccess>(event: T | undefined): OpenedEvent<T> {
  if (!event) throw noSuchEvent();
  if (!event.access) throw new Refusal(403, 'forbidden', messages.notYours);
  return { ...event, ...openWith(event.access) };
}

/** Throws if the caller may not change the event: a 404 for strangers, a 403 for people who may only view it. */
export function requireEditable<T extends WithAccess>(event: T | undefined): OpenedEvent<T> {
  const found = requireAccess(event);
  if (found.access === 'view') throw new Refusal(403, 'forbidden', messages.viewOnly);
  return found;
}

/** Throws if the caller is not the event's organizer. */
export function requireOwner<T extends WithAccess>(event: T | undefined): OpenedEvent<T> {
  const found = requireAccess(event);
  if (found.access !== 'owner') throw new Refusal(403, 'forbidden', messages.ownerOnly);
  return found;
}

/** Strangers get a 404, as for a missing event, so that a write does not reveal that the event exists. */
function requireAccess<T extends WithAccess>(event: T | undefined): OpenedEvent<T> {
  if (!event?.access) throw noSuchEvent();
  return { ...event, ...openWith(event.access) };
}

/**
 * SQL for the caller's access (`StoredAccess`) to a row of `events`; null for strangers, and for callers whose access
 * token is restricted to something else, such as another event. For the owner no other table is read.
 */
export function accessOf(caller: Caller): RawBuilder<StoredAccess | null> {
  const { grant } = caller;
  if (!grant || !isRestricted(grant)) return unrestrictedAccessOf(caller);
  return sql`case when events.id = ${grant.eventId}::uuid then ${unrestrictedAccessOf(caller)} end`;
}

function unrestrictedAccessOf(caller: Caller): RawBuilder<StoredAccess | null> {
  return sql`
    case when events.organizer_id = ${caller.id} then 'owner' else (
      select shared.access from co_organizers shared
      where shared.event_id = events.id and shared.email = ${caller.email ?? null}
    ) end`;
}

/** SQL, true if the caller sees contact details and money of a row of `events` to which they have access. */
export function contactsOf(caller: Pick<Caller, 'id' | 'email'>): RawBuilder<boolean> {
  return sql`
    case when events.organizer_id = ${caller.id} then true else not exists (
      select from co_organizers shared
      where shared.event_id = events.id and shared.email = ${caller.email ?? null}
        and shared.access = 'view_without_contacts'
    ) end`;
}

/** Author, for the event's history, of changes that the caller makes. */
export function authorOf({ id, email, grant }: Caller): Author {
  return { kind: 'organizer', id, ...(email && { email }), ...(grant && { token: grant.name }) };
}

/** True if the caller may read an event; false for a missing or deleted one too. */
export async function mayReadEvent(db: Kysely<unknown>, caller: Caller, id: string): Promise<boolean> {
  const event = await find(db, caller, id, false);
  return Boolean(event?.access);
}

export function noSuchEvent(): Refusal {
  return new Refusal(404, 'not_found', messages.noSuchEvent);
}

type FoundEvent = Omit<OpenEvent, 'access' | 'contacts'> & WithAccess;

async function find(
  db: Kysely<unknown>,
  caller: Caller,
  id: string,
  lock: boolean,
): Promise<FoundEvent | undefined> {
  if (!isUuid(id)) return undefined;
  const { rows } = await sql<FoundEvent>`
    select id, organizer_id, status, ${accessOf(caller)} as access
    from events where id = ${id} and deleted_at is null
    ${lock ? sql`for no key update` : sql``}`.execute(db);
  return rows[0];
}
