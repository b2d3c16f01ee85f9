import { createHash } from 'node:crypto';
import { randomText } from '../../kernel/random.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Number of base-62 digits that hold 256 random bits. */
const DIGITS = 43;
const FORM = /^sk_[0-9A-Za-z]{43}$/;

/** Makes the text of a new access token: `sk_` and 43 random digits of base 62. */
export function newAccessToken(): string {
  return `sk_${randomText(DIGITS, BASE62)}`;
}

/** Hash by which an access token is stored and found: with 256 random bits, a plain hash reveals nothing. */
export function hashAccessToken(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

export function looksLikeAccessToken(text: string): boolean {
  return FORM.test(text);
}

/** Beginning of an access token, by which the token's owner recognises it. */
export function hintOf(text: string): string {
  return text.slice(0, 7);
}
