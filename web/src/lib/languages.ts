export type Language = 'he' | 'ar' | 'en';

/** The languages of guests as the API names them. */
export const CODES = { hebrew: 'he', arabic: 'ar', english: 'en' } as const satisfies Record<
  string,
  Language
>;
export type GuestsLanguage = keyof typeof CODES;
export const GUESTS_LANGUAGES = Object.keys(CODES) as GuestsLanguage[];

/** Each by its own name, which is never translated. */
export const LANGUAGES: Readonly<Record<Language, { name: string; dir: 'rtl' | 'ltr'; locale: string }>> = {
  he: { name: 'עברית', dir: 'rtl', locale: 'he-IL' },
  // `ar-IL` prints Arabic-Indic digits unless told otherwise; phones and prices here are in Latin ones.
  ar: { name: 'العربية', dir: 'rtl', locale: 'ar-IL-u-nu-latn' },
  en: { name: 'English', dir: 'ltr', locale: 'en-IL' },
};
