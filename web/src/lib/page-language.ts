import { LANGUAGES, type Language } from './languages.ts';

const KEPT_AS = 'simcha.language';

/** Language of the page, which `early.js` chose before anything was drawn. */
export function languageOfPage(): Language {
  const { lang } = document.documentElement;
  return lang in LANGUAGES ? (lang as Language) : 'he';
}

export function keepLanguage(language: Language): void {
  try {
    localStorage.setItem(KEPT_AS, language);
  } catch {
    // A browser without storage chooses again next time.
  }
}
