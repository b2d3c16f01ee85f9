import { type Kysely, sql } from 'kysely';
import { columnsRead, putInto } from '../../kernel/database/rows.ts';
import { invalidField } from '../../kernel/fields.ts';
import type { EventInvitation } from './contract.ts';
import { type InvitationChanges, invitationFields } from './fields.ts';
import { messages } from './messages.ts';

const MOST_MINUTES = 31 * 24 * 60;

const { event_end: _, ...kept } = invitationFields;
const columns = columnsRead('invitation', Object.keys(kept));

type Kept = Omit<EventInvitation, 'event_end'>;

interface Row extends Kept {
  lasts_minutes: number | null;
  coordinates_of: string | null;
  event_date: Date | null;
  venue_name: string;
  version: number;
}

/** How an event invites, as stored and as shown. Version 0: nothing was decided. */
export interface StoredInvitation {
  kept: Kept & Pick<Row, 'lasts_minutes' | 'coordinates_of'>;
  event_date: Date | null;
  venue_name: string;
  invitation: EventInvitation;
  version: number;
}

export async function findEventInvitation(db: Kysely<unknown>, eventId: string): Promise<StoredInvitation> {
  const { rows } = await sql<Row>`
    select ${columns}, invitation.lasts_minutes, invitation.coordinates_of, events.event_date, events.venue_name,
      coalesce(invitation.version, 0) as version
    from events left join invitations invitation on invitation.event_id = events.id
    where events.id = ${eventId}`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('the event is gone');
  const { lasts_minutes, coordinates_of, event_date, venue_name, version, ...said } = row;
  const ends = event_date && lasts_minutes && new Date(event_date.getTime() + lasts_minutes * 60_000);
  const invitation = { ...said, event_end: ends ? ends.toISOString() : null };
  return { kept: { ...said, lasts_minutes, coordinates_of }, event_date, venue_name, invitation, version };
}

/** Whether a change says of coordinates that stand there already that they are those of the venue as it is called now. */
export function placesAnew(
  { kept, venue_name }: StoredInvitation,
  { coordinates }: Pick<InvitationChanges, 'coordinates'>,
): boolean {
  return Boolean(coordinates) && kept.coordinates_of !== venue_name;
}

/** Writes a change of a locked event's invitation. Throws a FieldProblem for an end that can't be. */
export async function saveEventInvitation(
  transaction: Kysely<unknown>,
  eventId: string,
  { kept, event_date, venue_name }: StoredInvitation,
  { event_end, ...changes }: InvitationChanges,
  now: Temporal.Instant,
): Promise<void> {
  const lasts = event_end === undefined ? {} : { lasts_minutes: minutesUntil(event_end, event_date) };
  const placed = changes.coordinates === undefined ? {} : { coordinates_of: venue_name };
  const next = { ...kept, ...changes, ...lasts, ...placed, updated_at: now };
  await putInto('invitations', { event_id: eventId }, next).execute(transaction);
}

function minutesUntil(end: string | null, start: Date | null): number | null {
  if (end === null) return null;
  if (!start) throw invalidField('event_end', messages.noDate);
  const minutes = Math.round((Date.parse(end) - start.getTime()) / 60_000);
  if (minutes < 1 || minutes > MOST_MINUTES) throw invalidField('event_end', messages.endsBefore);
  return minutes;
}
