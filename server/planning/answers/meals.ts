import { DIETS, type Diet } from '../guests/fields.ts';
import type { InvitedEvent, InvitedGuest } from './store.ts';

/** What everybody may be asked, whatever the kitchen. */
const ALWAYS: readonly Diet[] = ['vegetarian', 'vegan', 'childrens_meals'];

/** The meals that are stricter than an event's own kitchen. Who would ask a kosher event for kosher meals? */
const STRICTER: Readonly<Record<InvitedEvent['kashrut_level'], readonly Diet[]>> = {
  none: ['kosher', 'mehadrin'],
  regular: ['mehadrin'],
  mehadrin: [],
  chalav_yisrael: [],
};

/**
 * What a guest is asked: the meals that can differ from the event's own, and those they want already. Whose event is in
 * Arabic and keeps no kashrut is not asked about it.
 */
export function mealsAsked(
  { kashrut_level, language_pref }: Pick<InvitedEvent, 'kashrut_level' | 'language_pref'>,
  guest: Pick<InvitedGuest, Diet>,
): Diet[] {
  const isKept = kashrut_level !== 'none' || language_pref !== 'arabic';
  const asked = new Set([...ALWAYS, ...(isKept ? STRICTER[kashrut_level] : [])]);
  return DIETS.filter((diet) => asked.has(diet) || guest[diet] > 0);
}
