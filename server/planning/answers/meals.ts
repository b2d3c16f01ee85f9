import { DIETS, type Diet } from '../guests/fields.ts';
import type { InvitedEvent, InvitedGuest } from './store.ts';

/** What a form of somebody alone has in place of a number for each kind of meal: the one they eat, empty for the usual. */
export const MEAL = 'meal';

/** What an event may leave unasked of who comes. */
export type LeftUnasked = 'coming_children' | 'allergies' | Diet;

/** What of it this event does not ask. */
export function fieldsNotAsked({
  children_asked,
  food_asked,
}: Pick<InvitedEvent, 'children_asked' | 'food_asked'>): readonly LeftUnasked[] {
  const food: LeftUnasked[] = food_asked ? [] : [...DIETS, 'allergies'];
  return children_asked ? food : ['coming_children', 'childrens_meals', ...food];
}

/** What everybody may be asked, whatever the kitchen. */
const ALWAYS: readonly Diet[] = ['vegetarian', 'vegan', 'childrens_meals'];

/** The meals that are stricter than an event's own kitchen. Who would ask a kosher event for kosher meals? */
const STRICTER: Readonly<Record<InvitedEvent['kashrut_level'], readonly Diet[]>> = {
  none: ['kosher', 'mehadrin'],
  regular: ['mehadrin'],
  mehadrin: [],
  chalav_yisrael: [],
};

/** What this guest is not asked: beside what the event does not, the meals that can't differ from its own. */
export function unasked(event: Asks, guest: Pick<InvitedGuest, Diet>): readonly LeftUnasked[] {
  const meals = mealsAsked(event, guest);
  return [...new Set([...fieldsNotAsked(event), ...DIETS.filter((diet) => !meals.includes(diet))])];
}

/** What an event asks of who comes goes by these. */
export type Asks = Pick<InvitedEvent, 'children_asked' | 'food_asked' | 'kashrut_level' | 'language_pref'>;

/**
 * What a guest is asked: the meals that can differ from the event's own, and those they want already. Whose event is in
 * Arabic and keeps no kashrut is not asked about it.
 */
export function mealsAsked(event: Asks, guest: Pick<InvitedGuest, Diet>): Diet[] {
  const { kashrut_level, language_pref } = event;
  const notAsked = fieldsNotAsked(event);
  const isKept = kashrut_level !== 'none' || language_pref !== 'arabic';
  const asked = new Set([...ALWAYS, ...(isKept ? STRICTER[kashrut_level] : [])]);
  return DIETS.filter((diet) => !notAsked.includes(diet) && (asked.has(diet) || guest[diet] > 0));
}
