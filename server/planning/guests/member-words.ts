import type { LanguageName } from '../../kernel/languages.ts';
import type { Guest } from './contract.ts';
import type { Member } from './fields.ts';
import { oneMealWords } from './meal-words.ts';

interface MemberWords {
  /** Name of a member without a name of their own. */
  companionOf(guest: string): string;
  child: string;
  absent: string;
  comma: string;
}

const memberWords: Readonly<Record<LanguageName, MemberWords>> = {
  hebrew: {
    companionOf: (guest) => `מלווה של ${guest}`,
    child: 'ילד/ה',
    absent: 'לא מגיע/ה',
    comma: ', ',
  },
  arabic: { companionOf: (guest) => `مرافق ${guest}`, child: 'طفل', absent: 'لن يحضر', comma: '، ' },
  english: { companionOf: (guest) => `guest of ${guest}`, child: 'child', absent: 'not coming', comma: ', ' },
};

/** Name of a member of a guest's party; a member without a name is "guest of" the guest. */
export function memberName({ name }: Pick<Member, 'name'>, guest: string, language: LanguageName): string {
  return name ?? memberWords[language].companionOf(guest);
}

/** Members of a guest's party in one line: their names, and what is known of each in brackets. */
export function membersText(
  { name: guest, members }: Pick<Guest, 'name' | 'members'>,
  language: LanguageName,
): string {
  const { child, absent, comma } = memberWords[language];
  return members
    .map((member) => {
      const details = [
        ...(member.child ? [child] : []),
        ...(member.meal ? [oneMealWords[language][member.meal]] : []),
        ...(member.allergies ? [member.allergies] : []),
        ...(member.coming ? [] : [absent]),
      ];
      const name = memberName(member, guest, language);
      return details.length > 0 ? `${name} (${details.join(comma)})` : name;
    })
    .join(comma);
}
