import { type Html, html } from '../../kernel/html.ts';
import { type Language, type LanguageName, languageCodeOf } from '../../kernel/languages.ts';

const SCRIPTS: readonly (readonly [RegExp, Language])[] = [
  [/^\p{Script=Hebrew}/u, 'he'],
  [/^\p{Script=Arabic}/u, 'ar'],
  [/^\p{Script=Latin}/u, 'en'],
];

/**
 * HTML attributes for an element with a text that the hosts wrote: the direction by its first letter and, if its script
 * is not the page's, the language, so that screen readers pronounce it correctly (WCAG 3.1.2).
 */
export function textAttributes(text: string, page: LanguageName): Html {
  return html` dir="auto"${languageAttribute(text, page)}`;
}

/** HTML language attribute for a text in another language, on an element that already has a text direction. */
export function languageAttribute(text: string, page: LanguageName): Html | false {
  const first = text.match(/\p{Letter}/u)?.[0] ?? '';
  const language = SCRIPTS.find(([script]) => script.test(first))?.[1];
  return language !== undefined && language !== languageCodeOf(page) && html` lang="${language}"`;
}
