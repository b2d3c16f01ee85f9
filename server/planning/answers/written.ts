import { type Html, html } from '../../kernel/html.ts';
import { codeOf, type Language, type LanguageName } from '../../kernel/languages.ts';

const SCRIPTS: readonly (readonly [RegExp, Language])[] = [
  [/^\p{Script=Hebrew}/u, 'he'],
  [/^\p{Script=Arabic}/u, 'ar'],
  [/^\p{Script=Latin}/u, 'en'],
];

/**
 * In the tag of what hosts wrote: the direction of its first letter, and the language where that is another script than
 * the page's, so that it is read out in it (WCAG 3.1.2).
 */
export function written(text: string, page: LanguageName): Html {
  return html` dir="auto"${otherLanguage(text, page)}`;
}

/** The same without a direction of its own. */
export function otherLanguage(text: string, page: LanguageName): Html | false {
  const first = text.match(/\p{Letter}/u)?.[0] ?? '';
  const language = SCRIPTS.find(([script]) => script.test(first))?.[1];
  return language !== undefined && language !== codeOf(page) && html` lang="${language}"`;
}
