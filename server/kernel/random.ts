import { randomInt } from 'node:crypto';

/** Makes a random text that nobody can guess: each letter is one of `alphabet`, all equally likely. */
export function randomText(length: number, alphabet: string): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}
