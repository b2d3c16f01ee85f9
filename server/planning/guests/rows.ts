import { type Kysely, sql } from 'kysely';
import { assignColumns, insertInto, selectColumns } from '../../kernel/database/rows.ts';
import { toParameter } from '../../kernel/database/transaction.ts';
import { isUuid, newId } from '../../kernel/identifiers.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { GuestReader } from '../events/access.ts';
import type { EventWrite } from '../events/write.ts';
import { hasContact, refuseTakenContacts } from './contacts.ts';
import type { Guest } from './contract.ts';
import {
  type Diet,
  detailFields,
  type GuestDetails,
  guestFields,
  type Member,
  NO_CONTACTS,
} from './fields.ts';
import { messages } from './messages.ts';

type TimeField = 'waiting_since' | 'answered_at' | 'created_at' | 'updated_at';
export type GuestRow = Omit<Guest, TimeField> &
  Record<TimeField, Date | null> & { version: number; waiting_order: number | null };

/** Guest as stored, with columns of the guest's row that the API does not show. */
export interface StoredGuest {
  guest: Guest;
  version: number;
  /** Position on the waiting list; null if the guest is not on it. */
  waiting_order: number | null;
}

const answerColumns = [
  'rsvp_status',
  'maybe',
  'coming',
  'coming_children',
  'waiting_since',
  'answered_at',
  'answered_via',
];
const ownColumns = ['id', 'event_id', 'created_at', 'updated_at', 'version', 'waiting_order'];

export const guestColumns = selectColumns('guests', [...ownColumns, ...detailFields, ...answerColumns]);

export interface AnswerColumns extends Partial<Record<Diet, number>> {
  rsvp_status?: Guest['rsvp_status'];
  maybe?: boolean;
  coming?: number;
  coming_children?: number;
  /** Members of the party, if the answer changes who of them comes; the meals of some may be added then. */
  members?: readonly Member[];
  waiting_since?: Temporal.Instant | string | null;
  waiting_order?: number | null;
  answered_at?: Temporal.Instant | null;
  answered_via?: Guest['answered_via'];
}

/** Finds a guest of an event. A malformed id finds no guest. */
export async function findGuest(
  db: Kysely<unknown>,
  eventId: string,
  guestId: string,
): Promise<StoredGuest | undefined> {
  if (!isUuid(guestId)) return undefined;
  const { rows } = await sql<GuestRow>`
    select ${guestColumns} from guests where id = ${guestId} and event_id = ${eventId}`.execute(db);
  return rows[0] && storedGuestOf(rows[0]);
}

/**
 * Finds a guest of an event, and locks first the event and then the guest until the transaction ends. The guest is as
 * the transactions that held the locks before left them.
 */
export async function lockGuestAndEvent(
  transaction: Kysely<unknown>,
  eventId: string,
  guestId: string,
): Promise<StoredGuest | undefined> {
  const { rows } = await sql<GuestRow>`
    select ${guestColumns} from events join guests on guests.event_id = events.id
    where events.id = ${eventId} and guests.id = ${guestId}
    for no key update of events, guests`.execute(transaction);
  return rows[0] && storedGuestOf(rows[0]);
}

/** Guest as a caller sees them: without contact details if the caller sees none. */
export function guestFor({ contacts }: Pick<GuestReader, 'contacts'>, guest: Guest): Guest {
  return contacts ? guest : { ...guest, ...NO_CONTACTS };
}

/** Reads a guest for a caller. A malformed id finds no guest. */
export async function readGuest(
  db: Kysely<unknown>,
  reader: GuestReader,
  guestId: string,
): Promise<StoredGuest | undefined> {
  const found = await findGuest(db, reader.id, guestId);
  return found && { ...found, guest: guestFor(reader, found.guest) };
}

/** Finds guests of an event by the guests' ids. Ids that belong to no guest are left out. */
export async function findGuests(
  db: Kysely<unknown>,
  eventId: string,
  ids: readonly string[],
): Promise<Map<string, Guest>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<GuestRow>`
    select ${guestColumns} from guests where id = any(${ids}::uuid[]) and event_id = ${eventId}`.execute(db);
  return new Map(rows.map((row) => [row.id, storedGuestOf(row).guest]));
}

/** Finds the event's guest with this phone number or, if there is none, the guest with this email address. */
export async function findGuestBy(
  db: Kysely<unknown>,
  eventId: string,
  { phone, email }: Pick<GuestDetails, 'phone' | 'email'>,
): Promise<StoredGuest | undefined> {
  const hasPhone = hasContact('phone', sql`${phone}::text`);
  const { rows } = await sql<GuestRow>`
    select ${guestColumns} from guests
    where event_id = ${eventId} and (${hasPhone} or ${hasContact('email', sql`${email}::text`)})
    order by ${hasPhone} desc nulls last limit 1`.execute(db);
  return rows[0] && storedGuestOf(rows[0]);
}

export async function insertGuest(
  transaction: Kysely<unknown>,
  eventId: string,
  details: GuestDetails,
  answer: AnswerColumns,
  now: Temporal.Instant,
): Promise<StoredGuest> {
  const id = newId();
  await refuseTakenContacts(transaction, eventId, id, details);
  const columns = guestParameters({ ...details, ...answer });
  const row = { id, event_id: eventId, ...columns, created_at: now, updated_at: now };
  const { rows } = await sql<GuestRow>`${insertInto('guests', row)} returning ${guestColumns}`.execute(
    transaction,
  );
  if (!rows[0]) throw new Error('insert returned no row');
  return storedGuestOf(rows[0]);
}

/**
 * Changes a guest, whose row is locked. Returns the guest as stored then, without waiting for the write. Throws a 409
 * for phone numbers and email addresses that another guest has.
 */
export async function updateGuest(
  { transaction, now, sendAlong }: Pick<EventWrite, 'transaction' | 'now' | 'sendAlong'>,
  { guest, version, waiting_order }: StoredGuest,
  changes: Partial<GuestDetails> & AnswerColumns,
): Promise<StoredGuest> {
  await refuseTakenContacts(transaction, guest.event_id, guest.id, changes);
  const columns = { ...guestParameters(changes), updated_at: now };
  sendAlong(sql`update guests set ${assignColumns(columns)} where id = ${guest.id}`.execute(transaction));
  const { waiting_order: waitingOrder = waiting_order, ...fields } = { ...changes, updated_at: now };
  const changed = Object.entries(fields).map(([field, value]) => [field, toParameter(value)]);
  return {
    guest: { ...guest, ...Object.fromEntries(changed) },
    version: version + 1,
    waiting_order: waitingOrder,
  };
}

/** Values of a guest's columns as parameters. JSON columns are sent as text: a driver would send a list as an array. */
export function guestParameters(values: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(values).map(([field, value]) => [field, isJson(field) ? JSON.stringify(value) : value]),
  );
}

function isJson(field: string): boolean {
  return field in guestFields && guestFields[field as keyof typeof guestFields].column === 'jsonb';
}

export function guestNotFound(): Refusal {
  return new Refusal(404, 'not_found', messages.noSuchGuest);
}

export function requireGuest<T>(guest: T | undefined): T {
  if (!guest) throw guestNotFound();
  return guest;
}

export function storedGuestOf({ version, waiting_order, ...row }: GuestRow): StoredGuest {
  const guest = {
    ...row,
    waiting_since: row.waiting_since?.toISOString() ?? null,
    answered_at: row.answered_at?.toISOString() ?? null,
    created_at: row.created_at?.toISOString() ?? '',
    updated_at: row.updated_at?.toISOString() ?? '',
  };
  return { guest, version, waiting_order };
}
