import { plainLetters } from '../letters.ts';

/** As letters alone; marks of emoji, a full stop and Arabic's own digits make no difference either. */
export function wordForm(text: string): string {
  return plainLetters(text)
    .replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
    .replace(/\s+/g, ' ')
    .replace(/[.!:,]+$/, '')
    .trim();
}

export function wordSet(words: readonly string[]): ReadonlySet<string> {
  return new Set(words.map(wordForm));
}
