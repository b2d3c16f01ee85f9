import { randomInt } from 'node:crypto';

/** Text that nobody can guess: each letter one of `alphabet`, whichever is as likely as the others. */
export function randomText(length: number, alphabet: string): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}
