import type { Guest } from 'simcha-client';
import { joinTexts } from '../../../lib/dates.ts';
import type { Language } from '../../../lib/languages.ts';
import { type Catalogue, sayIn } from '../../../lib/words.ts';
import { words as mealWords } from './meal-words.ts';

/** Person of a guest's party about whom the event has details, such as the name or the meal. */
export type Member = Guest['members'][number];

export const memberWords = {
  companionOf: { he: 'מלווה של {name}', ar: 'مرافق {name}', en: 'guest of {name}' },
  companion: { he: 'מלווה בלי שם', ar: 'مرافق بلا اسم', en: 'companion without a name' },
  isChild: { he: 'ילד/ה', ar: 'طفل', en: 'child' },
  isAbsent: { he: 'לא מגיע/ה', ar: 'لن يحضر', en: 'not coming' },
} as const satisfies Catalogue;

/** Name of a member. A member without a name is a companion of the guest. */
export function memberName(
  { name }: Pick<Member, 'name'>,
  guest: string | undefined,
  language: Language,
): string {
  const say = sayIn(memberWords, language);
  return name ?? (guest === undefined ? say('companion') : say('companionOf', { name: guest }));
}

/** Members in one line: their names, and what is known of each in brackets. */
export function membersText(
  members: readonly Member[],
  guest: string | undefined,
  language: Language,
): string {
  return joinTexts(
    members.map((member) => {
      const more = memberDetails(member, language);
      const name = memberName(member, guest, language);
      return more.length > 0 ? `${name} (${joinTexts(more, language)})` : name;
    }),
    language,
  );
}

/**
 * Allergies of a guest's party as text: first of its members who come, each after the member's name, then those that
 * are noted for the party without a name.
 */
export function allergiesText(
  { name, members, allergies }: Pick<Guest, 'name' | 'members' | 'allergies'>,
  language: Language,
): string {
  const ofMembers = members
    .filter((member) => member.coming && member.allergies)
    .map((member) => `${memberName(member, name, language)}: ${member.allergies}`);
  return [...ofMembers, ...(allergies ? [allergies] : [])].join('; ');
}

/**
 * Details of a member of a guest's party without the name: child, meal, allergies, and whether the member stays away.
 */
export function memberDetails({ child, meal, allergies, coming }: Member, language: Language): string[] {
  const say = sayIn(memberWords, language);
  return [
    ...(child ? [say('isChild')] : []),
    ...(meal ? [sayIn(mealWords, language)(meal)] : []),
    ...(allergies ? [allergies] : []),
    ...(coming ? [] : [say('isAbsent')]),
  ];
}
