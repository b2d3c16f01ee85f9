import type { Language } from '../../kernel/languages.ts';
import type { Shortfall } from './capacity/allocation.ts';
import type { GuestWarning } from './contract.ts';
import { countMeals, type GuestMeals, hasMoreMealsThanPeople } from './meals.ts';
import { messages } from './messages.ts';

/** Guest after a change, and the part of their yes for which there were no places. */
export interface WrittenGuest {
  guest: GuestMeals;
  short?: Shortfall | undefined;
}

/** Warnings for the organizer about a guest after a change: fewer places than requested, or more meals than people. */
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
  return warnings;
}
