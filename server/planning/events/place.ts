/** Where an event is, in one line, as maps and calendars take it. */
export function placeOf(
  { venue_name, venue_address }: { venue_name: string; venue_address: string | null },
  comma = ', ',
): string {
  return [venue_name, venue_address].filter(Boolean).join(comma);
}
