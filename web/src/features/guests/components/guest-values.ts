import type { CountedEvent, Guest, GuestChanges, NewGuest, RsvpSettings } from 'simcha-client';
import { formatPhone } from '../../../lib/format-phone.ts';
import { answerOf, type GuestAnswer, statusOf } from '../api/answer.ts';
import type { Member } from '../api/members.ts';
import { DIETS } from '../api/search.ts';

export const MEALS = DIETS.filter((diet) => diet !== 'allergies');
export type Meal = Exclude<(typeof DIETS)[number], 'allergies'>;

type Count = number | string;

/** Values of the guest form; an empty field is ''. */
export interface GuestValues extends Record<Meal, Count> {
  name: string;
  phone: string;
  other_phones: string[];
  email: string;
  other_emails: string[];
  language: '' | NonNullable<Guest['language']>;
  tags: string[];
  party_size: Count;
  party_children: Count;
  max_plus_ones: Count;
  answer: GuestAnswer;
  coming: Count;
  coming_children: Count;
  members: Member[];
  allergies: string;
  answers: Record<string, Count>;
  note: string;
  message: string;
  company: string;
  role: string;
}

export const EMPTY_GUEST: GuestValues = {
  name: '',
  phone: '',
  other_phones: [],
  email: '',
  other_emails: [],
  language: '',
  tags: [],
  party_size: 1,
  party_children: 0,
  max_plus_ones: '',
  answer: 'none',
  coming: '',
  coming_children: '',
  vegetarian: 0,
  vegan: 0,
  kosher: 0,
  mehadrin: 0,
  chalav_yisrael: 0,
  childrens_meals: 0,
  members: [],
  allergies: '',
  answers: {},
  note: '',
  message: '',
  company: '',
  role: '',
};

export function guestValuesOf(guest: Guest): GuestValues {
  const isYes = guest.coming > 0;
  return {
    ...EMPTY_GUEST,
    ...Object.fromEntries(MEALS.map((meal) => [meal, guest[meal]])),
    name: guest.name,
    phone: formatPhone(guest.phone ?? ''),
    other_phones: guest.other_phones.map(formatPhone),
    email: guest.email ?? '',
    other_emails: guest.other_emails,
    language: guest.language ?? '',
    tags: guest.tags,
    party_size: guest.party_size,
    party_children: guest.party_children,
    max_plus_ones: guest.max_plus_ones ?? '',
    answer: answerOf(guest),
    coming: isYes ? guest.coming : '',
    coming_children: isYes ? guest.coming_children : '',
    members: guest.members,
    allergies: guest.allergies ?? '',
    answers: guest.answers,
    note: guest.note ?? '',
    message: guest.message ?? '',
    company: guest.company ?? '',
    role: guest.role ?? '',
  };
}

/** Field of the form that an error of the API is about; one in a list is named `other_phones[0]`. */
export const fieldOfGuest = (field: string): string =>
  field === 'rsvp_status' ? 'answer' : field.replace(/\[\d+\].*$/, '');

export const hasConfirmed = ({ answer }: Pick<GuestValues, 'answer'>): boolean =>
  answer === 'confirmed' || answer === 'waiting';

/**
 * Names of the fields in which the guest's form differs from the saved guest. Answers to questions count as one field.
 */
export const changedFields = (values: GuestValues, before: GuestValues): (keyof GuestValues)[] =>
  (Object.keys(EMPTY_GUEST) as (keyof GuestValues)[]).filter((name) => !isSame(values[name], before[name]));

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Body of the request that saves the changes of the guest form. */
export function guestChangesOf(values: GuestValues, before: GuestValues): GuestChanges {
  const body: Record<string, unknown> = {};
  for (const name of changedFields(values, before)) {
    if (name === 'answer') {
      if (values.answer !== 'waiting') body.rsvp_status = statusOf(values.answer);
    } else if (name === 'answers') body.answers = answersOf(values.answers, before.answers);
    else if (name === 'coming' || name === 'coming_children') {
      // Numbers of people are sent only with the reply yes. By default everybody who was invited comes.
      if (hasConfirmed(values) && values[name] !== '') body[name] = values[name];
    } else body[name] = values[name] === '' ? null : values[name];
  }
  return body as GuestChanges;
}

export const newGuestOf = (values: GuestValues): NewGuest => ({
  ...guestChangesOf(values, EMPTY_GUEST),
  name: values.name,
});

function answersOf(values: GuestValues['answers'], before: GuestValues['answers']) {
  const ids = new Set([...Object.keys(values), ...Object.keys(before)]);
  const changed = [...ids].filter((id) => (values[id] ?? '') !== (before[id] ?? ''));
  return Object.fromEntries(changed.map((id) => [id, values[id] === '' ? null : (values[id] ?? null)]));
}

/**
 * Meals that guests are asked about at every event that asks for meals, and further ones by the event's kashrut level:
 * those that are stricter than its own kitchen. The guests' page has the same.
 */
const ALWAYS: readonly Meal[] = ['vegetarian', 'vegan', 'childrens_meals'];
const STRICTER: Readonly<Record<CountedEvent['kashrut_level'], readonly Meal[]>> = {
  none: ['kosher', 'mehadrin'],
  regular: ['mehadrin'],
  mehadrin: [],
  chalav_yisrael: [],
};

/**
 * Meals that the guest form shows: those that the event's guests are asked about, and those that this guest already
 * has.
 */
export function mealsOf(
  { kashrut_level: level, language_pref: language }: CountedEvent,
  { meals, children, registration }: Pick<RsvpSettings, 'meals' | 'children' | 'registration'>,
  values: GuestValues,
): Meal[] {
  const isKept = level !== 'none' || language !== 'arabic';
  const asked = meals ? [...ALWAYS, ...(isKept ? STRICTER[level] : [])] : [];
  const isOfChildren = children ?? !registration;
  return MEALS.filter(
    (meal) =>
      Number(values[meal]) > 0 || (asked.includes(meal) && (meal !== 'childrens_meals' || isOfChildren)),
  );
}
