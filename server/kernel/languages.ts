export const LANGUAGES = ['he', 'ar', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

/** One sentence in each language. */
export type Words = Readonly<Record<Language, string>>;

export function directionOf(language: Language): 'rtl' | 'ltr' {
  return language === 'en' ? 'ltr' : 'rtl';
}

/** The language of ours that an `Accept-Language` likes best (RFC 9110, 12.5.4); undefined where it names none. */
export function namedLanguage(header = ''): Language | undefined {
  let best: Language | undefined;
  let most = 0;
  for (const range of header.split(',', 32)) {
    const [tag = '', ...parameters] = range.trim().toLowerCase().split(';');
    const primary = tag.trim().split('-', 1)[0];
    // iw is what old systems call Hebrew.
    const language = primary === 'iw' ? 'he' : LANGUAGES.find((one) => one === primary);
    const weight = Number(/^\s*q=([01](?:\.\d{0,3})?)\s*$/.exec(parameters.join(';'))?.[1] ?? 1);
    if (language && weight > most) {
      best = language;
      most = weight;
    }
  }
  return best;
}

/** The same, with `otherwise` where it names none. */
export function preferredLanguage(header?: string, otherwise: Language = 'en'): Language {
  return namedLanguage(header) ?? otherwise;
}
