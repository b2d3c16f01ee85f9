import { type Kysely, sql } from 'kysely';
import { putInto } from '../../kernel/database/rows.ts';
import { invalidField } from '../../kernel/fields.ts';
import type { EventInvitation } from './contract.ts';
import type { InvitationChanges } from './fields.ts';
import { messages } from './messages.ts';

const MOST_MINUTES = 31 * 24 * 60;

interface Row {
  hosts: string | null;
  contact_email: string | null;
  lasts_minutes: number | null;
  event_date: Date | null;
  version: number;
}

/** How an event invites, as stored and as shown. Version 0: nothing was decided. */
export interface StoredInvitation {
  row: Row;
  invitation: EventInvitation;
  version: number;
}

export async function findEventInvitation(db: Kysely<unknown>, eventId: string): Promise<StoredInvitation> {
  const { rows } = await sql<Row>`
    select invitation.hosts, invitation.contact_email, invitation.lasts_minutes, events.event_date,
      coalesce(invitation.version, 0) as version
    from events left join invitations invitation on invitation.event_id = events.id
    where events.id = ${eventId}`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('the event is gone');
  const { hosts, contact_email, lasts_minutes, event_date, version } = row;
  const ends = event_date && lasts_minutes && new Date(event_date.getTime() + lasts_minutes * 60_000);
  const invitation = { hosts, contact_email, event_end: ends ? ends.toISOString() : null };
  return { row, invitation, version };
}

/** Writes a change of a locked event's invitation. Throws a FieldProblem for an end that can't be. */
export async function saveEventInvitation(
  transaction: Kysely<unknown>,
  eventId: string,
  { row }: StoredInvitation,
  { event_end, ...changes }: InvitationChanges,
  now: Temporal.Instant,
): Promise<void> {
  const kept = { hosts: row.hosts, contact_email: row.contact_email, lasts_minutes: row.lasts_minutes };
  const lasts = event_end === undefined ? {} : { lasts_minutes: minutesUntil(event_end, row.event_date) };
  const next = { ...kept, ...changes, ...lasts, updated_at: now };
  await putInto('invitations', { event_id: eventId }, next).execute(transaction);
}

function minutesUntil(end: string | null, start: Date | null): number | null {
  if (end === null) return null;
  if (!start) throw invalidField('event_end', messages.noDate);
  const minutes = Math.round((Date.parse(end) - start.getTime()) / 60_000);
  if (minutes < 1 || minutes > MOST_MINUTES) throw invalidField('event_end', messages.endsBefore);
  return minutes;
}
