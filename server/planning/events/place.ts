import { type RawBuilder, sql } from 'kysely';
import { onOneLine } from '../../kernel/one-line.ts';

/** Where an event is, in one line, as maps and calendars take it. */
export function placeOf(
  { venue_name, venue_address }: { venue_name: string; venue_address: string | null },
  comma = ', ',
): string {
  return [venue_name, venue_address]
    .map((part) => onOneLine(part ?? ''))
    .filter(Boolean)
    .join(comma);
}

/** What an invitation says of the event's venue, and what of the event it is said of: of another venue it is not true. */
export const SAID_OF_VENUE = {
  coordinates: 'venue_name',
  venue_name: 'venue_name',
  venue_address: 'venue_address',
} as const;
export type SaidOfVenue = keyof typeof SAID_OF_VENUE;
export const VENUE_SAYINGS = Object.keys(SAID_OF_VENUE) as SaidOfVenue[];

/** SQL for it, of `events` and the row of `invitations` as `invitation`; null where it was said of another venue. */
export function ofVenue(what: SaidOfVenue): RawBuilder<unknown> {
  return sql`
    case when ${sql.ref(`invitation.${what}_of`)} is not distinct from ${sql.ref(`events.${SAID_OF_VENUE[what]}`)}
    then ${sql.ref(`invitation.${what}`)} end`;
}
