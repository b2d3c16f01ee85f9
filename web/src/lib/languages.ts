export type Language = 'he' | 'ar' | 'en';

/** Each by its own name, which is never translated. */
export const LANGUAGES: Readonly<Record<Language, { name: string; dir: 'rtl' | 'ltr'; locale: string }>> = {
  he: { name: 'עברית', dir: 'rtl', locale: 'he-IL' },
  // `ar-IL` prints Arabic-Indic digits unless told otherwise; phones and prices here are in Latin ones.
  ar: { name: 'العربية', dir: 'rtl', locale: 'ar-IL-u-nu-latn' },
  en: { name: 'English', dir: 'ltr', locale: 'en-IL' },
};
