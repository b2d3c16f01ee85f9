import { randomInt } from 'node:crypto';

/** Unguessable text: each letter is one of `alphabet`, all equally likely. */
export function randomText(length: number, alphabet: string): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}
