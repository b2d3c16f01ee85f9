import type { Language } from '../../kernel/languages.ts';
import type { Shortfall } from './capacity/standing.ts';
import type { GuestWarning } from './contract.ts';
import { isBeyondPeople, mealsIn, type Noted } from './meals.ts';
import { messages } from './messages.ts';

/** A guest as written, and what became of a yes where that is less than was asked for. */
export interface Written {
  guest: Noted;
  short?: Shortfall | undefined;
}

/** What an organizer should know of a guest who is not what they were meant to be. */
export function warningsOf({ guest, short }: Written, language: Language): GuestWarning[] {
  const warnings: GuestWarning[] = [];
  if (short) {
    const words = short.code === 'waits' ? messages.waits : messages.fewer(short);
    warnings.push({ code: short.code, message: words[language] });
  }
  if (isBeyondPeople(guest)) {
    const words = messages.mealsBeyondPeople(mealsIn(guest), guest.coming);
    warnings.push({ code: 'meals', message: words[language] });
  }
  return warnings;
}
