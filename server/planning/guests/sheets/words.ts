import { normalizeLetters } from '../normalize-letters.ts';

/**
 * Maximum length of a text compared with known words, in UTF-16 code units. Normalizing some longer texts would take
 * quadratic time.
 */
const LONGEST_WORDS = 200;

/**
 * Normalizes a text for comparison with known words, ignoring emoji variants, a final full stop and the script of
 * digits. Returns an empty text if it is too long.
 */
export function normalizeWord(text: string): string {
  if (text.length > LONGEST_WORDS) return '';
  return normalizeLetters(text)
    .replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
    .replace(/[’`´׳]/g, "'")
    .replace(/\s+/g, ' ')
    .replace(/[.!:,]+$/, '')
    .trim();
}

export function wordSet(words: readonly string[]): ReadonlySet<string> {
  return new Set(words.map(normalizeWord));
}
