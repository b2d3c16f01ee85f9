import { sql } from 'kysely';

/** Where an event is, in one line, as maps and calendars take it. */
export function placeOf(
  { venue_name, venue_address }: { venue_name: string; venue_address: string | null },
  comma = ', ',
): string {
  return [venue_name, venue_address].filter(Boolean).join(comma);
}

/** SQL for the coordinates of `events`, in its row of `invitations` as `invitation`, as long as the venue is the one that they are of. */
export const coordinatesOfVenue = sql<string | null>`
  case when invitation.coordinates_of = events.venue_name then invitation.coordinates end`;
