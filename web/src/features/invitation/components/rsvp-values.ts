import type { RsvpSettings, RsvpSettingsChanges } from 'simcha-client';
import { dayOf, timeOfDay, wallTimeOf } from '../../../lib/dates.ts';

/**
 * Values of the form for the RSVP settings. Whether guests are asked for meals and children is set with the questions.
 */
export type RsvpValues = {
  until_date: string | null;
  until_time: string;
  open: boolean;
  slug: string;
  registration: boolean;
  accept_by_itself: boolean;
  /**
   * True if people who ask for a place must confirm their email address. Null while no organizer has chosen: then they
   * must if the event accepts requests automatically.
   */
  confirm_email: boolean | null;
  most_each: number | string;
  plus_ones_each: number | string;
};

export function rsvpValuesOf(settings: RsvpSettings): RsvpValues {
  const { answer_until: until } = settings;
  return {
    until_date: until && dayOf(until),
    until_time: until ? timeOfDay(until, 'en') : '23:59',
    open: settings.open,
    slug: settings.slug ?? '',
    registration: settings.registration,
    accept_by_itself: settings.accept_by_itself,
    confirm_email: settings.confirm_email,
    most_each: settings.most_each,
    plus_ones_each: settings.plus_ones_each ?? '',
  };
}

function bodyOf(values: RsvpValues): RsvpSettingsChanges {
  return {
    answer_until: wallTimeOf({ date: values.until_date, time: values.until_time }) ?? null,
    open: values.open,
    slug: values.slug.trim() || null,
    registration: values.registration,
    accept_by_itself: values.accept_by_itself,
    confirm_email: values.confirm_email,
    most_each: Number(values.most_each),
    plus_ones_each: values.plus_ones_each === '' ? null : Number(values.plus_ones_each),
  };
}

/**
 * Fields of the RSVP settings form that differ from `before`. Unchanged fields are not sent, so that they can't undo
 * somebody else's change.
 */
export function rsvpChangesOf(values: RsvpValues, before: RsvpValues): RsvpSettingsChanges {
  const same = bodyOf(before);
  const changed = Object.entries(bodyOf(values)).filter(
    ([name, value]) => value !== same[name as keyof RsvpSettingsChanges],
  );
  return Object.fromEntries(changed);
}

export const fieldOfRsvpSettings = (field: string): string =>
  field === 'answer_until' ? 'until_date' : field;
