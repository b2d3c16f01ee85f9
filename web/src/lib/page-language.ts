import { LANGUAGES, type Language } from './languages.ts';

const STORAGE_KEY = 'simcha.language';

/** Language of the page, which `early.js` chose before anything was drawn. */
export function languageOfPage(): Language {
  const { lang } = document.documentElement;
  return lang in LANGUAGES ? (lang as Language) : 'he';
}

export function storeLanguage(language: Language): void {
  try {
    localStorage.setItem(STORAGE_KEY, language);
  } catch {
    // If the browser blocks the page's storage, the language is chosen anew on the next visit.
  }
}
