import type { Language } from '../../kernel/languages.ts';

const ARABIC = new Intl.PluralRules('ar');

/** So many people, in words that go with the number. */
export const peopleWords: Readonly<Record<Language, (people: number) => string>> = {
  he: (people) => (people === 1 ? 'אדם אחד' : `${people === 2 ? 'שני' : people} אנשים`),
  ar(people) {
    if (people === 1) return 'شخص واحد';
    return people === 2 ? 'شخصين' : `${people} ${arabicPeople(people)}`;
  },
  en: (people) => (people === 1 ? 'one person' : `${people} people`),
};

/** That so many are noted to come. */
export const comingWords: Readonly<Record<Language, (people: number) => string>> = {
  he: (people) => `רשמנו ש${people === 1 ? 'מגיע' : 'מגיעים'} ${peopleWords.he(people)}.`,
  ar: (people) => `سجّلنا حضور ${peopleWords.ar(people)}.`,
  en: (people) => `We have you down for ${peopleWords.en(people)}.`,
};

/** To a person or a family, by the name that the list has. */
export function dear(name: string): string {
  return `Dear ${name.replace(/^The /, 'the ')}`;
}

/** Three to ten are أشخاص, up to 99 شخصًا, a hundred شخص. */
function arabicPeople(people: number): string {
  const form = ARABIC.select(people);
  return form === 'few' ? 'أشخاص' : form === 'many' ? 'شخصًا' : 'شخص';
}
