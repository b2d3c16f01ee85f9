import { sql } from 'kysely';
import { DEFAULT_ZONE } from '../../kernel/clock.ts';
import { codeOf, type LanguageName } from '../../kernel/languages.ts';
import { hebrewDateAt } from '../calendar/calendar.ts';
import { placeAt } from '../calendar/place.ts';
import { ofVenue } from '../events/place.ts';

/** What says whether guests are told a Hebrew date, and which. */
export interface HebrewDated {
  event_date: Date | null;
  coordinates: string | null;
  language_pref: LanguageName;
  /** What the organizer decided; null: nothing. */
  hebrew_date: boolean | null;
  /** People register, as for a conference. */
  registration: boolean;
}

/** The columns of one beside the event's own, of `events` and the row of `invitations` as `invitation`. */
export const hebrewDated = sql`
  ${ofVenue('coordinates')} as coordinates, invitation.hebrew_date,
  coalesce((select registration from rsvp_settings where event_id = events.id), false) as registration`;

/** The Hebrew date that who reads `language` is told beside the civil one; '' where they are told none. */
export function hebrewDateFor(event: HebrewDated, language: LanguageName): string {
  const { event_date, coordinates, language_pref, registration } = event;
  const wanted = event.hebrew_date ?? (!registration && language_pref !== 'arabic');
  if (!event_date || !wanted || language === 'arabic') return '';
  const where = { zone: DEFAULT_ZONE, place: placeAt(coordinates) };
  return hebrewDateAt(event_date.toTemporalInstant(), where, codeOf(language));
}

/** The same behind the civil date, in a line of a message: `date` alone where there is none. */
export function withHebrewDate(date: string, event: HebrewDated, language: LanguageName): string {
  const hebrew = hebrewDateFor(event, language);
  return hebrew ? `${date} (${hebrew})` : date;
}
