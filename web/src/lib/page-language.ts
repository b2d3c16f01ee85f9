import { LANGUAGES, type Language } from './languages.ts';

const KEPT_AS = 'simcha.language';

/** As `early.js` found it before anything was drawn. */
export function languageOfPage(): Language {
  const { lang } = document.documentElement;
  return lang in LANGUAGES ? (lang as Language) : 'he';
}

export function keepLanguage(language: Language): void {
  try {
    localStorage.setItem(KEPT_AS, language);
  } catch {
    // A browser that keeps nothing asks again next time.
  }
}
