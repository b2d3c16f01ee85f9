import { timingSafeEqual } from 'node:crypto';
import { randomText } from '../kernel/random.ts';

/** Purpose of a mailed code. A code for one purpose is not accepted for another purpose. */
export type Purpose = 'verify' | 'sign_in';

/** Letters and digits of mailed codes, which can't be confused, read aloud or in any font: no I, L, O, U, 0, 1. */
export const CODE_ALPHABET = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';
/** Number of letters in `CODE_ALPHABET`, which begins with the letters. */
const LETTERS = 22;
const CODE_LENGTH = 8;

export const CODE_LIFETIME = { minutes: 15 };
/** Period in which wrong tries of a mailed code, and mails with codes, are counted. */
export const WINDOW = { minutes: 15 };
/**
 * Period in which wrong codes are counted for each mail address, if the clients that tried them never requested a code.
 */
export const LONG_WINDOW = { hours: 24 };
/**
 * Maximum number of wrong codes. `handle`: by a client that requested a code, until it requests another. `network`: by
 * all clients of one network that requested none, in a `WINDOW`. `address`: for one mail address, by all clients that
 * requested none, in a `LONG_WINDOW`.
 */
export const MOST_TRIES = { handle: 5, network: 20, address: 100 };
/**
 * Maximum number of mails with codes to one address within a `WINDOW`. `origin`: for each network or known browser that
 * requests them. `address`: for all networks and browsers together from which the address's owner never signed in.
 */
export const MOST_MAILS = { origin: 5, address: 30 };
/**
 * Number of mailed codes, requested by one client, that are valid at the same time, so that a mail that arrives late
 * still works. A further code ends the oldest of them.
 */
export const MOST_LIVE = 3;
/**
 * Maximum number of unverified registrations of one mail address. A code is valid for 15 minutes, which overlap two
 * windows at most; so the number is twice the number of mails in a window, and a new registration never ends one whose
 * code is still valid.
 */
export const MOST_REGISTRATIONS = 2 * MOST_MAILS.address;

/**
 * Makes a new code, `XXXX-XXXX`: one of 4.8 × 10¹¹. It begins with a letter, because a Hebrew or Arabic mail would show
 * the halves of a code that begins with a digit in the wrong order.
 */
export function newCode(): string {
  const letters = randomText(1, CODE_ALPHABET.slice(0, LETTERS)) + randomText(CODE_LENGTH - 1, CODE_ALPHABET);
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

/**
 * Normal form of a code as people type it. Texts that are no code become some text that no code equals, so they can be
 * compared like any other.
 */
export function typedCode(text: string): string {
  const letters = text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[\s\p{Pd}]/gu, '')
    .slice(0, 2 * CODE_LENGTH);
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

/** Compares two hashes in a time that does not reveal where they differ. */
export function isSameHash(given: Uint8Array, stored: Uint8Array | undefined): boolean {
  return timingSafeEqual(given, stored?.length === given.length ? stored : new Uint8Array(given.length));
}
