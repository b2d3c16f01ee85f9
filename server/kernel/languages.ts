/** Names of languages, used in the API and in stored values. */
export const LANGUAGE_NAMES = ['hebrew', 'arabic', 'english'] as const;
export type LanguageName = (typeof LANGUAGE_NAMES)[number];

/** Codes of languages (BCP 47), used in pages, mails and headers. */
export const LANGUAGES = ['he', 'ar', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Text in all three languages of the product. */
export type Words = Readonly<Record<Language, string>>;

/** Code of each language, and its locale for dates and numbers, with the digits used in Israel. */
const DETAILS: Readonly<Record<LanguageName, { code: Language; locale: string }>> = {
  hebrew: { code: 'he', locale: 'he-IL' },
  arabic: { code: 'ar', locale: 'ar-PS-u-nu-latn' },
  english: { code: 'en', locale: 'en-GB' },
};

export function languageCodeOf(name: LanguageName): Language {
  return DETAILS[name].code;
}

export function languageNameOf(code: Language): LanguageName {
  return LANGUAGE_NAMES[LANGUAGES.indexOf(code)] as LanguageName;
}

export function localeOf(name: LanguageName): string {
  return DETAILS[name].locale;
}

export function directionOf(language: Language): 'rtl' | 'ltr' {
  return language === 'en' ? 'ltr' : 'rtl';
}

/** Supported language that `Accept-Language` prefers (RFC 9110, 12.5.4); undefined if it names none. */
export function acceptedLanguage(header = ''): Language | undefined {
  let best: Language | undefined;
  let most = 0;
  for (const range of header.split(',', 32)) {
    const [tag = '', ...parameters] = range.trim().toLowerCase().split(';');
    const primary = tag.trim().split('-', 1)[0];
    // Old systems write `iw` for Hebrew.
    const language = primary === 'iw' ? 'he' : LANGUAGES.find((one) => one === primary);
    const weight = Number(/^\s*q=([01](?:\.\d{0,3})?)\s*$/.exec(parameters.join(';'))?.[1] ?? 1);
    if (language && weight > most) {
      best = language;
      most = weight;
    }
  }
  return best;
}

/** Supported language that the header `Accept-Language` prefers; if it names none, the language `otherwise`. */
export function preferredLanguage(header?: string, otherwise: Language = 'en'): Language {
  return acceptedLanguage(header) ?? otherwise;
}
