import { type RawBuilder, sql } from 'kysely';
import { toSingleLine } from '../../kernel/one-line.ts';

/** Venue and address of an event on one line, as maps and calendars expect them. */
export function venueLine(
  { venue_name, venue_address }: { venue_name: string; venue_address: string | null },
  comma = ', ',
): string {
  return [venue_name, venue_address]
    .map((part) => toSingleLine(part ?? ''))
    .filter(Boolean)
    .join(comma);
}

/**
 * Fields of an invitation that describe the venue, each with the event's field that it belongs to. Once that field
 * changes, the invitation's value describes another venue and no longer applies.
 */
export const VENUE_FIELDS = {
  coordinates: 'venue_name',
  venue_name: 'venue_name',
  venue_address: 'venue_address',
} as const;
export type VenueField = keyof typeof VENUE_FIELDS;
export const VENUE_FIELD_NAMES = Object.keys(VENUE_FIELDS) as VenueField[];

/**
 * SQL for an invitation's field that describes the venue; null if it describes a former venue. The query must join
 * `invitations` as `invitation`.
 */
export function currentVenueField(what: VenueField): RawBuilder<unknown> {
  return sql`
    case when ${sql.ref(`invitation.${what}_of`)} is not distinct from ${sql.ref(`events.${VENUE_FIELDS[what]}`)}
    then ${sql.ref(`invitation.${what}`)} end`;
}
