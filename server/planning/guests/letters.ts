/** A text without what makes no difference to who reads it: capitals, vowel signs, marks of direction, the forms of alef. */
export function plainLetters(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\p{Cf}|\p{M}/gu, '')
    .replace(/[أإآ]/g, 'ا')
    .toLowerCase();
}
