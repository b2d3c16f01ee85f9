import { timingSafeEqual } from 'node:crypto';
import { randomText } from '../kernel/random.ts';

/** Purpose of a code; a code of one purpose is useless for the other. */
export type Purpose = 'verify' | 'sign_in';

/** Letters and digits that can't be confused, read aloud or in any font: no I, L, O, U, 0, 1. */
export const CODE_ALPHABET = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';
/** Number of letters, which come first in CODE_ALPHABET. */
const LETTERS = 22;
const CODE_LENGTH = 8;

export const CODE_LIFETIME = { minutes: 15 };
/** Window in which tries and mails are counted. */
export const WINDOW = { minutes: 15 };
/** Window in which wrong tries for one address by clients without a handle are counted. */
export const LONG_WINDOW = { hours: 24 };
/**
 * Maximum number of wrong tries: for a handle (the request for a code, or a registration) until the next request; for
 * one network's clients without a handle, in a window; for all such clients and one address, in a long window.
 */
export const MOST_TRIES = { handle: 5, network: 20, address: 100 };
/**
 * Maximum number of mails with codes to one address in a window: requested from one network or known browser, and from
 * all networks and browsers that never signed in before.
 */
export const MOST_MAILS = { origin: 5, address: 30 };
/**
 * Number of codes of one handle that stay valid: a new code ends the fourth newest, so a mail that arrives late still
 * works.
 */
export const MOST_LIVE = 3;
/**
 * Maximum number of registrations of one address that wait for verification. The 15 minutes of a code overlap at most
 * two windows, so other registrations never push out one with a valid code.
 */
export const MOST_REGISTRATIONS = 2 * MOST_MAILS.address;

/**
 * New code, `XXXX-XXXX`: one of 4.8 × 10¹¹. It begins with a letter, because a Hebrew or Arabic mail would show the
 * halves of a code that begins with a digit in the wrong order.
 */
export function newCode(): string {
  const letters = randomText(1, CODE_ALPHABET.slice(0, LETTERS)) + randomText(CODE_LENGTH - 1, CODE_ALPHABET);
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

/** Normal form of a code as typed; any other text becomes no valid code, but can be compared. */
export function typedCode(text: string): string {
  const letters = text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[\s\p{Pd}]/gu, '')
    .slice(0, 2 * CODE_LENGTH);
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

/** Compares in a time that doesn't reveal the position of a difference. */
export function isSameHash(given: Uint8Array, stored: Uint8Array | undefined): boolean {
  return timingSafeEqual(given, stored?.length === given.length ? stored : new Uint8Array(given.length));
}
