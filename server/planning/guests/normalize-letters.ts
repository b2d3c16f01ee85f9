/** Normalizes a text for comparison: without capitals, vowel signs, direction marks and the different forms of alef. */
export function normalizeLetters(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\p{Cf}|\p{M}/gu, '')
    .replace(/[أإآ]/g, 'ا')
    .toLowerCase();
}
