import { type Kysely, sql } from 'kysely';
import { DEFAULT_ZONE } from '../../kernel/clock.ts';
import type { Language, LanguageName } from '../../kernel/languages.ts';
import { currentVenueField } from '../events/place.ts';
import { buildCalendar } from './calendar.ts';
import type { EventCalendar } from './contract.ts';
import { placeAt } from './place.ts';

interface DatedEvent {
  id: string;
  event_date: string | null;
  language_pref: LanguageName;
}

/** Calendar data of an event, with the coordinates and the length that its invitation gives. */
export async function calendarOfEvent(
  db: Kysely<unknown>,
  { id, event_date, language_pref }: DatedEvent,
  language: Language,
): Promise<EventCalendar> {
  const { rows } = await sql<{ lasts_minutes: number | null; coordinates: string | null }>`
    select invitation.lasts_minutes, ${currentVenueField('coordinates')} as coordinates
    from invitations invitation join events on events.id = invitation.event_id
    where events.id = ${id}`.execute(db);
  const { lasts_minutes: minutes = null, coordinates = null } = rows[0] ?? {};
  const begins = event_date === null ? null : Temporal.Instant.from(event_date);
  const lasts = minutes === null ? null : Temporal.Duration.from({ minutes });
  const circle = { zone: DEFAULT_ZONE, language: language_pref, place: placeAt(coordinates) };
  return buildCalendar(begins, circle, language, lasts);
}
