export const PAGE_LANGUAGES = ['he', 'ar', 'en'] as const;
export type PageLanguage = (typeof PAGE_LANGUAGES)[number];

/** The language of ours that an `Accept-Language` likes best (RFC 9110, 12.5.4); English where it names none. */
export function preferredLanguage(header = ''): PageLanguage {
  let best: PageLanguage = 'en';
  let most = 0;
  for (const range of header.split(',', 32)) {
    const [tag = '', ...parameters] = range.trim().toLowerCase().split(';');
    const primary = tag.trim().split('-', 1)[0];
    // iw is what old systems call Hebrew.
    const language = primary === 'iw' ? 'he' : PAGE_LANGUAGES.find((one) => one === primary);
    const weight = Number(/^\s*q=([01](?:\.\d{0,3})?)\s*$/.exec(parameters.join(';'))?.[1] ?? 1);
    if (language && weight > most) {
      best = language;
      most = weight;
    }
  }
  return best;
}
