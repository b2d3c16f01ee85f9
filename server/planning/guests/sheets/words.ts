import { plainLetters } from '../letters.ts';

/** In characters; what is longer is none of our words, and some forms of it would take the square of its length to make. */
const LONGEST_WORDS = 200;

/** As letters alone; marks of emoji, a full stop and Arabic's own digits make no difference either. Empty where it is no word. */
export function wordForm(text: string): string {
  if (text.length > LONGEST_WORDS) return '';
  return plainLetters(text)
    .replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
    .replace(/\s+/g, ' ')
    .replace(/[.!:,]+$/, '')
    .trim();
}

export function wordSet(words: readonly string[]): ReadonlySet<string> {
  return new Set(words.map(wordForm));
}
