import { timingSafeEqual } from 'node:crypto';
import { randomText } from '../kernel/random.ts';

/** What a code is for; one of a kind opens nothing of the other. */
export type Purpose = 'verify' | 'sign_in';

/** Letters and digits that nobody takes for one another, read aloud or in any type: no I, L, O, U, 0, 1. */
export const CODE_ALPHABET = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';
/** How many of them, the first ones, are letters. */
const LETTERS = 22;
const CODE_LENGTH = 8;

export const CODE_LIFETIME = { minutes: 15 };
/** Tries and mails are counted, and the counts forgotten, over this long. */
export const WINDOW = { minutes: 15 };
/** Wrong tries for one address by callers without a handle are counted over this long. */
export const LONG_WINDOW = { hours: 24 };
/**
 * Wrong tries: of a handle (the request that asked for a code, or a registration) until it is asked for anew; of callers
 * without a handle from one client network, in a window; and of all those for one address, in a long window.
 */
export const MOST_TRIES = { handle: 5, network: 20, address: 100 };
/**
 * Mails with codes to one address in a window: asked for from one network or known browser, and from all others than the
 * networks and browsers that signed in before.
 */
export const MOST_MAILS = { origin: 5, address: 30 };
/** A new code ends only the fourth last of its own handle: a mail that comes late still works. */
export const MOST_LIVE = 3;
/**
 * Registrations of one address that wait to be verified. A quarter of an hour touches two windows at most: one whose code
 * is alive is never pushed out by others.
 */
export const MOST_REGISTRATIONS = 2 * MOST_MAILS.address;

/**
 * A new code, `XXXX-XXXX`: one of 4.8 × 10¹¹. The first is a letter, or the text of a Hebrew or Arabic mail around a
 * code that begins with digits would show its halves the wrong way round.
 */
export function newCode(): string {
  const letters = randomText(1, CODE_ALPHABET.slice(0, LETTERS)) + randomText(CODE_LENGTH - 1, CODE_ALPHABET);
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

/** A code as somebody typed it, in the form it was made in; whatever else was typed is no code, but can be compared. */
export function typedCode(text: string): string {
  const letters = text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[\s\p{Pd}]/gu, '')
    .slice(0, 2 * CODE_LENGTH);
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

/** In a time that tells nothing of where they differ. */
export function isSameHash(given: Uint8Array, stored: Uint8Array | undefined): boolean {
  return timingSafeEqual(given, stored?.length === given.length ? stored : new Uint8Array(given.length));
}
