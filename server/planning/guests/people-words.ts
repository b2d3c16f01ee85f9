import type { Language } from '../../kernel/languages.ts';

const ARABIC = new Intl.PluralRules('ar');

/** Number of people in words, each language with the grammatical form that goes with the number. */
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

/** English salutation of a person or a family, by the guest's name on the list. */
export function englishSalutation(name: string): string {
  return `Dear ${name.replace(/^The /, 'the ')}`;
}

/** Arabic plural: 3 to 10 take أشخاص, 11 to 99 شخصًا, 100 شخص. */
function arabicPeople(people: number): string {
  const form = ARABIC.select(people);
  return form === 'few' ? 'أشخاص' : form === 'many' ? 'شخصًا' : 'شخص';
}
