import { plainLetters } from '../letters.ts';

/** As letters alone; marks of emoji and a full stop make no difference either. */
export function wordForm(text: string): string {
  return plainLetters(text)
    .replace(/\s+/g, ' ')
    .replace(/[.!:,]+$/, '')
    .trim();
}

export function wordSet(words: readonly string[]): ReadonlySet<string> {
  return new Set(words.map(wordForm));
}
