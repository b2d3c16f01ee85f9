import { DIETS, type Diet } from '../guests/fields.ts';
import type { InvitedEvent, InvitedGuest } from './store.ts';

/**
 * Form field for a guest who comes alone: the kind of their meal, empty for a regular one. The form then has no fields
 * for the number of meals of each kind.
 */
export const MEAL_FIELD = 'meal';

/** Fields of a guest's answer that an event's forms may leave out. */
export type OptionalField = 'coming_children' | 'allergies' | Diet;

/** Fields of a guest's answer that the forms of the given event leave out. */
export function omittedFields({
  children_asked,
  food_asked,
}: Pick<InvitedEvent, 'children_asked' | 'food_asked'>): readonly OptionalField[] {
  const food: OptionalField[] = food_asked ? [] : [...DIETS, 'allergies'];
  return children_asked ? food : ['coming_children', 'childrens_meals', ...food];
}

/** Special meals that the forms of every event offer, whatever its kitchen. */
const ALWAYS: readonly Diet[] = ['vegetarian', 'vegan', 'childrens_meals'];

/**
 * Kinds of meals that are stricter than the event's kitchen. The forms of a kosher event need no question about kosher
 * meals.
 */
const STRICTER: Readonly<Record<InvitedEvent['kashrut_level'], readonly Diet[]>> = {
  none: ['kosher', 'mehadrin'],
  regular: ['mehadrin'],
  mehadrin: [],
  chalav_yisrael: [],
};

/**
 * Fields that the form does not ask this guest for: fields that the event leaves out, and meals that its kitchen serves
 * to everybody.
 */
export function fieldsOmittedFor(
  event: FormOptions,
  guest: Pick<InvitedGuest, Diet>,
): readonly OptionalField[] {
  const meals = mealsOffered(event, guest);
  return [...new Set([...omittedFields(event), ...DIETS.filter((diet) => !meals.includes(diet))])];
}

/** Data of an event that determine for which people and meals its forms ask. */
export type FormOptions = Pick<
  InvitedEvent,
  'children_asked' | 'food_asked' | 'kashrut_level' | 'language_pref'
>;

/**
 * Special meals that a guest can choose in the form: meals that the kitchen does not serve anyway, and meals that the
 * guest already has. Events in Arabic without a kashrut level don't ask about kosher meals.
 */
export function mealsOffered(event: FormOptions, guest: Pick<InvitedGuest, Diet>): Diet[] {
  const { kashrut_level, language_pref } = event;
  const notAsked = omittedFields(event);
  const isKept = kashrut_level !== 'none' || language_pref !== 'arabic';
  const asked = new Set([...ALWAYS, ...(isKept ? STRICTER[kashrut_level] : [])]);
  return DIETS.filter((diet) => !notAsked.includes(diet) && (asked.has(diet) || guest[diet] > 0));
}
