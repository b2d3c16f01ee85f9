import { sql } from 'kysely';
import { DEFAULT_ZONE } from '../../kernel/clock.ts';
import { type LanguageName, languageCodeOf } from '../../kernel/languages.ts';
import { hebrewDateAt } from '../calendar/calendar.ts';
import { placeAt } from '../calendar/place.ts';
import { currentVenueField } from '../events/place.ts';

/** Event data that determine whether guests see a Hebrew date, and which one. */
export interface HebrewDateSource {
  event_date: Date | null;
  coordinates: string | null;
  language_pref: LanguageName;
  /** Organizer's choice to show or hide the event's Hebrew date; null for the default. */
  hebrew_date: boolean | null;
  /** True if people register for the event, as for a conference. */
  registration: boolean;
}

/**
 * Columns of `HebrewDateSource` that are not in the table `events`. The query joins the table `invitations` as
 * `invitation`.
 */
export const hebrewDateColumns = sql`
  ${currentVenueField('coordinates')} as coordinates, invitation.hebrew_date,
  coalesce((select registration from rsvp_settings where event_id = events.id), false) as registration`;

/** Hebrew dates of events that were shown lately: computing the sunset for each answer again takes long. */
const computed = new Map<string, string>();
const MOST_COMPUTED = 1_000;

/** Hebrew date of an event for readers of `language`, shown beside the civil date; '' if they see none. */
export function hebrewDateFor(event: HebrewDateSource, language: LanguageName): string {
  const { event_date, coordinates, language_pref, registration } = event;
  const isShown = event.hebrew_date ?? (!registration && language_pref !== 'arabic');
  if (!event_date || !isShown || language === 'arabic') return '';
  const key = `${event_date.getTime()} ${coordinates} ${language}`;
  const known = computed.get(key);
  if (known !== undefined) return known;
  const where = { zone: DEFAULT_ZONE, place: placeAt(coordinates) };
  const date = hebrewDateAt(event_date.toTemporalInstant(), where, languageCodeOf(language));
  if (computed.size >= MOST_COMPUTED) computed.clear();
  computed.set(key, date);
  return date;
}

/** Adds the Hebrew date in parentheses to a civil date; returns `date` unchanged if there is none. */
export function addHebrewDate(date: string, event: HebrewDateSource, language: LanguageName): string {
  const hebrew = hebrewDateFor(event, language);
  return hebrew ? `${date} (${hebrew})` : date;
}
