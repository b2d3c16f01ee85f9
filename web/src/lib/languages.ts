export type Language = 'he' | 'ar' | 'en';

/** Languages of the console, each with its name in that language, which is never translated. */
export const LANGUAGES: Readonly<Record<Language, { name: string; dir: 'rtl' | 'ltr'; locale: string }>> = {
  he: { name: 'עברית', dir: 'rtl', locale: 'he-IL' },
  // Locale for dates with the month names of the guests' pages. Its digits are Latin, as in phone numbers and prices.
  ar: { name: 'العربية', dir: 'rtl', locale: 'ar-PS-u-nu-latn' },
  en: { name: 'English', dir: 'ltr', locale: 'en-IL' },
};

/** Names that the API gives to the languages. */
export const NAME_OF = { he: 'hebrew', ar: 'arabic', en: 'english' } as const satisfies Record<
  Language,
  string
>;
export type LanguageName = (typeof NAME_OF)[Language];
export const LANGUAGE_NAMES = Object.values(NAME_OF);
export const CODE_OF = { hebrew: 'he', arabic: 'ar', english: 'en' } as const satisfies Record<
  LanguageName,
  Language
>;

/** Text that is the same in all languages, or a text for each of some languages. */
type Texts = string | { readonly [name in LanguageName]?: string | null };

/** Returns a text in the given language, or in another language if it is missing. */
export function textIn(texts: Texts, language: Language): string {
  if (typeof texts === 'string') return texts;
  return texts[NAME_OF[language]] ?? texts.hebrew ?? texts.english ?? texts.arabic ?? '';
}
