import { createHash } from 'node:crypto';
import { randomText } from '../kernel/random.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Number of base-62 digits that hold 256 random bits. */
const DIGITS = 43;
const FORM = /^sk_[0-9A-Za-z]{43}$/;

/** Makes a new API key: `sk_` and 43 random digits of base 62. */
export function newApiKey(): string {
  return `sk_${randomText(DIGITS, BASE62)}`;
}

/** Hash by which an API key is stored and found: with 256 random bits, a plain hash reveals nothing. */
export function hashApiKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

export function looksLikeApiKey(text: string): boolean {
  return FORM.test(text);
}

/** Beginning of an API key, by which the key's owner recognises it. */
export function hintOf(key: string): string {
  return key.slice(0, 7);
}
