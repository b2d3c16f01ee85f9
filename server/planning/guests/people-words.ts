import type { Language } from '../../kernel/languages.ts';

const ARABIC = new Intl.PluralRules('ar');

/** Number of people in words, in each language with the right grammatical form of "people". */
export const peopleWords: Readonly<Record<Language, (people: number) => string>> = {
  he: (people) => (people === 1 ? 'אדם אחד' : `${people === 2 ? 'שני' : people} אנשים`),
  ar(people) {
    if (people === 1) return 'شخص واحد';
    return people === 2 ? 'شخصين' : `${people} ${arabicPeople(people)}`;
  },
  en: (people) => (people === 1 ? 'one person' : `${people} people`),
};

/** Sentence that confirms how many people are expected. */
export const comingWords: Readonly<Record<Language, (people: number) => string>> = {
  he: (people) => `רשמנו ש${people === 1 ? 'מגיע' : 'מגיעים'} ${peopleWords.he(people)}.`,
  ar: (people) => `سجّلنا حضور ${peopleWords.ar(people)}.`,
  en: (people) => `We have you down for ${peopleWords.en(people)}.`,
};

/** Text that says how many people an invitation is for; no full stop. */
export const invitationForWords: Readonly<Record<Language, (people: number) => string>> = {
  he: (people) =>
    people === 1 ? 'ההזמנה לאדם אחד' : people === 2 ? 'ההזמנה לשניים' : `ההזמנה ל־${people} אנשים`,
  ar: (people) => `الدعوة ${people > 2 ? 'لـ' : 'ل'}${peopleWords.ar(people)}`,
  en: (people) => `The invitation is for ${peopleWords.en(people)}`,
};

/**
 * Words for how many people may come beyond the invited ones; they follow the words about the invited people; no full
 * stop.
 */
export const plusOnesWords: Readonly<Record<Language, (invitation: string, plusOnes: number) => string>> = {
  he(invitation, plusOnes) {
    if (plusOnes === 0) return `${invitation} בלבד`;
    const more = plusOnes === 1 ? 'אדם אחד' : plusOnes === 2 ? 'שניים' : `${plusOnes} אנשים`;
    return `${invitation}, ואפשר להביא עוד ${more}`;
  },
  ar(invitation, plusOnes) {
    return plusOnes === 0 ? `${invitation} فقط` : `${invitation}، ويمكن إحضار ${arabicCompanions(plusOnes)}`;
  },
  en(invitation, plusOnes) {
    if (plusOnes === 0) return `${invitation} only`;
    return `${invitation}, and ${plusOnes === 1 ? 'one' : `up to ${plusOnes}`} more may come along`;
  },
};

/** English salutation of a person or a family, by the guest's name on the list. */
export function englishSalutation(name: string): string {
  return `Dear ${name.replace(/^The /, 'the ')}`;
}

/** Arabic words for a number of people: 3 to 10 take أشخاص, 11 to 99 شخصًا, 100 شخص. */
function arabicPeople(people: number): string {
  const form = ARABIC.select(people);
  return form === 'few' ? 'أشخاص' : form === 'many' ? 'شخصًا' : 'شخص';
}

function arabicCompanions(people: number): string {
  if (people <= 2) return people === 1 ? 'مرافق واحد' : 'مرافقين اثنين';
  const form = ARABIC.select(people);
  return `${people} ${form === 'few' ? 'مرافقين' : form === 'many' ? 'مرافقًا' : 'مرافق'}`;
}
