export type Language = 'he' | 'ar' | 'en';

/** Each by its own name, which is never translated. */
export const LANGUAGES: Readonly<Record<Language, { name: string; dir: 'rtl' | 'ltr'; locale: string }>> = {
  he: { name: 'עברית', dir: 'rtl', locale: 'he-IL' },
  // With the names of months that guests' pages have. Phones and prices here are in Latin digits.
  ar: { name: 'العربية', dir: 'rtl', locale: 'ar-PS-u-nu-latn' },
  en: { name: 'English', dir: 'ltr', locale: 'en-IL' },
};

/** Each as the API names it. */
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

/** One text for all languages, or one for each of some. */
type Texts = string | { readonly [name in LanguageName]?: string | null };

/** In a language, else in one that there is. */
export function textIn(texts: Texts, language: Language): string {
  if (typeof texts === 'string') return texts;
  return texts[NAME_OF[language]] ?? texts.hebrew ?? texts.english ?? texts.arabic ?? '';
}
