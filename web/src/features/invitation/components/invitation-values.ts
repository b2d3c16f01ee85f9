import type { EventInvitation, EventInvitationChanges } from 'simcha-client';
import { dayOf, timeOfDay, wallTimeOf } from '../../../lib/dates.ts';
import { formatPhone } from '../../../lib/format-phone.ts';
import { LANGUAGE_NAMES, type LanguageName } from '../../../lib/languages.ts';

/** Texts of the invitation that can be written in each language. */
export const TRANSLATED = [
  'hosts',
  'title',
  'words',
  'venue_name',
  'venue_address',
  'contact_name',
  'picture_alt',
] as const satisfies (keyof EventInvitation)[];
export type Translated = (typeof TRANSLATED)[number];
export type TranslatedField = `${Translated}_${LanguageName}`;

/** Choice in a yes-or-no field of the form; '' leaves the decision to the API's default. */
export type Choice = '' | 'yes' | 'no';

/** Values of the invitation form; an empty field is ''. */
export type InvitationValues = Record<TranslatedField, string> & {
  contact_phone: string;
  contact_email: string;
  online_url: string;
  end_date: string | null;
  end_time: string;
  map: Choice;
  coordinates: string;
  hebrew_date: Choice;
};

export const translatedField = (name: Translated, language: LanguageName): TranslatedField =>
  `${name}_${language}`;

export const TRANSLATED_FIELDS = TRANSLATED.flatMap((name) =>
  LANGUAGE_NAMES.map((language) => [translatedField(name, language), name, language] as const),
);

const choiceOf = (value: boolean | null): Choice => (value === null ? '' : value ? 'yes' : 'no');
const decided = (choice: Choice): boolean | null => (choice === '' ? null : choice === 'yes');

export function invitationValuesOf(invitation: EventInvitation): InvitationValues {
  const translatedValues = Object.fromEntries(
    TRANSLATED_FIELDS.map(([field, name, language]) => [field, invitation[name]?.[language] ?? '']),
  ) as Record<TranslatedField, string>;
  const { event_end: end } = invitation;
  return {
    ...translatedValues,
    contact_phone: formatPhone(invitation.contact_phone ?? ''),
    contact_email: invitation.contact_email ?? '',
    online_url: invitation.online_url ?? '',
    end_date: end && dayOf(end),
    end_time: end ? timeOfDay(end, 'en') : '',
    map: choiceOf(invitation.map),
    coordinates: invitation.coordinates ?? '',
    hebrew_date: choiceOf(invitation.hebrew_date),
  };
}

function bodyOf(values: InvitationValues): EventInvitationChanges {
  const translatedValues = Object.fromEntries(
    TRANSLATED.map((name) => [
      name,
      Object.fromEntries(
        LANGUAGE_NAMES.map((language) => [language, values[translatedField(name, language)].trim() || null]),
      ),
    ]),
  );
  return {
    ...translatedValues,
    contact_phone: values.contact_phone.trim() || null,
    contact_email: values.contact_email.trim() || null,
    online_url: values.online_url.trim() || null,
    event_end: wallTimeOf({ date: values.end_date, time: values.end_time }) ?? null,
    map: decided(values.map),
    coordinates: values.coordinates.trim() || null,
    hebrew_date: decided(values.hebrew_date),
  };
}

/**
 * Fields of the invitation form that differ from `before`. Unchanged fields are not sent, so that they can't undo
 * somebody else's change.
 */
export function invitationChangesOf(
  values: InvitationValues,
  before: InvitationValues,
): EventInvitationChanges {
  const same = bodyOf(before);
  const changed = Object.entries(bodyOf(values)).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(same[name as keyof EventInvitationChanges]),
  );
  return Object.fromEntries(changed);
}

/**
 * Name of the invitation form's field for a field of the API: `hosts.hebrew` is `hosts_hebrew`. An error about all
 * languages is shown at the open language.
 */
export function fieldOfInvitation(field: string, open: LanguageName): string {
  if (field === 'event_end') return 'end_date';
  const [name, language = open] = field.split('.');
  return TRANSLATED.some((one) => one === name) ? `${name}_${language}` : field;
}
