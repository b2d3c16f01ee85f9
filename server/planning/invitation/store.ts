import { type Kysely, sql } from 'kysely';
import { selectColumns, upsertInto } from '../../kernel/database/rows.ts';
import { invalidField } from '../../kernel/fields.ts';
import { VENUE_FIELD_NAMES, VENUE_FIELDS } from '../events/place.ts';
import type { EventInvitation } from './contract.ts';
import { type InvitationChanges, invitationFields } from './fields.ts';
import { messages } from './messages.ts';

const MOST_MINUTES = 31 * 24 * 60;

const { event_end: _, ...ownFields } = invitationFields;
const columns = selectColumns('invitation', Object.keys(ownFields));

type InvitationColumns = Omit<EventInvitation, 'event_end'>;

/**
 * Columns of an invitation that hold the event's venue as it was when the invitation's own text about it was written.
 */
const VENUE_BEFORE = VENUE_FIELD_NAMES.map((what) => `${what}_of` as const);
const venueColumns = selectColumns('invitation', VENUE_BEFORE);

type OtherColumns = { lasts_minutes: number | null } & Record<(typeof VENUE_BEFORE)[number], string | null>;

/** Fields of an event that its invitation shows. */
interface Event {
  event_date: string | null;
  venue_name: string;
  venue_address: string | null;
}

/** Invitation of an event, as stored and as the API shows it. Version 0 means that nothing is stored yet. */
export interface StoredInvitation {
  row: InvitationColumns & OtherColumns;
  event: Event;
  invitation: EventInvitation;
  version: number;
}

export async function findEventInvitation(db: Kysely<unknown>, eventId: string): Promise<StoredInvitation> {
  const { rows } = await sql<InvitationColumns & OtherColumns & { event: Event; version: number }>`
    select ${columns}, invitation.lasts_minutes, ${venueColumns},
      json_build_object(
        'event_date', events.event_date, 'venue_name', events.venue_name, 'venue_address', events.venue_address
      ) as event,
      coalesce(invitation.version, 0) as version
    from events left join invitations invitation on invitation.event_id = events.id
    where events.id = ${eventId}`.execute(db);
  const [found] = rows;
  if (!found) throw new Error('the event is gone');
  const { event, version, ...row } = found;
  const { lasts_minutes, coordinates_of, venue_name_of, venue_address_of, ...shown } = row;
  const ends =
    event.event_date && lasts_minutes && new Date(Date.parse(event.event_date) + lasts_minutes * 60_000);
  return { row, event, invitation: { ...shown, event_end: ends ? ends.toISOString() : null }, version };
}

/**
 * True if a change confirms that the invitation's text about the venue, written for another venue, also holds for the
 * current one.
 */
export function confirmsWording({ row, event }: StoredInvitation, changes: InvitationChanges): boolean {
  return VENUE_FIELD_NAMES.some((what) => changes[what] && row[`${what}_of`] !== event[VENUE_FIELDS[what]]);
}

/** Writes a change of a locked event's invitation. Throws a `FieldProblem` if the event would end before it begins. */
export async function saveEventInvitation(
  transaction: Kysely<unknown>,
  eventId: string,
  { row, event }: StoredInvitation,
  { event_end, ...changes }: InvitationChanges,
  now: Temporal.Instant,
): Promise<void> {
  const lasts = event_end === undefined ? {} : { lasts_minutes: minutesUntil(event_end, event.event_date) };
  const given = VENUE_FIELD_NAMES.filter((what) => changes[what] !== undefined);
  const ofNow = Object.fromEntries(given.map((what) => [`${what}_of`, event[VENUE_FIELDS[what]]]));
  const next = { ...row, ...changes, ...lasts, ...ofNow, updated_at: now };
  await upsertInto('invitations', { event_id: eventId }, next).execute(transaction);
}

function minutesUntil(end: string | null, start: string | null): number | null {
  if (end === null) return null;
  if (!start) throw invalidField('event_end', messages.noDate);
  const minutes = Math.round((Date.parse(end) - Date.parse(start)) / 60_000);
  if (minutes < 1 || minutes > MOST_MINUTES) throw invalidField('event_end', messages.endsBefore);
  return minutes;
}
