import { addHebrewPrefix } from '../../../kernel/hebrew.ts';
import { nameKey, nameLetters, nameSpelling, withoutFamilyWords } from '../name-form.ts';

/** Normalizes a name for comparison: names that differ only in spelling or in the order of their words become equal. */
export const normalizeName = nameKey;

/** True if two names in the same script have no word in common, so that they hardly belong to one person. */
export function areDifferentPeople(one: string, other: string): boolean {
  const words = withoutFamilyWords(wordsOf(one));
  const others = new Set(withoutFamilyWords(wordsOf(other)));
  if (words.length === 0 || others.size === 0) return false;
  return scriptOf(one) === scriptOf(other) && !words.some((word) => others.has(word));
}

/** True if a name contains all words of another name, one after the other. */
export function containsName(name: string, other: string): boolean {
  const spaced = (text: string) => ` ${wordsOf(text).join(' ')} `;
  return spaced(name).includes(spaced(other));
}

/**
 * Joins a first name and a family name. If one of them contains the other, it is written once; `דוד דוד`, however, is a
 * name.
 */
export function fullName(first: string, last: string): string {
  const [firsts, lasts] = [wordsOf(first), wordsOf(last)];
  if (lasts.length < firsts.length && containsName(first, last)) return first;
  const begins = firsts.length < lasts.length && firsts.every((word, at) => word === lasts[at]);
  return begins ? last : `${first} ${last}`;
}

/** Joins the names of a couple as the names' language does: `דוד ורותי`. */
export function joinCouple(one: string, other: string): string {
  const script = scriptOf(one.slice(0, 1));
  if (script === 'hebrew') return `${one} ${addHebrewPrefix('ו', other)}`;
  return script === 'arabic' ? `${one} و${other}` : `${one} and ${other}`;
}

function wordsOf(name: string): string[] {
  return nameSpelling(nameLetters(name))
    .split(' ')
    .filter((word) => word !== '');
}

function scriptOf(name: string): string {
  const scripts = { hebrew: /\p{Script=Hebrew}/u, arabic: /\p{Script=Arabic}/u, latin: /\p{Script=Latin}/u };
  return Object.entries(scripts)
    .filter(([, letters]) => letters.test(name))
    .map(([script]) => script)
    .join();
}
