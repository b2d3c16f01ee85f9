import type { Event, EventChanges, NewEvent, RsvpSettingsChanges } from 'simcha-client';
import { dayOf, timeOfDay, wallTimeOf } from '../../../lib/dates.ts';
import type { Language } from '../../../lib/languages.ts';
import { EVENING, isAskingForNames, type KindDefaults } from './event-kind.ts';

/** Values of the event form: day and time are separate, and an empty field is ''. */
export type EventValues = KindDefaults & {
  title: string;
  date: string | null;
  venue_name: string;
  venue_address: string;
  max_guests: number | string;
  kashrut_level: Event['kashrut_level'];
  language_pref: Event['language_pref'];
  description: string;
  venue_capacity: number | string;
  max_plus_ones_buffer: number | string;
  noise_curfew_time: string;
  budget: number | string;
  retention_policy_days: number | string;
};

export const FIELDS_OF_MORE = [
  'description',
  'venue_capacity',
  'max_plus_ones_buffer',
  'noise_curfew_time',
  'budget',
  'retention_policy_days',
] as const satisfies (keyof EventValues)[];

const PREFERRED: Readonly<Record<Language, Event['language_pref']>> = {
  he: 'hebrew',
  ar: 'arabic',
  en: 'english',
};

/** Language in which a text is written, by its letters; undefined if they are neither Hebrew nor Arabic. */
export function languageOf(text: string): Event['language_pref'] | undefined {
  if (/\p{Script=Hebrew}/u.test(text)) return 'hebrew';
  return /\p{Script=Arabic}/u.test(text) ? 'arabic' : undefined;
}

export const emptyEventOf = (language: Language): EventValues => ({
  title: '',
  kind: null,
  date: null,
  ...EVENING,
  venue_name: '',
  venue_address: '',
  max_guests: '',
  kashrut_level: 'none',
  language_pref: PREFERRED[language],
  description: '',
  venue_capacity: '',
  max_plus_ones_buffer: 30,
  noise_curfew_time: '23:00',
  budget: '',
  retention_policy_days: 365,
});

export function eventValuesOf(event: Event): EventValues {
  return {
    title: event.title,
    kind: null,
    plus_ones_each: '',
    date: event.event_date && dayOf(event.event_date),
    time: event.event_date ? timeOfDay(event.event_date, 'en') : '',
    venue_name: event.venue_name,
    venue_address: event.venue_address ?? '',
    max_guests: event.max_guests ?? '',
    kashrut_level: event.kashrut_level,
    language_pref: event.language_pref,
    description: event.description ?? '',
    venue_capacity: event.venue_capacity ?? '',
    max_plus_ones_buffer: event.max_plus_ones_buffer,
    noise_curfew_time: event.noise_curfew_time,
    budget: event.budget ?? '',
    retention_policy_days: event.retention_policy_days,
  };
}

const given = (value: number | string): number | undefined => (value === '' ? undefined : Number(value));

export function newEventOf(values: EventValues): NewEvent {
  return {
    title: values.title,
    event_date: wallTimeOf(values) ?? '',
    venue_name: values.venue_name,
    venue_address: values.venue_address || null,
    description: values.description || null,
    max_guests: given(values.max_guests),
    venue_capacity: given(values.venue_capacity),
    max_plus_ones_buffer: given(values.max_plus_ones_buffer),
    kashrut_level: values.kashrut_level,
    noise_curfew_time: values.noise_curfew_time || null,
    language_pref: values.language_pref,
    budget: given(values.budget),
    retention_policy_days: given(values.retention_policy_days),
  };
}

/** RSVP settings of a new event, taken from the values of its form. */
export function newSettingsOf({ plus_ones_each, kind }: EventValues): RsvpSettingsChanges {
  return { plus_ones_each: Number(plus_ones_each), ...(isAskingForNames(kind) && { ask_names: true }) };
}

/**
 * Fields of the event form that differ from `before`. Unchanged fields are not sent, so that they can't undo somebody
 * else's change.
 */
export function eventChangesOf(values: EventValues, before: EventValues): EventChanges {
  const whole = newEventOf(values);
  const same = newEventOf(before);
  const changed = Object.entries(whole).filter(([name, value]) => value !== same[name as keyof NewEvent]);
  const { retention_policy_days: _set, ...changes } = Object.fromEntries(changed);
  return changes as EventChanges;
}

/**
 * Event fields that had a value and are empty now. The API ignores empty values, so these fields can be replaced but
 * not emptied.
 */
export const emptiedFields = (values: EventValues, before: EventValues): (keyof EventValues)[] =>
  (Object.keys(values) as (keyof EventValues)[]).filter(
    (name) => (values[name] ?? '') === '' && (before[name] ?? '') !== '',
  );

/** Name of the event form's field for a field of the API. */
export const fieldOfEvent = (field: string): string => (field === 'event_date' ? 'date' : field);
