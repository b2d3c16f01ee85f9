import type { Words } from '../../../../kernel/languages.ts';

/**
 * A nested reason: how something ended, or why it could not be measured. In English it is a predicate (“exited with
 * code 1”) that follows its subject.
 */
export interface Nested {
  how: Words;
}

/** Significant lines of the failed command's output. */
export interface Quoted {
  said?: string;
}

/**
 * Rules by which Arabic chooses among its plural forms:
 * https://www.unicode.org/cldr/charts/latest/supplemental/language_plural_rules.html#ar
 */
const ARABIC = new Intl.PluralRules('ar');

export function arabicSeconds(count: number): string {
  const forms: Partial<Record<Intl.LDMLPluralRule, string>> = {
    one: 'ثانية واحدة',
    two: 'ثانيتين',
    few: `${count} ثوانٍ`,
  };
  return forms[ARABIC.select(count)] ?? `${count} ثانية`;
}

/** Output of a command or site as a sentence of its own, with a space before it. */
export function outputOf(said: string | undefined): Words {
  if (said === undefined) return { he: '', ar: '', en: '' };
  return { he: ` הפלט: ”${said}“.`, ar: ` المخرجات: ”${said}“.`, en: ` Output: “${said}”.` };
}

/** Optional sentence with a space before it, which follows another sentence. */
export function followedBy(sentence: string | undefined): string {
  return sentence === undefined ? '' : ` ${sentence}`;
}

/** Changes a sentence into the form in which it is a part of another sentence. */
export function clause(sentence: string): string {
  return sentence.replace(/\.$/, '');
}
