import type { Language } from '../../../lib/languages.ts';
import { sayIn } from '../../../lib/words.ts';
import { words } from './standing-words.ts';
import type { Standing } from './standings.ts';

/** Number of invitations of a state, with the number of people invited if another number of people comes. */
export function invitationsText({ invitations, invited, people }: Standing, language: Language): string {
  const say = sayIn(words, language);
  const text = say('invitationsN', { n: invitations });
  return invited === people
    ? text
    : say('invitationsFor', { invitations: text, people: say('peopleN', { n: invited }) });
}

/** Total of invited people and invitations. */
export function invitedText(
  { invited, guests }: { invited: number; guests: number },
  language: Language,
): string {
  const say = sayIn(words, language);
  const people = say('peopleN', { n: invited });
  return say('invitedInAll', { people, invitations: say('invitationsN', { n: guests }) });
}
