import { LANGUAGES, type Language } from './languages.ts';

const STORAGE_KEY = 'simcha.language';

/** Language of the page, which the script `early.js` chose before the browser drew anything. */
export function languageOfPage(): Language {
  const { lang } = document.documentElement;
  return lang in LANGUAGES ? (lang as Language) : 'he';
}

export function storeLanguage(language: Language): void {
  try {
    localStorage.setItem(STORAGE_KEY, language);
  } catch {
    // If the browser blocks the page's storage, the language is chosen again on the next visit.
  }
}
