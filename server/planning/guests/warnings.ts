import type { Language } from '../../kernel/languages.ts';
import type { Shortfall } from './capacity/allocation.ts';
import type { Guest, GuestWarning } from './contract.ts';
import { countMeals, type GuestMeals, hasMoreMealsThanPeople } from './meals.ts';
import { messages } from './messages.ts';

/** Data of a guest that can lead to warnings. */
export type WarnedGuest = GuestMeals & Pick<Guest, 'party_size' | 'rsvp_status'>;

/** Guest after a change. `short` is set if the guest's yes asked for more places than were free. */
export interface WrittenGuest {
  guest: WarnedGuest;
  short?: Shortfall | undefined;
}

/**
 * Warnings for the organizer about a guest after a change: fewer places than requested, more meals than people, or more
 * people than invited.
 */
export function warningsOf({ guest, short }: WrittenGuest, language: Language): GuestWarning[] {
  const warnings: GuestWarning[] = [];
  if (short) {
    const words = short.code === 'waits' ? messages.waits : messages.fewer(short);
    warnings.push({ code: short.code, message: words[language] });
  }
  if (hasMoreMealsThanPeople(guest)) {
    const words = messages.mealsBeyondPeople(countMeals(guest), guest.coming);
    warnings.push({ code: 'meals', message: words[language] });
  }
  const { rsvp_status, coming, party_size } = guest;
  if (rsvp_status === 'confirmed' && coming > party_size)
    warnings.push({
      code: 'plus_ones',
      message: messages.plusOnes(coming - party_size, party_size)[language],
    });
  return warnings;
}
